"""The report's lines on the roles: what each holds, where they meet, where they do not."""

from __future__ import annotations

from ..core.convergence import roles_disagree
from ..core.records import Line, RoleLine, RoleView
from .said import Quote
from .telling import Draft, Telling
from .viewing import watches
from .wording import joined, quoted


class RolesTold(Telling):
    """Role views, consensus and disagreement."""

    def role_views(self) -> tuple[RoleLine, ...]:
        worries = self._worries()
        lines: list[RoleLine] = []
        told: set[str] = set()
        for view in self.session.views:
            reason = self._reason(view, told)
            told.update(ref for ref in view.refs if f"({ref})" in reason)
            worry = worries.get(view.role)
            if worry is not None and worry.ref in told:
                worry = None
            lines.append(RoleLine(role=view.role, text=self._role_view(view, reason, worry)))
        return tuple(lines)

    def _reason(self, view: RoleView, told: set[str]) -> str:
        """The view's reason; words that another role has quoted already are only referred to."""
        again = [ref for ref in view.refs if ref in told and f"({ref})" in view.reason]
        if not again:
            return view.reason
        if view.prefers is None:
            lens = self.catalog.role(view.role).lens[self.session.prepared.mode]
            return self.wording.say("view.no_grounds", turn=self._place(view), lens=lens)
        return self.wording.say("view.same_ground", turn=self._place(view), refs=joined(again))

    def _place(self, view: RoleView) -> int:
        return self.session.prepared.roles.index(view.role)

    def _role_view(self, view: RoleView, reason: str, worry: Quote | None) -> str:
        held = f"{view.position.rstrip('.')}: {reason[:1].lower()}{reason[1:]}"
        if worry is not None:
            risk = self.wording.say(
                "view.worry", turn=self._place(view), quote=quoted(worry.text), ref=worry.ref
            )
        else:
            risk = view.risk
        return f"{held} {risk}"

    def _worries(self) -> dict[str, Quote]:
        """For each role the answer on what could go wrong that is its concern, each answer once."""
        slots = ("failure", "cost", "blind_spot", "skeptic", "reversal", "assumption", "waste")
        quotes = [q for slot in slots if (q := self.said.slot(slot)) is not None]
        found: dict[str, Quote] = {}
        for role_id in self.session.prepared.roles:
            role = self.catalog.role(role_id)
            fitting = [q for q in quotes if watches(role, q.text)]
            if fitting:
                found[role_id] = fitting[0]
                quotes.remove(fitting[0])
        return found

    def consensus(self) -> Line:
        draft = Draft()
        preferring = [v for v in self.session.views if v.prefers]
        named = {v.prefers for v in preferring if v.prefers}
        roles = self.session.prepared.roles
        if len(named) == 1 and len(preferring) > 1:
            draft.add(
                self.wording.say(
                    "consensus.same",
                    roles=joined(v.role for v in preferring),
                    option=self.quoted_text(next(iter(named))),
                ),
                *(v.role for v in preferring),
            )
        elif len(named) == 1:
            draft.add(
                self.wording.say(
                    "consensus.one",
                    roles=preferring[0].role,
                    option=self.quoted_text(next(iter(named))),
                ),
                preferring[0].role,
            )
        elif len(named) > 1:
            draft.add(self.wording.say("consensus.split", roles=joined(roles)), *roles)
        else:
            draft.add(self.wording.say("consensus.open", roles=joined(roles)), *roles)
        shared = self.said.slot("outcome", "loop", "failure", "describe")
        disputed = {fact.ref for fact in self.said.facts("support", "objection")}
        if shared is not None and shared.ref not in disputed:
            failure = shared == self.said.slot("failure")
            key = "consensus.line" if failure else "consensus.shared"
            draft.add(self.wording.say(key, quote=quoted(shared.text), ref=shared.ref), shared.ref)
        return draft.line("topic")

    def disagreement(self) -> Line:
        draft = Draft()
        session = self.session
        if roles_disagree(session):
            for view in session.views:
                if view.prefers is not None:
                    path, ground = self.quoted_text(view.prefers), self._ground(view)
                    draft.add(f"{view.role} prefers {path} ({ground}).", view.role, *view.refs)
        for view in session.views:
            if view.cannot_accept:
                options = joined((self.quoted_text(o) for o in view.cannot_accept), "or")
                draft.add(f"{view.role} cannot accept {options}.", view.role, *view.refs)
        conflict = self.said.preference.conflict
        if conflict:
            answers = [self.said.answer(a) for a in conflict]
            pairs = " against ".join(f"{quoted(q.text)} ({q.ref})" for q in answers)
            draft.add(f"Your own answers pull apart: {pairs}.", *conflict)
        if not draft.sentences:
            return Line(text="none", refs=session.prepared.roles)
        return draft.line()

    def _ground(self, view: RoleView) -> str:
        refs = [r for r in view.refs if r != "topic"]
        return f"going by {joined(refs)}" if refs else "going by the topic"
