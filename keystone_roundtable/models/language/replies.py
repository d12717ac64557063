"""The typed value in a provider's reply: what the provider says of its ending comes first."""

from __future__ import annotations

from ...reading.replies import ReplyFaultError, Shape, read_object
from .transport import RawReply


def read_reply(reply: RawReply, shape: type[Shape]) -> Shape:
    """The reply as `shape`. Raises `ReplyFaultError`, also for an empty or a truncated reply."""
    if reply.ending == "truncated":
        raise ReplyFaultError("the reply was cut off at the length limit; reply more briefly")
    if reply.ending == "filtered":
        raise ReplyFaultError("the provider's content filter held the reply back")
    return read_object(reply.text, shape)
