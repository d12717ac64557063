"""What was agreed to before a table began holds until something else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
pytest.importorskip("openai", reason="the extra 'openai' is not installed")

from loopback.replies import Response
from loopback.server import LoopbackServer
from loopback.table_souls import Turn, playing_souls

Call = Callable[..., Any]
WORDS = ("Should we keep it or split it?", "--options", "keep,split")
MODEL = ("--model", "openai-chat:loopback")
NAMES = ("sre", "product-manager", "software-architect", "security-architect", "delivery-owner")


def refusing_from(number: int) -> Any:
    def refuses(turn: Turn) -> Response | None:
        return Response(status=401, body="{}") if turn.round >= number else None

    return playing_souls(("keep", "split"), dict.fromkeys(NAMES, refuses))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    with LoopbackServer(default=refusing_from(2)) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        yield running


@pytest.fixture
def stalled(call: Call, server: LoopbackServer) -> Callable[..., None]:
    """A table that stopped in round 2; whoever was refused is heard from then on."""

    def hold(*options: str) -> None:
        assert call("table", *WORDS, *MODEL, "--yes", *options).status == 1
        server.default = playing_souls(("keep", "split"))

    return hold


def events(project: Path) -> list[dict[str, Any]]:
    (log,) = project.glob(".keystone/roundtable/tables/*/events.jsonl")
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def test_limits_hold_over_a_pause_and_give_way_to_what_is_typed(
    call: Call, project: Path, stalled: Callable[..., None], server: LoopbackServer
) -> None:
    stalled("--max-invocations", "12", "--max-seconds", "60")
    asked = len(server.requests)
    assert call("table", "resume").status == 1
    assert len(server.requests) - asked == 2  # ten of the twelve were gone
    assert call("table", "resume", "--max-invocations", "40", "--timeout", "5").status == 0
    convened = next(e for e in events(project) if e["type"] == "table_convened")
    assert convened["agreed"]["by"] == "flag"
    assert convened["agreed"]["limits"]["max_invocations"] == 12
    resumed = [e for e in events(project) if e["type"] == "table_resumed"]
    assert resumed[0]["agreed"] is None
    assert resumed[1]["agreed"]["limits"] == {
        "seat_s": 5, "run_s": 60, "max_invocations": 40, "max_usd": None,
        "allow_unknown_price": False,
    }  # fmt: skip


def test_seconds_that_were_spent_are_spent(
    call: Call, stalled: Callable[..., None], server: LoopbackServer
) -> None:
    server.default = lambda request: Response(hang=True)
    stalled("--max-seconds", "0.3")
    asked = len(server.requests)
    ran = call("table", "resume")
    assert (ran.status, len(server.requests)) == (1, asked)
    assert "over_budget" in ran.err


def test_another_host_needs_another_yes(
    call: Call,
    table_typed: Call,
    stalled: Callable[..., None],
    server: LoopbackServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stalled()
    with LoopbackServer(default=playing_souls(("keep", "split"))) as other:
        monkeypatch.setenv("OPENAI_BASE_URL", other.url)
        ran = call("table", "resume")
        assert (ran.status, len(other.requests)) == (1, 0)
        assert "Say it with --yes" in ran.err
        ran, asked = table_typed("resume", lines=["", "n"])
        assert (ran.status, len(other.requests), len(asked)) == (6, 0, 2)
        here, there = (url.split("//")[1].split("/")[0] for url in (other.url, server.url))
        assert f"sre: api openai-chat:loopback, sent to {here}; before:" in ran.err
        assert there in ran.err
        assert call("table", "resume", "--yes").status == 0
        assert len(other.requests) > 0


def test_another_convener_is_shown_and_needs_a_yes(
    call: Call, stalled: Callable[..., None], project: Path
) -> None:
    stalled()
    ran = call("table", "resume", "--model", "openai-chat:other")
    assert (ran.status, "convener: api openai-chat:other" in ran.err) == (1, True)
    told = call("table", "resume", "--model", "openai-chat:other", "--yes", "--json").object
    assert {r["model"] for r in told["receipts"] if r["round"] == "AXES"} == {"openai-chat:other"}
    assert events(project)[-1]["type"] == "table_finished"


def test_limits_named_before_the_yes_are_those_that_are_asked_about_later(
    table_typed: Call, project: Path
) -> None:
    table_typed(*WORDS, "--max-invocations", "17", lines=[""])
    ran, _ = table_typed("resume", lines=["y", ""])
    assert "at most 17" in ran.err
    convened = next(e for e in events(project) if e["type"] == "table_convened")
    assert convened["agreed"]["limits"]["max_invocations"] == 17


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_each_fact_is_kept_as_it_is_entered(
    table_typed: Call, project: Path, end: type[BaseException]
) -> None:
    ran, _ = table_typed(*WORDS, lines=["Two of nine publish", "It costs 4 days", end])
    assert ran.status == (6 if end is EOFError else 130)
    ran, _ = table_typed("resume", "--json", lines=["Nobody is on call", "", "y", "n"])
    assert "  It costs 4 days" in ran.err
    state = json.loads(Path(ran.object["paths"]["state"]).read_bytes())
    assert state["question_context"].splitlines() == [
        "Two of nine publish", "It costs 4 days", "Nobody is on call",
    ]  # fmt: skip


def test_a_stray_enter_asks_again_and_a_no_leaves_it_for_later(
    table_typed: Call, project: Path
) -> None:
    ran, asked = table_typed(*WORDS, lines=["", "", "what?", "n"])
    assert (ran.status, len(asked)) == (6, 4)
    assert "No table was held" in ran.err
    assert events(project)[-1] == {**events(project)[-1], "type": "table_paused"}
    assert events(project)[-1]["cause"] == "declined"
    ran, _ = table_typed("resume", lines=["y", ""])
    assert ran.status == 0
