"""One session that is held with the server's model again and again."""

from __future__ import annotations

MODEL = "openai-chat:loopback"
TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWERS = (
    "A pilot customer gets told when an import fails, without calling us",
    "The settings refactor, because the preferences would live in the new settings",
    "A push channel on mobile, nobody asked for it yet",
    "One kind of mail, for failed imports only, switched on by hand",
)
