"""The offline moderator's phrases: the shipped wordings, then the user's key by key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

from .errors import ContentError
from .yaml_files import line_of, read_mapping

PHRASES_FILE = "offline.yaml"

Phrases = Mapping[str, tuple[str, ...]]


def load_phrases(folders: Iterable[Path]) -> Phrases:
    """Wordings by key; a later folder's replace an earlier one's. Empty where no file is.

    A later folder may reword a phrase and not add one, and uses only the blanks that the phrase
    has. Raises `ContentError`.
    """
    phrases: dict[str, tuple[str, ...]] = {}
    for folder in folders:
        path = folder / PHRASES_FILE
        if not os.path.lexists(path):
            continue
        given = {key: _wordings(path, key, value) for key, value in read_mapping(path).items()}
        if phrases:
            for key, wordings in given.items():
                _check_rewording(path, key, wordings, phrases)
        phrases.update(given)
    return phrases


def _wordings(path: Path, key: str, value: Any) -> tuple[str, ...]:
    wordings = [value] if isinstance(value, str) else value
    if not isinstance(wordings, list) or not wordings or not _all_texts(wordings):
        raise _error(path, key, "must be a text or a list of texts")
    return tuple(wordings)


def _all_texts(wordings: list[Any]) -> bool:
    return all(isinstance(wording, str) for wording in wordings)


def _check_rewording(path: Path, key: str, wordings: tuple[str, ...], phrases: Phrases) -> None:
    if key not in phrases:
        raise _error(path, key, "no such phrase")
    known = _blanks(phrases[key])
    try:
        strange = sorted(_blanks(wordings) - known)
    except ValueError as error:
        raise _error(path, key, f"a brace without its other half ({error})") from error
    if strange:
        has = ", ".join(f"{{{blank}}}" for blank in sorted(known)) or "none"
        raise _error(path, key, f"{{{strange[0]}}} cannot be filled in; this phrase has {has}")


def _blanks(wordings: tuple[str, ...]) -> set[str]:
    parsed = (part for wording in wordings for part in Formatter().parse(wording))
    return {name for _, name, _, _ in parsed if name is not None}


def _error(path: Path, key: str, reason: str) -> ContentError:
    return ContentError(path, reason, line=line_of(path, (key,)), field=str(key))
