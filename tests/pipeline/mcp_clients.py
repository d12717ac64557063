"""The SDK's own client, in this process or over stdio, with a scripted user behind it.

Only to be imported where the extra `mcp` is installed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, ElicitResult

from keystone_roundtable.cli import wiring
from keystone_roundtable.cli.shelf import ProjectShelf
from keystone_roundtable.cli.stepping import ProjectTable
from keystone_roundtable.pipeline.mcp.server import make_server

from .agent import Send, Sent

REPOSITORY = Path(__file__).parents[2]
Mode = Literal["auto", "legacy"]
PROTOCOLS: dict[Mode, str] = {"auto": "2026-07-28", "legacy": "2025-11-25"}
"""How the SDK's client is told to speak the current protocol and the one before."""

Reply = str | ElicitResult | Exception | Callable[[], Awaitable[ElicitResult]]
DECLINED = ElicitResult(action="decline")
CANCELLED = ElicitResult(action="cancel")


def accepted(content: dict[str, Any] | None) -> ElicitResult:
    return ElicitResult(action="accept", content=content)


@dataclass
class User:
    """Says one reply after another; is never asked without one."""

    replies: Iterable[Reply] = ()
    seen: list[str] = field(default_factory=list)
    """What was shown, in order."""
    schemas: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._left = iter(self.replies)

    async def asked(self, context: Any, params: Any) -> ElicitResult:
        self.seen.append(params.message)
        self.schemas.append(params.requested_schema)
        reply = next(self._left, None)
        assert reply is not None, f"asked once too often: {params.message}"
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            return accepted({"answer": reply})
        return reply if isinstance(reply, ElicitResult) else await reply()


def server_of(root: Path) -> Any:
    def table() -> ProjectTable:
        return ProjectTable(wiring.Project(root), lambda message: None)

    return make_server(table, ProjectShelf(root), "test")


def stdio_of(root: Path, *command: str) -> StdioServerParameters:
    words = command or (sys.executable, "-m", "keystone_roundtable")
    return StdioServerParameters(
        command=words[0],
        args=[*words[1:], "mcp", "--root", str(root)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)},
    )


def connected(server: Any, mode: Mode, user: User | None = None) -> Client:
    """A client that supports elicitation where there is a user."""
    callback = user.asked if user is not None else None
    return Client(server, mode=mode, elicitation_callback=callback)


def told(result: CallToolResult) -> Sent:
    """The structured response; an error is one, and is marked as one."""
    response: Sent = result.structured_content or {}
    assert response, result
    assert result.is_error == ("error" in response)
    return response


def calling(
    root: Path, mode: Mode, tool: str, arguments: Sent, user: User | None = None
) -> CallToolResult:
    """One call by a client that comes for it and leaves again."""

    async def call() -> CallToolResult:
        async with connected(server_of(root), mode, user) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(call())


def holding(root: Path, mode: Mode, user: User | None = None, **arguments: Any) -> Sent:
    return told(calling(root, mode, "hold", arguments, user))


def sending_by_tools(root: Path, mode: Mode) -> Send:
    """Step requests as calls of the tools, each by a client of its own."""

    def send(request: Sent) -> Sent:
        arguments = dict(request)
        op = arguments.pop("op")
        return told(calling(root, mode, "show" if op == "status" else op, arguments))

    return send
