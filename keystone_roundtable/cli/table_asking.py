"""Puts each round of a table to its souls' engines, and takes what they bring."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from ..content.tables import TableTexts
from ..core.engines import Material
from ..core.plain import one_line
from ..core.seating import CONVENER, OFFLINE, Absence, Receipt, Seat, Turn
from ..formats.table import commands as cmd
from ..formats.table import events as ev
from ..formats.table.minute import make_minute
from ..formats.table.records import ROUND_NAMES, VOTE, Missed, Soul
from ..formats.table.replies import (
    SHAPES,
    AxesReply,
    axes_breach,
    ballot_of,
    breach,
    ids_of,
    mechanical_axes,
    round_reply,
)
from ..formats.table.table import Table
from ..runtime.table_run import NO_MOMENT, Take
from ..seats.asking import SeatAsk
from ..seats.rounds import Rounds
from .seat_view import SeatView

AXES = "AXES"
"""What the receipts call the convener's own round."""


_REHEARSED = {"self_update": "no change", "dissent_note": ""}
"""What a rehearsal may say of these without making anything up."""

_AGAIN_AT_ONCE = 2  # attempts at a reply of rounds 1 to 3
_ONCE = 1  # the count says who votes again


@dataclass
class TableSouls:
    """Asks through `rounds`; `convener` draws up the axes, by rules where it is offline."""

    rounds: Rounds
    texts: TableTexts
    convener: Seat
    view: SeatView

    # -- rounds --------------------------------------------------------------------------

    def ask(self, table: Table, asking: cmd.AskSouls, take: Take) -> None:
        asks = [self._asked(table, asking, soul) for soul in asking.souls]
        name = ROUND_NAMES[asking.round]
        title = f"Round {asking.round}, {name}{', once more' if asking.attempt > 1 else ''}"
        self.view.opened(title, [soul.name for soul in asking.souls])
        try:
            self.rounds.hold(name, asks, _Landing(take, self.view, table, asking))
        finally:
            self.view.closed()

    def _asked(self, table: Table, asking: cmd.AskSouls, soul: Soul) -> SeatAsk[Any]:
        number, name = asking.round, soul.name
        voting = number == VOTE
        shape = SHAPES[number]
        ask: SeatAsk[Any] = SeatAsk(
            seat=soul.seat,
            stable=self._stable(table, soul),
            task="",
            shape=shape,
            check=lambda reply: breach(table, number, name, reply),
            ids=ids_of(table, number, name),
            material=Material(
                question=table.start.question, options=table.options, given=_REHEARSED
            ),
            attempts=_ONCE if voting else _AGAIN_AT_ONCE,
            asked_before=sum(
                r.seat == name and r.round == ROUND_NAMES[number] and r.requests != 0
                for r in table.receipts
            ),
        )
        task = self.texts.task(
            number,
            transcript=make_minute(table).rounds,
            axes=table.axes.axes if table.axes else (),
            problem=asking.problems.get(name, ""),
            schema=_as_text(ask.schema),
        )
        return replace(ask, task=task)

    def _stable(self, table: Table, soul: Soul) -> str:
        return self.texts.stable(
            own_name=soul.name,
            soul=soul.seat.soul or "",
            question=table.start.question,
            options=table.options,
            souls=[one.name for one in table.souls],
            facts=table.facts,
        )

    # -- axes ----------------------------------------------------------------------------

    def axes(self, table: Table, take: Take) -> ev.AxesDrawn:
        if self.convener.engine == OFFLINE:
            return _mechanical(table, "")
        ask: SeatAsk[Any] = SeatAsk(
            seat=self.convener, stable="", task="", shape=AxesReply, check=axes_breach
        )
        task = self.texts.axes(
            question=table.start.question,
            options=table.options,
            transcript=make_minute(table).rounds,
            schema=_as_text(ask.schema),
        )
        self.view.opened("Axes of disagreement", [CONVENER])
        try:
            (turn,) = self.rounds.hold(AXES, [replace(ask, task=task)], _Receipts(take, self.view))
        finally:
            self.view.closed()
        if isinstance(turn, Absence):
            return _mechanical(table, f"{self._model} gave none, {turn.reason} ({turn.detail})")
        axes = tuple(one_line(axis) for axis in turn.value.axes)
        return ev.AxesDrawn(at=NO_MOMENT, axes=axes, source=self._model)

    @property
    def _model(self) -> str:
        return self.convener.model or self.convener.engine


def _mechanical(table: Table, fallback: str) -> ev.AxesDrawn:
    return ev.AxesDrawn(
        at=NO_MOMENT, axes=mechanical_axes(table), source=OFFLINE, fallback=fallback
    )


def _as_text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False)


@dataclass
class _Receipts:
    """Keeps receipts and shows the convener at work."""

    take: Take
    view: SeatView

    def began(self, seat: Seat, attempt: int, begun: Receipt) -> None:
        self.received(begun)
        self.view.began(seat.name, attempt)

    def received(self, receipt: Receipt) -> None:
        self.take(ev.ReceiptTaken(at=NO_MOMENT, receipt=receipt))

    def landed(self, turn: Turn) -> None:
        absent = isinstance(turn, Absence)
        told = f"{turn.reason}" if isinstance(turn, Absence) else "done"
        self.view.landed(turn.seat, told, _seconds(turn), absent=absent)


@dataclass
class _Landing(_Receipts):
    """Puts each soul's part of the round on disk as it lands."""

    table: Table
    asking: cmd.AskSouls

    def landed(self, turn: Turn) -> None:
        if isinstance(turn, Absence):
            missed = Missed(
                seat=turn.seat,
                round=self.asking.round,
                attempt=self.asking.attempt,
                reason=turn.reason,
                detail=turn.detail,
            )
            self.take(ev.SoulMissed(at=NO_MOMENT, missed=missed))
            told = f"{turn.reason}: {turn.detail}" if turn.detail else str(turn.reason)
        elif self.asking.round == VOTE:
            ballot = ballot_of(self.table, turn.value)
            self.take(ev.BallotCast(at=NO_MOMENT, seat=turn.seat, ballot=ballot))
            told = f"votes {ballot.vote} at {ballot.confidence}"
        else:
            reply = round_reply(self.table, turn.seat, turn.value)
            self.take(
                ev.SoulAnswered(at=NO_MOMENT, round=self.asking.round, seat=turn.seat, reply=reply)
            )
            told = f"{reply.position} at {reply.confidence}"
        self.view.landed(turn.seat, told, _seconds(turn), absent=isinstance(turn, Absence))


def _seconds(turn: Turn) -> float:
    return sum(receipt.seconds for receipt in turn.receipts)
