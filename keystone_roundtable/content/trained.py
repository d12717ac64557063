"""The trained weights that ship with the package; read when a text is first weighed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import ContentError

if TYPE_CHECKING:
    from ..reading.linear_model import LinearModel
    from ..reading.rules import WeightsName

FOLDER = Path(__file__).resolve().parent.parent / "reading" / "trained"


def path_of(name: WeightsName) -> Path:
    return FOLDER / f"{name}.weights"


@cache
def load_weights(name: WeightsName) -> LinearModel:
    """The weights of one reading. Raises `ContentError` where the file is missing or damaged."""
    from ..reading.linear_model import load

    path = path_of(name)
    try:
        return load(path.read_bytes())
    except OSError as error:
        raise ContentError(path, error.strerror or "cannot be read") from error
    except ValueError as error:
        raise ContentError(path, str(error)) from error
