"""The roster of a table: every soul read from somewhere real, or its seat refused by name."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from ..content.config import user_config
from ..content.tables import TableTexts
from ..core.errors import UsageError
from ..core.plain import as_read, is_blank, one_line
from ..core.seating import CONVENER, Seat
from ..core.secrets import mask
from ..formats.table.fold import is_masked
from ..formats.table.records import MAX_SOULS, MIN_SOULS, Soul, SoulKind
from ..runtime.processes import ProcessRunner
from ..stores.places import roundtable_folder
from ..stores.souls import find_persona, is_file_name, oracle_soul, read_soul
from .typed import as_typed
from .wiring import Project

PERSONAS = "personas"
DEFAULT_ROSTER = (
    "product-manager", "software-architect", "sre", "security-architect", "delivery-owner",
)  # fmt: skip
"""Five of the shipped roles that look from different sides; chosen by judgement."""

_MAW_TIMEOUT_S = 10.0  # looking up a path; chosen by judgement

AskHabit = Callable[[str], str]
"""Asks for the one habit that a real person of this name brings; "" for no such person."""


@dataclass(frozen=True)
class Roster:
    """Finds souls. `engine` and `model` speak for each that `own` gives none of its own, by name;
    `ask_habit` is None where nobody is there to ask.
    """

    project: Project
    engine: str
    model: str | None
    ask_habit: AskHabit | None = None
    own: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    processes: ProcessRunner = field(default_factory=ProcessRunner)

    def souls(self, options: Namespace) -> tuple[Soul, ...]:
        """The souls that the options name, in their order; the default roster where none does.

        Raises `UsageError` for a seat without a source, a name that is there twice, and fewer than
        3 or more than 8.
        """
        found = [self._from_file(given) for given in options.seat]
        found += [self._from_line(given) for given in options.person]
        named = [n.strip() for n in as_typed(options.agents or "").split(",") if n.strip()]
        if options.agents is not None and not named:
            raise UsageError("--agents names nobody", "Give it as: --agents a,b,c")
        if not found and not named:
            named = list(DEFAULT_ROSTER)
        found += [self._named(name) for name in named]
        _check(found)
        stranger = next((name for name in self.own if name not in {s.name for s in found}), None)
        if stranger is not None:
            raise UsageError(
                f"--engine {stranger}: nobody of that name has a seat", "Seat it first"
            )
        return tuple(found)

    def _from_file(self, given: str) -> Soul:
        name, _, path = given.partition("=")
        if not name.strip() or not path:
            raise UsageError(
                f"--seat {one_line(as_typed(given))}: no NAME=FILE",
                "Give it as: --seat finance=souls/finance.md",
            )
        file = Path(path).expanduser()
        return self._soul(as_typed(name).strip(), read_soul(file), "file", _shown(file))

    def _from_line(self, given: str) -> Soul:
        name, _, habit = as_typed(given).partition("=")
        if not name.strip() or is_blank(habit):
            raise UsageError(
                f"--person {one_line(as_typed(given))}: no NAME=HABIT",
                'Give it as: --person "Ada=asks what happens on the worst day"',
            )
        return self._person(name.strip(), habit)

    def _person(self, name: str, habit: str) -> Soul:
        line = one_line(habit)
        soul = f"{one_line(name)} is a real person. The one habit to bring to this table: {line}"
        return self._soul(name, soul, "person", line)

    def _named(self, name: str) -> Soul:
        """A persona of that name, an Oracle, a role, or a person whom somebody vouches for."""
        persona = find_persona(name, self._persona_folders())
        if persona is not None:
            return self._soul(name, read_soul(persona), "persona", _shown(persona))
        oracle = self._oracle(name)
        if oracle is not None:
            return oracle
        role = self.project.catalog.roles.get(name)
        if role is not None:
            text = TableTexts(self.project.root).lens(role)
            origin = self.project.catalog.origins.get(f"roles/{name}", name)
            return self._soul(name, text, "lens", one_line(as_typed(origin)))
        if self.ask_habit is not None and not is_blank(habit := self.ask_habit(name)):
            return self._person(name, habit)
        folders = ", ".join(_shown(folder) for folder in self._persona_folders())
        raise UsageError(
            f"the seat '{one_line(name)}' is refused: no soul of that name was found, and none is "
            "made up",
            f"Put {one_line(name)}.md into one of {folders}, or give it with --seat NAME=FILE, or "
            '--person "NAME=HABIT" for a real person',
        )

    def _persona_folders(self) -> tuple[Path, ...]:
        """The project's, then the user's."""
        own = user_config()
        return (
            roundtable_folder(self.project.root) / PERSONAS,
            *([own.parent / PERSONAS] if own else []),
        )

    def _oracle(self, name: str) -> Soul | None:
        """Where `maw` knows the name; None without that command, or where it does not."""
        if not is_file_name(name):
            return None
        done = self.processes.output(["maw", "locate", name, "--path"], _MAW_TIMEOUT_S)
        lines = done.stdout.strip().splitlines()
        if done.status != 0 or not lines or not Path(lines[-1].strip()).is_dir():
            return None
        repository = Path(lines[-1].strip())
        found = oracle_soul(repository, name)
        if found is None:
            raise UsageError(
                f"the seat '{one_line(name)}' is refused: {_shown(repository)} holds neither its "
                "resonance nor an identity section in CLAUDE.md",
                "Write one, or give --seat NAME=FILE",
            )
        text, path = found
        return self._soul(name, text, "oracle", _shown(path))

    def _soul(self, name: str, text: str, kind: SoulKind, source: str) -> Soul:
        engine, model = self.own.get(one_line(name), (self.engine, self.model))
        try:
            seat = Seat(name=one_line(name), engine=engine, model=model, soul=text)
        except ValidationError as error:
            raise UsageError(
                f"'{one_line(name)[:60]}' cannot be a seat's name: {error.errors()[0]['msg']}",
                "Give a short name",
            ) from error
        return Soul(seat=seat, kind=kind, source=source)


def _check(found: list[Soul]) -> None:
    masked = next((soul.name for soul in found if is_masked(soul.name)), None)
    if masked is not None:
        raise UsageError(
            f"the seat '{mask(masked)}' looks like a secret: it is masked in prompts, so no soul "
            "could name it",
            "Give it another name",
        )
    names = [as_read(soul.name) for soul in found]
    twice = next((soul.name for soul in found if names.count(as_read(soul.name)) > 1), None)
    if twice is not None:
        raise UsageError(f"two seats are called '{twice}'", "Give each a name of its own")
    if CONVENER in names:
        raise UsageError(
            f"no seat is called '{CONVENER}': so is whoever draws up what the souls disagree on",
            "Give it another name",
        )
    if len(found) < MIN_SOULS:
        raise UsageError(
            f"{len(found)} souls: a table seats {MIN_SOULS} to {MAX_SOULS}",
            "Two is a debate, one a monologue: name more souls",
        )
    if len(found) > MAX_SOULS:
        raise UsageError(
            f"{len(found)} souls: a table seats {MIN_SOULS} to {MAX_SOULS}", "Name fewer souls"
        )


def _shown(path: Path) -> str:
    return one_line(as_typed(str(path)))
