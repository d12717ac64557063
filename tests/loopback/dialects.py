"""The three forms in which providers are asked and answer, as far as the libraries need them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Asked:
    """What a request says, whatever its form. `schema` is None where none was sent."""

    dialect: str
    model: str
    system: str
    user: str
    schema: dict[str, Any] | None
    schema_by_api: bool


@dataclass(frozen=True)
class Counted:
    """Tokens; None leaves the usage out of the reply."""

    prompt: int
    cached: int
    completion: int


def asked(path: str, body: dict[str, Any]) -> Asked:
    if path.endswith("/messages"):
        return _anthropic(body)
    if ":generateContent" in path:
        return _google(path, body)
    return _openai(body)


def answered(
    to: Asked, text: str, counted: Counted | None, *, truncated: bool = False, reasoning: str = ""
) -> dict[str, Any]:
    form = {"anthropic": _anthropic_reply, "google": _google_reply}.get(to.dialect, _openai_reply)
    return form(to, text, counted, truncated, reasoning)


def _openai(body: dict[str, Any]) -> Asked:
    said = {"system": "", "developer": "", "user": ""}
    for message in body["messages"]:
        said[message["role"]] = said.get(message["role"], "") + _text(message["content"])
    form = body.get("response_format") or {}
    return _asked(
        "openai",
        body["model"],
        said["system"] + said["developer"],
        said["user"],
        (form.get("json_schema") or {}).get("schema"),
    )


def _anthropic(body: dict[str, Any]) -> Asked:
    user = "".join(_text(m["content"]) for m in body["messages"] if m["role"] == "user")
    form = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    return _asked(
        "anthropic", body["model"], _text(body.get("system", "")), user, form.get("schema")
    )


def _google(path: str, body: dict[str, Any]) -> Asked:
    system = "".join(p.get("text", "") for p in body.get("systemInstruction", {}).get("parts", ()))
    user = "".join(p.get("text", "") for c in body["contents"] for p in c["parts"])
    config = body.get("generationConfig", {})
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    return _asked("google", path.rpartition("/")[2].partition(":")[0], system, user, schema)


def _asked(
    dialect: str, model: str, system: str, user: str, schema: dict[str, Any] | None
) -> Asked:
    in_prompt = next(_schemas(user), None) or next(_schemas(system), None)
    return Asked(dialect, model, system, user, schema or in_prompt, schema is not None)


def _schemas(text: str) -> Iterator[dict[str, Any]]:
    """JSON schemas that stand in a prompt."""
    start = text.find("{")
    while start >= 0:
        try:
            value, end = json.JSONDecoder().raw_decode(text, start)
        except ValueError:
            end = start + 1
        else:
            if isinstance(value, dict) and ("properties" in value or "$ref" in value):
                yield value
        start = text.find("{", end)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or ())


def _openai_reply(
    to: Asked, text: str, counted: Counted | None, truncated: bool, reasoning: str
) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    if reasoning:
        message["reasoning_content"] = reasoning
    reply: dict[str, Any] = {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": to.model,
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": "length" if truncated else "stop",
            }
        ],
    }
    if counted:
        reply["usage"] = {
            "prompt_tokens": counted.prompt,
            "completion_tokens": counted.completion,
            "total_tokens": counted.prompt + counted.completion,
            "prompt_tokens_details": {"cached_tokens": counted.cached},
        }
    return reply


def _anthropic_reply(
    to: Asked, text: str, counted: Counted | None, truncated: bool, reasoning: str
) -> dict[str, Any]:
    counted = counted or Counted(0, 0, 0)
    return {
        "id": "msg_loopback",
        "type": "message",
        "role": "assistant",
        "model": to.model,
        "content": [{"type": "text", "text": text}],
        "stop_reason": "max_tokens" if truncated else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": counted.prompt - counted.cached,
            "cache_read_input_tokens": counted.cached,
            "cache_creation_input_tokens": 0,
            "output_tokens": counted.completion,
        },
    }


def _google_reply(
    to: Asked, text: str, counted: Counted | None, truncated: bool, reasoning: str
) -> dict[str, Any]:
    counted = counted or Counted(0, 0, 0)
    return {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": text}]},
                "finishReason": "MAX_TOKENS" if truncated else "STOP",
                "index": 0,
            }
        ],
        "usageMetadata": {
            "promptTokenCount": counted.prompt,
            "cachedContentTokenCount": counted.cached,
            "candidatesTokenCount": counted.completion,
            "totalTokenCount": counted.prompt + counted.completion,
        },
        "modelVersion": to.model,
    }
