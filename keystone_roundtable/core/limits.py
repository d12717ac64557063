"""The fixed numbers of a session."""

SCHEMA_VERSION = 1  # of every shape of a session on disk

MIN_ANSWERED = 3  # ks-roundtable: at least 3 questions before the report
MAX_ASKED = 7  # the scope question included
BREAKER_AT = 2  # ks-roundtable E1: two consecutive non-answers
MAX_CLARIFICATIONS = 2
MAX_TOPIC = 200  # characters of the decision topic
