"""What stands on the screen around the line one types on: rows of styled text for a given width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from ..core import commands as cmd
from ..core.plain import one_line, plain
from ..core.session import Session
from . import strings
from .wrapping import ELLIPSIS, clip, width_of, wrap

Row = list[tuple[str, str]]
"""One line of the screen: styles and texts, from left to right."""

MAX_TEXT_WIDTH = 100  # longer lines are hard to read; chosen by judgement
MAX_BAR_ROWS = 2
MAX_ANSWER_ROWS = 6  # of an answer in the record of what was said


@dataclass(frozen=True)
class Block:
    """Rows that stay or go together. The higher `rank`, the sooner they go where room is short."""

    rank: int
    rows: list[Row]


def paragraph(style: str, text: str, columns: int, indent: str = "") -> list[Row]:
    """`text` wrapped at words, every row after `indent`; the last column stays free."""
    width = min(columns - 1, MAX_TEXT_WIDTH) - width_of(indent)
    return [[("", indent), (style, line)] for line in wrap(text, width)]


def hanging(first: tuple[str, str], style: str, text: str, columns: int) -> list[Row]:
    """`text` wrapped to the right of `first`, which stands before its first row only."""
    blank = " " * width_of(first[1])
    rows = paragraph(style, text, columns, blank)
    return [[first, rows[0][1]], *rows[1:]]


def question_blocks(session: Session, asked: cmd.AwaitAnswer, columns: int) -> list[Block]:
    """The open question: heading, lead, the question itself, what is at stake, suggestions."""
    question = asked.question
    empty: list[Row] = [[]]
    about_this = bool(session.turns[-1].clarifications)
    clarification = Block(2, _clarification_rows(asked, columns))
    blocks = [
        # One on the question before stands above this one's heading.
        *([] if about_this else [clarification]),
        Block(6, list(empty)),
        Block(0, paragraph("class:heading", strings.heading(session), columns)),
    ]
    if question.lead:
        # Answers that contradict each other are put before the person in the lead: no quiet voice.
        rank, style = (1, "") if question.conflict else (3, "class:quiet")
        blocks.append(Block(rank, paragraph(style, one_line(question.lead), columns)))
    if about_this:
        blocks.append(clarification)
    blocks.append(Block(5, list(empty)))
    blocks.append(Block(0, paragraph("class:question", one_line(question.text), columns, "  ")))
    if question.stakes:
        stakes = f"{strings.WHY_STAKES}{one_line(question.stakes)}"
        blocks.append(Block(4, paragraph("class:quiet", stakes, columns, "  ")))
    if question.suggestions:
        hint = paragraph("class:quiet", strings.SUGGESTIONS, columns, "  ")
        blocks += [
            Block(5, list(empty)),
            Block(4, hint),
            Block(1, _suggestion_rows(asked, columns)),
        ]
    return [*blocks, Block(5, list(empty))]


def _clarification_rows(asked: cmd.AwaitAnswer, columns: int) -> list[Row]:
    if not asked.clarification:
        return []
    return [[], *paragraph("", plain(asked.clarification), columns)]


def _suggestion_rows(asked: cmd.AwaitAnswer, columns: int) -> list[Row]:
    rows: list[Row] = []
    for number, suggestion in enumerate(asked.question.suggestions, 1):
        mark = strings.RECOMMENDED if suggestion.recommended else ""
        text = f"{one_line(suggestion.text)}{mark}"
        rows += hanging(("class:number", f"  {number}  "), "", text, columns)
    return rows


def topic_blocks(columns: int) -> list[Block]:
    return [
        Block(4, [[]]),
        Block(0, paragraph("class:heading", strings.ASK_TOPIC, columns)),
        Block(1, paragraph("class:quiet", strings.TOPIC_EXAMPLE, columns)),
        Block(2, paragraph("class:quiet", strings.TOPIC_HINT, columns)),
        Block(4, [[]]),
    ]


def review_blocks(confirmed_next: bool, columns: int) -> list[Block]:
    ahead = paragraph("class:warning", strings.CONFIRM_AHEAD, columns) if confirmed_next else []
    return [
        Block(2, [[]]),
        Block(0, paragraph("class:heading", strings.REVIEW_HEADING, columns)),
        Block(0, ahead),
        Block(1, paragraph("class:quiet", strings.REVIEW_HINT, columns)),
        Block(2, [[]]),
    ]


def confirm_blocks(phrase: str, columns: int) -> list[Block]:
    return [
        Block(3, [[]]),
        Block(1, paragraph("class:warning", strings.CONFIRM_HEADING, columns)),
        Block(0, paragraph("", strings.CONFIRM_HOW, columns)),
        Block(3, [[]]),
        Block(0, paragraph("class:question", phrase, columns, "  ")),
        Block(3, [[]]),
        Block(2, paragraph("class:quiet", strings.CONFIRM_ELSE, columns)),
        Block(3, [[]]),
    ]


def fit(blocks: Iterable[Block], rows: int) -> list[Row]:
    """As many blocks as fit into `rows`; the least important go first, then the last rows."""
    kept = list(blocks)
    while sum(len(block.rows) for block in kept) > rows:
        highest = max((block.rank for block in kept), default=0)
        if highest == 0:
            break
        kept = [block for block in kept if block.rank < highest]
    shown = [row for block in kept for row in block.rows]
    if len(shown) > rows > 0:
        shown = [*shown[: rows - 1], [("", ELLIPSIS)]]
    return shown[: max(rows, 0)]


def said_rows(label: str, question: str, answer: str, columns: int) -> list[Row]:
    """The record of a question that was answered: quieter than the one that is open."""
    width = min(columns, MAX_TEXT_WIDTH)
    first = ("class:quiet", f"{label}  " if label else "")
    rows = hanging(first, "class:quiet", one_line(question), width)
    lines = plain(answer).strip("\n").split("\n")
    # Beyond the rows that are kept nothing need be wrapped: an answer may have thousands of lines.
    wrapped = [part for line in lines[:MAX_ANSWER_ROWS] for part in wrap(line, width - 4)]
    hidden = len(lines) - MAX_ANSWER_ROWS
    rows += [
        [("class:prompt", " ›  " if number == 0 else "    "), ("", line)]
        for number, line in enumerate(wrapped[:MAX_ANSWER_ROWS])
    ]
    if hidden > 0 or len(wrapped) > MAX_ANSWER_ROWS:
        rows.append([("class:quiet", f"    {strings.more_lines(max(hidden, 0))}")])
    return [[], *rows]


def bar_rows(warning: str, pieces: Sequence[str], columns: int) -> list[Row]:
    """The bottom bar: the warning, then the pieces in at most `MAX_BAR_ROWS` rows.

    Where one row is too short for all of them, commands and keys get a row each.
    """
    room = columns - 2
    warnings = wrap(warning, room) if warning else []
    whole = reduce(_joined, pieces, "")
    texts = [whole] if width_of(whole) <= room else _filled(pieces, room)
    return [
        *(_bar("class:bar.warning", line, columns) for line in warnings),
        *(_bar("class:bar", text, columns) for text in texts[:MAX_BAR_ROWS] if text),
    ]


def _filled(pieces: Sequence[str], room: int) -> list[str]:
    """The pieces in rows of at most `room` columns."""
    texts = [""]
    for piece in pieces:
        longer = _joined(texts[-1], piece)
        turns_to_keys = _ends_in_command(texts[-1]) and not piece.startswith("/")
        if width_of(longer) > room or (turns_to_keys and len(texts) < MAX_BAR_ROWS):
            texts.append(piece)
        else:
            texts[-1] = longer
    return texts


def _joined(text: str, piece: str) -> str:
    """Commands stand side by side, everything else is set apart."""
    if not text:
        return piece
    return f"{text}{' ' if _ends_in_command(text) and piece.startswith('/') else ' · '}{piece}"


def _ends_in_command(text: str) -> bool:
    return text.rpartition(" ")[2].startswith("/")


def _bar(style: str, text: str, columns: int) -> Row:
    text = clip(f" {text}", columns)
    return [(style, text + " " * (columns - width_of(text)))]


def recap_rows(session: Session, columns: int) -> list[Row]:
    """What was said before: the topic, the mode, and a line for each question and note."""
    width = min(columns, MAX_TEXT_WIDTH)
    rows: list[Row] = [[], [("class:heading", strings.GOING_ON)]]
    rows += [[("", clip(f"{strings.TOPIC}{one_line(session.start.topic)}", width))]]
    rows += [[("", clip(f"{strings.MODE}{session.prepared.mode}", width))]]
    for turn in session.turns:
        if turn.settled:
            answer = turn.words or strings.LEFT_OPEN
            rows.append(_recap_row(turn.question.id, turn.question.text, answer, width))
    rows += [
        [("class:quiet", clip(f"{strings.NOTE}{one_line(note.text)}", width))]
        for note in session.notes
    ]
    return rows


def _recap_row(label: str, question: str, answer: str, width: int) -> Row:
    """One line: at most half of it for the question, the rest for the answer."""
    asked = clip(f"{label}  {one_line(question)}", width // 2)
    said = clip(one_line(answer), width - width_of(asked) - 3)
    return [("class:quiet", asked), ("class:prompt", " › "), ("", said)]
