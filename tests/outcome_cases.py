"""A session for every row and cap of the outcome table, held by the built-in rules."""

from __future__ import annotations

from dataclasses import dataclass, field

NOTIFICATIONS = (
    "Should we build the notification system now or defer it until after the settings refactor?"
)
EXPORT = "Should we ship the export to all customers this month or after the security audit?"
EXPORT_OR_DEFER = (
    "Should we ship the export to all customers now or defer it until after the security audit?"
)
STAGING = "Should we drop the staging server?"
DELETE = "I plan to delete all archived customer data for good. What did I overlook?"


@dataclass(frozen=True)
class Case:
    """`answers` are texts or objects of the answers format; `reasons` the row, then the caps."""

    name: str
    topic: str
    answers: tuple[str | dict[str, str], ...]
    exit_reason: str
    reasons: tuple[str, ...]
    confidence: float
    option: str | None
    status: int = 0
    state_reason: str = "Direction converged"
    notes: tuple[str, ...] = field(default=())


LATER = "defer the notification system until after the settings refactor"
CASES = (
    Case(
        "deferred",
        NOTIFICATIONS,
        ("A mail goes out when an import fails", "let's decide tomorrow"),
        "user_deferred",
        ("deferred",),
        0.5,
        None,
        4,
        "More discussion is still needed",
    ),
    Case(
        "forced, and no path is safe",
        "Should we delete the old customer database or sell it to the partner?",
        ("either is fine", "up to you"),
        "circuit_breaker",
        ("forced_without_safe_direction",),
        0.5,
        None,
        3,
        "Directional disagreement cannot be resolved safely",
    ),
    Case(
        "forced by the breaker, to the lowest wrong-choice cost",
        NOTIFICATIONS,
        ("up to you", "whatever you think"),
        "circuit_breaker",
        ("forced",),
        0.7,
        LATER,
        0,
        "Direction forced with risk disclosure",
    ),
    Case(
        "forced by an early stop, to the preference that was stated",
        NOTIFICATIONS,
        ("A mail goes out", "1", "stop, give me the conclusion"),
        "user_stopped",
        ("forced",),
        0.7,
        "build the notification system now",
        0,
        "Direction forced with risk disclosure",
    ),
    Case(
        "too much missing",
        NOTIFICATIONS,
        ("hmm", "we are 3 people", "no idea", "another meeting", "whatever", "one mail"),
        "question_limit",
        ("too_much_missing",),
        0.5,
        None,
        3,
        "Directional disagreement cannot be resolved safely",
    ),
    Case(
        "irreconcilable",
        EXPORT,
        (
            "Every customer gets their data. Security cannot accept shipping it this month",
            "Product insists on this month, the contract names the date",
            "Sending it by hand",
            "One customer, one file",
        ),
        "exclusions_clear",
        ("irreconcilable",),
        0.5,
        None,
        3,
        "Directional disagreement cannot be resolved safely",
    ),
    Case(
        "none preferred at the limit",
        STAGING,
        (
            "outages, 20k a day",
            "customer data lost",
            "a smaller server",
            "nobody asked QA",
            "we would look careless",
            "not painful at all, it is one script",
            "the login test",
        ),
        "question_limit",
        ("none_preferred",),
        0.7,
        "keep things as they are",
        0,
        "Direction chosen by lowest wrong-choice cost",
        ("nothing to build; record and close",),
    ),
    Case(
        "exclusions clear, none preferred",
        "Should we ship the export this month, after the security audit, or by hand?",
        (
            "Data for all. Product insists on this month. Security insists on after the audit",
            "we are 3 people",
            "3",
            "one customer",
        ),
        "exclusions_clear",
        ("none_preferred",),
        0.7,
        "ship the export this month",
        0,
        "Direction chosen by lowest wrong-choice cost",
    ),
    Case(
        "irreconcilable, but one path is the cheaper mistake",
        EXPORT_OR_DEFER,
        (
            "Every customer gets their data. Security cannot accept shipping it now",
            "2",
            "Sending it by hand. Product insists on shipping it now",
            "One customer, one file",
        ),
        "enough_information",
        ("irreconcilable_lower_cost",),
        0.8,
        "defer the export until after the security audit",
    ),
    Case(
        "converged, scope soft",
        NOTIFICATIONS,
        ("A mail goes out when an import fails", "2", "a native app", "/skip"),
        "enough_information",
        ("converged_scope_soft",),
        0.8,
        LATER,
        notes=("scope needs compression",),
    ),
    Case(
        "converged",
        NOTIFICATIONS,
        ("A mail goes out when an import fails", "2", "a native app", "one mail for one shop"),
        "enough_information",
        ("converged",),
        0.9,
        LATER,
    ),
    Case(
        "suggestions only",
        "Should we use Go or Rust?",
        ("/skip", "1", "2", "/stop"),
        "user_stopped",
        ("forced", "suggestions_only"),
        0.7,
        "use Go",
        0,
        "Direction forced with risk disclosure",
    ),
    Case(
        "answered by an agent",
        NOTIFICATIONS,
        (
            {"text": "A mail goes out when an import fails", "by": "agent"},
            "2",
            "a native app",
            "one mail for one shop",
        ),
        "enough_information",
        ("converged", "answered_by_agent"),
        0.7,
        LATER,
    ),
    Case(
        "irreversible, not confirmed",
        DELETE,
        ("fines", "losing an active customer's data", "cold storage", "the invoices"),
        "enough_information",
        ("converged", "irreversible_unconfirmed"),
        0.7,
        "delete all archived customer data for good",
    ),
    Case(
        "irreversible, confirmed by typing it",
        DELETE,
        (
            "fines",
            "losing an active customer's data",
            "cold storage",
            "the invoices",
            {"confirm": "delete all archived customer data for good"},
        ),
        "enough_information",
        ("converged",),
        0.9,
        "delete all archived customer data for good",
    ),
)
