"""The server: speaks chat completions, Anthropic's messages and Google's generateContent."""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from .dialects import Asked, Counted, answered, asked
from .replies import Reaction, Response, good

MODELS = ("loopback", "loopback-small")
_POSTED = ("/chat/completions", "/messages", ":generateContent")


@dataclass(frozen=True)
class Recorded:
    """One request as it came in; names of headers in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    asked: Asked


class LoopbackServer:
    """Serves from `start` or `with` until `stop`. Scripted reactions come first, one a request."""

    def __init__(self, port: int = 0, *, default: Reaction | None = None, delay_s: float = 0.0):
        self.requests: list[Recorded] = []
        self.default = default or good()
        self.delay_s = delay_s
        self.arrived = threading.Semaphore(0)
        """Released with every request that is in `requests`: waiting for one needs no sleep."""
        self.stopped = threading.Event()
        self._script: deque[Reaction] = deque()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", port), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.02,), name="loopback", daemon=True
        )

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The base URL of an OpenAI-compatible client."""
        return f"{self.root}/v1"

    def script(self, *reactions: Reaction) -> None:
        self._script.extend(reactions)

    def start(self) -> LoopbackServer:
        self._thread.start()
        return self

    def stop(self) -> None:
        self.stopped.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> LoopbackServer:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def react(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Answer:
        request = asked(path, body)
        with self._lock:
            seen = any(r.asked.system == request.system for r in self.requests)
            self.requests.append(Recorded(path, headers, body, request))
            reaction = self._script.popleft() if self._script else self.default
        self.arrived.release()
        response = reaction(request)
        return Answer(request, response, _counted(request, response, seen))


@dataclass(frozen=True)
class Answer:
    request: Asked
    response: Response
    counted: Counted | None

    @property
    def body(self) -> str:
        if self.response.body is not None:
            return self.response.body
        reply = answered(
            self.request,
            self.response.text,
            self.counted,
            truncated=self.response.truncated,
            reasoning=self.response.reasoning,
        )
        return json.dumps(reply)


def _counted(request: Asked, response: Response, seen: bool) -> Counted | None:
    """Four characters a token; a system text that came before counts as cached."""
    if not response.counted:
        return None
    system = len(request.system) // 4
    return Counted(system + len(request.user) // 4, system if seen else 0, len(response.text) // 4)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64  # a table's seats all come at once
    owner: LoopbackServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what the tests do on purpose."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.path.endswith("/models"):
            models = [{"id": name, "object": "model"} for name in MODELS]
            self._send(200, json.dumps({"object": "list", "data": models}), {})
        else:
            self._send(404, json.dumps({"error": {"message": f"no {self.path}"}}), {})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        if not path.endswith(_POSTED):
            self._send(404, json.dumps({"error": {"message": f"no {self.path}"}}), {})
            return
        owner = self.server.owner
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = owner.react(path, headers, json.loads(raw))
        response = answer.response
        if response.hang:
            owner.stopped.wait()
        if response.hang or response.drop:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        delay_s = response.delay_s + owner.delay_s
        if delay_s and owner.stopped.wait(delay_s):
            return
        self._send(response.status, answer.body, response.headers)

    def _send(self, status: int, body: str, headers: Mapping[str, str]) -> None:
        data = body.encode()
        self.send_response(status)
        kind = "text/html" if body.startswith("<") else "application/json"
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self._headers_buffer.append(b"\r\n")  # headers and body in one packet
        self._headers_buffer.append(data)
        self.flush_headers()
