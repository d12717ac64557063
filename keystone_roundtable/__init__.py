"""Keystone Roundtable: from a stuck question to one direction, with what it rests on."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .library import Confirmation, End, ModelTurn, Question, Session

__version__ = "0.1.0"
__all__ = ["Confirmation", "End", "ModelTurn", "Question", "Session", "__version__"]


def __getattr__(name: str) -> Any:
    """The Python door, opened when it is first asked for: a start must stay light."""
    if name in __all__:
        from . import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
