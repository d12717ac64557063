"""`room`: vendors open sealed, cross-examine each other, and the chair decides."""

from __future__ import annotations

from argparse import Namespace

from ...core.outcome import ExitStatus
from ..room.parts import RoomParts


def room(options: Namespace) -> int:
    parts = RoomParts(options)
    match options.deed:
        case "open":
            from ..room.opening import open_room

            return open_room(parts)
        case "run":
            from ..room.running import run_round

            return run_round(parts)
        case "claims":
            from ..room.moderating import claims

            return claims(parts)
        case "decide":
            from ..room.moderating import decide

            return decide(parts)
        case "press":
            return _press(parts)
        case "excuse":
            return _excuse(parts)
        case "view":
            from ..room.viewing import view

            return view(parts)
        case "list":
            return _list(parts)
        case _:
            from ..room.showing import present

            present(parts.read(), parts.folder, as_json=options.json)
            return 0


def _press(parts: RoomParts) -> int:
    from ...formats.room.events import PointPressed
    from ...runtime.room_run import NO_MOMENT
    from ..room.showing import present
    from ..typed import as_typed

    point = as_typed(" ".join(parts.options.point)).strip()
    with parts.working() as run:
        run.take(PointPressed(at=NO_MOMENT, point=point))
        present(run.room, parts.folder, as_json=parts.options.json)
    return 0


def _excuse(parts: RoomParts) -> int:
    from ...core.errors import UsageError
    from ...formats.room.ending import is_ready
    from ...formats.room.events import SeatExcused
    from ...formats.room.rounds import missing_of
    from ...runtime.room_run import NO_MOMENT
    from ..room.showing import present
    from ..typed import as_typed

    seat, why = as_typed(parts.options.seat), as_typed(parts.options.why).strip()
    with parts.working() as run:
        if seat in run.room.names and not missing_of(run.room, seat):
            raise UsageError(f"{seat} has answered every round", "There is nothing to excuse")
        run.take(SeatExcused(at=NO_MOMENT, seat=seat, why=why))
        run.settle()
        present(run.room, parts.folder, as_json=parts.options.json)
        undecided = run.room.decision is None
        return int(ExitStatus.OK if undecided or is_ready(run.room) else ExitStatus.PAUSED)


def _list(parts: RoomParts) -> int:
    from ..room.listing import list_rooms

    return list_rooms(parts)
