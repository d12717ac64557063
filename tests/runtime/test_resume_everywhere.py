"""A session that is stopped at any moment goes on as if it had not been."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from keystone_roundtable.core import events as ev

PAUSES = (ev.Paused, ev.Resumed)


def happened(events):
    """What happened apart from the stop, without the moments."""
    kept = (event for event in events if not isinstance(event, PAUSES))
    return [event.model_dump(exclude={"at"}) for event in kept]


@pytest.fixture
def whole(new_session):
    """The session held without a stop: its events and its end."""
    held = new_session()
    held.start()
    return happened(held.events), held.end


@pytest.mark.parametrize("kept", [True, False])
def test_killed_at_any_event_nothing_is_lost_or_asked_twice(whole, new_session, stopping, kept):
    events, end = whole
    first = 1 if kept else 2  # without its first event there is no session
    for at in range(first, len(events) + (0 if kept else 1)):
        held = new_session()
        with pytest.raises(stopping.killed):
            held.start(lambda log, at=at: stopping.log(log, at, kept, stopping.killed()))
        held.resume()
        assert happened(held.events) == events
        assert held.end == end


def test_killed_at_every_event_one_after_the_other_it_still_ends(whole, new_session, stopping):
    events, end = whole
    held = new_session()

    def once(log):  # a resumed piece writes that it was resumed, and one event more
        return stopping.log(log, 2, True, stopping.killed())

    with pytest.raises(stopping.killed):
        held.start(lambda log: stopping.log(log, 1, True, stopping.killed()))
    for _ in range(len(events) - 2):
        with pytest.raises(stopping.killed):
            held.resume(once)
    held.resume()
    assert happened(held.events) == events
    assert held.end == end


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("how", ["killed", pytest.param("broken", marks=pytest.mark.long)])
def test_stopped_at_any_write_the_end_is_the_same(whole, new_session, stopping, kept, how):
    """State on entering, telemetry, report, contract, state again, telemetry again."""
    events, end = whole
    error = getattr(stopping, how)
    for at in itertools.count(1):
        held = new_session()
        made = []

        def around(results, at=at, made=made):
            made.append(stopping.results(results, at, kept, error("the disk fails")))
            return made[-1]

        try:
            held.start(around_results=around)
        except error:
            held.resume()
            assert happened(held.events) == events
            assert held.end == end
            assert (
                Counter(line["event"] for line in held.end["telemetry"]).most_common(1)[0][1] == 1
            )
        else:
            assert len(made[0].written) < at  # it was stopped at every write there is
            return


def test_what_failed_in_the_middle_leaves_no_end_that_looks_whole(new_session, stopping):
    """The contract is on disk before the state announces it."""
    for at in itertools.count(1):
        held = new_session()
        made = []

        def around(results, at=at, made=made):
            made.append(stopping.results(results, at, False, stopping.killed()))
            return made[-1]

        try:
            held.start(around_results=around)
        except stopping.killed:
            state = held.root / ".keystone" / "state.json"
            if state.exists() and '"exit_code": "ok"' in state.read_text():
                assert (held.project.store.folder("20261130-abcdef12") / "contract.json").exists()
        else:
            return
