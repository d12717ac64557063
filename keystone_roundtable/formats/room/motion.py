"""A question made decidable: a fork in one line, what makes it hard, what would settle it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.plain import is_blank, one_line
from .records import MAX_OPTIONS, MIN_OPTIONS, Motion, Part, Preset

NO_CONSTRAINTS = (
    "Nobody said who does the work, what exists already, or what it costs to be wrong. Say what "
    "you take these to be, and where your answer hangs on them."
)
NO_SETTLING = (
    "Nobody said what would settle it. Name what you would look at first, and what it would show."
)

_HEADING = re.compile(r"^#{1,6}\s*(.+?)\s*#*$", re.MULTILINE)
_PARTS: Sequence[tuple[str, tuple[str, ...]]] = (
    ("settles", ("settle", "evidence", "would end")),
    ("constraints", ("constraint", "hard", "context")),
    ("options", ("option",)),
    ("decision", ("decision", "motion", "question")),
)
# What makes a topic of a question; the rest is the thing itself.
_TOPIC = re.compile(
    r"^(?:(?:any |your |some )?(?:thoughts?|opinions?|ideas?|views?|feedback)\s+"
    r"(?:on|about|for|regarding)|"
    r"what (?:do|would) (?:you|we|they) think (?:of|about)|"
    r"what about|how about|tell me about|discuss|should we|shall we|should i)\s+",
    re.IGNORECASE,
)


def sections(text: str) -> dict[str, str]:
    """The parts of a motion file by name; a text without headings is the constraints."""
    found: dict[str, str] = {}
    marks = list(_HEADING.finditer(text))
    if not marks:
        return {"constraints": text.strip()} if text.strip() else {}
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        heading = mark[1].casefold()
        body = text[mark.end() : after.start() if after else len(text)].strip()
        part = next((name for name, words in _PARTS if any(w in heading for w in words)), None)
        if part is not None and body:
            found[part] = body
    return found


def listed_options(text: str) -> tuple[str, ...]:
    """The entries of a list, or of one line with commas."""
    lines = [line.strip().lstrip("-*+0123456789.) ") for line in text.splitlines()]
    kept = [one_line(line) for line in lines if not is_blank(line)]
    if len(kept) == 1:
        kept = [one_line(part) for part in kept[0].split(",") if not is_blank(part)]
    return tuple(dict.fromkeys(kept))


def make_motion(
    question: str,
    *,
    given: Sequence[str],
    read: Sequence[str],
    implied: bool = False,
    constraints: str = "",
    settles: str = "",
    decision: str = "",
    preset: Preset = "panel",
) -> Motion:
    """The motion with what is missing drafted and marked so.

    `given` are options that the user named, `read` those that stand in the question; `implied` says
    that one of these is only meant there, such as that all stays as it is.
    """
    drafted: list[Part] = []
    line = one_line(decision or question)
    options = tuple(one_line(option) for option in given)
    if not options:
        options = tuple(dict.fromkeys(one_line(option) for option in read))[:MAX_OPTIONS]
        drafted += ["options"] if implied else []
    if len(options) < MIN_OPTIONS:
        thing = _thing(line)
        line = f"Should {thing} go ahead now, or not?" if preset == "red-team" else (
            f"Should we go for {thing} now, or not?"
        )  # fmt: skip
        options = ("go ahead", "do not go ahead")
        drafted = ["decision", "options"]
    if is_blank(constraints):
        constraints = NO_CONSTRAINTS
        drafted.append("constraints")
    if is_blank(settles):
        settles = NO_SETTLING
        drafted.append("settles")
    return Motion(
        question=question,
        decision=line,
        options=options,
        constraints=constraints.strip(),
        settles=settles.strip(),
        drafted=tuple(drafted),
    )


def _thing(line: str) -> str:
    bare = _TOPIC.sub("", line).strip().rstrip("?!. ")
    return bare or line.rstrip("?!. ")
