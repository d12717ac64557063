"""The state of a table as one JSON object, read into records.

The shape is the seed's: `id`, `question`, `options`, `aggregator`, `values_keywords`, `agents[]`
with `name`, `soul`, `rounds[]`, `final`, `dissent_note`; `empty` on an agent says why its seat was
emptied. Fields that this program does not know are passed over. What only one of `inspect` and
`vote` needs is checked by that one: a confidence is kept here as it came.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from ..core.plain import as_seen, is_blank, one_line
from .errors import TableStateError, TooFewSoulsError
from .value_words import VALUE_WORDS

Aggregator = Literal["weighted", "majority", "unanimity-or-escalate"]
AGGREGATORS: tuple[Aggregator, ...] = get_args(Aggregator)
DEFAULT_AGGREGATOR: Aggregator = "weighted"  # round-table: the default

QUORUM = 3  # round-table, step 1: two is a debate, one a monologue
MAX_ROUND = 4  # round-table: 4 rounds, never 5
ESCALATE = "ESCALATE"
"""What stands in the decision's place where none was made; so no option may be called that."""


@dataclass(frozen=True)
class RoundAnswer:
    """What a soul held in one round; `confidence` as it came."""

    round: int
    position: str
    confidence: object
    self_update: str


@dataclass(frozen=True)
class FinalVote:
    """A vote as it came; `vote` may be no option, `confidence` no number."""

    vote: object
    confidence: object
    rationale: str


@dataclass(frozen=True)
class Agent:
    """One seat. `rounds` are in the order of the rounds; `empty` is why it has no say, or ""."""

    name: str
    rounds: tuple[RoundAnswer, ...]
    final: FinalVote | None
    dissent_note: str
    empty: str

    def answer_in(self, number: int) -> RoundAnswer | None:
        return next((answer for answer in self.rounds if answer.round == number), None)


@dataclass(frozen=True)
class TableState:
    """A table as it stands. Options and names are told apart by their text."""

    question: str
    options: tuple[str, ...]
    aggregator: Aggregator
    values: tuple[str, ...]
    agents: tuple[Agent, ...]

    def seated(self) -> tuple[Agent, ...]:
        """The souls that have a say. Raises `TooFewSoulsError` below the quorum."""
        left = tuple(agent for agent in self.agents if not agent.empty)
        if len(left) < QUORUM:
            raise TooFewSoulsError(len(left), QUORUM)
        return left


def read_state(value: object) -> TableState:
    """The state that a JSON value tells of. Raises `TableStateError`, which names the field."""
    if not isinstance(value, dict):
        raise TableStateError("", f"the state is {_kind(value)}, not an object")
    return TableState(
        question=_text(value, "question", ""),
        options=_options(value),
        aggregator=_aggregator(value),
        values=_values(value),
        agents=_agents(value),
    )


