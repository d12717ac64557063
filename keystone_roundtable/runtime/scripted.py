"""A session held from a script of answers: `--answers`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..core import commands as cmd
from ..core.errors import ModelFailureError, UsageError
from ..core.inputs import Accept, Input, Pause, Said, SetMode, parse_input
from ..core.notices import mode_line, redirect_line
from ..core.outcome import confirms
from ..core.plain import is_blank, one_line
from ..core.records import Author
from ..core.recovery import Fallback, GiveUp, Recovery, UseModel
from ..core.session import Session
from .errors import AnswerLineError


@dataclass(frozen=True)
class Confirmation:
    """`{"confirm": "..."}`: the direction's text, typed."""

    text: str
    by: Author


BYTE_ORDER_MARK = "\ufeff"


def read_answers(lines: Iterable[str]) -> Iterator[Input | Confirmation]:
    """What each line gives, blank lines skipped. Raises `AnswerLineError` where one is wrong.

    A line that begins with `{` must be a JSON object with `text` or `confirm`, and `by` if wanted.
    Lines in a list are looked at now, those of a stream as they come.
    """
    answers = _each(lines)
    return iter(list(answers)) if isinstance(lines, list) else answers


def _each(lines: Iterable[str]) -> Iterator[Input | Confirmation]:
    for number, line in enumerate(lines, 1):
        if number == 1:
            line = line.removeprefix(BYTE_ORDER_MARK)
        if not line.strip():
            continue
        if line.lstrip().startswith("{"):
            yield _from_json(number, line)
        else:
            yield _typed(number, line.rstrip("\r\n"), "user")


def _from_json(number: int, line: str) -> Input | Confirmation:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise AnswerLineError(number, f"begins like JSON and is none ({error})") from error
    if not isinstance(item, dict):
        raise AnswerLineError(number, "not a JSON object")
    unknown = sorted(set(item) - {"text", "confirm", "by"})
    if unknown:
        raise AnswerLineError(number, f"unknown field '{unknown[0]}'")
    if "confirm" in item and "text" in item:
        raise AnswerLineError(number, "holds either 'text' or 'confirm', not both")
    by = _author(number, item.get("by", "user"))
    if "confirm" in item:
        return Confirmation(_text(number, item, "confirm"), by)
    return _typed(number, _text(number, item, "text"), by)


def _text(number: int, item: dict[str, Any], name: str) -> str:
    value = item.get(name)
    if not isinstance(value, str):
        raise AnswerLineError(number, f"field '{name}' must be a text")
    return value


def _author(number: int, value: object) -> Author:
    if value not in ("user", "agent"):
        raise AnswerLineError(number, 'field \'by\' must be "user" or "agent"')
    return value


def _typed(number: int, text: str, by: Author) -> Input:
    try:
        return parse_input(text, by)
    except UsageError as error:
        raise AnswerLineError(number, error.message) from error


class ScriptedPartner:
    """Answers from a script; when it runs out the session pauses. `say` gets messages."""

    def __init__(
        self,
        answers: Iterable[Input | Confirmation],
        say: Callable[[str], None],
        fallback: Fallback = "fail",
    ) -> None:
        self._answers = iter(answers)
        self._fallback = fallback
        self._confirmation: Confirmation | None = None
        self._say = say

    def announce_mode(self, session: Session) -> None:
        self._say(mode_line(session))

    def redirected(self, session: Session, offer: cmd.OfferRedirect) -> bool:
        self._say(redirect_line(offer))
        return False

    def answer(self, session: Session, open_question: cmd.AwaitAnswer) -> Input:
        for given in self._answers:
            if isinstance(given, Confirmation):
                self._confirmation = given
            elif not (isinstance(given, Said) and is_blank(given.text)):
                return given
        return Pause("answers_ran_out")

    def review(self, session: Session, markdown: str) -> Input:
        return Accept()

    def confirm(self, session: Session, request: cmd.AskConfirmation) -> Input | None:
        for given in self._answers:
            if isinstance(given, Confirmation):
                self._confirmation = given
        typed = self._confirmation
        if typed is not None and typed.by == "user" and confirms(typed.text, request.option):
            return Said(typed.text)
        self._say(
            f"“{one_line(request.option.text)}” cannot be undone and was not confirmed; "
            'to confirm, add a line {"confirm": "..."} with exactly that text.'
        )
        return None

    def tell(self, message: str) -> None:
        self._say(message)

    def explain(self, session: Session, open_question: cmd.AwaitAnswer) -> None:
        self._say(one_line(open_question.question.explanation))

    def help(self) -> None:
        """Nobody is there to read it."""

    def model_failed(self, session: Session, failure: ModelFailureError) -> Recovery:
        if self._fallback == "fail" or session.model == "offline":
            return GiveUp()
        self._say(f"{failure.message}; going on with the built-in rules")
        return UseModel("offline")

    def choose_mode(self, session: Session) -> Input | None:
        self._say("/mode needs brainstorm, align or challenge after it")
        return SetMode(None)
