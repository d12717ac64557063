"""YAML files read strictly, with the line of whatever is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .errors import ContentError


def read_mapping(path: Path) -> dict[str, Any]:
    """The mapping that the file holds. Raises `ContentError` where it holds anything else."""
    text = read_text(path)
    import yaml

    try:
        data = _construct(path, _loader()(text))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise ContentError(path, f"not YAML: {error.problem}", line=line) from error
    except (yaml.YAMLError, ValueError) as error:
        raise ContentError(path, f"not YAML: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise ContentError(path, "nested too deeply") from error
    if not isinstance(data, dict):
        raise ContentError(path, "the file must hold a mapping of fields", line=1)
    return data


def read_text(path: Path) -> str:
    """The file's text. Raises `ContentError` where it cannot be read or is not UTF-8."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ContentError(path, "is no regular file")  # reading a pipe would wait for ever
        data = path.read_bytes()
    except OSError as error:
        raise ContentError(path, f"cannot be read: {error.strerror}") from error
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ContentError(path, f"not UTF-8 text (byte {error.start})", line=line) from error


# Words and dates stay words: by YAML 1.1 a phrase "no" or "on" would be a truth value.
_SCALARS = {
    "bool": (r"true|false", "tf"),
    "null": (r"null|~|", "n~"),
    "int": (r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    "float": (r"[-+]?[0-9]+\.[0-9]+", "-+0123456789"),
}


@cache
def _loader() -> Any:
    """The C loader is some ten times faster; it is absent where libyaml was not at hand."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012

    for name, (pattern, first) in _SCALARS.items():
        firsts = [*first, ""] if name == "null" else [*first]
        Loader.add_implicit_resolver(
            f"tag:yaml.org,2002:{name}", re.compile(f"^(?:{pattern})$"), firsts
        )
    return Loader


def _construct(path: Path, loader: Any) -> Any:
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _refuse_duplicates(path, node)
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _refuse_duplicates(path: Path, root: Any) -> None:
    """Later keys would silently win over earlier ones.

    Each node is looked at once: an alias may name its own container, or one node many times.
    """
    waiting, looked_at = [root], set()
    while waiting:
        node = waiting.pop()
        if id(node) in looked_at:
            continue
        looked_at.add(id(node))
        if node.id == "mapping":
            _refuse_twice(path, [key for key, _ in node.value])
            waiting += [value for _, value in node.value]
        elif node.id == "sequence":
            waiting += node.value


def _refuse_twice(path: Path, keys: Sequence[Any]) -> None:
    seen: set[str] = set()
    for key in keys:
        name = str(key.value)
        if name in seen:
            line = key.start_mark.line + 1
            raise ContentError(path, "the field stands there twice", line=line, field=name)
        seen.add(name)


def line_of(path: Path, location: Sequence[str | int]) -> int | None:
    """The line of a field's name or of a list's entry, or else of what should hold it.

    None in a file that holds nothing.
    """
    import yaml

    node = yaml.compose(read_text(path), Loader=_loader())
    if node is None:
        return None
    line: int = node.start_mark.line + 1
    for step in location:
        found = _child(node, step)
        if found is None:
            break
        named_by, node = found
        line = named_by.start_mark.line + 1
    return line


def _child(node: Any, step: str | int) -> tuple[Any, Any] | None:
    """The node that names a child, and the child."""
    if node.id == "mapping":
        return next(((key, value) for key, value in node.value if key.value == str(step)), None)
    if node.id == "sequence" and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None


_ODD_BREAKS = re.compile("[\x85\u2028\u2029]")  # PyYAML folds them to blanks unless escaped


def to_yaml(content: Mapping[str, Any]) -> str:
    """A mapping as YAML, in its own order; every text reads back the same."""
    import yaml

    return yaml.dump(
        dict(content), Dumper=_dumper(), allow_unicode=True, sort_keys=False, width=100
    )


@cache
def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            """What stands twice is written twice: other tools' readers may know no anchors."""
            return True

    def represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = '"' if _ODD_BREAKS.search(text) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represent_text)
    return Dumper
