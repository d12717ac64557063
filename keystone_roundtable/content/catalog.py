"""The modes, roles and phrases in force for a project: shipped files first, then the user's."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from pathlib import Path

from ..core.catalog import Catalog, ModeSpec, RoleSpec
from ..core.records import MODES
from .errors import ContentError
from .layers import KEYED_LIST, Layered, overlay
from .locations import Kind, folders, shipped_folder
from .phrases import load_phrases

MODERATOR = "moderator"
_ROLE_ID = re.compile(r"[\w-]+")


def load_catalog(root: Path | None) -> Catalog:
    """Everything in force below `root`; None gives the shipped content alone.

    A user's file with the id of a shipped one overrides it field by field; the questions of a mode
    are replaced by key, and new ones are added. Raises `ContentError` at the first broken file.
    """
    mode_layers = {name: overlay(paths) for name, paths in _mode_files(root).items()}
    role_layers = {name: overlay(paths) for name, paths in _role_files(root).items()}
    modes = {name: _mode(layered) for name, layered in mode_layers.items()}
    roles = {name: _role(layered) for name, layered in role_layers.items()}
    for name, mode in modes.items():
        _check_listed(mode_layers[name], "default_roles", mode.default_roles, roles, "no role")
    _check_reads(role_layers, roles, modes)
    return Catalog(
        modes=modes,
        roles=roles,
        phrases=load_phrases(folders("templates", root)),
        origins={**_origins("modes", mode_layers), **_origins("roles", role_layers)},
    )


Files = dict[str, list[Path]]
"""The files of one id, the shipped one first."""


def _mode_files(root: Path | None) -> Files:
    """In the order in which a mode is chosen."""
    files = _files("modes", root)
    for name, paths in files.items():
        if name not in MODES:
            raise ContentError(paths[0], f"no such mode; the modes are {', '.join(MODES)}")
    missing = [name for name in MODES if name not in files]
    if missing:
        reason = f"the mode '{missing[0]}' is missing; install keystone-roundtable anew"
        raise ContentError(shipped_folder("modes"), reason)
    return {name: files[name] for name in MODES}


def _role_files(root: Path | None) -> Files:
    files = _files("roles", root)
    for name, paths in files.items():
        if name == MODERATOR:
            raise ContentError(paths[0], "the moderator always sits in and is no role of the pool")
        if not _ROLE_ID.fullmatch(name):
            reason = "the file's name is the role's id: letters, digits, hyphens and underscores"
            raise ContentError(paths[0], reason)
    return files


def _files(kind: Kind, root: Path | None) -> Files:
    """Files by id. Hidden ones, as editors leave them, are passed over."""
    found: Files = {}
    for folder in folders(kind, root):
        for path in sorted(folder.glob("[!.]*.y*ml")) if folder.is_dir() else ():
            if path.suffix == ".yml":
                raise ContentError(path, f"must be named '{path.stem}.yaml'")
            if path.suffix == ".yaml":
                found.setdefault(path.stem, []).append(path)
    return found


def _mode(layered: Layered) -> ModeSpec:
    mode = layered.validated(ModeSpec)
    known = {q.slot for q in mode.questions} | {mode.scope_question.slot}
    _check_listed(layered, "needed", mode.needed, known, "no question has the slot")
    if mode.scope_question.slot != mode.scope_slot:
        mine = layered.newest(("scope_question", "slot"), ("scope_slot",))
        reason = f"the scope question asks for '{mode.scope_question.slot}', not for"
        raise layered.error(mine, f"{reason} the scope_slot '{mode.scope_slot}'")
    if mode.scope_question.key in {q.key for q in mode.questions}:
        mine = layered.newest(("scope_question", "key"), (KEYED_LIST,))
        reason = f"the scope question and another have the same key '{mode.scope_question.key}'"
        raise layered.error(mine, reason)
    return mode


def _role(layered: Layered) -> RoleSpec:
    role = layered.validated(RoleSpec)
    for field in ("lens", "risk"):
        for mode in MODES:
            if mode not in getattr(role, field):
                raise layered.error((field, mode), "Field required")
    return role


def _check_reads(
    layers: Mapping[str, Layered], roles: Mapping[str, RoleSpec], modes: Mapping[str, ModeSpec]
) -> None:
    """A user's role reads slots that exist. A shipped one may lose a slot to a user's mode."""
    slots = {q.slot for mode in modes.values() for q in (*mode.questions, mode.scope_question)}
    for name, role in roles.items():
        path, _ = layers[name].place(("reads",))
        if path.parent != shipped_folder("roles"):
            _check_listed(layers[name], "reads", role.reads, slots, "no question has the slot")


def _check_listed(
    layered: Layered,
    field: str,
    names: tuple[str, ...],
    known: Container[str],
    reason: str,
) -> None:
    """Raises `ContentError` at the first of `names` that is not among the known ones."""
    for number, name in enumerate(names):
        if name not in known:
            mine = layered.newest((field, number), (KEYED_LIST,))
            raise layered.error(mine, f"{reason} '{name}'")


def _origins(kind: Kind, layers: Mapping[str, Layered]) -> dict[str, str]:
    return {f"{kind}/{name}": str(layered.path) for name, layered in layers.items()}
