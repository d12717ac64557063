"""Templates found and filled in, with the file and line of whatever is wrong in them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from ..core.plain import one_line, plain
from .errors import ContentError
from .markdown import cell, entry, inert
from .yaml_files import read_text

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment

# What a template's own expressions can raise when they are evaluated.
_FAILURES = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Templates:
    """The templates of some folders; those of earlier folders win.

    Filters: `quoted` makes a JSON string, `oneline` flattens, `entry` flattens what a line or
    list entry begins with, `inert` also makes links, HTML and emphasis plain text, `cell` does so
    for a table, `plain` keeps line breaks; each drops terminal escapes, control characters and
    bidi overrides. With `html`, whatever is filled in is escaped and goes through
    `plain`, unless the template marks it as `safe`.
    """

    def __init__(self, folders: Sequence[Path], html: bool = False) -> None:
        self._folders = folders
        self._html = html

    def path(self, name: str) -> Path:
        """The file that is in force under `name`. Raises `ContentError` where none is."""
        found = next((f / name for f in self._folders if os.path.lexists(f / name)), None)
        if found is None:
            raise ContentError(self._folders[-1] / name, "no such template")
        if not found.is_file():  # Jinja2 would take the next one without a word
            raise ContentError(found, "is no regular file")
        return found

    def compile(self, name: str) -> None:
        """Makes the template ready; what is wrong in it is told by `render`."""
        from jinja2 import TemplateError

        with suppress(ContentError, TemplateError):
            self.path(name)
            self._environment.get_template(name)

    def check(self, name: str) -> None:
        """Returns where the template can be read and parsed. Raises `ContentError`."""
        path = self.path(name)
        read_text(path)
        with _faults_named(path, None):
            self._environment.get_template(name)

    def render(self, name: str, **values: Any) -> str:
        """The template file filled in. Raises `ContentError`."""
        path = self.path(name)
        read_text(path)  # names the line where it is not UTF-8; Jinja2 would not
        return _filled(lambda: self._environment.get_template(name), path, None, values)

    def render_text(self, text: str, path: Path, line: int | None, **values: Any) -> str:
        """A template that stands at a line of another file, filled in. Raises `ContentError`."""
        return _filled(lambda: self._environment.from_string(text), path, line, values)

    @cached_property
    def _environment(self) -> SandboxedEnvironment:
        from jinja2 import FileSystemLoader, StrictUndefined
        from jinja2.sandbox import SandboxedEnvironment

        environment = SandboxedEnvironment(
            loader=FileSystemLoader([str(folder) for folder in self._folders]),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=self._html,  # everything else is Markdown
            finalize=_harmless if self._html else None,
        )
        environment.filters.update(
            oneline=one_line, entry=entry, inert=inert, cell=cell, plain=plain, quoted=_quoted
        )
        return environment


def _harmless(value: Any) -> Any:
    """Text without controls; what is marked as safe, and what is no text, as it is."""
    return plain(value) if type(value) is str else value


def _quoted(text: str) -> str:
    """The text as one JSON string: data that cannot end its own quotation."""
    return json.dumps(plain(text), ensure_ascii=False)


def _filled(
    compiled: Callable[[], Template], path: Path, line: int | None, values: Mapping[str, Any]
) -> str:
    """`line` is where the template stands in `path`; None where it is the file."""
    with _faults_named(path, line):
        return compiled().render(values)


@contextmanager
def _faults_named(path: Path, line: int | None) -> Iterator[None]:
    """Turns what is wrong with a template into a `ContentError`."""
    from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError

    try:
        yield
    except TemplateSyntaxError as error:
        culprit = Path(error.filename) if error.filename and line is None else path
        reason = error.message or "not a template"
        raise ContentError(culprit, reason, line=line or error.lineno) from error
    except TemplateNotFound as error:
        reason = f"no template '{error.name}' to include"
        raise ContentError(path, reason, line=line or _line_in(path, error)) from error
    except (TemplateError, *_FAILURES) as error:
        reason = one_line(str(error)) or type(error).__name__
        raise ContentError(path, reason, line=line or _line_in(path, error)) from error


def _line_in(path: Path, error: BaseException) -> int | None:
    """The template's line: Jinja2 rewrites the traceback to the template's own lines."""
    lines = [
        n for frame, n in walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)
    ]
    return lines[-1] if lines else None
