"""The sentences of a format's contract: rows in a YAML file, the shipped one under the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core.contract import ContractSentences
from ..core.plain import one_line
from .errors import ContentError
from .layers import Layered, overlay
from .templating import Templates


class ContractRows:
    """`name` is the file's, below each of `folders`; later folders win. Read when first needed."""

    def __init__(self, name: str, folders: Sequence[Path], templates: Templates) -> None:
        self._name = name
        self._folders = folders
        self._templates = templates

    def sentences(self, row: str, values: Mapping[str, Any]) -> ContractSentences:
        """Raises `ContentError` where the row is missing or a sentence is no text."""
        written = {
            name: self._sentence(row, name, values) for name in ContractSentences.model_fields
        }
        return ContractSentences(**written)

    def _sentence(self, row: str, name: str, values: Mapping[str, Any]) -> str:
        fields = self._layered.fields.get(row)
        text = fields.get(name) if isinstance(fields, dict) else None
        if not isinstance(text, str):
            raise self._layered.error((row, name), "must be a text")
        path, _ = self._layered.place((row,))
        return one_line(self._templates.render_text(text, path, None, **values))

    @cached_property
    def _layered(self) -> Layered:
        found = [folder / self._name for folder in self._folders]
        kept = [path for path in found if path.is_file()]
        if not kept:
            raise ContentError(found[0], "no such file")
        return overlay(kept)
