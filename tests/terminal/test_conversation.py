"""Whole sessions held with keys: what one sees, and what the session becomes."""

from __future__ import annotations

import pytest

from keystone_roundtable.core.outcome import ExitStatus
from keystone_roundtable.core.status import Status

from .conftest import CTRL_C, CTRL_D, DOWN, ENTER, UP, Held

TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
IRREVERSIBLE = "Should we delete the old customer database or archive it?"
ELSEWHERE = "Why does the login page return 500 since yesterday?"

ANSWERS = (
    "A pilot customer gets told when an import fails, without calling us",
    "The settings refactor, because the preferences would live in the new settings",
    "A push channel on mobile, nobody asked for it yet",
    "One kind of mail, for failed imports only, switched on by hand",
)
FORCED = ("/skip", "/skip", "")
"""Two non-answers, the second in spite of the warning: a session that ends at once."""


def lines(*typed: str) -> str:
    return "".join(f"{line}{ENTER}" for line in typed)


# -- questions -------------------------------------------------------------------------


def test_each_question_has_its_heading_with_the_progress(held: Held) -> None:
    held.hold(TOPIC, lines(*ANSWERS[:3]), CTRL_C)
    for number in (1, 2, 3):
        assert f"Question {number} of at least 3" in held.terminal.text


def test_the_heading_is_written_in_one_piece(held: Held) -> None:
    held.hold(TOPIC, CTRL_C)
    assert "Question 1 of at least 3" in held.terminal.raw


def test_the_question_is_set_apart_from_lead_and_stakes(held: Held) -> None:
    session = held.hold(TOPIC, CTRL_C)
    question = session.turns[0].question
    drawn = held.terminal.raw
    assert f"\x1b[0;1m{question.text}" in drawn
    assert f"\x1b[0;2mAt stake: {question.stakes}" in drawn
    assert question.lead.split()[0] in drawn


def test_nothing_of_the_report_is_shown_while_questions_are_asked(held: Held) -> None:
    held.hold(TOPIC, lines(*ANSWERS[:2]), CTRL_C)
    for heading in ("Final Report", "Role Views", "Consensus", "Decision", "product-manager"):
        assert heading not in held.terminal.text


def test_what_was_answered_stays_above_the_next_question(held: Held) -> None:
    session = held.hold(TOPIC, lines(ANSWERS[0]), CTRL_C)
    assert f"Q1 {session.turns[0].question.text} › {ANSWERS[0]}" in held.terminal.words


def test_a_suggestion_is_picked_by_number(held: Held) -> None:
    session = held.hold(TOPIC, lines(ANSWERS[0], "1"), CTRL_C)
    assert "You can also pick by number:" in held.terminal.text
    suggested = session.turns[1].question.suggestions[0].text
    assert f"Q2 {session.turns[1].question.text} › {suggested}" in held.terminal.words
    picked = session.turns[1].answer
    assert picked is not None
    assert picked.picked


def test_an_empty_line_leaves_the_question_open_with_a_quiet_line(held: Held) -> None:
    held.terminal.when("An empty line is not an answer", CTRL_C)
    session = held.hold(TOPIC, ENTER)
    assert session.open_turn is not None
    assert len(session.turns) == 1


def test_enter_held_down_answers_nothing(held: Held) -> None:
    held.terminal.when("An empty line is not an answer", CTRL_C)
    session = held.hold(TOPIC, ENTER * 200)
    assert [turn.answer for turn in session.turns] == [None]


def test_a_second_skip_warns_first(held: Held) -> None:
    held.terminal.when("Press Enter again to skip all the same", CTRL_C)
    session = held.hold(TOPIC, lines("/skip", "/skip"))
    assert session.non_answers_in_a_row == 1
    assert session.phase_exit is None
    assert "One more non-answer and I conclude." in held.terminal.text


def test_a_second_skip_after_the_warning_concludes(held: Held) -> None:
    session = held.hold(TOPIC, lines(*FORCED), CTRL_C)
    assert session.phase_exit == "circuit_breaker"


def test_why_explains_and_leaves_the_question_open(held: Held) -> None:
    session = held.hold(TOPIC, lines("/why"), CTRL_C)
    assert session.turns[0].question.explanation.split(".")[0] in held.terminal.words
    assert session.open_turn is not None


