"""The contract's sentences for each kind of end: the shipped ones, then the user's one by one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ContentError
from .yaml_files import line_of, read_mapping

SENTENCES_FILE = "contract_sentences.yaml"
STATUS_QUO = "status_quo"
"""Not an end: what differs where the direction is to keep things as they are."""


@dataclass(frozen=True)
class Sentence:
    """A template and where it stands."""

    text: str
    path: Path
    end: str
    name: str

    @property
    def line(self) -> int | None:
        return line_of(self.path, (self.end, self.name))


Sentences = Mapping[str, Mapping[str, Sentence]]
"""By end, then by name (`rationale`, `fallback`, `next_action`)."""


def load_sentences(folders: Iterable[Path]) -> Sentences:
    """Every end's sentences; a later folder's replace an earlier one's, and add none.

    Raises `ContentError`.
    """
    merged: dict[str, dict[str, Sentence]] = {}
    for folder in folders:
        path = folder / SENTENCES_FILE
        if os.path.lexists(path):
            given = _read(path)
            if merged:
                _check_known(given, merged)
            merged = {end: {**merged.get(end, {}), **given.get(end, {})} for end in merged or given}
    return merged


def _read(path: Path) -> dict[str, dict[str, Sentence]]:
    return {end: _of_end(path, str(end), given) for end, given in read_mapping(path).items()}


def _of_end(path: Path, end: str, given: Any) -> dict[str, Sentence]:
    if not isinstance(given, dict):
        raise ContentError(path, "must hold sentences", line=line_of(path, (end,)), field=end)
    for name, text in given.items():
        if not isinstance(text, str):
            line = line_of(path, (end, name))
            raise ContentError(path, "must be a text", line=line, field=f"{end}.{name}")
    return {name: Sentence(text, path, end, name) for name, text in given.items()}


def _check_known(given: Sentences, known: Sentences) -> None:
    for end, sentences in given.items():
        for name, sentence in sentences.items():
            if name not in known.get(end, {}):
                reason, field = "no such sentence", f"{end}.{name}"
                raise ContentError(sentence.path, reason, line=sentence.line, field=field)
