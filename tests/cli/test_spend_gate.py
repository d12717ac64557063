"""The plan before the first invocation: what it says, and that a yes is never assumed."""

from __future__ import annotations

import pytest

from keystone_roundtable.cli.parser import Parser
from keystone_roundtable.cli.seat_options import put_seat_options
from keystone_roundtable.cli.seating import SeatEngines, limits_of
from keystone_roundtable.cli.settings import resolve
from keystone_roundtable.cli.spend_gate import DeclinedError, ask_on_terminal, consent
from keystone_roundtable.core.engines import EngineFailureError
from keystone_roundtable.core.errors import UsageError
from keystone_roundtable.core.seating import Receipt, Seat
from keystone_roundtable.core.spending_plan import Limits, Plan, PlannedSeat

ROUNDS = ("open", "deepen", "converge", "vote")


def plan(usd=0.01, limits=None, **changes):
    seats = tuple(
        PlannedSeat(name=name, engine="api", model="openai:x", sends_to="api.x.com", usd=usd)
        for name in ("sre", "finance", "legal")
    )
    return Plan(**{"seats": seats, "rounds": ROUNDS, "limits": limits or Limits(), **changes})


def text_of(one):
    lines = []
    consent(one, yes=True, ask=None, show=lines.append)
    return "\n".join(lines)


def test_the_plan_says_all_that_there_is_to_agree_to():
    text = text_of(plan(limits=Limits(seat_s=30, run_s=600, max_invocations=20, max_usd=5)))
    for told in ("sre", "api openai:x", "sent to api.x.com", "open, deepen, converge, vote"):
        assert told in text
    assert "12, at most 20" in text
    assert "30 s for each, 600 s for all" in text
    assert "at most about 0.2400 USD, the budget is 5 USD" in text


def test_an_unknown_price_is_called_unknown():
    assert "Cost: unknown for openai:x" in text_of(plan(usd=None))


def test_a_rehearsal_costs_nothing_and_sends_nothing():
    seat = PlannedSeat(name="sre", engine="offline", usd=0.0)
    text = text_of(plan(seats=(seat,)))
    assert "nothing is sent" in text and "Cost: none" in text


def test_names_cannot_write_on_the_screen():
    seat = PlannedSeat(name="s\x1b[31mre\x07", engine="a\nb", usd=0.0)
    text = text_of(plan(seats=(seat,)))
    assert "\x1b" not in text and "\x07" not in text and "\nb" not in text


def test_without_a_yes_and_nobody_to_ask_it_is_refused():
    with pytest.raises(UsageError, match="--yes"):
        consent(plan(), yes=False, ask=None, show=lambda line: None)


@pytest.mark.parametrize("answer", [True, False])
def test_a_person_is_asked_after_the_plan_was_shown(answer):
    told = []

    def ask(question):
        told.append("asked")
        return answer

    def go():
        return consent(plan(), yes=False, ask=ask, show=lambda line: told.append("shown"))

    if answer:
        assert go() == plan().limits
    else:
        with pytest.raises(DeclinedError):
            go()
    assert told[-1] == "asked" and told.count("asked") == 1 and "shown" in told


def test_an_unknown_price_under_a_budget_needs_leave_of_its_own():
    unknown = plan(usd=None, limits=Limits(max_usd=1))
    for yes in (True, False):
        with pytest.raises(UsageError, match="--allow-unknown-price"):
            consent(unknown, yes=yes, ask=None, show=lambda line: None)
    with pytest.raises(UsageError, match="--allow-unknown-price"):
        consent(unknown, yes=True, ask=lambda question: True, show=lambda line: None)
    asked = []
    limits = consent(
        unknown, yes=False, ask=lambda q: bool(asked.append(q)) or True, show=lambda line: None
    )
    assert limits.allow_unknown_price and len(asked) == 1 and "unknown" in asked[0]
    allowed = plan(usd=None, limits=Limits(max_usd=1, allow_unknown_price=True))
    assert consent(allowed, yes=True, ask=None, show=lambda line: None) == allowed.limits


