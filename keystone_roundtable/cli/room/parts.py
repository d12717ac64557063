"""The parts that one command line makes of a room."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from ...content.engines import load_engines
from ...content.rooms import RoomTexts
from ...content.yaml_files import to_yaml
from ...core.seating import Seat
from ...core.spending_plan import Limits, Plan
from ...core.tokens import token_estimate
from ...formats.room.room import Room
from ...runtime.processes import ProcessRunner
from ...runtime.room_run import RoomRun
from ...stores.results import ProjectResults
from ...stores.rooms import RoomFolder
from ..earlier import remember
from ..saying import say
from ..seating import SeatEngines, limits_of
from ..settings import Settings, resolve
from ..spend_gate import ask_on_terminal
from ..wiring import Project, SystemClock, root_of
from .options import TIMEOUT_S
from .places import folder_of, read_room
from .records import RoomFiles

_WORDS_MORE = 600  # tokens of what a prompt says around a motion; chosen by judgement


class RoomParts:
    """`room` is None where it is still to be opened."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.root: Path = root_of(options.root)
        self.ask = ask_on_terminal()

    @cached_property
    def settings(self) -> Settings:
        return resolve(self.options, self.root, engines=load_engines(self.root))

    @cached_property
    def limits(self) -> Limits:
        limits = limits_of(self.options, self.settings)
        chosen = getattr(self.options, "timeout", None) is not None
        return limits if chosen else limits.model_copy(update={"seat_s": TIMEOUT_S})

    @cached_property
    def folder(self) -> RoomFolder:
        return folder_of(self.options, self.root)

    @cached_property
    def texts(self) -> RoomTexts:
        return RoomTexts(self.root)

    def project(self, telemetry: bool) -> Project:
        return Project(self.root, telemetry=telemetry)

    def engines(self, family: str = "run", hidden: Path | None = None) -> SeatEngines:
        """`hidden` is the room: in a sandbox no seat sees it, nor the rest of the project."""
        return SeatEngines(
            self.root,
            os.environ,
            self.limits,
            ask=self.ask,
            hidden=[self.root],
            sealed=[hidden] if hidden else [],
            family=family,
        )

    def files(self, folder: RoomFolder, *, telemetry: bool) -> RoomFiles:
        results = ProjectResults(
            self.root,
            to_yaml,
            run=ProcessRunner(),
            keystone_cli=os.environ.get("KEYSTONE_CLI", ""),
            telemetry=telemetry,
            say=say,
        )
        return RoomFiles(folder, self.texts, results)

    def read(self) -> Room:
        """The room as somebody sees it who looks on."""
        room = read_room(self.folder)
        return room if self.folder.is_worked_on() else room.at_rest()

    @contextmanager
    def working(self) -> Iterator[RoomRun]:
        """The room, held so that no other process can write to it; its files are brought up to date
        with its log first, which a crash may have left ahead of them.
        """
        with self.folder.open() as log:
            room = read_room(self.folder).at_rest()
            files = self.files(self.folder, telemetry=room.start.telemetry)
            run = RoomRun(log=log, clock=SystemClock(), records=files, room=room)
            if not room.closed:
                files.flush(room)
                run.settle()  # a kill may have come between the decision and the end
            yield run
            if run.room.closed and self.ask is not None:
                remember(self.root)

    def plan(self, engines: SeatEngines, room: Room, seats: list[Seat], rounds: str) -> Plan:
        """What is to be said yes to."""
        said = sum(len(one.turn.text) for one in room.said)
        motion = room.now
        words = len(motion.constraints) + len(motion.settles) + len(motion.decision)
        tokens = token_estimate("x" * (said + words)) + _WORDS_MORE
        return engines.plan(seats, (rounds,), tokens, spent=room.receipts)
