"""Deliberations beyond the Socratic session: plain functions over plain data, like the core."""
