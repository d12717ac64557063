"""One page on a loopback address that nobody can guess, for as long as somebody looks at it."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from ..core.errors import KeystoneError

HOST = "127.0.0.1"
HOLD_S = 20.0  # how long a question for news is held open; below what browsers and proxies allow
LOOK_S = 0.25  # between two looks at what there is

Stamp = Callable[[], str]
Page = Callable[[str], str]


class PageServer:
    """Serves `page(stamp)` at `address`, and again whenever `stamp()` is another one.

    The address holds a secret; anything else, another host's name in the request included, gets
    nothing. Only GET is answered.
    """

    def __init__(self, page: Page, stamp: Stamp, port: int = 0) -> None:
        """Raises `OSError` where the port is taken."""
        self.page, self.stamp = page, stamp
        self.secret = secrets.token_urlsafe(24)
        self.stopped = threading.Event()
        self._http = _Server((HOST, port), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.1,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}/{self.secret}/"

    def __enter__(self) -> PageServer:
        self._thread.start()
        return self

    def __exit__(self, *left: object) -> None:
        self.stopped.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def news(self, seen: str) -> str | None:
        """The page once the stamp is no longer `seen`; None where nothing came for a while."""
        until = time.monotonic() + HOLD_S
        while time.monotonic() < until and not self.stopped.is_set():
            if (now := self.stamp()) != seen:
                return self.page(now)
            self.stopped.wait(LOOK_S)
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    owner: PageServer

    def handle_error(self, *told: object) -> None:
        """A browser that goes away is nothing to tell of."""


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "roundtable", ""
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        owner = self.server.owner
        if self.headers.get("Host") not in (f"{HOST}:{owner.port}", f"localhost:{owner.port}"):
            return self._answer(403, "")
        parts = urlsplit(self.path)
        _, _, rest = parts.path.partition("/")
        secret, _, name = rest.partition("/")
        if not hmac.compare_digest(secret.encode(), owner.secret.encode()):
            return self._answer(404, "")
        try:
            if name == "":
                return self._answer(200, owner.page(owner.stamp()))
            if name == "now":
                seen = (parse_qs(parts.query).get("seen") or [""])[0]
                found = owner.news(seen)
                return self._answer(204, "") if found is None else self._answer(200, found)
        except KeystoneError as error:
            return self._answer(503, f"<p>{escape(str(error))}</p>")
        return self._answer(404, "")

    def _answer(self, status: int, text: str) -> None:
        body = text.encode("utf-8", "replace")
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
        for name, value in (
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if status != 204:
            self.wfile.write(body)

    def log_message(self, *told: object) -> None:
        """Addresses hold the secret: nothing of them is printed."""
