"""The moderator that a model spec names. Providers are imported only where one is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..content.prompts import TemplatePrompts
from ..core.errors import UsageError
from ..core.outcome import Outcome
from ..core.ports import Moderator
from ..core.records import Assessment, Conclusion, ModelCall, Preview
from ..core.session import Session
from ..models.offline import OfflineModerator
from ..runtime.services import Services
from .settings import Settings, resolve

if TYPE_CHECKING:
    from ..models.language.asking import Asker
    from ..models.language.budget import Budget
    from ..models.language.moderator import LanguageModerator
    from ..models.language.spec import ModelSpec
    from .wiring import Project

OFFLINE = "offline"


class Rules(OfflineModerator):
    """The built-in rules, also where a session is left to them after a model had a part in it."""

    def conclude(self, session: Session, outcome: Outcome) -> Conclusion:
        made = super().conclude(session, outcome)
        steps: list[Preview | Assessment] = [session.prepared]
        steps += [assessment for _, assessment in session.assessments]
        asked = any(call.requests for call in session.calls)
        if not asked and all(step.source == OFFLINE and not step.fallback for step in steps):
            return made
        from ..models.language.telling import left_to_the_rules

        return made.model_copy(update={"simulated_by": left_to_the_rules(session)})


@dataclass(frozen=True)
class Moderators:
    """Makes moderators for one session. `spent` are the calls that it has made already."""

    project: Project
    settings: Settings
    environ: Mapping[str, str]
    spent: Iterable[ModelCall] = ()

    @property
    def offline(self) -> OfflineModerator:
        return Rules(self.project.rules, self.project.catalog)

    def named(self, spec: str) -> Moderator:
        """The moderator of a spec or a chain. Raises `UsageError` where it names none."""
        return self.offline if spec == OFFLINE else self._language(spec)

    def _language(self, spec: str) -> Moderator:
        from ..models.language.spec import parse_chain

        chain = parse_chain(spec)
        if chain[0].kind == "host":
            raise UsageError(
                "model 'host' is the calling agent, which is asked through step",
                "Drive the session with: keystone-roundtable step",
            )
        if chain[0].kind == OFFLINE:
            return self.offline
        return self.language(chain)

    def host(self) -> LanguageModerator:
        """The calling agent, whose replies are in the session's log."""
        from ..models.language.host import HostAsker
        from ..models.language.moderator import LanguageModerator

        return LanguageModerator(
            HostAsker(),
            TemplatePrompts(self.project.root),
            self.project.rules,
            self.project.catalog,
            self.offline,
            language=self.settings.lang.value or "",
        )

    def language(self, chain: tuple[ModelSpec, ...]) -> LanguageModerator:
        """The moderator for a chain that begins with a model that can be asked."""
        from ..models.language.budget import Budget
        from ..models.language.moderator import LanguageModerator

        settings = self.settings
        budget = Budget(
            settings.max_calls.value,
            settings.budget_usd.value,
            spent=self.spent,
            allow_unknown_price=settings.allow_unknown_price.value,
        )
        remote = [one for one in chain if one.kind != OFFLINE]
        return LanguageModerator(
            self._asker(remote, budget),
            TemplatePrompts(self.project.root),
            self.project.rules,
            self.project.catalog,
            self.offline,
            spec=",".join(map(str, chain)),
            language=settings.lang.value or "",
            offline_last=len(remote) < len(chain),
        )

    def _asker(self, remote: list[ModelSpec], budget: Budget) -> Asker:
        from ..models.language.asker import ModelAsker
        from ..models.language.chain import ChainAsker

        askers = [
            ModelAsker(
                spec,
                environ=self.environ,
                timeout_s=self.settings.timeout_s.value,
                budget=budget,
            )
            for spec in remote
        ]
        return askers[0] if len(askers) == 1 else ChainAsker(askers)


def destination_line(spec: str, environ: Mapping[str, str]) -> str:
    """One line on who plays the roles and where topic and answers go."""
    from ..models.language.spec import destination, parse_chain

    chain = parse_chain(spec)
    hosts = [destination(one.facts, environ) for one in chain if one.facts.remote]
    if not hosts:
        return "Roles: the built-in rules; nothing is sent anywhere."
    places = " or ".join(dict.fromkeys(hosts))
    return f"Roles: {spec}; the topic and your answers are sent to {places}."


def offline_services(project: Project) -> Services:
    """The parts for a session held by the built-in rules, whatever the settings say."""
    moderators = Moderators(project, resolve(None, project.root, {}), {})
    return project.services(moderators.offline, moderators, patience_s=0.0)
