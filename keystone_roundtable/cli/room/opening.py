"""`room open`: the question made decidable, the seats, the evidence."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from ... import __version__
from ...core.errors import UsageError
from ...core.secrets import mask
from ...formats.room import events as ev
from ...formats.room.records import Motion
from ...runtime.room_run import NO_MOMENT, RoomRun
from ...seats.errors import TooMuchEvidenceError
from ...seats.evidence import amount_of
from ...stores.rooms import RoomFolder, RoomStore
from ...terminal import room_lines as words
from ..saying import say_wrapped
from ..table_beginning import session_of, slug_of
from ..typed import as_typed
from ..wiring import SystemClock, new_session_id
from .motions import agreed, motion_of
from .parts import RoomParts
from .seats import not_here, seats_of
from .showing import present

WARN_FILES, WARN_BYTES = 200, 5_000_000


def open_room(parts: RoomParts) -> int:
    """Shows what was drafted, takes the correction, and makes the room's folder."""
    options = parts.options
    if options.unsealed:
        raise UsageError(words.SEALED, words.SEALED_INSTEAD)
    if not 20 <= options.word_cap <= 5000:
        raise UsageError(f"--word-cap {options.word_cap}: not possible", "Give 20 to 5000")
    project = parts.project(not options.no_telemetry)
    session = session_of(options, project)
    motion = agreed(parts, *motion_of(options, project, session))
    evidence = _evidence(options)
    engines = parts.engines()
    seats = seats_of(parts, engines, motion)
    for line in words.seating_lines(not_here(engines, seats), evidence, seats):
        say_wrapped(line)
    folder = _folder(options, parts.root, motion)
    event = ev.RoomOpened(
        at=NO_MOMENT,
        room=new_session_id(),
        motion=motion,
        preset=options.preset,
        seats=seats,
        evidence=evidence,
        word_cap=options.word_cap,
        seed=os.urandom(8).hex(),
        from_session=options.from_session and project.store.resolve(options.from_session),
        project=project.opaque_id,
        version=__version__,
        telemetry=project.telemetry,
    )
    with folder.create() as log:
        files = parts.files(folder, telemetry=project.telemetry)
        run = RoomRun(log=log, clock=SystemClock(), records=files)
        try:
            run.take(event)
        except BaseException:
            log.discard()
            raise
        present(run.room, folder, as_json=options.json)
    return 0


# -- evidence ----------------------------------------------------------------------------


def _evidence(options: Namespace) -> tuple[str, ...]:
    found = []
    for given in options.evidence:
        path = Path(given).expanduser().resolve()
        if not path.exists():
            raise UsageError(f"--evidence {as_typed(given)}: no such file or folder", "Name one")
        if not (path.is_file() or path.is_dir()):
            raise UsageError(f"--evidence {as_typed(given)}: no file and no folder", "Name one")
        if ".keystone" in path.parts:
            raise UsageError(
                f"--evidence {as_typed(given)}: what lies in .keystone is never evidence",
                "It holds what the other seats said; name what the question turns on",
            )
        found.append(str(path))
    if found:
        try:
            amount = amount_of(found)
        except TooMuchEvidenceError:
            raise UsageError(
                f"--evidence {', '.join(map(as_typed, options.evidence))}: more than a seat reads",
                "Name a narrower folder",
            ) from None
        if amount.files > WARN_FILES or amount.size_bytes > WARN_BYTES:
            say_wrapped(words.much_evidence(amount.files, amount.size_bytes))
    return tuple(found)


def _folder(options: Namespace, root: Path, motion: Motion) -> RoomFolder:
    if options.dir is not None:
        return RoomFolder(Path(options.dir).absolute())
    return RoomStore(root).free(slug_of(mask(motion.question)))
