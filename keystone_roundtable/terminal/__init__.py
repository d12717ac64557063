"""The session at a terminal."""
