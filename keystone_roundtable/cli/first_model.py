"""The first interactive run that finds a key or a local server asks once which model to use."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from ..core.errors import KeystoneError
from .moderators import OFFLINE
from .settings import Settings, remember

Choose = Callable[[Sequence[tuple[str, str]]], str]
"""Shows kinds of models with where text would go; gives a spec."""

_LOCAL_LIMIT_S = 0.2


def model_in_force(settings: Settings, choose: Choose | None, environ: Mapping[str, str]) -> str:
    """The spec to use. Asks, and remembers the answer, where nobody has chosen and one could.

    Nothing is sent because a key lies in the environment: silence leaves the built-in rules.
    """
    if settings.model.chosen or choose is None:
        return settings.model.value
    offers = list(offers_in(environ))
    if not offers:
        return OFFLINE
    spec = choose(offers)
    remember("model", spec)
    return spec


def offers_in(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each kind of model that could be asked, and the host that text would go to."""
    if not any(_speaks_of_models(name) for name in environ) and not _listens("127.0.0.1", 11434):
        return
    from ..models.language.spec import KINDS, base_url, destination, key_variable

    for facts in KINDS.values():
        if not facts.remote:
            continue
        with contextlib.suppress(KeystoneError):
            address = urlsplit(base_url(facts, environ))
            keyed = key_variable(facts, environ) is not None
            local = facts.kind == "ollama" and _listens(address.hostname, address.port)
            addressed = facts.kind == "openai-chat"
            if (keyed and facts.key_needed) or local or addressed:
                yield facts.kind, destination(facts, environ)


def _speaks_of_models(variable: str) -> bool:
    return variable.startswith(("OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "OLLAMA_"))


def _listens(host: str | None, port: int | None) -> bool:
    try:
        with socket.create_connection((host or "", port or 80), timeout=_LOCAL_LIMIT_S):
            return True
    except OSError:
        return False
