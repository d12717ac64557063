"""The built-in moderator: rules over the data in `modes/` and `roles/`, no network, no key."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.catalog import Catalog
from ..core.outcome import Outcome
from ..core.records import Assessment, Conclusion, ModelCall, Preview
from ..core.session import Session
from ..reading.rules import Rules
from .preparing import prepare
from .wording import Wording


@dataclass(frozen=True)
class OfflineModerator:
    """Plays the roles by rules. It never invents a fact: what nobody said, it says so of."""

    rules: Rules
    catalog: Catalog
    name: str = "offline"
    instant: bool = True

    def preview(self, session: Session) -> Preview:
        return prepare(session, self.rules, self.catalog, self._wording(session))

    def assess(self, session: Session) -> Assessment:
        from .learning import learn  # not before the first answer: the first question comes sooner

        return learn(session, self.rules, self.catalog, self._wording(session))

    def conclude(self, session: Session, outcome: Outcome) -> Conclusion:
        from .concluding import conclude

        return conclude(session, outcome, self.rules, self.catalog, self._wording(session))

    def take_calls(self) -> tuple[ModelCall, ...]:
        return ()

    def cancel(self) -> None:
        """Nothing of it runs on."""

    def _wording(self, session: Session) -> Wording:
        return Wording(self.catalog.phrases, session.start.topic)