def test_help_names_commands_and_keys(held: Held) -> None:
    held.hold(TOPIC, lines("/help"), CTRL_C)
    for name in ("/why", "/defer", "Alt-Enter", "Ctrl-C"):
        assert name in held.terminal.text


def test_note_is_added(held: Held) -> None:
    session = held.hold(TOPIC, lines("/note the office closes in May"), CTRL_C)
    assert [note.text for note in session.notes] == ["the office closes in May"]


def test_back_brings_the_earlier_answer_to_be_changed(held: Held) -> None:
    session = held.hold(TOPIC, lines(ANSWERS[0], "/back", ", by mail"), CTRL_C)
    answer = session.turns[0].answer
    assert answer is not None
    assert answer.text == f"{ANSWERS[0]}, by mail"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("/note", "needs the fact to add"),
        ("/mode fast", "is no mode"),
        ("/wyh", "did you mean /why?"),
    ],
)
def test_a_command_that_cannot_be_carried_out_says_so_in_place(
    held: Held, typed: str, said: str
) -> None:
    held.terminal.when(said, CTRL_C)
    session = held.hold(TOPIC, typed, ENTER)
    assert session.turns[0].answer is None
    assert session.pause_draft == typed


def test_what_is_typed_after_a_refused_command_does_not_join_it(held: Held) -> None:
    held.terminal.when("no earlier answer", *lines("Customers are told"), CTRL_C)
    session = held.hold(TOPIC, "/back", ENTER)
    answer = session.turns[0].answer
    assert answer is not None
    assert answer.text == "Customers are told"


def test_a_word_with_a_slash_is_an_answer_when_sent_again(held: Held) -> None:
    session = held.hold(TOPIC, lines("/etc", ""), CTRL_C)
    answer = session.turns[0].answer
    assert answer is not None
    assert answer.text == "/etc"


def test_the_mode_is_chosen_from_a_menu(held: Held) -> None:
    held.terminal.when("Which mode?", DOWN, ENTER)
    held.terminal.when("Question 1", CTRL_C)
    before = held.hold(TOPIC, CTRL_C).prepared.mode
    after = held.hold(TOPIC, lines("/mode")).prepared.mode
    assert after != before


def test_defer_and_stop_end_the_questions(held: Held) -> None:
    assert held.hold(TOPIC, lines("/defer", "")).deferred
    assert held.hold(TOPIC, lines("/stop", "")).stopped


# -- pausing and going on --------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "status"),
    [(CTRL_C, ExitStatus.INTERRUPTED), (CTRL_D, ExitStatus.PAUSED)],
    ids=["Ctrl-C", "Ctrl-D"],
)
def test_the_draft_is_there_again_after_a_pause(held: Held, key: str, status: ExitStatus) -> None:
    held.hold(TOPIC, "A pilot customer", key)
    assert held.statuses == [status]
    assert "What you were typing is kept." in held.terminal.text
    session = held.resume(" gets told", ENTER, CTRL_C)
    answer = session.turns[0].answer
    assert answer is not None
    assert answer.text == "A pilot customer gets told"


def test_quit_pauses(held: Held) -> None:
    assert held.hold(TOPIC, lines("/quit")).status is Status.PAUSED


def test_resuming_shows_what_was_said_in_a_few_lines(held: Held) -> None:
    held.hold(TOPIC, lines(ANSWERS[0], "/note it is May"), CTRL_C)
    shown = len(held.terminal.text)
    held.resume(CTRL_C)
    recap = held.terminal.text[shown:]
    assert "Going on where you left" in recap
    assert "Topic: Should we build the notification system" in recap
    assert "› A pilot customer gets told" in recap
    assert "Note: it is May" in recap
    assert "Question 2 of at least 3" in recap


def test_earlier_answers_are_history_after_a_pause(held: Held) -> None:
    held.hold(TOPIC, lines(ANSWERS[0]), CTRL_C)
    session = held.resume(UP, " too", ENTER, CTRL_C)
    answer = session.turns[1].answer
    assert answer is not None
    assert answer.text == f"{ANSWERS[0]} too"


# -- the beginning ---------------------------------------------------------------------


