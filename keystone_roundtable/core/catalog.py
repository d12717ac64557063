"""The data a session is prepared from: modes with their questions, roles with their lenses.

`content` reads these shapes from YAML, the shipped files first, then the user's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from .records import ModeId, Record


class QuestionTemplate(Record):
    """A question before it is put to a topic."""

    key: str = Field(description="unique within the mode; kept in the record of a session")
    slot: str = Field(description="what the question is to find out")
    text: str
    stakes: str = Field(description="one line on what hangs on the answer")
    explanation: str = Field(description="one or two sentences, shown when the user asks")
    suggests: Literal["choice", "exclusion"] | None = Field(
        default=None,
        description="the options are offered as answers, and picking one chooses or excludes it",
    )
    only_when_vague: bool = Field(
        default=False, description="asked first, and only where the topic cannot be compressed"
    )


class ModeSpec(Record):
    """A mode: what it is for, its questions, and what it must know before it may end."""

    id: ModeId
    goal: str
    when: str = Field(description="when this mode fits, in a few words")
    needed: tuple[str, ...] = Field(description="slots that must be filled before it may end")
    scope_slot: str = Field(description="the slot on the smallest loop that must not stay open")
    default_roles: tuple[str, ...]
    questions: tuple[QuestionTemplate, ...] = Field(min_length=6)
    scope_question: QuestionTemplate


class RoleSpec(Record):
    """A role of the pool. Phrases may hold `{option}` and `{topic}`."""

    id: str
    title: str = Field(description="how the report names the role in a sentence, such as 'the SRE'")
    responsibility: str
    typical_question: str
    default: bool = Field(default=True, description="False: activated only by its triggers")
    triggers: tuple[str, ...] = Field(description="words of a topic that call this role in")
    watches_for: tuple[str, ...] = Field(description="words of an answer that concern this role")
    reads: tuple[str, ...] = Field(description="slots whose answers this role reads first")
    aliases: tuple[str, ...] = Field(
        default=(), description="how people refer to it: 'security', 'the security team'"
    )
    lens: Mapping[ModeId, str] = Field(description="per mode: what it looks at, a noun phrase")
    risk: Mapping[ModeId, str] = Field(description="per mode: what breaks if ignored, a sentence")


class Catalog(Record):
    """Everything in force for one project. `origins` tells the file of each mode and role."""

    modes: Mapping[str, ModeSpec]
    roles: Mapping[str, RoleSpec]
    phrases: Mapping[str, tuple[str, ...]] = Field(
        description="the offline moderator's wordings by key; one of each tuple is taken"
    )
    origins: Mapping[str, str] = Field(default_factory=dict)

    def mode(self, mode_id: ModeId) -> ModeSpec:
        return self.modes[mode_id]

    def role(self, role_id: str) -> RoleSpec:
        return self.roles[role_id]
