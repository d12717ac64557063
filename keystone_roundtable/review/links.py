"""How decisions stand to each other: `links.jsonl`, one line for each link made or taken back.

A link belongs to neither of its ends alone, so that it lies beside their folders; both stay as they
were closed, whichever format they were made in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..core.errors import UsageError
from ..core.limits import SCHEMA_VERSION
from ..stores.files import append_line, locked, make_private_dir, read_bytes
from ..stores.json_text import from_json, to_json
from ..stores.places import LINKS_NAME, SESSION_ID, roundtable_folder

RELATIONS = ("supersedes", "contradicts", "refines")

# Who comes after whom. Contradiction has no direction.
_DIRECTED = ("supersedes", "refines")


class Link(NamedTuple):
    """`source` supersedes, contradicts or refines `target`."""

    at: str
    source: str
    relation: str
    target: str

    @property
    def key(self) -> tuple[str, ...]:
        """What is linked, whichever way a contradiction was put."""
        ends = (self.source, self.target)
        return (self.relation, *(ends if self.relation in _DIRECTED else sorted(ends)))


def read_links(root: Path) -> tuple[Link, ...]:
    """The links in force, in the order in which they were made. Raises `StoreError`.

    Lines that hold none, such as one torn by a crash, are passed over.
    """
    path = roundtable_folder(root) / LINKS_NAME
    in_force: dict[tuple[str, ...], Link] = {}
    for data in (read_bytes(path) or b"").split(b"\n"):
        try:
            line = from_json(data)
        except ValueError:
            continue
        link = _link(line)
        if link is None:
            continue
        if line.get("removed") is True:
            in_force.pop(link.key, None)
        else:
            in_force.setdefault(link.key, link)
    return tuple(in_force.values())


def add_link(root: Path, link: Link) -> bool:
    """Makes the link; False where it is there already.

    Raises `UsageError` for a link of a decision with itself, and for one that would close a circle;
    nothing is changed then. Raises `StoreError`.
    """
    if link.source == link.target:
        raise UsageError(f"{link.source} cannot be linked to itself", "Name two decisions")
    with _writing(root):
        links = read_links(root)
        if any(link.key == other.key for other in links):
            return False
        if link.relation in _DIRECTED and (way := _way(links, link.target, link.source)):
            told = "; ".join(f"{one.source} {one.relation} {one.target}" for one in way)
            raise UsageError(
                f"{link.source} cannot be the later one, since {told}",
                "Turn the link around, or take the other one back with --remove",
            )
        _append(root, link, removed=False)
    return True


def remove_link(root: Path, link: Link) -> bool:
    """Takes the link back; False where there is none. Raises `StoreError`."""
    with _writing(root):
        if not any(link.key == other.key for other in read_links(root)):
            return False
        _append(root, link, removed=True)
    return True


def _way(links: Iterable[Link], start: str, end: str) -> list[Link]:
    """The directed links that lead from `start` to `end`; none where no way does."""
    onward: dict[str, list[Link]] = {}
    for link in links:
        if link.relation in _DIRECTED:
            onward.setdefault(link.source, []).append(link)
    ways: dict[str, list[Link]] = {start: []}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        for link in onward.get(here, ()):
            if link.target not in ways:
                ways[link.target] = [*ways[here], link]
                waiting.append(link.target)
    return ways.get(end, [])


@contextmanager
def _writing(root: Path) -> Iterator[None]:
    """Between reading the links and adding one, nobody else adds one."""
    make_private_dir(roundtable_folder(root))
    with locked(roundtable_folder(root) / LINKS_NAME):
        yield


def _append(root: Path, link: Link, *, removed: bool) -> None:
    line = {"schema_version": SCHEMA_VERSION, **link._asdict()}
    if removed:
        line["removed"] = True
    append_line(roundtable_folder(root) / LINKS_NAME, to_json(line), durable=True)


def _link(line: Any) -> Link | None:
    if not isinstance(line, dict):
        return None
    at, source, relation, target = (line.get(name) for name in Link._fields)
    if not (isinstance(at, str) and relation in RELATIONS):
        return None
    if not (_is_id(source) and _is_id(target)):
        return None
    return Link(at, str(source), str(relation), str(target))


def _is_id(value: object) -> bool:
    return isinstance(value, str) and SESSION_ID.fullmatch(value) is not None