def test_what_was_spent_before_is_taken_off():
    spent = plan(
        limits=Limits(max_invocations=10, max_usd=0.1), spent_invocations=7, spent_usd=0.09
    )
    assert spent.most_invocations == 3
    assert spent.most_usd == pytest.approx(0.01)


def test_where_standard_input_is_no_terminal_nobody_is_asked(monkeypatch):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert ask_on_terminal() is None


# -- what the words of a command line come to ------------------------------------------


@pytest.fixture
def engines(tmp_path):
    path = tmp_path / ".keystone" / "roundtable" / "engines.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("local: {kind: api, model: 'ollama:qwen3'}\n", encoding="utf-8")
    return SeatEngines(tmp_path, {}, Limits())


@pytest.mark.parametrize(
    ("words", "engine", "model"),
    [
        ("offline", "offline", None),
        ("openai:gpt-5", "api", "openai:gpt-5"),
        ("ollama:qwen3:8b", "api", "ollama:qwen3:8b"),
        ("api:openai:gpt-5", "api", "openai:gpt-5"),
        ("local", "local", "ollama:qwen3"),
        ("local:ollama:gemma", "local", "ollama:gemma"),
    ],
)
def test_words_name_an_engine_and_its_model(words, engine, model, engines):
    assert engines.named(words) == (engine, model)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("host", "cannot take a seat"),
        ("openai", "name is missing"),
        ("api", "needs a model"),
        ("offline:x", "takes no model"),
        ("openai:a,offline", "a chain is several"),
        ("llama", "no kind of model"),
        ("", "missing"),
    ],
)
def test_words_that_seat_nobody_are_refused(words, told, engines):
    with pytest.raises(UsageError, match=told):
        engines.named(words)


def test_seats_of_one_model_share_an_engine_and_others_do_not(engines):
    def seat(name, model):
        return engines.engine_for(Seat(name=name, engine="api", model=model))

    assert seat("a", "ollama:x") is seat("b", "ollama:x")
    assert seat("a", "ollama:x") is not seat("a", "ollama:y")
    with pytest.raises(EngineFailureError) as error:
        engines.engine_for(Seat(name="a", engine="gone"))
    assert error.value.reason == "missing"


def test_the_plan_is_made_of_seats_and_what_was_spent(engines):
    seats = [
        Seat(name="a", engine="offline"),
        Seat(name="b", engine="local", model="ollama:qwen3"),
        Seat(name="c", engine="gone"),
    ]
    spent = Receipt(
        seat="a", engine="offline", round="open", start="", seconds=0, outcome="answered"
    )
    made = engines.plan(seats, ROUNDS, 1000, [spent])
    assert [seat.usd for seat in made.seats] == [0.0, None, None]
    assert made.sends_to == ("localhost:11434",)
    assert made.unknown_prices == ("ollama:qwen3", "gone")
    assert made.spent_invocations == 1


@pytest.fixture
def limits(tmp_path):
    def read(*words):
        parser = Parser()
        put_seat_options(parser)
        options = parser.parse_args(list(words))
        return limits_of(options, resolve(options, tmp_path, {}))

    return read


def test_the_limits_come_from_flags(limits):
    assert limits() == Limits()
    words = "--timeout 30 --max-seconds 90.5 --max-invocations 12 --budget-usd 0.5"
    assert limits(*words.split(), "--allow-unknown-price") == Limits(
        seat_s=30, run_s=90.5, max_invocations=12, max_usd=0.5, allow_unknown_price=True
    )


@pytest.mark.parametrize(
    "words",
    [
        ("--max-invocations", "0"),
        ("--max-invocations", "-1"),
        ("--max-invocations", "many"),
        ("--max-invocations", "٣"),
        ("--max-invocations", "9" * 5000),
        ("--max-seconds", "0"),
        ("--max-seconds", "nan"),
        ("--max-seconds", "inf"),
        ("--max-seconds", "soon"),
        ("--timeout", "0"),
        ("--budget-usd", "x"),
    ],
)
def test_a_limit_that_is_none_is_refused_by_its_flag(words, limits):
    with pytest.raises(UsageError, match=words[0]):
        limits(*words)
