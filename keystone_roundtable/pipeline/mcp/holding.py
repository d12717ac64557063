"""A whole session in one call: the client asks the user, question by question.

On the current protocol a call is asked of in rounds: it ends with what the client has to ask, and
comes again with the reply. Up to 2025-11-25 the server asks in the middle of the call. The SDK's
resolvers are not used: each asks its one question of a set fixed at registration and must have no
side effects, while every answer here has to be on disk before the next question is known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least

from ...core.errors import KeystoneError
from ..errors import coded
from ..ports import Table
from ..requests import PROTOCOL, Deed, Start, Status
from ..responses import failed, written
from ..step import respond
from . import wording
from .asking import Asked, Paused, asked_of, elicitation_of, read_reply
from .inputs import Arguments, first_request_of, request_of
from .outputs import paused
from .pausing import pause

Response = dict[str, Any]
Tables = Callable[[], Table]
"""A fresh `Table` for each request: nothing is kept between two."""

_IN_ROUNDS_SINCE = "2026-07-28"
# The SDKs' clients give up after the tenth round (`DEFAULT_INPUT_REQUIRED_MAX_ROUNDS`).
MOST_ROUNDS = 10
# Where no client counts: a form that is sent blank for ever has to end. Chosen by judgement.
MOST_QUESTIONS = 40


class Holding:
    """`hold`. The state of a session is its log; of a call, `Asked`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def hold(
        self, arguments: Arguments, context: Context[Any, Any]
    ) -> Response | InputRequiredResult:
        """The last response, or what the client has to ask before it calls again."""
        in_rounds = _in_rounds(context)
        complaint, times = "", 0
        if in_rounds and context.request_state:
            asked = Asked.model_validate_json(context.request_state)
            times = asked.times
            reply = (context.input_responses or {}).get(asked.id)
            response, complaint = await self._taken(asked, reply)
        else:
            response = await asyncio.to_thread(self._first, arguments)
        most = MOST_ROUNDS if in_rounds else MOST_QUESTIONS
        while (asked_next := self._askable(response, times + 1, context)) is not None:
            if times >= most:
                return await self._paused(asked_next, wording.ASKED_ENOUGH)
            elicitation = elicitation_of(response, complaint)
            if in_rounds:
                return InputRequiredResult(
                    input_requests={asked_next.id: elicitation},
                    request_state=asked_next.model_dump_json(),
                )
            times += 1
            assert isinstance(elicitation.params, ElicitRequestFormParams)
            try:
                reply = await context.session.elicit_form(
                    elicitation.params.message,
                    elicitation.params.requested_schema,
                    related_request_id=context.request_id,
                )
            except (MCPError, asyncio.CancelledError) as error:
                # Where the client has left, an await would be cancelled before it has begun.
                standing = pause(asked_next, self._tables())
                if isinstance(error, asyncio.CancelledError):
                    raise
                return paused(standing, wording.NOT_ASKED)
            response, complaint = await self._taken(asked_next, reply)
        return response

    def _askable(self, response: Response, times: int, context: Context[Any, Any]) -> Asked | None:
        """None where nothing is to be asked, a pause stands, or the client cannot ask."""
        if "paused" in response or not can_ask(context):
            return None
        return asked_of(response, times)

    async def _taken(self, asked: Asked, reply: object) -> tuple[Response, str]:
        """What is open after the reply, and what to say of a reply that could not be taken."""
        deed = read_reply(asked, reply)
        if isinstance(deed, Paused):
            return await self._paused(asked, deed.why), ""
        if deed is None:
            sent = wording.BLANK if isinstance(reply, ElicitResult) else ""
            return await asyncio.to_thread(self._standing, asked.session), sent
        response = await asyncio.to_thread(self.step, request_of, deed.op, deed.arguments)
        fault = response.get("error", {})
        if fault.get("code") != "bad_request":
            return response, ""
        standing = await asyncio.to_thread(self._standing, asked.session)
        return standing, f"{fault['message']}. {fault['hint']}"

    async def _paused(self, asked: Asked, why: str) -> Response:
        return paused(await asyncio.to_thread(pause, asked, self._tables()), why)

    def _first(self, arguments: Arguments) -> Response:
        """A repeated start goes on where the session stands, and not where it stood then."""
        response = self.step(first_request_of, arguments)
        if "request_id" in arguments and "session" in response:
            return self._standing(response["session"])
        return response

    def _standing(self, session: str) -> Response:
        request = Status(op="status", session=session, protocol=PROTOCOL)
        return for_clients(respond(request, self._tables()))

    def step(self, read: Callable[..., Start | Deed | Status], *said: Any) -> Response:
        """One request, read and answered."""
        try:
            request = read(*said)
        except KeystoneError as error:
            return for_clients(written(failed(coded(error))))
        return for_clients(respond(request, self._tables()))


def for_clients(response: Response) -> Response:
    """The response with hints for somebody who has tools and no shell."""
    fault = response.get("error")
    if fault is None or "keystone-roundtable" not in fault["hint"]:
        return response
    return {"error": {**fault, "hint": wording.HINTS.get(fault["code"], wording.HINT)}}


def can_ask(context: Context[Any, Any]) -> bool:
    """Whether the client asks its user with a form; a bare `elicitation: {}` says that it does."""
    capabilities = context.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _in_rounds(context: Context[Any, Any]) -> bool:
    version = context.protocol_version
    return version is not None and is_version_at_least(version, _IN_ROUNDS_SINCE)
