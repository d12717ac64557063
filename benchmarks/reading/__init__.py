"""Labelled material for reading answers and topics, training on it, and measuring by it."""
