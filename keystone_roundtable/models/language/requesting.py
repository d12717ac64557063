"""One prompt sent until it brings a reply, as often as the rule for retries lets it."""

from __future__ import annotations

import asyncio

from .retrying import Retries
from .tally import Counts
from .transport import Connection, Prompt, RawReply, TransportError


async def requested(
    connection: Connection, prompt: Prompt, retries: Retries, counts: Counts
) -> RawReply:
    """Raises the last `TransportError`; what was sent is counted whatever happens."""
    while True:
        counts.requests += 1
        try:
            raw = await connection.request(prompt)
        except TransportError as error:
            # A dropped connection may be tried again; one that never stood carried nothing.
            counts.lost |= error.kind == "timeout" or (error.kind == "unreachable" and error.retry)
            wait_s = retries.wait_s(error)
            if wait_s is None:
                raise
            await asyncio.sleep(wait_s)
        else:
            counts.used.append(raw.usage)
            return raw
