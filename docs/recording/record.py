"""Records a real session: runs it in tmux, types the answers, and writes `session.svg` beside it.

    python docs/recording/record.py

Needs tmux. Nothing in the picture is made up: each part is a screen read from the terminal.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.real.tmux import Tmux  # noqa: E402

COLUMNS, ROWS = 88, 26
REPORT_ROWS = 50
GAP = 12  # between two parts of the picture, in its units

TOPIC = (
    "Should we build the notification system now, or defer it until after the settings refactor?"
)
ANSWERS = (
    "A pilot customer is told when an import fails, without calling us",
    "The settings refactor, because the preferences would live in the new settings",
    "A push channel on mobile; nobody asked for it yet",
    "One kind of mail, for failed imports only, switched on by hand",
)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".git").mkdir()
        parts = record(folder)
    (HERE / "session.svg").write_text(picture(parts), encoding="utf-8")


def record(folder: Path) -> list[tuple[str, str]]:
    """The title and the coloured text of each part, from one session held in `folder`."""
    with Tmux(["run", TOPIC], folder, COLUMNS, ROWS) as terminal:
        terminal.wait("Question 1 of at least 3", "Enter sends")
        terminal.type(ANSWERS[0])
        terminal.wait(ANSWERS[0][-12:])
        first = shown(terminal)
        terminal.press("Enter")
        terminal.wait("Question 2")
        terminal.answer(ANSWERS[1])
        terminal.wait("Question 3")
        terminal.type(ANSWERS[2])
        terminal.wait(ANSWERS[2][-12:])
        third = shown(terminal)
        terminal.press("Enter")
        terminal.wait("Question 4")
        terminal.resize(COLUMNS, REPORT_ROWS)
        terminal.answer(ANSWERS[3])
        terminal.wait("Does this report stand?")
        report = shown(terminal, since="Conclusion")
    return [
        (f'keystone-roundtable "{TOPIC[:40]}..."', first),
        ("two answers later", third),
        ("the report, before it is accepted", report),
    ]


def shown(terminal: Tmux, since: str = "") -> str:
    """The screen with its colours, from the row that holds `since` to the last that holds text."""
    rows = terminal.screen(colours=True).split("\n")
    while not Text.from_ansi(rows[-1]).plain.strip():
        rows.pop()
    first = next(number for number, row in enumerate(rows) if since in row)
    return "\n".join(rows[first:])


def picture(parts: list[tuple[str, str]]) -> str:
    """One SVG with the parts below each other."""
    drawn, top, width = [], 0.0, 0.0
    for number, (title, screen) in enumerate(parts):
        svg = draw(title, screen, f"part{number}")
        box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
        assert box is not None
        part_width, part_height = float(box[1]), float(box[2])
        opening = f'<svg x="0" y="{top}" width="{part_width}" height="{part_height}"'
        drawn.append(svg.replace("<svg", opening, 1))
        top += part_height + GAP
        width = max(width, part_width)
    return (
        f'<svg viewBox="0 0 {width} {top - GAP}" xmlns="http://www.w3.org/2000/svg">\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def draw(title: str, screen: str, name: str) -> str:
    """One screen in a window frame."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(_spaces_apart(Text.from_ansi(screen)), end="")
    return console.export_svg(title=title, theme=MONOKAI, unique_id=name)


def _spaces_apart(text: Text) -> Text:
    """Gives spaces at the ends of a styled run a style of their own.

    Some viewers drop them from a run and shift its words; rich draws a run of spaces as none.
    """
    for span in [span for span in text.spans if span.style]:
        run = text.plain[span.start : span.end]
        before = len(run) - len(run.lstrip(" "))
        after = len(run) - len(run.rstrip(" "))
        text.stylize("italic", span.start, span.start + before)
        text.stylize("italic", span.end - after, span.end)
    return text


if __name__ == "__main__":
    main()
