"""What the tests ask of the loopback server, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, Field

from keystone_roundtable.core.errors import ModelFailureError
from keystone_roundtable.models.language.asker import ModelAsker
from keystone_roundtable.models.language.asking import Ask
from keystone_roundtable.models.language.retrying import RetryRule
from keystone_roundtable.models.language.spec import parse_spec


class Item(BaseModel):
    text: str = Field(min_length=2, max_length=80)
    refs: tuple[str, ...] = ()


class Opinion(BaseModel):
    """A small shape with what real ones have: nesting, choices, defaults, bounds."""

    signal: Literal["informative", "low_information"]
    reason: str = Field(min_length=1, max_length=200)
    items: tuple[Item, ...] = Field(min_length=1, max_length=3)
    lean: str | None = None


GOOD = {"signal": "informative", "reason": "it names a cost", "items": [{"text": "Buy it"}]}


def ask(
    check: Callable[[Opinion], str | None] = lambda reply: None, **changes: Any
) -> Ask[Opinion]:
    given = {
        "step": "assess",
        "stable": "You play the roles of a roundtable.",
        "task": "F1: the person said yes.",
        "asking": "k3",
    }
    return Ask(**{**given, **changes}, shape=Opinion, check=check)


def asker_at(url: str, spec: str = "openai-chat:loopback", **options: Any) -> ModelAsker:
    environ = {
        "OPENAI_BASE_URL": url,
        "OPENAI_API_KEY": "loopback-key",
        **options.pop("environ", {}),
    }
    options = {"timeout_s": 5.0, "retry_rule": RetryRule(first_wait_s=0.01), **options}
    return ModelAsker(parse_spec(spec), environ=environ, **options)


def failure_of(act: Callable[[], object]) -> ModelFailureError:
    try:
        act()
    except ModelFailureError as error:
        return error
    raise AssertionError("no failure")
