"""A room: sealed openings, cross-examination, a claim map, a call that keeps its dissent."""
