"""A command line wrapped in bubblewrap, so that a seat sees no more than it has to."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from ..core.programs import Programs

_BUBBLEWRAP = "bwrap"
_PROBE_LIMIT_S = 20.0  # it takes milliseconds; a busy machine is no reason to go without
_SYSTEM = frozenset({
    "bin", "boot", "dev", "etc", "gnu", "lib", "lib32", "lib64", "libx32", "nix", "opt", "proc",
    "sbin", "snap", "sys", "usr", "var",
})  # fmt: skip
"""Folders of the root that stay to be read; programs do not run without. All others are hidden."""
_PEOPLES = (
    "/var/backups", "/var/log", "/var/mail", "/var/spool", "/var/tmp", "/var/www",
)  # fmt: skip
"""Within those, where people's own things lie."""
_NAME_SERVICE = ("/etc/resolv.conf", "/run/systemd/resolve", "/run/nscd")
"""How names of hosts are found; the first may be a link into what is hidden."""
_MAY_HOLD_ANYTHING = ("opt", "var")
_MOST_LINKS = 40


@dataclass(frozen=True)
class Sight:
    """What a command may see besides the system.

    `program` is where `argv[0]` was found, `folder` its own. Of the home folder it is `homes`;
    `hidden` are folders that it does not see where it can run without, `sealed` those that it does
    not see whatever else is said; `originals` are what its evidence was copied from.
    """

    program: Path
    folder: Path
    environ: Mapping[str, str]
    homes: Sequence[str] = ()
    hidden: Sequence[Path] = ()
    sealed: Sequence[Path] = ()
    originals: Sequence[str] = ()

    @property
    def home(self) -> Path | None:
        home = self.environ.get("HOME")
        return Path(home).resolve() if home else None


def sandbox(programs: Programs, environ: Mapping[str, str]) -> str:
    """The path of a bubblewrap that works here, "" where there is none.

    In a container it may be installed and yet not be allowed to make namespaces.
    """
    found = shutil.which(_BUBBLEWRAP, path=environ.get("PATH"))
    return found if found and _works(found, programs) else ""


_TRIED: dict[str, bool] = {}
"""Whether each program works: the same for the life of this process."""


def _works(program: str, programs: Programs) -> bool:
    if program not in _TRIED:
        _TRIED[program] = _try(program, programs)
    return _TRIED[program]


def _try(program: str, programs: Programs) -> bool:
    tried = programs.said(
        (program, "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--proc", "/proc",
         "--", "true"),
        {"PATH": os.defpath},
        _PROBE_LIMIT_S,
    )  # fmt: skip
    return tried.status == 0


def wrapped(bubblewrap: str, argv: Sequence[str], sight: Sight) -> tuple[str, ...]:
    """The command line that runs `argv` with no more to see than `sight` says, and its own folder
    to write. The network stays: that is where the model is.
    """
    view = _View(set(_concealed(sight)))
    _show_program(view, sight.program, sight.environ)
    for word in argv[1:]:
        if word.startswith("/") and Path(word).is_file():
            _show_hops(view, Path(word))
    for place in _NAME_SERVICE:
        view.show(Path(place).resolve())
    for name in sight.homes if sight.home else ():
        assert sight.home is not None
        view.show(sight.home / name, writable=True)
    view.show(sight.folder, writable=True)
    words = [bubblewrap, "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--new-session"]
    words += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", *view.words()]
    at = sight.program.parent.resolve() / sight.program.name
    return (*words, "--chdir", str(sight.folder), "--", str(at), *argv[1:])


