"""The words of the end: the report as Markdown, and the sentences of the contract."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from ..core.contract import ContractSentences
from ..core.outcome import Outcome
from ..core.plain import one_line, plain
from ..core.report import Report
from ..core.session import Session
from .locations import folders
from .sentences import STATUS_QUO, Sentence, Sentences, load_sentences
from .templating import Templates

REPORT_TEMPLATE = "report.md.j2"


class TemplateWriter:
    """Writes with the shipped templates, or the user's where one of the same name exists.

    Every method raises `ContentError` where a template is broken.
    """

    def __init__(self, root: Path | None) -> None:
        self._folders = folders("templates", root)
        self._templates = Templates(tuple(reversed(self._folders)))

    def report(self, report: Report) -> str:
        """The report as Markdown; nothing in it can act on a terminal, whatever the template."""
        return plain(self._templates.render(REPORT_TEMPLATE, report=report))

    def check(self) -> None:
        """Returns where sentences and the report's template can be read."""
        self._sentences  # noqa: B018 - read once, and kept
        self._templates.check(REPORT_TEMPLATE)

    def contract_sentences(self, session: Session, outcome: Outcome) -> ContractSentences:
        """The end's sentences; `option` and `topic` are filled in where they name them."""
        option = outcome.option.text if outcome.option else ""
        topic = session.decision_topic
        written = {
            name: self._written(sentence, option=option, topic=topic)
            for name, sentence in self._sentences_of(outcome).items()
        }
        return ContractSentences(**written)

    def _written(self, sentence: Sentence, **values: str) -> str:
        if "{" not in sentence.text:
            return one_line(sentence.text)  # Jinja2 need not be loaded
        text, path, line = sentence.text, sentence.path, sentence.line
        return one_line(self._templates.render_text(text, path, line, **values))

    def _sentences_of(self, outcome: Outcome) -> dict[str, Sentence]:
        sentences = dict(self._sentences[outcome.row])
        if outcome.option is not None and outcome.option.status_quo:
            sentences.update(self._sentences[STATUS_QUO])
        return sentences

    @cached_property
    def _sentences(self) -> Sentences:
        return load_sentences(self._folders)
