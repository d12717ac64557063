"""YAML files read strictly, with the line of whatever is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import ContentError


def read_mapping(path: Path) -> dict[str, Any]:
    """The mapping that the file holds. Raises `ContentError` where it holds anything else."""
    text = read_text(path)
    import yaml

    try:
        loader = _loader(yaml)(text)
        try:
            node = loader.get_single_node()
            _refuse_duplicates(path, node)
            data = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise ContentError(path, f"not YAML: {error.problem}", line=line) from error
    except (yaml.YAMLError, ValueError) as error:
        raise ContentError(path, f"not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict):
        raise ContentError(path, "the file must hold a mapping of fields", line=1)
    return data


def read_text(path: Path) -> str:
    """The file's text. Raises `ContentError` where it cannot be read or is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ContentError(path, f"not UTF-8 text (byte {error.start})") from error
    except OSError as error:
        raise ContentError(path, f"cannot be read: {error.strerror}") from error


def _loader(yaml: Any) -> Any:
    """The C loader is some ten times faster; it is absent where libyaml was not at hand."""
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _refuse_duplicates(path: Path, node: Any) -> None:
    """Later keys would silently win over earlier ones."""
    if node is None or isinstance(node.value, str):
        return
    if node.id == "sequence":
        for item in node.value:
            _refuse_duplicates(path, item)
        return
    seen: set[str] = set()
    for key, value in node.value:
        name = str(key.value)
        if name in seen:
            line = key.start_mark.line + 1
            raise ContentError(path, "the field stands there twice", line=line, field=name)
        seen.add(name)
        _refuse_duplicates(path, value)


def line_of(path: Path, location: Sequence[str | int]) -> int | None:
    """The line of a field, or of the nearest thing around it that exists; None if unreadable."""
    import yaml

    node = yaml.compose(read_text(path), Loader=yaml.SafeLoader)
    line = None
    for step in location:
        if node is None:
            break
        line = node.start_mark.line + 1
        node = _child(node, step)
    return node.start_mark.line + 1 if node is not None else line


def _child(node: Any, step: str | int) -> Any:
    if node.id == "mapping":
        return next((value for key, value in node.value if key.value == step), None)
    if node.id == "sequence" and isinstance(step, int) and step < len(node.value):
        return node.value[step]
    return None


def to_yaml(content: Mapping[str, Any]) -> str:
    """A mapping as YAML, in its own order."""
    import yaml

    return str(yaml.safe_dump(dict(content), allow_unicode=True, sort_keys=False, width=100))
