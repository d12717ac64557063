"""What the server does with one request: a proper reply, or one of the faults of real servers.

Each of these makes a `Reaction`, to be given to `LoopbackServer.script`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from .dialects import Asked
from .schema import Words, made

Mutation = Callable[[Any, Asked], Any]


@dataclass(frozen=True)
class Response:
    """What goes back. `text` is the model's; `body`, where given, stands instead of a reply."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None
    truncated: bool = False
    reasoning: str = ""
    counted: bool = True
    delay_s: float = 0.0
    hang: bool = False
    drop: bool = False


Reaction = Callable[[Asked], Response]


def value_of(request: Asked, words: Words | None = None) -> Any:
    """What the schema of the request makes; an empty object where none was sent."""
    return made(request.schema, words) if request.schema else {}


def good(words: Words | None = None) -> Reaction:
    return lambda request: Response(json.dumps(value_of(request, words)))


def saying(text: str) -> Reaction:
    return lambda request: Response(text)


def giving(value: Any) -> Reaction:
    return saying(json.dumps(value))


def mutated(mutation: Mutation, words: Words | None = None) -> Reaction:
    """A schema-made reply with one thing wrong in it; see `mutations`."""
    return lambda request: Response(json.dumps(mutation(value_of(request, words), request)))


def wrapped(before: str, after: str = "") -> Reaction:
    """The proper reply in the middle of other text."""
    return lambda request: Response(before + json.dumps(value_of(request), indent=1) + after)


def fenced() -> Reaction:
    return wrapped("Sure! Here {as asked} is what you want:\n```json\n", "\n```\nAnything else?")


def thinking_aloud() -> Reaction:
    return wrapped('<think>They want {"some": "object"}, so I write one.</think>\n\n')


def reasoning_apart() -> Reaction:
    return lambda request: replace(good()(request), reasoning="They want an object.")


def malformed() -> Reaction:
    return lambda request: Response(json.dumps(value_of(request))[:-2] + ",,")


def wrong_schema() -> Reaction:
    return giving({"something": "else"})


def empty() -> Reaction:
    return saying("")


def truncated() -> Reaction:
    return lambda request: Response(json.dumps(value_of(request)), truncated=True)


def uncounted() -> Reaction:
    """A proper reply without usage."""
    return lambda request: replace(good()(request), counted=False)


def failing(status: int, message: str = "no", **headers: str) -> Reaction:
    """An error reply; `Retry_After="1"` gives the header `Retry-After: 1`."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": None}})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request: Response(status=status, body=body, headers=named)


def unauthorized() -> Reaction:
    return failing(401, "Incorrect API key provided: sk-proj-0123456789abcdefghij")


def limited(retry_after: str = "0") -> Reaction:
    return failing(429, "Rate limit reached", Retry_After=retry_after)


def without_schema_only() -> Reaction:
    """A server that does not know `response_format`."""

    def react(request: Asked) -> Response:
        if request.schema_by_api:
            return failing(400, "response_format is not supported")(request)
        return good()(request)

    return react


def page() -> Reaction:
    """A web page where an API was expected."""
    return lambda request: Response(body="<html><body>Welcome</body></html>")


def hanging() -> Reaction:
    return lambda request: Response(hang=True)


def dropped() -> Reaction:
    return lambda request: Response(drop=True)


def slow(seconds: float, then: Reaction | None = None) -> Reaction:
    return lambda request: replace((then or good())(request), delay_s=seconds)
