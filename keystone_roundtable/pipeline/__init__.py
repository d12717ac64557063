"""The doors for agents and scripts: one request in, one response out."""
