"""What somebody draws up by hand, in a file or an editor, and the line of it that is refused."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ...core.errors import UsageError
from ...core.faults import faults_told
from ...core.plain import one_line
from ...runtime.processes import ProcessRunner
from ...stores.errors import doing
from ...terminal import room_lines as words
from .parts import RoomParts

Shape = TypeVar("Shape", bound=BaseModel)


def text_of(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    path = Path(name)
    with doing("read", path, named=True):
        if path.exists() and not path.is_file():
            raise UsageError(f"--file {one_line(name)}: no ordinary file", "Name a JSON file")
        return path.read_text(encoding="utf-8", errors="replace")


def read_reply(text: str, shape: type[Shape], name: str) -> Shape:
    """Raises `UsageError` with the field, and the line where it is no JSON."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{one_line(name)}: not JSON ({error})", words.SCHEMA_SAYS) from error
    except RecursionError as error:
        raise UsageError(f"{one_line(name)}: nested too deeply", words.SCHEMA_SAYS) from error
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        told = f"{one_line(name)}: {faults_told(error, whole='all of it')}"
        raise UsageError(told, words.SCHEMA_SAYS) from error


def edited(
    parts: RoomParts, name: str, draft: BaseModel, shape: type[Shape], *, as_it_is: bool = True
) -> tuple[str, Shape]:
    """What the person leaves in the draft's file, which stays there until it is accepted.

    `as_it_is` is False where it counts only once somebody has changed it.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not sys.stdin.isatty():
        raise UsageError("--edit needs a terminal, and there is none here", "Give --file FILE")
    if not editor:
        raise UsageError("no editor is set", "Set EDITOR, or give --file FILE")
    try:
        command = shlex.split(editor)
    except ValueError as error:
        raise UsageError(f"EDITOR cannot be read: {error}", "Set another one") from error
    if not command or shutil.which(command[0]) is None:
        raise UsageError(
            f"the editor '{one_line(editor)}' is not installed here", "Set EDITOR to another one"
        )
    path = parts.folder.path / name
    if not path.exists():
        parts.folder.put_json(name, draft.model_dump(mode="json"))
    before = text_of(str(path))
    if ProcessRunner().interactive([*command, str(path)]) != 0:
        raise UsageError("the editor ended with an error", "Nothing was changed")
    text = text_of(str(path))
    if text == before and not as_it_is:
        raise UsageError("the draft was left as it is", "Nothing was changed")
    return text, read_reply(text, shape, str(path))


def drop_draft(parts: RoomParts, name: str) -> None:
    """The draft is in the room now."""
    (parts.folder.path / name).unlink(missing_ok=True)


def refused(parts: RoomParts, error: UsageError, quoted: str, text: str) -> UsageError:
    """The same refusal with the line of the file that it is about, where there is one; what was
    typed into an editor is kept.
    """
    if parts.options.edit:
        kept = "What you wrote is kept: --edit opens it again, and without its file begins anew"
        error = UsageError(error.message, f"{error.hint}. {kept}")
    wanted = json.dumps(quoted, ensure_ascii=False)[1:-1]
    escaped = json.dumps(quoted)[1:-1]
    for number, line in enumerate(text.splitlines(), 1) if quoted else ():
        if wanted in line or escaped in line:
            return UsageError(f"line {number}: {error.message}", error.hint)
    return error
