"""A language model as the moderator: it words and plays the roles, code keeps the rules.

Where its reply cannot be used, the built-in moderator does that step and the session says so.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from ...core.catalog import Catalog
from ...core.errors import ModelFailureError
from ...core.outcome import Outcome
from ...core.records import Assessment, Conclusion, ModelCall, Preview, Step
from ...core.secrets import mask
from ...core.session import Session
from ...core.tokens import token_estimate
from ...reading.rules import Rules
from ..offline import OfflineModerator
from .asking import Ask, Asker
from .building_assessment import assessment_of
from .building_conclusion import conclusion_of
from .building_preview import preview_of
from .checking import assess_breach, conclude_breach, preview_breach
from .drafts import AssessDraft, ConcludeDraft, PreviewDraft
from .ledger import ledger_of
from .prompting import Prompts
from .schemas import assess_schema, conclude_schema, preview_schema
from .telling import simulated_by

_Draft = TypeVar("_Draft", bound=BaseModel)


@dataclass(frozen=True)
class FirstPrompt:
    """What would be sent first; `tokens` is an estimate."""

    stable: str
    task: str
    tokens: int


class LanguageModerator:
    """Plays the roles with the model behind `asker`. `language` is "" for the topic's own."""

    instant = False

    def __init__(
        self,
        asker: Asker,
        prompts: Prompts,
        rules: Rules,
        catalog: Catalog,
        offline: OfflineModerator,
        spec: str = "",
        language: str = "",
        offline_last: bool = False,
    ) -> None:
        """`offline_last`: where no model can be reached, the built-in moderator does the step."""
        self._asker = asker
        self._prompts = prompts
        self._rules = rules
        self._catalog = catalog
        self._offline = offline
        self._spec = spec or asker.name
        self._language = language
        self._offline_last = offline_last
        self._calls: list[ModelCall] = []
        self._lock = threading.Lock()
        self._stable: dict[str, str] = {}

    @property
    def name(self) -> str:
        """The whole chain, where there is one; `source` of a step tells who did it."""
        return self._spec

    def preview(self, session: Session) -> Preview:
        by_rules = self._offline.preview(session)
        ledger = ledger_of(session)
        draft, reason = self._asked(
            session,
            "preview",
            self._preview_task(session),
            PreviewDraft,
            lambda one: preview_breach(one, session, self._catalog, ledger),
            preview_schema(session, self._catalog, ledger, by_rules),
        )
        if draft is None:
            return by_rules.model_copy(update={"fallback": reason})
        made = preview_of(draft, session, by_rules, self._rules, self._catalog, ledger)
        return made.model_copy(update={"source": self._asker.name})

    def assess(self, session: Session) -> Assessment:
        by_rules = self._offline.assess(session)
        ledger = ledger_of(session)
        turn = session.turns[-1]
        draft, reason = self._asked(
            session,
            "assess",
            self._prompts.task(
                "assess",
                ledger=ledger,
                turn=turn,
                options=session.options,
                views=session.views,
                roles=session.prepared.roles,
                open_slots=[q for q in session.bank if q.slot not in session.asked_slots],
            ),
            AssessDraft,
            lambda one: assess_breach(one, session, ledger),
            assess_schema(session, ledger, by_rules),
            asking=turn.asking,
        )
        if draft is None:
            return by_rules.model_copy(update={"fallback": reason})
        made = assessment_of(draft, session, by_rules, self._rules, ledger)
        return made.model_copy(update={"source": self._asker.name})

    def conclude(self, session: Session, outcome: Outcome) -> Conclusion:
        by_rules = self._offline.conclude(session, outcome)
        ledger = ledger_of(session)
        draft, reason = self._asked(
            session,
            "conclude",
            self._prompts.task(
                "conclude",
                ledger=ledger,
                outcome=outcome,
                options=session.options,
                views=session.views,
                roles=session.prepared.roles,
                excluded=by_rules.excluded_paths.text,
                missing=[line.text for line in by_rules.missing_points],
                risk_wanted=by_rules.risk_disclosure is not None,
            ),
            ConcludeDraft,
            lambda one: conclude_breach(one, session, outcome, ledger, self._catalog),
            conclude_schema(session, ledger),
        )
        told = simulated_by(session, self._asker.name, reason if draft is None else "")
        if draft is None:
            return by_rules.model_copy(update={"fallback": reason, "simulated_by": told})
        made = conclusion_of(draft, session, by_rules, ledger, self._asker.name)
        return made.model_copy(update={"simulated_by": told})

    def take_calls(self) -> tuple[ModelCall, ...]:
        with self._lock:
            calls, self._calls = tuple(self._calls), []
        return calls

    def cancel(self) -> None:
        self._asker.cancel()

    def prepare(self) -> None:
        """Loads what asking needs, about a second's work: call it in a thread."""
        self._asker.prepare()
        self._prompts.prepare()
        for shape in (PreviewDraft, AssessDraft, ConcludeDraft):
            shape.model_rebuild()
            shape.model_json_schema()

    def first_prompt(self, session: Session) -> FirstPrompt:
        """What the first step would send, secrets masked."""
        stable, task = mask(self._stable_part(session)), mask(self._preview_task(session))
        return FirstPrompt(stable, task, token_estimate(stable + task))

    def price_of(self, tokens: int) -> float | None:
        """US dollars for one request of this size with a usual reply; None where unknown."""
        return self._asker.price_of(tokens)

    # -- inside ------------------------------------------------------------------------

    def _preview_task(self, session: Session) -> str:
        return self._prompts.task(
            "preview",
            ledger=ledger_of(session),
            asked_mode=session.asked_mode,
            asked_roles=session.start.roles,
        )

    def _asked(
        self,
        session: Session,
        step: Step,
        task: str,
        shape: type[_Draft],
        check: Callable[[_Draft], str | None],
        schema: Mapping[str, Any],
        asking: str = "",
    ) -> tuple[_Draft | None, str]:
        """The draft, or None and why. Raises `ModelFailureError`."""
        ask = Ask(
            step=step,
            stable=self._stable_part(session),
            task=task,
            shape=shape,
            check=check,
            asking=asking,
            schema=schema,
            exchanges=session.exchanges,
        )
        try:
            reply = self._asker.ask(ask)
        except ModelFailureError as failure:
            if failure.call is not None:
                self._note(failure.call)
            if self._offline_last and failure.kind not in ("cancelled", "budget"):
                return None, failure.message
            raise
        self._note(reply.call)
        return reply.value, reply.reason

    def _note(self, call: ModelCall) -> None:
        with self._lock:
            self._calls.append(call)

    def _stable_part(self, session: Session) -> str:
        """The same bytes for every step of a session."""
        if session.id not in self._stable:
            self._stable[session.id] = self._prompts.stable(
                language=self._language,
                roles=self._catalog.roles.values(),
                modes=self._catalog.modes.values(),
                topic=session.start.topic,
                context=session.start.context,
            )
        return self._stable[session.id]
