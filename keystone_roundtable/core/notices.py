"""Lines that every kind of partner shows: the mode, and where a topic belongs instead."""

from __future__ import annotations

from . import commands as cmd
from .plain import one_line
from .session import Session


def mode_line(session: Session) -> str:
    """The one visible line on the preview."""
    preview = session.prepared
    return f"Mode: {preview.mode}, because: {one_line(preview.mode_reason)}. /mode changes it."


def redirect_line(offer: cmd.OfferRedirect) -> str:
    return (
        f"This belongs to {offer.route}, not to a roundtable: {one_line(offer.reason)}. "
        "--force enters anyway."
    )