def whole_number(value: object) -> int | None:
    """The whole number that a JSON value is; None for anything else, and for true and false."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None


# -- the parts -------------------------------------------------------------------------


def _options(state: Mapping[str, Any]) -> tuple[str, ...]:
    options = _list(state, "options", "")
    for number, option in enumerate(options):
        field = f"options[{number}]"
        if not isinstance(option, str):
            raise TableStateError(field, f"is {_kind(option)}, not a text")
        if is_blank(option):
            raise TableStateError(field, "is blank")
        if option == ESCALATE:
            raise TableStateError(field, f"no option may be called {ESCALATE}")
    _check_unique([one_line(option) for option in options], "options", "")
    if len(options) < 2:
        raise TableStateError("options", f"{len(options)} given, at least 2 are needed")
    return tuple(options)


def _aggregator(state: Mapping[str, Any]) -> Aggregator:
    given = state.get("aggregator")
    if given is None:
        return DEFAULT_AGGREGATOR
    if given not in AGGREGATORS:
        raise TableStateError(
            "aggregator",
            f"'{one_line(given)}' is none" if isinstance(given, str) else f"is {_kind(given)}",
            f"Choose from {', '.join(AGGREGATORS)}",
        )
    return cast(Aggregator, given)


def _values(state: Mapping[str, Any]) -> tuple[str, ...]:
    if state.get("values_keywords") is None:
        return VALUE_WORDS
    words = _list(state, "values_keywords", "")
    for number, word in enumerate(words):
        if not isinstance(word, str):
            raise TableStateError(f"values_keywords[{number}]", f"is {_kind(word)}, not a text")
    return tuple(words)


def _agents(state: Mapping[str, Any]) -> tuple[Agent, ...]:
    agents = [
        _agent(agent, f"agents[{number}]")
        for number, agent in enumerate(_list(state, "agents", ""))
    ]
    _check_unique([one_line(agent.name) for agent in agents], "agents", ".name")
    return tuple(agents)


def _agent(agent: object, field: str) -> Agent:
    if not isinstance(agent, dict):
        raise TableStateError(field, f"is {_kind(agent)}, not an object")
    name = agent.get("name")
    if not isinstance(name, str) or is_blank(name):
        raise TableStateError(f"{field}.name", "must be a text that can be seen")
    rounds = _list(agent, "rounds", f"{field}.") if agent.get("rounds") is not None else []
    answers = [_round(one, f"{field}.rounds[{n}]") for n, one in enumerate(rounds)]
    _check_unique([str(answer.round) for answer in answers], f"{field}.rounds", ".round")
    return Agent(
        name=name,
        rounds=tuple(sorted(answers, key=lambda answer: answer.round)),
        final=_final(agent.get("final"), f"{field}.final"),
        dissent_note=_text(agent, "dissent_note", f"{field}."),
        empty=_text(agent, "empty", f"{field}.").strip(),
    )


def _round(one: object, field: str) -> RoundAnswer:
    if not isinstance(one, dict):
        raise TableStateError(field, f"is {_kind(one)}, not an object")
    number = whole_number(one.get("round"))
    if number is None or not 1 <= number <= MAX_ROUND:
        raise TableStateError(f"{field}.round", f"must be a whole number from 1 to {MAX_ROUND}")
    return RoundAnswer(
        round=number,
        position=_text(one, "position", f"{field}."),
        confidence=one.get("confidence"),
        self_update=_text(one, "self_update", f"{field}."),
    )


def _final(final: object, field: str) -> FinalVote | None:
    if final is None:
        return None
    if not isinstance(final, dict):
        raise TableStateError(field, f"is {_kind(final)}, not an object")
    return FinalVote(
        vote=final.get("vote"),
        confidence=final.get("confidence"),
        rationale=_text(final, "rationale", f"{field}."),
    )


# -- fields ----------------------------------------------------------------------------


def _text(of: Mapping[str, Any], name: str, before: str) -> str:
    """The text under `name`; "" where there is none."""
    value = of.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TableStateError(f"{before}{name}", f"is {_kind(value)}, not a text")
    return value


def _list(of: Mapping[str, Any], name: str, before: str) -> list[Any]:
    if name not in of:
        raise TableStateError(f"{before}{name}", "is missing")
    value = of[name]
    if not isinstance(value, list):
        raise TableStateError(f"{before}{name}", f"is {_kind(value)}, not a list")
    return value


def _check_unique(texts: list[str], field: str, inner: str) -> None:
    """Two that read the same cannot be told apart by whoever votes or counts."""
    seen = [as_seen(text) for text in texts]
    for number, text in enumerate(texts):
        first = seen.index(seen[number])
        if first < number:
            raise TableStateError(
                f"{field}[{number}]{inner}", f"'{text}' stands in {field}[{first}] already"
            )


_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (int, "a number"),
    (float, "a number"),
    (str, "a text"),
    (list, "a list"),
    (dict, "an object"),
)


def _kind(value: object) -> str:
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "null")
