"""The modes, roles and phrases in force for a project: shipped files first, then the user's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from ..core.catalog import Catalog, ModeSpec, RoleSpec
from ..core.records import MODES, Record
from .errors import ContentError
from .locations import Kind, shipped_folder, user_folder
from .yaml_files import line_of, read_mapping

_Shape = TypeVar("_Shape", bound=Record)
PHRASES_FILE = "offline.yaml"


def load_catalog(root: Path | None) -> Catalog:
    """Everything in force below `root`; None gives the shipped content alone.

    A user's file with the id of a shipped one overrides it field by field; the questions of a mode
    are replaced by key, and new ones are added. Raises `ContentError` at the first broken file.
    """
    modes = {k: _mode(layers) for k, layers in _layered("modes", root).items()}
    roles = {k: _validated(RoleSpec, layers) for k, layers in _layered("roles", root).items()}
    origins = {
        f"{kind}/{name}": str(layers[-1][0])
        for kind in ("modes", "roles")
        for name, layers in _layered_paths(kind, root).items()
    }
    catalog = Catalog(modes=modes, roles=roles, phrases=_phrases(root), origins=origins)
    _check_roles_exist(catalog, root)
    return catalog


Layers = list[tuple[Path, dict[str, Any]]]
"""A file and its fields, the shipped one first."""


def _folders(kind: Kind, root: Path | None) -> list[Path]:
    folders = [shipped_folder(kind)]
    if root is not None:
        folders.append(user_folder(kind, root))
    return folders


def _layered_paths(kind: Kind, root: Path | None) -> dict[str, list[tuple[Path, None]]]:
    found: dict[str, list[tuple[Path, None]]] = {}
    for folder in _folders(kind, root):
        for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
            found.setdefault(path.stem, []).append((path, None))
    return found


def _layered(kind: Kind, root: Path | None) -> dict[str, Layers]:
    """File stem -> its layers. Shipped modes keep the order in which a mode is chosen."""
    layered: dict[str, Layers] = {}
    for name, paths in _layered_paths(kind, root).items():
        layered[name] = [(path, _fields(path)) for path, _ in paths]
    if kind == "modes":
        strangers = [name for name in layered if name not in MODES]
        if strangers:
            path = layered[strangers[0]][0][0]
            raise ContentError(path, f"no such mode; the modes are {', '.join(MODES)}")
        return {name: layered[name] for name in MODES}
    return layered


def _fields(path: Path) -> dict[str, Any]:
    """The file's fields; the id is the file's name, and must say the same if it stands there."""
    fields = read_mapping(path)
    if fields.setdefault("id", path.stem) != path.stem:
        line = line_of(path, ("id",))
        reason = f"is '{fields['id']}', but the file is named '{path.name}'"
        raise ContentError(path, reason, line=line, field="id")
    return fields


def _mode(layers: Layers) -> ModeSpec:
    path = layers[-1][0]
    questions: dict[str, Any] = {}
    for _, fields in layers:
        for number, question in enumerate(_questions_in(fields)):
            key = question.get("key", number) if isinstance(question, dict) else number
            questions[str(key)] = question
    merged = [(path, {**fields, "questions": list(questions.values())}) for path, fields in layers]
    mode = _validated(ModeSpec, merged if len(layers) > 1 else layers)
    known = {q.slot for q in mode.questions} | {mode.scope_question.slot}
    for slot in (*mode.needed, mode.scope_slot):
        if slot not in known:
            raise ContentError(
                path,
                f"no question has the slot '{slot}'",
                line=line_of(path, ("needed",)),
                field="needed" if slot in mode.needed else "scope_slot",
            )
    return mode


def _questions_in(fields: Mapping[str, Any]) -> list[Any]:
    questions = fields.get("questions")
    return questions if isinstance(questions, list) else []


def _validated(shape: type[_Shape], layers: Layers) -> _Shape:
    """The merged layers in their shape. Raises `ContentError` naming the file to mend."""
    merged: dict[str, Any] = {}
    for _, fields in layers:
        merged.update(fields)
    try:
        return shape.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        location = first["loc"]
        path = next((p for p, fields in reversed(layers) if location[0] in fields), layers[-1][0])
        field = ".".join(str(step) for step in location)
        line = line_of(path, location)
        raise ContentError(path, first["msg"], line=line, field=field) from error


def _check_roles_exist(catalog: Catalog, root: Path | None) -> None:
    for mode in catalog.modes.values():
        for role in mode.default_roles:
            if role not in catalog.roles:
                path = _layered_paths("modes", root)[mode.id][-1][0]
                line = line_of(path, ("default_roles",))
                raise ContentError(path, f"no role '{role}'", line=line, field="default_roles")


def _phrases(root: Path | None) -> dict[str, tuple[str, ...]]:
    phrases: dict[str, tuple[str, ...]] = {}
    for folder in _folders("templates", root):
        path = folder / PHRASES_FILE
        if path.is_file():
            phrases.update({key: _wordings(path, key, v) for key, v in read_mapping(path).items()})
    return phrases


def _wordings(path: Path, key: str, value: Any) -> tuple[str, ...]:
    wordings = [value] if isinstance(value, str) else value
    if (
        not isinstance(wordings, list)
        or not wordings
        or not all(isinstance(wording, str) for wording in wordings)
    ):
        reason = "must be a text or a list of texts"
        raise ContentError(path, reason, line=line_of(path, (key,)), field=str(key))
    return tuple(wordings)
