"""What was taken up and answered, and what a crash leaves of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from keystone_roundtable.stores.errors import StoreError
from keystone_roundtable.stores.journal import ExchangeJournal, Taken
from keystone_roundtable.stores.started import Started, StartedSessions


@pytest.fixture
def journal(tmp_path: Path) -> ExchangeJournal:
    return ExchangeJournal(tmp_path)


def test_a_request_that_never_came_is_not_found(journal: ExchangeJournal) -> None:
    assert journal.find("a") is None
    journal.take("b", 3)
    assert journal.find("a") is None


def test_a_request_is_found_with_its_response(journal: ExchangeJournal) -> None:
    journal.take("a", 3)
    assert journal.find("a") == Taken(3, None, overtaken=False)
    journal.answer("a", {"need": "answer"})
    assert journal.find("a") == Taken(3, {"need": "answer"}, overtaken=False)


def test_a_request_that_came_to_nothing_is_overtaken_by_the_next_at_the_same_point(
    journal: ExchangeJournal,
) -> None:
    journal.take("a", 3)
    journal.take("b", 3)
    assert journal.find("a") == Taken(3, None, overtaken=True)
    assert journal.find("b") == Taken(3, None, overtaken=False)


def test_a_later_request_does_not_overtake_one_that_was_acted_on(journal: ExchangeJournal) -> None:
    journal.take("a", 3)
    journal.take("b", 5)
    assert journal.find("a") == Taken(3, None, overtaken=False)


def test_a_request_that_is_taken_up_again_counts_from_there(journal: ExchangeJournal) -> None:
    journal.take("a", 3)
    journal.take("b", 3)
    journal.take("a", 6)
    assert journal.find("a") == Taken(6, None, overtaken=False)


def test_torn_lines_are_passed_over_and_stay_apart(journal: ExchangeJournal) -> None:
    journal.take("a", 3)
    with journal.path.open("ab") as file:
        file.write(b'{"digest": "a", "respo')
    assert journal.find("a") == Taken(3, None, overtaken=False)
    journal.answer("a", {"need": "answer"})
    assert journal.find("a") == Taken(3, {"need": "answer"}, overtaken=False)


def test_a_request_id_keeps_the_first_session(tmp_path: Path) -> None:
    started = StartedSessions(tmp_path)
    with started.of("r", Started("one", "d")) as first:
        assert first == Started("one", "d")
    with started.of("r", Started("two", "e")) as again:
        assert again == first
    with started.of("../../r", Started("three", "f")) as other:
        assert other.session == "three"
    assert {path.parent for path in tmp_path.rglob("*.json")} == {started.folder}


def test_a_broken_request_file_is_told(tmp_path: Path) -> None:
    started = StartedSessions(tmp_path)
    with started.of("r", Started("one", "d")):
        pass
    (path,) = started.folder.glob("*.json")
    path.write_bytes(b"[]")
    with pytest.raises(StoreError, match="tells of no session"), started.of("r", Started("x", "y")):
        pass
