"""The words of a room: prompts, motion, decision, page, and the sentences of its contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..core.contract import ContractSentences
from ..core.plain import plain
from .contract_rows import ContractRows
from .locations import folders
from .pages import html_page
from .templating import Templates

_SENTENCES = "room/sentences.yaml"


class RoomTexts:
    """Fills in the shipped templates of a room, or the user's of the same name.

    Every method raises `ContentError` where a template is broken.
    """

    def __init__(self, root: Path | None) -> None:
        layers = folders("templates", root)
        self._templates = Templates(tuple(reversed(layers)))
        self._rows = ContractRows(_SENTENCES, layers, self._templates)

    def stable(self, **values: Any) -> str:
        """What every round of one seat begins with: the motion, and what the seat is told of it."""
        return self._templates.render("room/seat.md.j2", **values)

    def task(self, round_name: str, **values: Any) -> str:
        return self._templates.render(f"room/{round_name}.md.j2", **values)

    def claims(self, **values: Any) -> str:
        return self._templates.render("room/claims.md.j2", **values)

    def decide(self, **values: Any) -> str:
        return self._templates.render("room/decide.md.j2", **values)

    def motion(self, motion: object) -> str:
        return plain(self._templates.render("room/motion.md.j2", motion=motion))

    def decision(self, room: object) -> str:
        return plain(self._templates.render("room/decision.md.j2", room=room))

    def page(self, room: object, *, live: str = "", news: str = "") -> str:
        """The page of a room; `live` is the state that it shows, after which it asks its server, ""
        for a file that stands alone. `news` is what happened last.
        """
        script = "pages/room.js" if live else ""
        return html_page(
            "room", style_too="pages/room.css", script=script, room=room, live=live, news=news
        )

    def sentences(self, row: str, **values: Any) -> ContractSentences:
        """Of the rows `decided` and `dissented`."""
        return self._rows.sentences(row, values)
