"""A room in lines: what it stands at, what split it, what comes next. Safe for a screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..core.plain import one_line

SEALED = (
    "openings are sealed: agents that hear each other at once agree with whoever spoke first, and "
    "four voices that agree teach nothing"
)
SEALED_INSTEAD = (
    'For another exchange, press a point after cross: room press "POINT"; room run cross'
)
CORRECT = "Take it with Enter, or type the decision as one line: "
CORRECT_OPTIONS = (
    "The options were read off the question. Take them with Enter, or type others, x,y: "
)
EDIT_CLAIMS = "Draw it up with: room claims --edit, --file FILE, or --model SPEC"
SCHEMA_SAYS = "The same command with --schema prints what is wanted"
NO_ROOMS = "No rooms yet."
VIEWING = "The page is open to this address alone, until Ctrl-C."

_SPLIT_SHOWN = 5


def motion_lines(motion: Any) -> Iterator[str]:
    """The motion, with what was drafted marked."""
    yield f"{_marked(motion, 'decision', 'Motion')}: {one_line(motion.decision)}"
    yield f"{_marked(motion, 'options', 'Options')}:"
    for option in motion.options:
        yield f"  - {one_line(option)}"
    yield f"{_marked(motion, 'constraints', 'Constraints')}: {_short(motion.constraints)}"
    yield f"{_marked(motion, 'settles', 'What would settle it')}: {_short(motion.settles)}"


def _marked(motion: Any, part: str, title: str) -> str:
    return f"{title} (drafted)" if part in motion.drafted else title


def _short(text: str, most: int = 1200) -> str:
    line = one_line(text)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def seating_lines(
    not_here: Mapping[str, str], evidence: Sequence[str], seats: Sequence[Any]
) -> Iterator[str]:
    """What whoever opens the room should know of its seats before anybody is asked."""
    for name, command in not_here.items():
        yield f"{one_line(name)}: '{one_line(command)}' is not installed here, so it will be absent"
    deaf = [one_line(one.name) for one in seats if not one.reads]
    if evidence and len(deaf) == len(seats):
        yield (
            "No seat here can read the evidence: only a command does, with `evidence_argv` in its "
            "entry of the engines file"
        )
    elif evidence and deaf:
        yield f"The evidence is not read by: {', '.join(deaf)}"


def much_evidence(files: int, size_bytes: int) -> str:
    return (
        f"The evidence is {files:,} files, {size_bytes / 1e6:.1f} MB: some seats will read it "
        "until their time is up. Name the narrower folder that the question turns on."
    )


def evidence_lines(paths: Sequence[str], readers: Sequence[str]) -> Iterator[str]:
    """What goes out besides the prompts, for whoever says yes."""
    if paths and readers:
        yield f"Evidence, read by {', '.join(map(one_line, readers))}:"
        for path in paths:
            yield f"  {one_line(path)}"


def left_over(count: int) -> str:
    return f"{count} processes that a killed run had left were ended"


def too_little_for_claims(reason: str) -> str:
    return f"too little was said to read a claim map off it ({reason})"


def room_lines(room: Any, changes: Sequence[str], folder: str) -> Iterator[str]:
    """Where the room stands; the transcript is on its page."""
    yield f"Room: {one_line(room.motion.decision)}"
    for column in room.columns:
        yield f"  {_seat(column)}"
    for row in room.rows:
        yield f"{row.folder}: {one_line(row.quorum)}"
    for cell in room.rows[-1].cells if room.rows else ():
        if cell.absent and cell.detail and cell.detail != cell.absent:
            yield f"  {one_line(cell.seat)}: {one_line(cell.detail)}"
    if room.mirror:
        yield f"{one_line(room.mirror)}."
    if room.sandbox and room.sandbox.find("not") >= 0:
        yield f"Seats: {room.sandbox}."
    for line in changes:
        yield f"Moved: {one_line(line)}"
    for number, point in enumerate(room.motion.points, 1):
        yield f"Pressed by the chair, {number}: {one_line(point)}"
    if room.claims:
        yield _claims_line(room)
        for claim in room.claims:
            yield f"  {claim.standing}: {one_line(claim.claim)}"
    if room.agreed:
        yield f"All who answered hold: {one_line(room.agreed)}"
    if room.split and room.decision is None:
        yield "What splits it:"
        for line in room.split[:_SPLIT_SHOWN]:
            yield f"  {one_line(line)}"
        if room.next.startswith(("room claims, then room run converge", "room run converge")):
            yield 'The chair decides what to press: room press "POINT", or go on.'
    yield from _decision_lines(room)
    yield f"Folder: {one_line(folder)}"
    if room.closed:
        yield "Verdict: ready. The room is closed; the whole decision is in decision.md"
    else:
        yield f"Next: {room.next}; look at it with room view"


def listed_room(row: Mapping[str, Any]) -> str:
    """A room in the list."""
    if row["problem"]:
        parts = [row["room"], f"cannot be read: {row['problem']}"]
    else:
        stands = f"ready: {row['call']}" if row["ready"] else f"next: {row['next']}"
        parts = [row["at"][:16].replace("T", " "), row["room"], row["preset"], stands]
    return "  ".join(map(one_line, parts))


def broken_off(round_name: str) -> str:
    return (
        "Broken off: what was answered is kept. Go on with: keystone-roundtable room run "
        f"{round_name}"
    )


def _seat(column: Any) -> str:
    parts = [f"{one_line(column.name)}: {one_line(column.engine)}"]
    if column.role:
        parts.append(column.role)
    if column.stance:
        parts.append(f"assigned to argue: {one_line(column.stance)}")
    if column.excused is not None:
        parts.append(f"excused{f' ({one_line(column.excused)})' if column.excused else ''}")
    return ", ".join(parts)


def _claims_line(room: Any) -> str:
    counted = {
        word: sum(claim.standing == word for claim in room.claims)
        for word in ("settled", "split", "open")
    }
    told = ", ".join(f"{count} {word}" for word, count in counted.items())
    draft = "; a draft: only each author's own vote was read" if room.claims_draft else ""
    return f"Claims ({one_line(room.claims_quorum)}): {told}{draft}"


def _decision_lines(room: Any) -> Iterator[str]:
    decision = room.decision
    if decision is None:
        return
    yield f"Call ({one_line(room.decision_quorum)}): {one_line(decision.call)}"
    for one in decision.why:
        seat = one_line(room.labels[one.source.seat])
        alone = ", alone on this" if one.alone else ""
        told = f"{one_line(one.text)}: " if one.text else ""
        yield f'Why: {told}"{one_line(one.source.quote)}" ({seat}{alone})'
    yield f"If it is wrong: {one_line(decision.cost)}"
    yield f"The earliest signal: {one_line(decision.signal)}"
    for one in decision.dissent:
        yield f"Dissent, {one_line(room.labels[one.seat])}: {one_line(one.text)}"
    for line in room.lacking:
        yield f"Lacking: {one_line(line)}"
