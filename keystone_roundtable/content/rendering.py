"""Templates filled in: the report as Markdown, and the sentences of the contract."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.contract import ContractSentences
from ..core.outcome import Outcome
from ..core.plain import one_line
from ..core.report import Report
from ..core.session import Session
from .errors import ContentError
from .locations import shipped_folder, user_folder
from .yaml_files import line_of, read_mapping

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

REPORT_TEMPLATE = "report.md.j2"
SENTENCES_FILE = "contract_sentences.yaml"

_BLOCK_SYNTAX = re.compile(r"^(?:#{1,6}(?=\s)|[-+*>|](?=\s|$)|```|~~~|\d+[.)](?=\s))")


def inline(text: str) -> str:
    """`text` as part of one Markdown line: it can open no heading, list, quote or code block."""
    flat = one_line(text)
    return f"\\{flat}" if _BLOCK_SYNTAX.match(flat) else flat


class TemplateWriter:
    """Renders with the shipped templates, or the user's where one of the same name exists."""

    def __init__(self, root: Path | None) -> None:
        self._folders = [user_folder("templates", root)] if root is not None else []
        self._folders.append(shipped_folder("templates"))

    def report(self, report: Report) -> str:
        return self._render_file(REPORT_TEMPLATE, report=report)

    def contract_sentences(self, session: Session, outcome: Outcome) -> ContractSentences:
        option = outcome.option
        texts = {"option": option.text if option else "", "topic": session.decision_topic}
        sentences = self._sentences_for(outcome)
        return ContractSentences(
            **{name: one_line(self._render_text(text, **texts)) for name, text in sentences.items()}
        )

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
            autoescape=False,  # Markdown, not HTML
        )
        environment.filters["inline"] = inline
        return environment

    def _render_file(self, name: str, **values: Any) -> str:
        from jinja2 import TemplateError, TemplateSyntaxError

        path = self._path(name)
        try:
            return self._environment.get_template(name).render(**values)
        except TemplateSyntaxError as error:
            raise ContentError(
                path, error.message or "not a template", line=error.lineno
            ) from error
        except (TemplateError, TypeError, UnicodeDecodeError) as error:
            raise ContentError(path, str(error)) from error

    def _render_text(self, text: str, **values: str) -> str:
        from jinja2 import TemplateError

        try:
            return self._environment.from_string(text).render(**values)
        except TemplateError as error:
            raise ContentError(self._path(SENTENCES_FILE), str(error)) from error

    def _path(self, name: str) -> Path:
        return next((f / name for f in self._folders if (f / name).exists()), Path(name))

    def _sentences_for(self, outcome: Outcome) -> dict[str, str]:
        sentences = dict(self._sentences.get(outcome.row, {}))
        if outcome.option is not None and outcome.option.status_quo:
            sentences.update(self._sentences.get("status_quo", {}))
        missing = [
            n for n in ContractSentences.model_fields if not isinstance(sentences.get(n), str)
        ]
        if missing:
            path = self._path(SENTENCES_FILE)
            field = f"{outcome.row}.{missing[0]}"
            raise ContentError(
                path, "must be a text", line=line_of(path, (outcome.row, missing[0])), field=field
            )
        return sentences

    @cached_property
    def _sentences(self) -> dict[str, dict[str, str]]:
        """Each end's sentences; the user's file overrides sentence by sentence."""
        merged: dict[str, dict[str, str]] = {}
        for folder in reversed(self._folders):
            path = folder / SENTENCES_FILE
            if not path.is_file():
                continue
            for row, sentences in read_mapping(path).items():
                if not isinstance(sentences, dict):
                    raise ContentError(
                        path, "must hold sentences", line=line_of(path, (row,)), field=str(row)
                    )
                merged[row] = {**merged.get(row, {}), **sentences}
        return merged
