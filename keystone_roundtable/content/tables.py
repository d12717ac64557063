"""The words of a table: prompts, minute, decision line, and the sentences of its contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..core.catalog import RoleSpec
from ..core.contract import ContractSentences
from ..core.plain import one_line, plain
from .contract_rows import ContractRows
from .locations import folders
from .templating import Templates

ROUND_TEMPLATES = {
    1: "table/round1-open.md.j2",
    2: "table/round2-deepen.md.j2",
    3: "table/round3-converge.md.j2",
    4: "table/round4-vote.md.j2",
}
_SENTENCES = "table/sentences.yaml"


class TableTexts:
    """Fills in the shipped templates of a table, or the user's of the same name.

    Every method raises `ContentError` where a template is broken.
    """

    def __init__(self, root: Path | None) -> None:
        layers = folders("templates", root)
        self._templates = Templates(tuple(reversed(layers)))
        self._rows = ContractRows(_SENTENCES, layers, self._templates)

    def stable(self, **values: Any) -> str:
        """What every round of one soul begins with: the soul, the question, the facts."""
        return self._templates.render("table/soul.md.j2", **values)

    def task(self, number: int, **values: Any) -> str:
        return self._templates.render(ROUND_TEMPLATES[number], **values)

    def axes(self, **values: Any) -> str:
        return self._templates.render("table/axes.md.j2", **values)

    def lens(self, role: RoleSpec) -> str:
        """A shipped role as a soul."""
        risks = tuple(dict.fromkeys(role.risk.values()))
        return self._templates.render("table/lens.md.j2", role=role, risks=risks).strip()

    def minute(self, minute: object) -> str:
        """The minute as Markdown; nothing in it can act on a terminal."""
        return plain(self._templates.render("table/minute.md.j2", minute=minute))

    def decision_line(self, **values: Any) -> str:
        return one_line(self._templates.render("table/decision.md.j2", **values))

    def sentences(self, row: str, **values: Any) -> ContractSentences:
        """Of the rows in `table/sentences.yaml`, such as `decided`."""
        return self._rows.sentences(row, values)
