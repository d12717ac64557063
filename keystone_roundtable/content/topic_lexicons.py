"""The topic lexicons shipped with the package, read from their data files."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import yaml

from keystone_roundtable.reading.topic_lexicon import TopicLexicon

_FOLDER = ("lexicons", "topic")


@cache
def load_topic_lexicons() -> tuple[TopicLexicon, ...]:
    """Every shipped lexicon, ordered by language code; read once.

    Raises `ValueError` naming language and field when a file is malformed.
    """
    folder = resources.files("keystone_roundtable.reading").joinpath(*_FOLDER)
    files = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".yaml")),
        key=lambda entry: entry.name,
    )
    return tuple(
        TopicLexicon.from_mapping(
            file.name.removesuffix(".yaml"), _parse(file.read_text(encoding="utf-8"))
        )
        for file in files
    )


def _parse(text: str) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)
