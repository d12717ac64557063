"""What eight times the text costs, for shapes that could cost the square of their length.

`python -m benchmarks.shapes` names every reading and shape by the growth of its work: in
proportion that is eight times, by the square sixty-four. Each is compared with itself in one run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

from keystone_roundtable.core.secrets import mask, shown
from keystone_roundtable.reading.sentences import split_sentences

from .measuring import Ratio

SHORT, TIMES = 2_000, 8  # the longer text is below what the readings cut off
LEAST_S = 0.002  # below this a measured time is the clock's own noise
TARGET = 3  # halfway between one and eight on a scale of ratios
TRIES = 3  # the least of them counts: noise only adds

OPTIONS = ("build the notification system", "defer it until the settings refactor is done")
QUESTION = "Which path comes first, and why?"
ROLES = {"sre": ("SRE", "the SRE"), "security": ("security",)}

SHAPES = {
    "blanks": " ",
    "tabs": "\t",
    "no-break blanks": "\u00a0",
    "line ends": "\n",
    "lines of a blank": " \n",
    "numbered": "1. ",
    "one word a sentence": "Go. ",
    "one letter a sentence": "x y. ",
    "questions": "? ",
    "bullets": "- a\n",
    "semicolons": "a; ",
    "decimals": "3.14 ",
    "decimals in a list": "0.123456,",
    "digits": "1",
    "digits and commas": "1,",
    "amounts": "$5 ",
    "ideographs and commas": "好，",
    "questions without blanks": "我们应该做吗？",
    "Thai choices": "หรือ",
    "and": "and ",
    "but": "but ",
    "or": "we or ",
    "maybe": "maybe ",
    "because": "because ",
    "limits": "must a. ",
    "quotes": "“",
    "brackets": "(",
    "dots": ".",
    "hyphens": "a-",
    "stars": "*",
    "letters": "a",
}

SECRETS = (
    "sk-", "sk-a", "eyJaaaaaaaa.", "://", "://a:", ":b@", "token=", "token", 'token = "', "A1",
    "-----BEGIN PRIVATE KEY-----", "-----", "Bearer ", "authorization: ", "authorization: bearer ",
    "[masked: ", "password='",
)  # fmt: skip
"""How a secret begins, again and again: shapes for what masks."""


@dataclass(frozen=True)
class Growth:
    """How many times the work a text of `TIMES` the length is, for one reading of one shape."""

    reading: str
    shape: str
    times: float

    def __str__(self) -> str:
        return f"{self.times:6.1f}x  {self.reading}: {self.shape}"


def growths() -> list[Growth]:
    """Every reading with every shape, the steepest first."""
    masking = SHAPES | {f"{unit!r} repeated": unit for unit in SECRETS}
    found = [
        Growth(name, shape, min(_growth(read, unit) for _ in range(TRIES)))
        for name, read in _readings().items()
        for shape, unit in (masking if read in (mask, shown) else SHAPES).items()
    ]
    return sorted(found, key=lambda one: -one.times)


def shape_ratios() -> list[Ratio]:
    """The steepest growth over one in proportion."""
    steepest = growths()[0]
    name = f"{TIMES} times the text at worst ({steepest.reading}: {steepest.shape}) / {TIMES}"
    return [Ratio(name, steepest.times / TIMES, TARGET)]


def _readings() -> dict[str, Callable[[str], object]]:
    from keystone_roundtable.cli.wiring import load_rules

    rules = load_rules()
    return {
        "stance": lambda text: rules.stance(text, OPTIONS, ROLES),
        "stance of an answer": lambda text: rules.stance(text, OPTIONS, ROLES, "choice"),
        "pick": lambda text: rules.pick(text, OPTIONS),
        "signal": lambda text: rules.signal(text, QUESTION, OPTIONS),
        "alternative": rules.alternative,
        "options": rules.options,
        "route": rules.route,
        "mode": rules.mode,
        "complexity": rules.complexity,
        "reversibility": rules.reversibility,
        "same option": lambda text: rules.same_option(text, OPTIONS),
        "sentences": split_sentences,
        "mask": mask,
        "shown": shown,
    }


def _growth(read: Callable[[str], object], unit: str) -> float:
    read(_text_of(unit, 100))  # what is loaded and compiled once is not measured
    short_s, long_s = (_work_s(read, _text_of(unit, SHORT * times)) for times in (1, TIMES))
    return long_s / max(short_s, LEAST_S)


def _text_of(unit: str, length: int) -> str:
    """Words at both ends, so that nothing is stripped away."""
    return f"we {unit * (length // len(unit))} wait"


def _work_s(read: Callable[[str], object], text: str) -> float:
    """Seconds of this process alone."""
    began = process_time()
    read(text)
    return process_time() - began


def main() -> int:
    found = growths()
    print(*found, sep="\n")
    return 0 if found[0].times <= TIMES * TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