def test_a_topic_that_belongs_elsewhere_can_be_entered_anyway(held: Held) -> None:
    held.terminal.when("Enter the roundtable anyway", DOWN, ENTER)
    held.terminal.when("Question 1", CTRL_C)
    session = held.hold(ELSEWHERE)
    assert session.turns
    assert "This belongs to diagnose" in held.terminal.text


def test_a_topic_that_belongs_elsewhere_is_left_by_default(held: Held) -> None:
    held.terminal.when("Enter the roundtable anyway", ENTER)
    assert held.hold(ELSEWHERE).status is Status.REDIRECTED
    assert held.statuses == [ExitStatus.REDIRECTED]


def test_escapes_in_the_topic_do_not_reach_the_screen(held: Held) -> None:
    held.hold("Should we \x1b]0;owned\x07 use \x1b[2J\x1b[31m Redis or Postgres?", CTRL_C)
    assert "owned" not in held.terminal.raw
    assert "\x1b[2J" not in held.terminal.raw


# -- the report ------------------------------------------------------------------------


def test_enter_accepts_the_report(held: Held) -> None:
    session = held.hold(TOPIC, lines(*FORCED, ""))
    assert session.status is Status.FINISHED
    assert "Roundtable Final Report" in held.terminal.raw
    assert "Does this report stand?" in held.terminal.text


def test_anything_else_is_a_note_and_the_report_is_drawn_again(held: Held) -> None:
    session = held.hold(TOPIC, lines(*FORCED, "We also lack a designer"), CTRL_C)
    assert [note.text for note in session.notes] == ["We also lack a designer"]
    assert held.terminal.text.count("Roundtable Final Report") == 2


def test_help_does_not_draw_the_report_again(held: Held) -> None:
    held.hold(TOPIC, lines(*FORCED, "/help"), CTRL_C)
    assert held.terminal.text.count("Roundtable Final Report") == 1


def test_back_reopens_the_last_question(held: Held) -> None:
    session = held.hold(TOPIC, lines(*FORCED, "/back"), CTRL_C)
    assert session.phase_exit is None
    assert session.open_turn is not None


def test_a_command_without_a_use_at_the_report_says_so(held: Held) -> None:
    held.terminal.when("That does nothing here", CTRL_C)
    session = held.hold(TOPIC, lines(*FORCED, "/why"))
    assert session.status is Status.PAUSED


def test_leaving_at_the_report_decides_nothing(held: Held) -> None:
    session = held.hold(TOPIC, lines(*FORCED), CTRL_C)
    assert session.status is Status.PAUSED
    assert held.resume(ENTER).status is Status.FINISHED


def test_a_note_half_typed_is_there_again_after_a_pause(held: Held) -> None:
    held.hold(TOPIC, lines(*FORCED), "We lack a des", CTRL_C)
    session = held.resume("igner", ENTER, CTRL_C)
    assert [note.text for note in session.notes] == ["We lack a designer"]


IRREVERSIBLY = (
    "We get rid of the storage cost this month",
    "Delete it, it pays off most since it costs 4000 a month",
    "Archiving is not worth it, nobody ever read it again",
    "Only the tables of the closed accounts",
)


@pytest.fixture
def confirming(held: Held) -> Held:
    """A session at the confirmation of a direction that cannot be undone."""
    held.hold(IRREVERSIBLE, lines(*IRREVERSIBLY), CTRL_C)
    shown = "asked to confirm it by typing it"
    assert shown in held.terminal.words, held.terminal.text[-3000:]
    return held


def test_what_to_type_and_what_else_happens_is_said_before(confirming: Held) -> None:
    confirming.resume(ENTER, CTRL_C)
    words = confirming.terminal.words
    assert "To confirm it, type these words: delete the old customer database" in words
    assert "Anything else pauses the session with nothing decided" in words


def test_the_right_words_confirm(confirming: Held) -> None:
    session = confirming.resume(lines("", "delete the old customer database"))
    assert session.confirmed
    assert session.status is Status.FINISHED


def test_other_words_pause(confirming: Held) -> None:
    session = confirming.resume(lines("", "yes"))
    assert not session.confirmed
    assert session.status is Status.PAUSED


def test_an_empty_line_confirms_and_pauses_nothing(confirming: Held) -> None:
    confirming.terminal.when("Nothing is confirmed yet", "/back", ENTER, CTRL_C)
    session = confirming.resume(lines("", ""))
    assert session.open_turn is not None
