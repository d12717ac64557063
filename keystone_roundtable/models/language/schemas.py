"""The JSON schema that goes out with each step: what a rule fixes, the schema fixes too.

A model whose decoding is held to it can leave out no role and no slot, since each is the name of a
field. The same parts as lists are read all the same, and the rules are checked all the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...core.catalog import Catalog, ModeSpec
from ...core.records import Assessment, Preview
from ...core.reply_schema import schema_of
from ...core.session import Session
from .allowing import assess_ids, conclude_ids, preview_ids
from .drafts import AssessDraft, ConcludeDraft, PreviewDraft
from .ledger import Ledger

Schema = dict[str, Any]


def preview_schema(session: Session, catalog: Catalog, ledger: Ledger, by_rules: Preview) -> Schema:
    """The questions are those of one mode, whole: the mode stands with them."""
    schema = schema_of(PreviewDraft, preview_ids(session, catalog, ledger, by_rules))
    fields = schema["properties"]
    mode, reason = fields.pop("mode"), fields.pop("mode_reason")
    _without(schema["$defs"]["QuestionDraft"], "slot")
    banks = [
        _object(
            {"mode": {**mode, "enum": [one]}, "mode_reason": reason}
            | {slot: {"$ref": "#/$defs/QuestionDraft"} for slot in _slots(catalog.mode(one))}
        )
        for one in mode["enum"]
    ]
    fields["questions"] = banks[0] if len(banks) == 1 else {"anyOf": banks}
    schema["required"] = list(fields)
    return schema


def assess_schema(session: Session, ledger: Ledger, by_rules: Assessment) -> Schema:
    schema = schema_of(AssessDraft, assess_ids(session, ledger, by_rules))
    return _by_role(schema, "views", "ViewDraft", session.prepared.roles)


def conclude_schema(session: Session, ledger: Ledger) -> Schema:
    schema = schema_of(ConcludeDraft, conclude_ids(session, ledger))
    return _by_role(schema, "role_views", "RoleLineDraft", session.prepared.roles)


def _by_role(schema: Schema, field: str, shape: str, roles: Iterable[str]) -> Schema:
    _without(schema["$defs"][shape], "role")
    schema["properties"][field] = _object({role: {"$ref": f"#/$defs/{shape}"} for role in roles})
    return schema


def _slots(mode: ModeSpec) -> tuple[str, ...]:
    return tuple(q.slot for q in mode.questions if not q.only_when_vague)


def _object(fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields)}


def _without(shape: Schema, field: str) -> None:
    del shape["properties"][field]
    shape["required"].remove(field)
