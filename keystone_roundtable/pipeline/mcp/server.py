"""The MCP server: the step core's requests as tools, reports and contracts as resources."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp.server.request_state import RequestStateSecurity
from mcp_types import (
    CallToolResult,
    ContentBlock,
    InputRequiredResult,
    Resource,
    ResourceLink,
    TextContent,
    ToolAnnotations,
)
from pydantic import BaseModel, ConfigDict

from ...core.errors import KeystoneError
from ..errors import coded
from ..responses import failed, written
from . import wording
from .holding import Holding, Response, Tables, for_clients
from .inputs import Arguments, ListWanted, Op, hold_schema, list_wanted, request_of, schema_of
from .outputs import Decisions, HoldResult, StepResult
from .ports import Shelf

NAME = "keystone-roundtable"
REPORT = "keystone://sessions/{session}/report.md"
CONTRACT = "keystone://sessions/{session}/contract.json"

# A user may think about one question for as long as a session is worth going on with.
_REPLY_WITHIN_S = 7 * 24 * 3600.0
_LISTED = 50

Handler = Callable[[Arguments, Context[Any, Any]], Awaitable[Response | InputRequiredResult]]

# Each tool of the step protocol with its operation.
_STEPS: dict[str, Op] = {
    "start": "start",
    "answer": "answer",
    "model_reply": "model_reply",
    "confirm": "confirm",
    "stop": "stop",
    "defer": "defer",
    "back": "back",
    "show": "status",
}


def make_server(tables: Tables, shelf: Shelf, version: str) -> MCPServer[Any]:
    """The server of one project. Nothing of it holds a session: any number may run at once."""
    holding = Holding(tables)
    tools = [_tool("hold", holding.hold, hold_schema(), HoldResult)]
    tools += [_step_tool(name, op, holding) for name, op in _STEPS.items()]
    tools.append(_tool("decisions", _listing(shelf), ListWanted.model_json_schema(), Decisions))
    server = _ProjectServer(
        NAME,
        title="Keystone Roundtable",
        instructions=wording.INSTRUCTIONS,
        version=version,
        tools=tools,
        log_level="WARNING",
        request_state_security=RequestStateSecurity.ephemeral(ttl=_REPLY_WITHIN_S),
    )
    server.shelf = shelf
    _add_resources(server, shelf)
    return server


# -- tools -----------------------------------------------------------------------------


class _AsGiven(ArgModelBase):
    """Arguments as they came: the step protocol's own reader refuses what is wrong."""

    model_config = ConfigDict(extra="allow")

    def model_dump_one_level(self) -> dict[str, Any]:
        return {"arguments": dict(self.model_extra or {})}


def _tool(name: str, handler: Handler, schema: dict[str, Any], output: type[BaseModel]) -> Tool:
    async def call(
        arguments: Arguments, context: Context[Any, Any]
    ) -> CallToolResult | InputRequiredResult:
        response = await handler(arguments, context)
        return response if isinstance(response, InputRequiredResult) else result_of(response)

    reading = name == "decisions"
    return Tool(
        fn=call,
        name=name,
        title=name.replace("_", " ").capitalize(),
        description=wording.DESCRIPTIONS[name],
        parameters=schema,
        fn_metadata=FuncMetadata(arg_model=_AsGiven, output_model=output),
        is_async=True,
        context_kwarg="context",
        annotations=ToolAnnotations(
            read_only_hint=reading,
            destructive_hint=False,
            idempotent_hint=name not in ("start", "hold"),
        ),
    )


def _step_tool(name: str, op: Op, holding: Holding) -> Tool:
    async def step(arguments: Arguments, context: Context[Any, Any]) -> Response:
        return await asyncio.to_thread(holding.step, request_of, op, arguments)

    return _tool(name, step, schema_of(op), StepResult)


def _listing(shelf: Shelf) -> Handler:
    def listed(arguments: Arguments) -> Response:
        try:
            found = shelf.decisions(list_wanted(arguments).limit)
        except KeystoneError as error:
            return written(failed(coded(error)))
        return {"sessions": [one.model_dump(mode="json") for one in found]}

    async def listing(arguments: Arguments, context: Context[Any, Any]) -> Response:
        return await asyncio.to_thread(listed, arguments)

    return listing


def result_of(response: Response) -> CallToolResult:
    """The response as structured content, and as text for clients that read only that."""
    text = json.dumps(response, ensure_ascii=False)
    content: list[ContentBlock] = [TextContent(type="text", text=text)]
    if response.get("contract"):
        content += _links(response["session"])
    return CallToolResult(
        content=content, structured_content=response, is_error="error" in response
    )


# -- resources -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Kind:
    template: str
    name: str
    mime_type: str
    told: str


_KINDS = (
    _Kind(REPORT, "report", "text/markdown", "What was decided, and what it rests on"),
    _Kind(CONTRACT, "contract", "application/json", "The same end, for programs"),
)


class _ProjectServer(MCPServer[Any]):
    """Also lists the reports and contracts that are there; the templates alone name none."""

    shelf: Shelf

    async def list_resources(self) -> list[Resource]:
        try:
            found = await asyncio.to_thread(self.shelf.decisions, _LISTED)
        except KeystoneError:
            return []  # reading one of them, or `decisions`, tells what is wrong
        return [
            Resource(
                uri=kind.template.format(session=one.session),
                name=f"{kind.name} {one.session}",
                title=f"{kind.name.capitalize()}: {one.topic[:80]}",
                description=kind.told,
                mime_type=kind.mime_type,
            )
            for one in found
            for kind in _KINDS
        ]


def _add_resources(server: MCPServer[Any], shelf: Shelf) -> None:
    def report(session: str) -> str:
        return _read(shelf.report, session)

    def contract(session: str) -> str:
        return _read(shelf.contract, session)

    for kind, function in zip(_KINDS, (report, contract), strict=True):
        server.resource(
            kind.template, name=kind.name, description=kind.told, mime_type=kind.mime_type
        )(function)


def _read(reading: Callable[[str], str], session: str) -> str:
    try:
        return reading(session)
    except KeystoneError as error:
        fault = for_clients(written(failed(coded(error))))["error"]
        kind = ResourceError if fault["code"] == "io" else ResourceNotFoundError
        raise kind(f"{fault['message']}. {fault['hint']}") from error


def _links(session: str) -> list[ContentBlock]:
    return [
        ResourceLink(
            type="resource_link",
            uri=kind.template.format(session=session),
            name=f"{kind.name} {session}",
            description=kind.told,
            mime_type=kind.mime_type,
        )
        for kind in _KINDS
    ]
