"""`list` and `show`: what a project's sessions are and said."""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from ...core.errors import UsageError
from ...core.plain import one_line, plain
from ...review.aftermath import Aftermath, Aftermaths, wants_outcome
from ...stores.errors import StoreError
from ...stores.held import names_in
from ...stores.places import Format, roundtable_folder
from ...stores.sessions import SessionStore
from ...stores.summaries import SessionSummary
from ...terminal import remembering as words
from ...terminal.columns import columns_of
from ..named import Named, named
from ..roots import root_of
from ..saying import say
from ..typed import as_typed

_Fits = Callable[[SessionSummary], bool]


def list_sessions(options: Namespace) -> int:
    root = root_of(options.root)
    store = SessionStore(root)
    filters = list(_filters(root, options))
    found = (one for one in store.summaries() if all(fits(one) for fits in filters))
    summaries = list(islice(found, options.limit) if options.limit > 0 else found)
    passed_over: list[str] = []
    after = Aftermaths(root, passed_over)
    told = [(one, after.of(one.id, store.folder(one.id))) for one in summaries]
    _tell_of_others(root)
    for line in passed_over:
        say(f"Passed over: {line}")
    if options.json:
        sessions = [{**asdict(summary), **after.as_object()} for summary, after in told]
        print(json.dumps({"sessions": sessions}, ensure_ascii=False, indent=2))
        return 0
    if not told:
        print(words.NONE_FITS if filters and store.ids() else words.NONE_YET)
    width = columns_of(sys.stdout)
    id_width = max((len(summary.id) for summary in summaries), default=0)
    for summary, after_it in told:
        for line in _rows(summary, after_it, width, id_width):
            print(line)
    now_s = time.time()
    if silent := [s.id for s, a in told if wants_outcome(s.decision, s.last_at, a, now_s)]:
        say(words.ask_outcome(silent))
    return 0


def _tell_of_others(root: Path) -> None:
    """In one line, that there are tables and rooms, which this list leaves out."""
    there: dict[Format, int] = {"table": 0, "room": 0}
    for of in there:
        with suppress(StoreError):  # its own list tells of it
            there[of] = len(names_in(roundtable_folder(root), of))
    if any(there.values()):
        say(words.others(there["table"], there["room"]))


def _filters(root: Path, options: Namespace) -> Iterator[_Fits]:
    """What a session must be to be listed, what is quickest to tell first."""
    if options.status:
        yield lambda one: _word(one) in options.status
    if options.mode:
        yield lambda one: one.mode == options.mode
    if options.since or options.until:
        from ...review.span import make_span

        span = make_span(options.since, options.until)
        yield lambda one: span.holds(_day_of(one))
    if options.query is not None:
        from ..searching import search

        found = search(root, as_typed(options.query), 0, unfinished=True)
        ids = {past.id for past in found.past} if found.every_term else set()
        yield lambda one: one.id in ids


def _word(summary: SessionSummary) -> str:
    return "unreadable" if summary.problem else words.ending_word(summary.decision, summary.status)


def _day_of(summary: SessionSummary) -> str:
    """The day on which it was begun; that of its id where the log does not say."""
    date = summary.id[:8]
    return summary.started_at[:10] or f"{date[:4]}-{date[4:6]}-{date[6:]}"


def _rows(
    summary: SessionSummary, after: Aftermath, width: int | None, id_width: int
) -> Iterator[str]:
    told = one_line(summary.problem or summary.topic)
    if after.superseded:
        told = f"[{words.superseded_by(after.superseded.source, after.superseded.at)}] {told}"
    outcome = after.outcome.outcome if after.outcome else ""
    confidence = summary.confidence
    day, word = _day_of(summary), one_line(_word(summary))
    return words.rows(summary.id, day, word, confidence, outcome, told, width, id_width)


def show(options: Namespace) -> int:
    """The report of a session, or what was said so far; of a table or a room what its own `show`
    gives. Then what came after it.
    """
    root = root_of(options.root)
    found = named(root, options.session)
    after = Aftermaths(root).of(found.id, found.folder)
    show_it = _show_session if found.is_session else _show_other
    show_it(root, found, after, options)
    if options.json:
        return 0
    for line in words.aftermath(found.id, after):
        print(plain(line))
    if wants_outcome(found.summary.decision, found.summary.last_at, after, time.time()):
        _ask_outcome(root, found)
    return 0


def _show_session(root: Path, found: Named, after: Aftermath, options: Namespace) -> None:
    from ..ends import session_in
    from ..presenting import describe_internal, describe_so_far, session_object
    from ..wiring import Project

    session = session_in(root, found.id)
    if options.json:
        shown = {**session_object(session, Project(root)), **after.as_object()}
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return
    report = found.folder / "report.md"
    if session.closed and report.is_file():
        print(plain(report.read_text(encoding="utf-8")))
    else:
        print(plain(describe_so_far(session)))
    if options.internal and session.preview is not None:
        print(plain(describe_internal(session)))


def _show_other(root: Path, found: Named, after: Aftermath, options: Namespace) -> None:
    from ..held_ends import held_end
    from ..json_lines import json_text

    if options.internal:
        raise UsageError(
            f"{found.held.told} has no internal preview: everything in it is shown",
            "Leave --internal out",
        )
    end = held_end(root, found.held)
    if options.json:
        print(json_text({**end.as_object, **after.as_object()}))
    else:
        end.tell()


def _ask_outcome(root: Path, session: Named) -> None:
    """Asks at a terminal how it turned out; whatever is no answer keeps nothing."""
    from ...review.outcomes import OUTCOMES
    from ..turning_out import take_down, told

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        say(words.ask_outcome([session.id]))
        return
    try:
        typed = input(words.HOW_DID_IT_TURN_OUT).strip().casefold()
    except (EOFError, KeyboardInterrupt):
        print()
        return
    chosen = [outcome for outcome in OUTCOMES if typed and outcome.startswith(typed)]
    if len(chosen) != 1:
        print(words.outcome_later(session.id))
        return
    for line in told(root, session, chosen[0], take_down(root, session, chosen[0])):
        print(line)
