"""The engines in force: the shipped file, the user's own and the project's laid over it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from ..core.engine_entries import ApiEntry, CliEntry, EngineEntry, OfflineEntry
from ..core.faults import fault_words
from ..core.seating import OFFLINE
from .config import user_config
from .layers import Layered, overlay
from .locations import shipped_folder

FILE_NAME = "engines.yaml"

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")  # a colon may follow it, and then the model
_SHAPES = (ApiEntry, OfflineEntry, CliEntry)
_KINDS = [get_args(shape.model_fields["kind"].annotation)[0] for shape in _SHAPES]


def project_engines(root: Path) -> Path:
    """The project's file; it need not exist."""
    return root / ".keystone" / "roundtable" / FILE_NAME


def user_engines() -> Path | None:
    """The user's own file, which need not exist; None where the user has no folder for it."""
    config = user_config()
    return config.parent / FILE_NAME if config else None


def from_project(root: Path) -> frozenset[str]:
    """The engines that the project's file says something of: what a project says came with
    whatever was cloned. Raises `ContentError`.
    """
    path = project_engines(root)
    return frozenset(overlay([path]).fields) if path.exists() else frozenset()


def load_engines(root: Path | None) -> Mapping[str, EngineEntry]:
    """Every engine by its name, the shipped ones first. Raises `ContentError`."""
    paths = [shipped_folder("templates") / FILE_NAME]
    if (own := user_engines()) is not None and own.exists():
        paths.append(own)
    if root is not None and project_engines(root).exists():
        paths.append(project_engines(root))
    layered = overlay(paths)
    return {
        name: _entry(layered, name, fields)
        for name, fields in layered.fields.items()
        if name != "id"
    }


def _entry(layered: Layered, name: str, fields: Any) -> EngineEntry:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise layered.error((name,), "a name has small letters, digits and dashes")
    kind = fields.get("kind") if isinstance(fields, dict) else None
    if kind not in _KINDS:
        raise layered.error((name, "kind"), f"the kind of an engine is one of: {', '.join(_KINDS)}")
    if name == OFFLINE and kind != OFFLINE:
        raise layered.error((name, "kind"), "'offline' promises that nothing is sent")
    try:
        entry: EngineEntry = TypeAdapter[EngineEntry](EngineEntry).validate_python(fields)
    except ValidationError as error:
        first = error.errors()[0]
        reason = fault_words(first["type"], first["msg"], first.get("ctx", {}))
        # Behind the name pydantic puts the kind, which is no field of the file; nor is its mark of
        # a name that is wrong, where what it stands for is not.
        place = [one for one in first["loc"][1:] if one != "[key]"]
        raise layered.error((name, *place), reason.removeprefix("Value error, ")) from error
    return entry
