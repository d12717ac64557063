"""The table's machine: a table is its event log, and exactly one command follows from it."""
