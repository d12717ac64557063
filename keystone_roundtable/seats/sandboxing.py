"""A command line wrapped in bubblewrap, so that a seat sees its folder and the evidence only."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..core.programs import Programs

_PROGRAM = "bwrap"
_PROBE_LIMIT_S = 20.0  # it takes milliseconds; a busy machine is no reason to go without
_HIDDEN = ("/home", "/root", "/tmp", "/var/tmp", "/mnt", "/media", "/srv", "/run/user")
"""Where people keep what is theirs; the rest of the system is there to read."""


def sandbox(programs: Programs, environ: Mapping[str, str]) -> str:
    """The path of a bubblewrap that works here, "" where there is none.

    In a container it may be installed and yet not be allowed to make namespaces.
    """
    found = shutil.which(_PROGRAM, path=environ.get("PATH"))
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


def wrapped(
    bubblewrap: str,
    argv: Sequence[str],
    program: Path,
    folder: Path,
    home: Path | None,
    homes: Sequence[str],
    hidden: Sequence[Path] = (),
) -> tuple[str, ...]:
    """The command line that runs `argv` with the system to read, its own folder to write, and of
    the home folder only `homes`. `program` is where `argv[0]` was found; `hidden` are further
    folders that are not to be seen. The network stays: that is where the model is.
    """
    words = [bubblewrap, "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--new-session"]
    words += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    concealed = [Path(one) for one in _HIDDEN]
    concealed += [*([home] if home else []), *hidden]
    for one in dict.fromkeys(concealed):
        if one.is_dir() and one != one.parent:  # without the root nothing would run
            words += ["--tmpfs", str(one)]
    for one in _needed(program, argv):
        words += ["--ro-bind-try", str(one), str(one)]
    for name in homes if home else ():
        if home is not None and (home / name).exists():
            words += ["--bind", str(home / name), str(home / name)]
    words += ["--bind", str(folder), str(folder), "--chdir", str(folder)]
    return (*words, "--", *argv)


def _needed(program: Path, argv: Sequence[str]) -> list[Path]:
    """What a program needs of itself: where it was found, the installation that its link leads
    into, and the files that its own words name, such as a script.
    """
    found = [program.parent]
    if (program.parent.parent / "pyvenv.cfg").is_file():
        found.append(program.parent.parent)  # an interpreter of an environment of its own
    found += [Path(word) for word in argv[1:] if word.startswith("/") and Path(word).is_file()]
    real = program.resolve()
    modules = [one for one in real.parents if one.name == "node_modules"]
    found.append(modules[-1] if modules else real.parent)
    # An interpreter named in its first line may lie in a home folder, as those of nvm do.
    return list(dict.fromkeys(found))
