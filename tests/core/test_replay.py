"""A session is its events: replaying them gives the same session, and so the same next command."""

from __future__ import annotations

from keystone_roundtable.core import events as ev
from keystone_roundtable.core.fold import apply, replay
from keystone_roundtable.core.machine import next_command
from keystone_roundtable.core.session import Session
from keystone_roundtable.core.status import Status

from .builders import Held, converged, held, prefixes


def eventful() -> Held:
    """A change of mode, clarifications, a pause, a note, a revision, and a deferral at the end."""
    standing = Held().start().prepare().ask().happen(ev.ModeChanged, mode="challenge").prepare()
    standing.clarify().say("first", choices=("o1",)).shrug().ask()
    standing.happen(ev.NoteAdded, text="It ships in March.")
    standing.happen(ev.Paused, cause="interrupt", draft="half").happen(ev.Resumed)
    standing.back().say("second").say().say().end().draft().back().say().end().draft()
    return standing.happen(ev.DeferRequested).draft().close()


def test_no_event_gives_a_new_session() -> None:
    assert replay(()) == Session()


def test_replaying_gives_the_live_session() -> None:
    for standing in (eventful(), converged().end().draft().close()):
        assert standing.status is Status.FINISHED
        assert replay(standing.events) == standing.session


def test_replaying_from_json_gives_the_live_session() -> None:
    standing = eventful()
    lines = [event.model_dump_json() for event in standing.events]
    assert replay(ev.EVENT.validate_json(line) for line in lines) == standing.session


def test_every_beginning_of_a_log_is_a_session_with_something_due() -> None:
    for events in list(prefixes(eventful().events))[1:]:
        session = replay(events)
        assert next_command(session) == next_command(replay(events))
        assert session.events == len(events)


def test_a_crash_anywhere_is_resumed_where_the_log_ends() -> None:
    for events in list(prefixes(eventful().events))[1:-1]:
        session = replay(events)
        resumed = apply(session, ev.Resumed(at=session.last_at))
        expected = session.resumes_to if session.status is Status.PAUSED else session.status
        assert resumed.status is expected
        assert resumed.turns == session.turns


def test_applying_an_event_leaves_the_session_before_it_alone() -> None:
    before = held().ask().session
    copy = replay(held().ask().events)
    apply(before, ev.StopRequested(at=before.last_at))
    assert before == copy
