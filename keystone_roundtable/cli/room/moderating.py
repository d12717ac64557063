"""`room claims` and `room decide`: drawn up by rules, a model, the calling agent or an editor, and
checked by code in each case.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ...core.errors import KeystoneError, UsageError
from ...core.faults import faults_told
from ...core.outcome import ExitStatus
from ...core.plain import one_line
from ...core.reply_schema import schema_of
from ...core.seating import OFFLINE, Absence, Receipt, Seat, Turn
from ...formats.room import events as ev
from ...formats.room.claims import (
    ClaimRefusedError,
    ClaimsReply,
    claims_of,
    mechanical_claims,
    reply_of,
    split_lines,
)
from ...formats.room.deciding import (
    DecisionRefusedError,
    DecisionReply,
    decision_of,
    mechanical_decision,
)
from ...formats.room.ending import is_ready
from ...formats.room.fold import apply
from ...formats.room.records import MAX_CLAIMS, MIN_CLAIMS
from ...formats.room.room import Room
from ...formats.room.rounds import quorum_line
from ...runtime.processes import ProcessRunner
from ...runtime.room_run import NO_MOMENT, RoomRun, Take
from ...seats.asking import SeatAsk
from ...seats.rounds import Rounds
from ...stores.errors import doing
from ...terminal import room_lines as words
from ..saying import say_wrapped
from ..spend_gate import consent
from ..wiring import SystemClock
from .parts import RoomParts
from .records import schema_text
from .showing import present

Shape = TypeVar("Shape", bound=BaseModel)
MODERATOR = "moderator"
CLAIMS_DRAFT, DECISION_DRAFT = "claims.draft.json", "decision.draft.json"


def claims(parts: RoomParts) -> int:
    if parts.options.schema:
        print(schema_text(schema_of(ClaimsReply)))
        return 0
    with parts.working() as run:
        _check_heard(run.room)
        by, text, reply = _claims_drawn(parts, run)
        draft = by == "rules"
        claims = claims_of(run.room, reply)
        try:
            run.take(ev.ClaimsDrawn(at=NO_MOMENT, claims=claims, by=by, draft=draft))
        except ClaimRefusedError as error:
            if draft:
                told = words.too_little_for_claims(error.message)
                raise UsageError(told, words.EDIT_CLAIMS) from error
            raise _refused(parts, error, error.words, text) from error
        drop_draft(parts, CLAIMS_DRAFT)
        present(run.room, parts.folder, as_json=parts.options.json)
    return 0


def decide(parts: RoomParts) -> int:
    if parts.options.schema:
        print(schema_text(schema_of(DecisionReply)))
        return 0
    with parts.working() as run:
        _check_heard(run.room)
        by, text, reply = _decision_drawn(parts, run)
        try:
            decision = decision_of(run.room, reply, by)
            run.take(ev.DecisionMade(at=NO_MOMENT, decision=decision))
        except DecisionRefusedError as error:
            raise _refused(parts, error, error.words, text) from error
        drop_draft(parts, DECISION_DRAFT)
        run.settle()
        present(run.room, parts.folder, as_json=parts.options.json)
        return int(ExitStatus.OK if is_ready(run.room) else ExitStatus.PAUSED)


def _check_heard(room: Room) -> None:
    if room.closed:
        raise UsageError("the room is closed", "Open another one")
    if not room.said:
        raise UsageError("nobody has said anything yet", "First: room run opening")


# -- where it comes from -----------------------------------------------------------------


def _claims_drawn(parts: RoomParts, run: RoomRun) -> tuple[str, str, ClaimsReply]:
    """Who drew it up, the text that it was read from, and what it says."""
    options, room = parts.options, run.room
    if options.file is not None:
        text = _text_of(options.file)
        return "host", text, _read(text, ClaimsReply, options.file)
    checked = room.claims is not None and not room.claims.draft
    if options.edit:
        kept = room.claims.claims if room.claims else mechanical_claims(room)
        drawn = reply_of(kept)
        return "editor", *_edited(parts, CLAIMS_DRAFT, drawn, ClaimsReply, as_it_is=checked)
    if parts.settings.model.value == OFFLINE:
        if checked and room.claims is not None:
            raise UsageError(
                f"there is a claim map, drawn up by {one_line(room.claims.by)}; what rules read "
                "would take its place",
                "Change it with --edit, --file FILE or --model SPEC",
            )
        return "rules", "", reply_of(mechanical_claims(room))

    def breach(reply: Any) -> str | None:
        return _breach(room, ev.ClaimsDrawn(at=NO_MOMENT, claims=claims_of(room, reply), by=""))

    seat, reply = _asked(parts, run, ClaimsReply, breach, {"seat": room.names}, "claims")
    return seat, "", reply


def _decision_drawn(parts: RoomParts, run: RoomRun) -> tuple[str, str, DecisionReply]:
    options, room = parts.options, run.room
    if options.file is not None:
        text = _text_of(options.file)
        return "host", text, _read(text, DecisionReply, options.file)
    by_hand = options.model is None and all((options.call, options.cost, options.signal))
    if options.edit or by_hand or parts.settings.model.value == OFFLINE:
        drawn = _read_off(room, options)
        if options.edit:
            return "editor", *_edited(parts, DECISION_DRAFT, drawn, DecisionReply)
        if not any(one.quote for one in drawn.why):
            raise UsageError(
                f"no seat holds '{one_line(drawn.call)}': what speaks for it cannot be read off",
                "Say it in words of the seats: --edit or --file FILE",
            )
        return "rules", "", drawn

    def breach(reply: Any) -> str | None:
        try:
            made = ev.DecisionMade(at=NO_MOMENT, decision=decision_of(room, reply, ""))
        except DecisionRefusedError as error:
            return error.message
        return _breach(room, made)

    seat, reply = _asked(parts, run, DecisionReply, breach, {"call": room.now.options}, "decide")
    return seat, "", reply


def _read_off(room: Room, options: Namespace) -> DecisionReply:
    """What rules can say of the call that was given; for an editor, of the one that alone has the
    most confidence behind it, which is a beginning and no call.
    """
    cost, signal = options.cost or "", options.signal or ""
    if options.call is not None:
        return mechanical_decision(room, options.call, cost, signal)
    if not options.edit:
        raise UsageError(
            "no call was given", "Give --call OPTION --cost TEXT --signal TEXT, or --edit"
        )
    weight = dict.fromkeys(room.now.options, 0)
    for said in room.holders.values():
        weight[said.turn.position] += said.turn.confidence
    most = [option for option in weight if weight[option] == max(weight.values())]
    drawn = mechanical_decision(room, most[0], cost, signal)
    return drawn if len(most) == 1 else drawn.model_copy(update={"call": ""})


def _breach(room: Room, event: ev.Event) -> str | None:
    try:
        apply(room, event)
    except UsageError as error:
        return error.message
    return None


def _text_of(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    path = Path(name)
    with doing("read", path, named=True):
        if path.exists() and not path.is_file():
            raise UsageError(f"--file {one_line(name)}: no ordinary file", "Name a JSON file")
        return path.read_text(encoding="utf-8", errors="replace")


def _read(text: str, shape: type[Shape], name: str) -> Shape:
    """Raises `UsageError` with the field, and the line where it is no JSON."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{one_line(name)}: not JSON ({error})", words.SCHEMA_SAYS) from error
    except RecursionError as error:
        raise UsageError(f"{one_line(name)}: nested too deeply", words.SCHEMA_SAYS) from error
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        told = f"{one_line(name)}: {faults_told(error, whole='all of it')}"
        raise UsageError(told, words.SCHEMA_SAYS) from error


