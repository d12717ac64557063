"""Where a room's files and its end go: each on disk before the next begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ...content.rooms import RoomTexts
from ...content.yaml_files import to_yaml
from ...core.contract import Contract
from ...core.plain import one_line
from ...core.telemetry import SKILL, line_about
from ...formats.room.claims import reply_of
from ...formats.room.deciding import dissenters
from ...formats.room.ending import is_rehearsal, room_contract, turn_file, verdict_of, voices
from ...formats.room.room import Room
from ...formats.room.rounds import quorum_line
from ...formats.room.showing import show
from ...runtime.masking import masked_contract, masked_text
from ...seats.budget import side_by_side_s
from ...stores.json_text import to_json
from ...stores.results import ProjectResults
from ...stores.rooms import RoomFolder


@dataclass(frozen=True)
class RoomFiles:
    """The `RoomRecords` port for one folder. The folder holds what was said as it was said; what
    leaves it, contract and state, has its secrets masked.
    """

    folder: RoomFolder
    texts: RoomTexts
    results: ProjectResults

    def flush(self, room: Room) -> None:
        put = self.folder.put
        for said in room.said:
            step = room.step(said.number)
            self.folder.put_turn(step.folder, said.seat, turn_file(said.turn.text))
        put("motion.md", self.texts.motion(room.now))
        self.folder.put_json("room.json", seating(room))
        if room.claims is not None:
            held = {"schema_version": 1, "by": room.claims.by, "draft": room.claims.draft}
            held |= reply_of(room.claims.claims).model_dump(mode="json")
            self.folder.put_json("claims.json", held)
        shown = show(room)
        if room.decision is not None:
            put("decision.md", self.texts.decision(shown))
        self.folder.put_json("verdict.json", verdict_of(room))
        put("index.html", self.texts.page(shown))
        if not room.steps and not room.receipts:
            self.results.write_telemetry(event_line(room, "started"))

    def close(self, room: Room) -> None:
        self.flush(room)
        contract = self.contract(room)
        as_json = contract.model_dump(mode="json")
        self.folder.put_json("contract.json", as_json)
        self.folder.put("contract.yaml", to_yaml(as_json))
        if not (is_rehearsal(room) and self.results.holds_decision()):
            self.results.write_state(_state(contract, str(self.folder.path / "decision.md")))
        self.results.write_telemetry(finished_line(room, contract))

    def contract(self, room: Room) -> Contract:
        assert room.decision is not None and room.last_step is not None
        against = dissenters(room, room.decision.call)
        first = room.decision.why[0].source
        row = "dissented" if against else "decided"
        sentences = self.texts.sentences(
            "rehearsed" if is_rehearsal(room) else row,
            option=room.decision.call,
            why=one_line(first.quote),
            seat=room.label(first.seat),
            others=", ".join(
                f'"{one_line(one)}"' for one in room.now.options if one != room.decision.call
            ),
            cost=one_line(room.decision.cost),
            signal=one_line(room.decision.signal),
            dissent=", ".join(map(room.label, against)),
            quorum=quorum_line(room, room.last_step),
        )
        return masked_contract(room_contract(room, sentences))


def seating(room: Room) -> dict[str, Any]:
    """`room.json`: who sits, with engine and stance apart."""
    start = room.start
    return {
        "schema_version": start.schema_version,
        "room": start.room,
        "preset": start.preset,
        "word_cap": start.word_cap,
        "evidence": list(start.evidence),
        "from_session": start.from_session,
        "seats": [
            {
                "name": one.name,
                "engine": one.seat.engine,
                "model": one.seat.model,
                "vendor": one.vendor,
                "stance_assigned": one.seat.stance,
                "judge": one.judge,
                "reads_evidence": one.reads and bool(start.evidence),
            }
            for one in room.seats
        ],
        "motion": room.now.model_dump(mode="json"),
    }


def schema_text(schema: dict[str, Any]) -> str:
    return to_json(schema, indent=2).decode()


def _state(contract: Contract, report: str) -> dict[str, Any]:
    """The same keys as of a session, in the same order."""
    return {
        "current_stage": SKILL,
        "last_decision": contract.decision,
        "artifacts.roundtable_mode": None,
        "exit_code": contract.exit_code,
        "exit_reason": contract.exit_reason,
        "next_skill": "" if contract.escalate else contract.next_skill,
        "artifacts.roundtable_contract": contract.model_dump(mode="json"),
        "artifacts.roundtable_report": masked_text(report),
        "artifacts.roundtable_session": contract.session,
    }


def event_line(room: Room, event: Literal["started", "finished"]) -> dict[str, Any]:
    """A telemetry line. Nothing of what was said is in it."""
    start = room.start
    return line_about(
        event,
        "room",
        at=room.last_at,
        session=start.room,
        project=start.project,
        version=start.version,
        model=one_line(",".join(voices(room)))[:200],
    )


def finished_line(room: Room, contract: Contract) -> dict[str, Any]:
    """Counts and names of models only."""
    sent = [one for one in room.receipts if one.requests != 0 and not one.rehearsal]
    return {
        **event_line(room, "finished"),
        "decision": contract.decision,
        "confidence": contract.confidence,
        "mode": None,
        "exit_reason": contract.exit_reason,
        "exit_code": contract.exit_code,
        "next_skill": contract.next_skill,
        "escalate": contract.escalate,
        "confidence_reasons": list(contract.confidence_reasons),
        "seats": len(room.seats),
        "excused": len(room.excused),
        "dissent": len(room.decision.dissent) if room.decision else 0,
        "rounds": len(room.steps),
        "model_calls": len(sent),
        "input_tokens": _total([receipt.input_tokens for receipt in sent]),
        "output_tokens": _total([receipt.output_tokens for receipt in sent]),
        "cost_usd": _total([receipt.cost_usd for receipt in sent]),
        "seconds": round(side_by_side_s(room.receipts), 3),
    }


def _total(counts: list[int | None] | list[float | None]) -> float | None:
    """The sum; None where a part is unknown, which is not 0."""
    known = [count for count in counts if count is not None]
    return round(sum(known), 6) if len(known) == len(counts) else None
