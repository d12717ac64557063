"""A session at any point of its way, and what a model is asked there; no network."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from loopback.dialects import Asked
from loopback.player import Change, playing
from pydantic import BaseModel

from keystone_roundtable.cli.wiring import load_rules
from keystone_roundtable.content.catalog import load_catalog
from keystone_roundtable.content.prompts import TemplatePrompts
from keystone_roundtable.core import commands as cmd
from keystone_roundtable.core import events as ev
from keystone_roundtable.core.fold import apply
from keystone_roundtable.core.machine import next_command
from keystone_roundtable.core.outcome import outcome_of
from keystone_roundtable.core.records import Answer, ModelCall
from keystone_roundtable.core.session import Session
from keystone_roundtable.models.language.asking import Ask, Asker, Reply
from keystone_roundtable.models.language.moderator import LanguageModerator
from keystone_roundtable.models.offline import OfflineModerator
from keystone_roundtable.reading.rules import Rules

TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
NOW, LATER = "o1", "o2"
LATER_TEXT = "defer the notification system until after the settings refactor"
AT = "2026-11-30T10:00:00+00:00"
MODEL = "openai-chat:loopback"
CATALOG = load_catalog(None)
PROMPTS = TemplatePrompts(None)


@cache
def rules() -> Rules:
    return load_rules()


def offline() -> OfflineModerator:
    return OfflineModerator(rules(), CATALOG)


@dataclass
class Player:
    """The good model at the moderator's port; `change` spoils what it says."""

    change: Change | None = None
    name: str = MODEL
    asks: list[Ask[Any]] = field(default_factory=list)
    drafts: list[Any] = field(default_factory=list)

    def ask(self, ask: Ask[Any]) -> Reply[Any]:
        said = playing(self.change)(
            Asked("openai", self.name, ask.stable, ask.task, ask.reply_schema, True)
        )
        draft = ask.shape.model_validate_json(said.text)
        self.asks.append(ask)
        self.drafts.append(draft)
        reason = ask.check(draft) or ""
        result = "breach" if reason else "ok"
        call = ModelCall(step=ask.step, model=self.name, result=result, reason=reason)
        return Reply(None if reason else draft, reason, call)

    def price_of(self, tokens: int) -> float | None:
        return None

    def prepare(self) -> None:
        pass

    def cancel(self) -> None:
        pass


def moderator(asker: Asker, **options: Any) -> LanguageModerator:
    return LanguageModerator(asker, PROMPTS, rules(), CATALOG, offline(), **options)


# -- the way of a session --------------------------------------------------------------


def happened(session: Session, kind: Callable[..., ev.Event], /, **fields: Any) -> Session:
    return apply(session, kind(at=AT, **fields))


def opened(topic: str = TOPIC, **start: Any) -> Session:
    given = {"session": "s", "route": "roundtable", "force": True, **start}
    return happened(Session(), ev.SessionStarted, topic=topic, **given)


def prepared(session: Session | None = None, change: Change | None = None) -> Session:
    """After the preview, the first question put."""
    session = session or opened()
    preview = moderator(Player(change)).preview(session)
    assert not preview.fallback, preview.fallback
    return asked(happened(session, ev.PreviewMade, preview=preview))


def asked(session: Session) -> Session:
    command = next_command(session)
    assert isinstance(command, cmd.AskUser), command
    return happened(session, ev.QuestionAsked, question=command.question, asking=command.asking)


def given(session: Session, text: str, **reading: Any) -> Session:
    """An answer to the open question, read by the rules unless the reading is told."""
    turn = session.turns[-1]
    read = rules().signal(text, turn.question.text, [s.text for s in turn.question.suggestions])
    told = {"signal": read.signal, "firm": read.firm, "reason": read.reason, **reading}
    answer = Answer(question=turn.question.id, asking=turn.asking, text=text, **told)
    return happened(session, ev.AnswerGiven, answer=answer)


def assessed(session: Session, change: Change | None = None) -> Session:
    """What the last answer teaches, in time."""
    found = moderator(Player(change)).assess(session)
    assert not found.fallback, found.fallback
    return happened(session, ev.AnswerAssessed, assessment=found)


def answered(session: Session, *texts: str) -> Session:
    """Each text given, assessed, and the next question put."""
    for text in texts:
        session = asked(assessed(given(session, text)))
    return session


def concluding(session: Session) -> Session:
    """The person wants no more questions."""
    stopped = happened(session, ev.StopRequested)
    command = next_command(stopped)
    assert isinstance(command, cmd.EndQuestions), command
    return happened(stopped, ev.QuestionPhaseEnded, reason=command.reason)


# -- what is asked there ---------------------------------------------------------------


@dataclass
class Asking:
    """One step put to the good model: the question and the draft it would give."""

    ask: Ask[Any]
    draft: Any

    def spoilt(self, spoil: Callable[[dict[str, Any]], Any]) -> BaseModel:
        """The draft after `spoil` had its way with a copy of it."""
        value = copy.deepcopy(self.draft.model_dump())
        spoil(value)
        shape: type[BaseModel] = self.ask.shape
        return shape.model_validate(value)

    def breach(self, spoil: Callable[[dict[str, Any]], Any] = lambda value: None) -> str | None:
        return self.ask.check(self.spoilt(spoil))


def asking(step: str, session: Session) -> Asking:
    player = Player()
    table = moderator(player)
    if step == "preview":
        table.preview(session)
    elif step == "assess":
        table.assess(session)
    else:
        table.conclude(session, outcome_of(session))
    return Asking(player.asks[-1], player.drafts[-1])
