"""What can take a seat, and what a run with seats may take: in lines for whoever says yes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..core.plain import one_line
from ..core.spending_plan import ATTEMPTS, Limits, Plan
from .columns import padded, width_of

GO_ON = "Go on? [y/N] "
GO_ON_UNKNOWN = "The price is unknown, so the budget cannot be kept. Go on all the same? [y/N] "
NOTHING_ASKED = "nothing was asked"

_MODELS_SHOWN = 8


def plan_lines(plan: Plan) -> Iterator[str]:
    """Seats, rounds, limits and price, each in one line; safe for a screen."""
    yield "Seats:"
    width = max((width_of(one_line(seat.name)) for seat in plan.seats), default=0)
    for seat in plan.seats:
        speaks = f"{seat.engine} {seat.model}" if seat.model else seat.engine
        goes = f", sent to {seat.sends_to}" if seat.sends_to else ", nothing is sent"
        runs = f", runs {seat.runs}" if seat.runs else ""
        yield f"  {padded(one_line(seat.name), width)}  {one_line(speaks + runs + goes)}"
    yield f"Rounds: {', '.join(map(one_line, plan.rounds))}"
    yield (
        f"Invocations: {plan.usual_invocations}, at most {plan.most_invocations} "
        f"(each may be asked {ATTEMPTS} times)"
    )
    if plan.is_cut_short:
        yield (
            f"The limit may be reached before the last round: a whole course takes {plan.course} "
            f"invocations, {plan.most_invocations} are left"
        )
    yield f"Time: {_time(plan.limits)}"
    yield f"Cost: {_cost(plan)}"


def _time(limits: Limits) -> str:
    seat = f"{limits.seat_s:g} s for each"
    return seat if limits.run_s is None else f"{seat}, {limits.run_s:g} s for all rounds together"


def _cost(plan: Plan) -> str:
    budget = "" if plan.limits.max_usd is None else f", the budget is {plan.limits.max_usd:g} USD"
    if plan.unknown_prices:
        unknown = ", ".join(map(one_line, plan.unknown_prices))
        return f"unknown for {unknown}{budget}"
    if not plan.sends_to and not plan.most_usd:
        return "none"
    return f"at most about {plan.most_usd:.4f} USD{budget}"


def listing_lines(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What can take a seat: an engine a line, with what stands in its way; safe for a screen."""
    rows = [(_engine(one), "yes" if one["can_sit"] else "no", _told(one)) for one in found]
    width = max(width_of(name) for name, _, _ in rows)
    yield f"{padded('engine', width)}  sits"
    for name, sits, told in rows:
        yield f"{padded(name, width)}  {sits:4}  {told}"
    yield ""
    yield (
        "No key was sent, and no provider asked. Name one with --model, or for one seat of a room "
        "with --seat NAME=ENGINE. Engines of your own go into .keystone/roundtable/engines.yaml."
    )


def _engine(one: Mapping[str, Any]) -> str:
    return one_line(f"{one['engine']} {one['model'] or ''}")


def _told(one: Mapping[str, Any]) -> str:
    parts = [one["why"]]
    if one["kind"] == "cli" and one["version"]:
        parts.append(f"version {one['version']}")
    if not one["read_only"]:
        parts.append("cannot be kept from writing")
    if models := one["models"]:
        more = f", and {len(models) - _MODELS_SHOWN} more" if len(models) > _MODELS_SHOWN else ""
        parts.append(f"models: {', '.join(models[:_MODELS_SHOWN])}{more}")
    if one["sends_to"] and one["can_sit"]:
        parts.append(f"sends to {one['sends_to']}")
    return one_line("; ".join(parts))
