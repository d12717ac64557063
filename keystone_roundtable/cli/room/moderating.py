"""`room claims` and `room decide`: drawn up by rules, a model, the calling agent or an editor, and
checked by code in each case.
"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from ...core.errors import UsageError
from ...core.outcome import ExitStatus
from ...core.plain import one_line
from ...core.reply_schema import schema_of
from ...core.seating import OFFLINE
from ...formats.room import events as ev
from ...formats.room.claims import (
    EMPTY_MAP,
    ClaimRefusedError,
    ClaimsReply,
    claims_of,
    mechanical_claims,
    reply_of,
)
from ...formats.room.deciding import (
    DecisionRefusedError,
    DecisionReply,
    decision_of,
    mechanical_decision,
)
from ...formats.room.ending import is_ready
from ...formats.room.fold import apply
from ...formats.room.room import Room
from ...runtime.room_run import NO_MOMENT, RoomRun
from ...terminal import room_lines as words
from .drafts import drop_draft, edited, read_reply, refused, text_of
from .moderator import asked
from .parts import RoomParts
from .records import schema_text
from .showing import present

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
            raise refused(parts, error, error.words, text) from error
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
            raise refused(parts, error, error.words, text) from error
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
        text = text_of(options.file)
        return "host", text, read_reply(text, ClaimsReply, options.file)
    checked = room.claims is not None and not room.claims.draft
    if options.edit:
        kept = room.claims.claims if room.claims else mechanical_claims(room)
        drawn = reply_of(kept) if kept else EMPTY_MAP
        return "editor", *edited(parts, CLAIMS_DRAFT, drawn, ClaimsReply, as_it_is=checked)
    if parts.settings.model.value == OFFLINE:
        if checked and room.claims is not None:
            raise UsageError(
                f"there is a claim map, drawn up by {one_line(room.claims.by)}; what rules read "
                "would take its place",
                "Change it with --edit, --file FILE or --model SPEC",
            )
        if not (found := mechanical_claims(room)):
            raise UsageError(
                words.too_little_for_claims("no sentence can be quoted"), words.EDIT_CLAIMS
            )
        return "rules", "", reply_of(found)

    def breach(reply: Any) -> str | None:
        return _breach(room, ev.ClaimsDrawn(at=NO_MOMENT, claims=claims_of(room, reply), by=""))

    seat, reply = asked(parts, run, ClaimsReply, breach, {"seat": room.names}, "claims")
    return seat, "", reply


def _decision_drawn(parts: RoomParts, run: RoomRun) -> tuple[str, str, DecisionReply]:
    options, room = parts.options, run.room
    if options.file is not None:
        text = text_of(options.file)
        return "host", text, read_reply(text, DecisionReply, options.file)
    by_hand = options.model is None and all((options.call, options.cost, options.signal))
    if options.edit or by_hand or parts.settings.model.value == OFFLINE:
        drawn = _read_off(room, options)
        if options.edit:
            return "editor", *edited(parts, DECISION_DRAFT, drawn, DecisionReply)
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

    seat, reply = asked(parts, run, DecisionReply, breach, {"call": room.now.options}, "decide")
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