def _edited(
    parts: RoomParts, name: str, draft: BaseModel, shape: type[Shape], *, as_it_is: bool = True
) -> tuple[str, Shape]:
    """What the person leaves in the draft's file, which stays there until it is accepted.

    `as_it_is` is False where it counts only once somebody has changed it.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not sys.stdin.isatty():
        raise UsageError("--edit needs a terminal, and there is none here", "Give --file FILE")
    if not editor:
        raise UsageError("no editor is set", "Set EDITOR, or give --file FILE")
    try:
        command = shlex.split(editor)
    except ValueError as error:
        raise UsageError(f"EDITOR cannot be read: {error}", "Set another one") from error
    path = parts.folder.path / name
    if not path.exists():
        parts.folder.put_json(name, draft.model_dump(mode="json"))
    before = _text_of(str(path))
    if ProcessRunner().interactive([*command, str(path)]) != 0:
        raise UsageError("the editor ended with an error", "Nothing was changed")
    text = _text_of(str(path))
    if text == before and not as_it_is:
        raise UsageError("the draft was left as it is", "Nothing was changed")
    return text, _read(text, shape, str(path))


def drop_draft(parts: RoomParts, name: str) -> None:
    """The draft is in the room now."""
    (parts.folder.path / name).unlink(missing_ok=True)


def _refused(parts: RoomParts, error: UsageError, quoted: str, text: str) -> UsageError:
    """The same refusal with the line of the file that it is about, where there is one; what was
    typed into an editor is kept.
    """
    if parts.options.edit:
        kept = "What you wrote is kept: --edit opens it again, and without its file begins anew"
        error = UsageError(error.message, f"{error.hint}. {kept}")
    wanted = json.dumps(quoted, ensure_ascii=False)[1:-1]
    escaped = json.dumps(quoted)[1:-1]
    for number, line in enumerate(text.splitlines(), 1) if quoted else ():
        if wanted in line or escaped in line:
            return UsageError(f"line {number}: {error.message}", error.hint)
    return error


# -- a model -----------------------------------------------------------------------------


def _asked(
    parts: RoomParts, run: RoomRun, shape: type[Shape], breach: Any, ids: Any, what: str
) -> tuple[str, Shape]:
    """What the model draws up, put back to it once where it breaks a rule."""
    room = run.room
    engines = parts.engines(room.id, parts.folder.path)
    engine, model = engines.named(parts.settings.model.value)
    seat = Seat(name=MODERATOR, engine=engine, model=model)
    plan = parts.plan(engines, room, [seat], what)
    limits = consent(plan, yes=parts.options.yes, ask=parts.ask, show=say_wrapped)
    last = room.last_step
    values: dict[str, Any] = {
        "motion": room.now,
        "turns": [
            {"number": s.number, "seat": s.seat, **s.turn.model_dump()}
            for s in sorted(room.said, key=lambda one: (one.number, one.seat))
        ],
        "schema": json.dumps(schema_of(shape, ids), ensure_ascii=False),
    }
    if what == "claims":
        task = parts.texts.claims(**values, names=room.names, low=MIN_CLAIMS, high=MAX_CLAIMS)
    else:
        quorum = quorum_line(room, last) if last else ""
        call = parts.options.call or ""
        task = parts.texts.decide(**values, quorum=quorum, claims=split_lines(room), call=call)
    ask: SeatAsk[Any] = SeatAsk(seat=seat, stable="", task=task, shape=shape, check=breach, ids=ids)
    with Rounds(engines.engine_for, SystemClock(), limits, spent=room.receipts) as rounds:
        (turn,) = rounds.hold(what, [ask], _Receipts(run.take))
    if isinstance(turn, Absence):
        raise KeystoneError(
            f"{model or engine} brought no {what}: {turn.detail}",
            f"Give --file FILE, or draw it up with: room {what} --edit",
        )
    return model or engine, turn.value


class _Receipts:
    """Keeps receipts alone."""

    def __init__(self, take: Take) -> None:
        self._take = take

    def began(self, seat: Seat, attempt: int) -> None: ...

    def received(self, receipt: Receipt) -> None:
        self._take(ev.ReceiptTaken(at=NO_MOMENT, receipt=receipt))

    def landed(self, turn: Turn) -> None: ...
