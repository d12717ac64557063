"""A pause from outside the step protocol: the user was asked and did not answer."""

from __future__ import annotations

from typing import Any

from ...core.errors import KeystoneError
from ...core.status import Status as Standing
from ...runtime.engine import Engine
from ..errors import coded
from ..ports import Table
from ..requests import PROTOCOL, Status
from ..responses import failed, written
from ..step import respond
from .asking import Asked, asked_of


def pause(asked: Asked, table: Table) -> dict[str, Any]:
    """What is open, in its JSON form, once the session is paused. Pausing again does nothing.

    A session that went on meanwhile, by another client, is left alone.
    """
    standing = _standing(asked.session, table)
    if asked_of(standing, asked.times) != asked:
        return standing
    try:
        with table.open(asked.session) as opened:
            session = opened.session
            if not session.closed and session.status is not Standing.PAUSED:
                Engine(opened.log, table.services(session, None), session).pause("declined")
    except KeystoneError as error:
        return written(failed(coded(error)))
    return _standing(asked.session, table)


def _standing(session: str, table: Table) -> dict[str, Any]:
    return respond(Status(op="status", session=session, protocol=PROTOCOL), table)
