"""`room view`: the room's page, served while somebody looks at it, or written to a file."""

from __future__ import annotations

import errno
import os
import sys
import threading
from pathlib import Path

from ...core.errors import UsageError
from ...core.plain import one_line
from ...formats.room.events import Event, RoundRun, SeatMissed, TurnTaken
from ...formats.room.room import Room
from ...formats.room.rounds import ABSENT_WORDS
from ...formats.room.showing import ShownRoom, show
from ...runtime.page_server import PageServer
from ...stores.errors import doing
from ...stores.files import atomic_write
from ...terminal import room_lines as words
from ..typed import as_typed
from .parts import RoomParts


def view(parts: RoomParts) -> int:
    """Serves until Ctrl-C at a terminal, or with `--serve`; else the page is a file."""
    options = parts.options
    room = parts.read()
    if options.file is not None:
        return _written(parts, Path(options.file), show(room))
    if not (options.serve or sys.stdin.isatty()):
        path = parts.folder.put("index.html", parts.texts.page(show(room)))
        print(as_typed(str(path)))
        return 0
    if not 0 <= options.port <= 65535:
        raise UsageError(f"--port {options.port}: not possible", "Give 1 to 65535")

    def page(stamp: str) -> str:
        now = parts.read()
        return parts.texts.page(show(now), live=stamp, news=news_of(now))

    try:
        server = PageServer(page, parts.folder.stamp, options.port)
    except OSError as error:
        raise UsageError(f"port {options.port}: {error.strerror}", "Name another one") from error
    with server:
        print(server.address, flush=True)
        print(words.VIEWING, file=sys.stderr, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return 0
    return 0


def _written(parts: RoomParts, path: Path, room: ShownRoom) -> int:
    told = f"--file {as_typed(str(path))}"
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise UsageError(f"{told}: no ordinary file stands there", "Name another")
    if path.exists() and not parts.options.force:
        raise UsageError(
            f"{told}: there is a file already", "Name another, or write over it with --force"
        )
    with doing("write", path, named=True):
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    atomic_write(path, parts.texts.page(room))
    print(as_typed(str(path)))
    return 0


def news_of(room: Room) -> str:
    """What happened last, for whoever listens to the page."""
    last = room.last_event
    return _told(room, last) if last is not None else ""


def _told(room: Room, event: Event) -> str:
    match event:
        case RoundRun():
            return f"{event.number}-{event.round}: asking {', '.join(map(one_line, event.seats))}"
        case TurnTaken():
            said = event.said
            return f"{one_line(said.seat)} answered {room.step(said.number).folder}"
        case SeatMissed():
            missed = event.missed
            return f"{one_line(missed.seat)} is absent, {ABSENT_WORDS[missed.reason]}"
        case _:
            return event.type.replace("_", " ")
