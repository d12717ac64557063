"""One server on this machine that answers as four vendors' services do, in streams.

Every prompt is answered as the replayed commands answer it. `requests` holds what came in.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .replay import answer


@dataclass(frozen=True)
class Asked:
    path: str
    body: dict[str, Any]

    @property
    def tools(self) -> list[str]:
        """The names of the tools that the model was offered."""
        found = []
        for tool in self.body.get("tools") or ():
            nested = tool.get("functionDeclarations") or [tool.get("function") or tool]
            found += [one.get("name") or one.get("type", "") for one in nested]
        return sorted(found)


class VendorStub:
    def __init__(self, status: int = 200) -> None:
        self.requests: list[Asked] = []
        self.status = status
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> VendorStub:
        self._thread.start()
        return self

    def __exit__(self, *left: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _texts(value: Any) -> Iterator[str]:
    """Every text in the request: the prompt stands in another place for each vendor."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    owner: VendorStub

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was ended is what some tests do on purpose."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, *told: object) -> None: ...

    def do_GET(self) -> None:
        self._send("application/json", json.dumps({"object": "list", "data": []}))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        owner = self.server.owner
        owner.requests.append(Asked(path, body))
        if owner.status != 200:
            told = {"type": "error", "error": {"type": "authentication_error", "message": "no",
                    "code": 401, "status": "UNAUTHENTICATED"}}  # fmt: skip
            self._send("application/json", json.dumps(told), owner.status)
            return
        text = json.dumps(answer("\n".join(_texts(body)), path.rpartition("/")[2]))
        if path.endswith("/count_tokens"):
            self._send("application/json", '{"input_tokens": 10}')
        elif path.endswith("/messages"):
            self._stream(_anthropic(text)) if body.get("stream") else self._send(
                "application/json", json.dumps(_message(text)))  # fmt: skip
        elif path.endswith("/responses"):
            self._stream(_openai_responses(text))
        elif path.endswith("/chat/completions"):
            self._stream(_openai_chat(text))
        elif ":streamGenerateContent" in path:
            self._stream([("", _google(text))])
        elif ":generateContent" in path:
            self._send("application/json", json.dumps(_google(text)))
        else:
            self._send("application/json", "{}")

    def _stream(self, events: Any) -> None:
        lines = []
        for name, data in events:
            lines.append((f"event: {name}\n" if name else "") + f"data: {_dumped(data)}\n\n")
        self._send("text/event-stream", "".join(lines))

    def _send(self, kind: str, text: str, status: int = 200) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _dumped(data: Any) -> str:
    return data if isinstance(data, str) else json.dumps(data)


def _message(text: str) -> dict[str, Any]:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "stub",
        "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
        "stop_sequence": None, "usage": {"input_tokens": 100, "output_tokens": 20},
    }  # fmt: skip


def _anthropic(text: str) -> Iterator[tuple[str, Any]]:
    start = {**_message(text), "content": [], "stop_reason": None}
    for name, more in (
        ("message_start", {"message": start}),
        ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
        ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": text}}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": "end_turn", "stop_sequence": None},
                           "usage": {"output_tokens": 20}}),
        ("message_stop", {}),
    ):  # fmt: skip
        yield name, {"type": name, **more}


def _openai_responses(text: str) -> Iterator[tuple[str, Any]]:
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}]}  # fmt: skip
    usage = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 0},
             "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 0},
             "total_tokens": 120}  # fmt: skip
    yield "response.created", {"type": "response.created", "response": {"id": "r1"}}
    yield "response.output_item.done", {
        "type": "response.output_item.done", "output_index": 0, "item": item,
    }  # fmt: skip
    yield (
        "response.completed",
        {
            "type": "response.completed",
            "response": {"id": "r1", "status": "completed", "output": [item], "usage": usage},
        },
    )


def _openai_chat(text: str) -> Iterator[tuple[str, Any]]:
    chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    delta = {"role": "assistant", "content": text}
    yield "", {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield "", {
        **chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }  # fmt: skip
    yield "", "[DONE]"


def _google(text: str) -> dict[str, Any]:
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]},
                        "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20,
                          "totalTokenCount": 120},
        "modelVersion": "stub",
    }  # fmt: skip
