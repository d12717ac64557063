"""Whether the model in force answers: one request without a word of any session."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...core.errors import KeystoneError
from ...core.plain import one_line

if TYPE_CHECKING:
    from ...models.language.spec import KindFacts, ModelSpec


CHECK_LIMIT_S = 3.0


_MAX_REPLY_BYTES = 1_000_000


_LISTS = {"anthropic": "/v1/models", "google": "/v1beta/models"}


def check(spec: ModelSpec, environment: Mapping[str, str]) -> dict[str, str]:
    """Whether the model answers: `verdict` is `works`, `refused` or `unreachable`.

    Takes `CHECK_LIMIT_S` at most. `reason` says what to do where it does not work. It asks for the
    list of models; a server without one gets the word "ping".
    """
    from queue import Empty, SimpleQueue
    from threading import Thread

    if not spec.facts.remote:
        return _trial(spec, "works", "it needs no server")
    answers: SimpleQueue[dict[str, str]] = SimpleQueue()
    # A thread, since looking up a name and a reply that drips in know no time limit.
    Thread(target=lambda: answers.put(_ask(spec, environment)), daemon=True).start()
    try:
        return answers.get(timeout=CHECK_LIMIT_S)
    except Empty:
        reason = f"no answer in {CHECK_LIMIT_S:g} s. {_way_to_reach(spec.facts)}"
        return _trial(spec, "unreachable", reason)


def models_at(facts: KindFacts, environment: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """The models that a server lists, and "" or why it cannot be used. Sends no key.

    Each part of the exchange takes `CHECK_LIMIT_S` at most.
    """
    from http.client import HTTPException
    from urllib.error import HTTPError

    from ...models.language.spec import base_url

    try:
        reply = _fetch(base_url(facts, environment) + "/models", _headers(facts, {}))
        listed = _names(json.loads(reply))
    except KeystoneError as error:
        return (), str(error)
    except HTTPError as error:
        # Whoever asks for a key, or keeps no list, is there all the same.
        there = error.code in (401, 403, 404, 405)
        return (), "" if there else _refusal(facts, error.code, environment)
    except (OSError, HTTPException):
        return (), f"nothing answers there. {_way_to_reach(facts)}"
    except (ValueError, RecursionError):
        listed = None
    if listed is None:
        where = " or ".join(facts.url_variables)
        return (), f"what answers there is no server of models. Check {where}"
    return tuple(one_line(name) for name in listed), ""


def _trial(spec: ModelSpec, verdict: str, reason: str) -> dict[str, str]:
    return {"model": str(spec), "verdict": verdict, "reason": one_line(reason)}


def _ask(spec: ModelSpec, environment: Mapping[str, str]) -> dict[str, str]:
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError

    from ...models.language.spec import base_url

    facts = spec.facts
    try:
        base = base_url(facts, environment)
        headers = _headers(facts, environment)
        try:
            reply = _fetch(base + _LISTS.get(facts.kind, "/models"), headers)
        except HTTPError as error:
            if facts.kind != "openai-chat" or error.code not in (404, 405):
                raise
            _fetch(f"{base}/chat/completions", headers, _ping(spec.name))
            return _trial(spec, "works", "it answers; it has no list of models")
        return _judged(spec, reply)
    except KeystoneError as error:
        return _trial(spec, "refused", str(error))
    except HTTPError as error:
        return _trial(spec, "refused", _refusal(facts, error.code, environment))
    except URLError as error:
        cause = error.reason
        told = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
        return _trial(spec, "unreachable", f"{told}. {_way_to_reach(facts)}")
    except (OSError, HTTPException) as error:
        reason = f"the connection broke ({type(error).__name__}). {_way_to_reach(facts)}"
        return _trial(spec, "unreachable", reason)
    except ValueError:  # its message would repeat the address
        reason = "the address holds characters that no request can carry. Set it anew"
        return _trial(spec, "refused", reason)


def _headers(facts: KindFacts, environment: Mapping[str, str]) -> dict[str, str]:
    """Raises `UsageError` for a key that no header can carry."""
    from ...models.language.spec import key_of

    key = key_of(facts, environment)
    headers = {"Accept": "application/json", "User-Agent": f"keystone-roundtable/{__version__}"}
    if facts.kind == "anthropic":
        headers["anthropic-version"] = "2023-06-01"
    if key:
        name = {"anthropic": "x-api-key", "google": "x-goog-api-key"}.get(facts.kind)
        headers |= {name: key} if name else {"Authorization": f"Bearer {key}"}
    return headers


def _ping(model: str) -> bytes:
    body = {"model": model, "messages": [{"role": "user", "content": "ping"}], "max_tokens": 1}
    return json.dumps(body).encode()


def _fetch(url: str, headers: Mapping[str, str], body: bytes | None = None) -> bytes:
    """The start of the reply. Redirections are refused: urllib would send the key along."""
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    url, credentials = _as_sent(url)
    headers = {**headers, **credentials}
    if body is not None:
        headers["Content-Type"] = "application/json"
    request = Request(url, data=body, headers=headers)
    with build_opener(Stay).open(request, timeout=CHECK_LIMIT_S) as reply:
        data: bytes = reply.read(_MAX_REPLY_BYTES)
    return data


def _as_sent(url: str) -> tuple[str, dict[str, str]]:
    """The address without its `user:password@`, and the header that a session sends for it."""
    from base64 import b64encode
    from urllib.parse import quote, unquote, urlsplit

    parts = urlsplit(url)
    parts = parts._replace(path=quote(parts.path, safe="/%:@!$&'()*+,;=~"))
    told, at, host = parts.netloc.rpartition("@")
    if not at:
        return parts.geturl(), {}
    user, _, password = told.partition(":")
    encoded = b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
    return parts._replace(netloc=host).geturl(), {"Authorization": f"Basic {encoded}"}


def _judged(spec: ModelSpec, reply: bytes) -> dict[str, str]:
    """What the list of models tells about the one in force."""
    facts = spec.facts
    try:
        listed = _names(json.loads(reply))
    except (ValueError, RecursionError):
        listed = None
    if listed is None:
        where = " or ".join(facts.url_variables)
        reason = f"what answers there is no server of models. Check {where}"
        return _trial(spec, "refused", reason)
    if facts.kind in ("anthropic", "google") or {spec.name, f"{spec.name}:latest"} & set(listed):
        return _trial(spec, "works", "it answers")
    shown = ", ".join(listed[:8]) + (", ..." if len(listed) > 8 else "") if listed else "none"
    if facts.kind == "ollama":
        reason = f"it has no such model. Get it: ollama pull {spec.name}. It has: {shown}"
        return _trial(spec, "refused", reason)
    # Some servers hold one model and take any name for it.
    return _trial(spec, "works", f"it answers, but lists other models: {shown}")


def _names(reply: Any) -> list[str] | None:
    """The listed models; None where it is no such list."""
    listed = (reply.get("data", reply.get("models"))) if isinstance(reply, dict) else None
    if listed is None and isinstance(reply, dict) and reply.get("object") == "list":
        listed = []  # Ollama without a model
    if not isinstance(listed, list):
        return None
    entries = [entry for entry in listed if isinstance(entry, dict)]
    return [str(entry.get("id", entry.get("name", "")))[:80] for entry in entries]


def _refusal(facts: KindFacts, status: int, environment: Mapping[str, str]) -> str:
    from ...models.language.spec import key_variable

    where = " or ".join(facts.url_variables)
    if status in (401, 403):
        variable = key_variable(facts, environment)
        if variable:
            return f"the key is not accepted (HTTP {status}). Set {variable} to a valid one"
        needed = " or ".join(facts.key_variables)
        return f"it wants a key (HTTP {status}). Set {needed}" if needed else f"HTTP {status}"
    if 300 <= status < 400:
        return f"it sends on to another address (HTTP {status}). Set {where} to that one"
    if status == 404:
        return f"there is no list of models at this address (HTTP 404). Check {where}"
    if status == 429:
        return (
            "too many requests, or nothing left to spend (HTTP 429). Wait, or look at the account"
        )
    return f"the server fails (HTTP {status}). Look at its log, or try again later"


def _way_to_reach(facts: KindFacts) -> str:
    if facts.kind == "ollama":
        return "Start it: ollama serve"
    where = " or ".join(facts.url_variables)
    server = "the network" if facts.default_url else "that the server runs"
    return f"Check {server}, and {where}"
