"""Looking back: what telemetry says, what was decided, and what became of it."""
