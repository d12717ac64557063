"""Who answers: a person at a terminal, or a script of answers."""

from __future__ import annotations

import sys
from argparse import Namespace

from ..core.errors import UsageError
from ..runtime.conversation import Partner
from ..runtime.scripted import ScriptedPartner, read_answers
from .named_files import answer_lines
from .saying import say
from .screens import can_redraw
from .settings import Settings

NO_TERMINAL = (
    "standard input is no terminal",
    "Give the answers with --answers FILE or --answers -, or drive the session with: "
    "keystone-roundtable step",
)


def partner_for(options: Namespace, settings: Settings) -> Partner:
    """Who answers. Raises `UsageError` at once where nobody could."""
    if options.answers is not None:
        return ScriptedPartner(
            read_answers(answer_lines(options.answers)), say, settings.fallback.value
        )
    if not sys.stdin.isatty():
        raise UsageError(*NO_TERMINAL)
    # Where standard output goes to a file or a program, the conversation does not.
    screen = sys.stderr if options.json or not sys.stdout.isatty() else sys.stdout
    if options.plain or not can_redraw(screen):
        from ..terminal.plain_partner import PlainPartner

        return PlainPartner(screen, input)
    from ..terminal.prompt_partner import prompt_partner

    return prompt_partner(screen)
