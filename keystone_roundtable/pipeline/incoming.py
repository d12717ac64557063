"""One JSON object from a descriptor, acted on as soon as it is complete.

A caller may keep its end of the pipe open: the end of the input is not waited for.
"""

from __future__ import annotations

import json
import os
import select
from collections.abc import Callable

from .errors import StepError

MAX_BYTES = 1_000_000
# The whole command answers within 5 s (`spec/pipeline.md`, issue 6): Python has to start as well.
SILENCE_S = 3.0

_CHUNK = 65_536
_BEGINNING = 64  # bytes in which an object begins, or has still to
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HINT = 'Write one JSON object such as {"op": "status", "session": "..."} to standard input'
# Where the object ends is all that is wanted; a number may be too long to have its value read.
_DECODER = json.JSONDecoder(parse_int=len)


Piece = Callable[[float], bytes | None]
"""Gives what comes next, within so many seconds: b"" at the end, None where nothing came."""


def pieces_of(descriptor: int) -> Piece:
    """What comes in at a descriptor, as it comes."""

    def piece(silence_s: float) -> bytes | None:
        if not select.select([descriptor], [], [], silence_s)[0]:
            return None
        try:
            return os.read(descriptor, _CHUNK)
        except OSError:  # a closed or broken descriptor says nothing more
            return b""

    return piece


def read_object(piece: Piece, silence_s: float = SILENCE_S) -> bytes:
    """The first complete JSON object. What follows it is left unread or dropped.

    Raises `StepError` `bad_request` for an input that ends, is too long, or says nothing for
    `silence_s` before there is one.
    """
    data = bytearray()
    while True:
        chunk = piece(silence_s)
        if chunk is None:
            raise _refused(f"no complete request came within {silence_s:g} s", data)
        data += chunk
        if data.startswith(_BYTE_ORDER_MARK):
            del data[: len(_BYTE_ORDER_MARK)]
        if len(data) > MAX_BYTES:
            raise StepError(
                "bad_request", f"the request is longer than {MAX_BYTES:,} bytes", "Say it shorter"
            )
        if b"}" in chunk and (found := first_object(data)) is not None:
            return found
        if not chunk:
            raise _refused("the input ended before there was a request", data)
        if (start := data[:_BEGINNING].lstrip()) and not start.startswith(b"{"):
            raise _refused("the request is no JSON object", data)


def first_object(data: bytes | bytearray) -> bytes | None:
    """The JSON object that `data` begins with; None where it holds no complete one.

    Raises `StepError` for one that is nested too deeply.
    """
    text = data.decode("utf-8", "surrogateescape")
    start = len(text) - len(text.lstrip())
    try:
        _, end = _DECODER.raw_decode(text, start)
    except RecursionError as error:
        raise StepError("bad_request", "the request is nested too deeply", _HINT) from error
    except ValueError:
        return None
    return text[start:end].encode("utf-8", "surrogateescape")


def _refused(what: str, data: bytearray) -> StepError:
    begun = " (what came is no complete JSON object)" if data.strip() else ""
    return StepError("bad_request", f"{what}{begun}", _HINT)