def environment_within(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables with folders named as they are there: a link to one may be hidden itself."""
    return {
        name: str(Path(value).resolve()) if value and _names_a_folder(name) else value
        for name, value in environ.items()
    }


def _names_a_folder(name: str) -> bool:
    return name == "HOME" or (name.startswith("XDG_") and name.endswith("_HOME"))


def _concealed(sight: Sight) -> Iterator[Path]:
    """Every folder that is not to be seen, by the path that no link is part of."""
    for one in sorted(Path("/").iterdir()):
        if one.name not in _SYSTEM and not _leads_into_the_system(one):
            yield from _folder(one)
    for peoples in _PEOPLES:
        yield from _folder(Path(peoples))
    parents = [Path(one).parent for one in sight.originals if _may_be_hidden(Path(one).parent)]
    home = [sight.home] if sight.home else []
    for place in (*home, Path(tempfile.gettempdir()), *sight.hidden, *parents):
        if not _is_system(place.resolve()):
            yield from _folder(place)
        yield from _folder(place / ".keystone")
    for place in sight.sealed:
        yield from _folder(place)
    yield sight.folder.parent  # of this run's other seats


def _folder(path: Path) -> Iterator[Path]:
    with suppress(OSError, RuntimeError):  # what cannot be looked at cannot be seen either
        real = path.resolve()
        if real.is_dir() and real != real.parent:
            yield real


def _leads_into_the_system(path: Path) -> bool:
    try:
        return path.is_symlink() and _is_system(path.resolve())
    except (OSError, RuntimeError):
        return False


def _is_system(path: Path) -> bool:
    """Whether hardly anything would run without it."""
    if len(path.parts) < 2 or path.parts[1] not in _SYSTEM:
        return path == path.parent
    return len(path.parts) < (3 if path.parts[1] in _MAY_HOLD_ANYTHING else 4)


def _may_be_hidden(path: Path) -> bool:
    return len(path.parts) > 2 and path.parts[1] in _MAY_HOLD_ANYTHING


@dataclass
class _View:
    """Folders that are hidden, and what is shown all the same. Of two that lie in each other the
    deeper one counts, and of two alike the hidden.
    """

    concealed: set[Path]
    shown: dict[Path, tuple[str, ...]] = field(default_factory=dict)

    def hides(self, path: Path) -> bool:
        for one in (path, *path.parents):
            if one in self.concealed:
                return True
            if one in self.shown:
                return False
        return False

    def show(self, path: Path, *, writable: bool = False) -> None:
        """What lies there, where it would be hidden, or is to be written to."""
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return
        if real != path:  # what is hidden where the link leads is hidden here as well
            within = [one for one in self.concealed if one.is_relative_to(real)]
            self.concealed |= {path / one.relative_to(real) for one in within}
        if path not in self.concealed and (writable or self.hides(path)):
            self.shown[path] = ("--bind" if writable else "--ro-bind-try", str(path), str(path))

    def show_link(self, path: Path) -> None:
        if path not in self.concealed and self.hides(path):
            self.shown[path] = ("--symlink", str(path.readlink()), str(path))

    def words(self) -> Iterable[str]:
        places = {
            one: words
            for one, words in self.shown.items()
            if one not in self.concealed and (words[0] == "--bind" or self.hides(one.parent))
        }  # what lies in a folder that is shown is there already, links too
        for one in self.concealed:
            if not self.hides(one.parent):
                places[one] = ("--tmpfs", str(one))
        for one in sorted(places, key=lambda path: (len(path.parts), path)):
            yield from places[one]


def _show_program(view: _View, program: Path, environ: Mapping[str, str], depth: int = 0) -> None:
    """What a program needs of itself: the links that lead to it, the libraries of its installation,
    and whatever its first line says it is run by. Nothing that merely lies beside it.
    """
    for hop in _show_hops(view, program):
        installation = hop.parent.parent
        if hop.parent.name == "bin" and installation not in view.concealed:
            for name in ("lib", "lib64", "libexec", "pyvenv.cfg"):
                view.show(installation / name)
        interpreter = _interpreter(hop, environ) if not hop.is_symlink() else None
        if interpreter is not None and depth == 0:
            _show_program(view, interpreter, environ, depth + 1)


def _show_hops(view: _View, path: Path) -> list[Path]:
    """Every link on the way and the file at the end; of a package of node its whole tree."""
    hops = []
    for _ in range(_MOST_LINKS):
        path = path.parent.resolve() / path.name
        hops.append(path)
        if not path.is_symlink():
            break
        view.show_link(path)
        path = path.parent / path.readlink()
    modules = [one for one in path.parents if one.name == "node_modules"]
    view.show(modules[-1] if modules else path)
    view.show(path)
    return hops


def _interpreter(script: Path, environ: Mapping[str, str]) -> Path | None:
    """The program that the first line of a script names, which may lie in a home folder."""
    try:
        with script.open("rb") as file:
            line = file.readline(512)
    except OSError:
        return None
    words = line[2:].decode("utf-8", "replace").split() if line.startswith(b"#!") else []
    if words and Path(words[0]).name == "env":
        words = [one for one in words[1:] if not one.startswith("-") and "=" not in one]
    found = shutil.which(words[0], path=environ.get("PATH")) if words else None
    return Path(found).absolute() if found else None
