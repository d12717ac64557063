"""Seats: all asked at once, a receipt for each invocation, absences as values."""
