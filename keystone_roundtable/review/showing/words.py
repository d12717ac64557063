"""What a review says, in one place."""

from __future__ import annotations

from collections.abc import Sequence

from .tables import percent

TOO_FEW_TO_TELL = "too few to tell"
TOO_FEW = "too few"
NO_NAME = "(no name)"
TABLE_BELOW = "The table below has every figure."
FOOT = (
    "Made by keystone-roundtable from telemetry: counts and names, never a word of what was said. "
    "Months are in UTC. This page loads nothing and runs nothing."
)
NOTHING_YET = "Nothing is recorded yet. The first session begins with: keystone-roundtable"
NOTHING_FINISHED = "No finished session is recorded here yet."

DECIDED = "Decided"
STARTED = "Started"
LINES_READ = "Lines read"
MEAN_CONFIDENCE = "Mean confidence"
CONFIDENCE = "Confidence"
MEDIAN_QUESTIONS = "Median questions"
MEDIAN_TIME = "Median time"
JUDGED = "Outcomes judged"
BRIER = "Brier score"

MONTHS_TITLE = "Decisions by month"
MONTHS_CAPTION = "Finished sessions by month and decision"
MONTH = "Month"
OTHER_DECISIONS = "others"

DECISIONS_TITLE = "How sessions ended"
DECISIONS_CAPTION = "Finished sessions by decision"
DECISION = "Decision"
SESSIONS = "Sessions"
SHARE = "Share"
ENDS_CAPTION = "What shaped the end: share of the decided, for abandoned of the started"
END = "End"
FORCED = "forced"
BREAKER = "ended by the breaker"
ESCALATED = "escalated"
DEFERRED = "deferred"
ABANDONED = "abandoned"

MODES_TITLE = "Modes and formats"
MODES_CAPTION = "Finished sessions by mode"
MODE = "Mode"
FORMATS_CAPTION = "Finished sessions by format"
FORMAT = "Format"

CONFIDENCE_TITLE = "Confidence"
CONFIDENCE_CAPTION = "Finished sessions by stated confidence"
STATED = "Stated"

CALIBRATION_TITLE = "Calibration"
CALIBRATION_CAPTION = "Stated confidence against what became of the decision"
CALIBRATION_NOTE = (
    "Of the decisions taken with this confidence, how many held? "
    "Of those stated at 0.8, eight in ten should."
)
JUDGED_SHORT = "Judged"
HELD = "Held"
SHARE_HELD = "Share held"
INTERVAL = "95% interval"
PARTLY = "Partly"
UNKNOWN = "Unknown"

EFFORT_TITLE = "Questions and time"
MEASURE = "Measure"
QUESTIONS = "Questions"
TIME = "Time"
MEDIAN = "median"
MEAN = "mean"
MOST = "95 in 100 at most"

MODELS_TITLE = "Models and cost"
MODELS_CAPTION = "Models of the finished sessions"
MODEL = "Model"
CALLS = "Calls"
INPUT_TOKENS = "Tokens in"
OUTPUT_TOKENS = "Tokens out"
COST = "Cost"

OTHER_SKILLS_TITLE = "Other skills"
OTHER_SKILLS_CAPTION = "Events of other skills in the same files"
SKILL = "Skill"
EVENTS = "Events"

LEFT_OUT_TITLE = "Lines left out"
BROKEN_CAPTION = "Lines that could not be read"
FILE = "File"
LINE = "Line"
REASON = "Reason"


def title(skill: str) -> str:
    return "Decisions in review" if skill == "roundtable" else f"In review: {skill}"


def period(since: str | None, until: str | None, months: Sequence[str]) -> str:
    """What time the figures are about."""
    if since and until:
        return f"From {since} to {until}"
    if since:
        return f"Since {since}"
    if until:
        return f"Until {until}"
    if not months:
        return "All records"
    if months[0] == months[-1]:
        return f"All records: {months[0]}"
    return f"All records: {months[0]} to {months[-1]}"


def places(roots: Sequence[str]) -> str:
    """Where it was read."""
    if len(roots) == 1:
        return f"Project: {roots[0]}"
    return f"{len(roots)} projects: {', '.join(roots)}"


def events(started: int, paused: int, redirected: int, outcomes: int) -> str:
    """What else was recorded beside the decisions."""
    return (
        f"Beside them: {started:,} started, {paused:,} paused, {redirected:,} redirected, "
        f"{outcomes:,} told of an outcome."
    )


def band(tenth: str) -> str:
    """`0.8 to 0.9`: a hyphen would be read as a minus."""
    return tenth.replace("-", " to ")


def stated_by(count: int, finished: int) -> str:
    return f"{count:,} of {sessions(finished)} stated one."


def sessions(count: int) -> str:
    return f"{count:,} session{'' if count == 1 else 's'}"


def judged(count: int) -> str:
    """Under a point of the calibration chart, where there is room for a few letters."""
    return f"of {count}" if count < 1000 else f"of {count // 1000}k"


def calls(told: str) -> str:
    return f"{told} call{'' if told == '1' else 's'}"


def last_months(count: int) -> str:
    return f"The chart shows the last {count} months, the table every month with an event."


def most_frequent(count: int, of: int) -> str:
    return f"The chart shows {count} of {of:,}, the table all."


def more_rows(count: int) -> str:
    return f"{count:,} more" if count > 0 else ""


def too_few(judged: int, enough: int) -> str:
    return f"Too few to tell: {judged:,} judged as held or reversed, {enough} are needed."


def few_in_bands(enough: int) -> str:
    return f"A band with fewer than {enough} judged has too few to tell."


def brier(score: float, judged: int) -> str:
    return (
        f"Brier score {score:.3f} over {judged:,} judged: 0 is perfect, 0.25 is what a coin scores."
    )


def interval(low: float, high: float) -> str:
    return f"{percent(low).removesuffix('%')}–{percent(high)}"


def questions_caption(count: int) -> str:
    return f"Questions to a decision, over {sessions(count)}"


def seconds_caption(count: int) -> str:
    return f"Active time to a decision, over {sessions(count)}"


def unknown_use(cost: int, tokens: int) -> tuple[str, ...]:
    """What the sums leave out; nothing where they leave out nothing."""
    lines = []
    if cost:
        lines.append(f"The cost of {sessions(cost)} is not known and not in the sums.")
    if tokens:
        lines.append(f"The tokens of {sessions(tokens)} are not known and not in the sums.")
    return tuple(lines)


def broken(count: int, named: int, lines: int) -> tuple[str, ...]:
    """How many lines could not be read; nothing where all could."""
    if not count:
        return ()
    first = f"; the first {named:,} are named" if named < count else ""
    return (f"{count:,} of {lines:,} lines could not be read{first}.",)


def left_out(repeated: int, unknown_events: int, copied_files: int) -> tuple[str, ...]:
    """What was read well and not counted, a sentence each."""
    told = []
    if repeated:
        told.append(f"{repeated:,} told what an earlier line tells, and counted once.")
    if unknown_events:
        told.append(f"{unknown_events:,} told an event that this version has no word for.")
    if copied_files:
        told.append(
            f"Files that are the same in another project, not read again: {copied_files:,}."
        )
    return tuple(told)
