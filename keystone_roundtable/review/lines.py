"""The whole lines of a file, in chunks: however long the file, little of it is in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

CHUNK_BYTES = 1 << 18
MAX_LINE_BYTES = 1 << 20
"""A line beyond it is broken: the longest of ours has under 2 kB. Chosen by judgement."""

TOO_LONG = b"\x00"
"""Stands in the place of a line that is longer. No line that is read well holds a NUL."""


def whole_lines(
    descriptor: int, size: int, seen: Callable[[bytes], object] | None = None
) -> Iterator[list[bytes]]:
    """The lines within the first `size` bytes, without their newlines, some hundreds at a time.

    A last line without a newline is still being written, and left out. `seen` is called with
    every byte there is, in order. Where the file is shorter than `size` by now, there are fewer.
    """
    rest = b""
    skipping = False  # within a line that is too long
    offset = 0
    while offset < size:
        chunk = os.pread(descriptor, min(CHUNK_BYTES, size - offset), offset)
        if not chunk:
            return
        offset += len(chunk)
        if seen is not None:
            seen(chunk)
        lines = chunk.split(b"\n")
        if len(lines) > 1:
            lines[0] = TOO_LONG if skipping else rest + lines[0]
            rest, skipping = lines.pop(), False
            yield lines
        elif not skipping:
            rest += chunk
        if len(rest) > MAX_LINE_BYTES:
            rest, skipping = b"", True
