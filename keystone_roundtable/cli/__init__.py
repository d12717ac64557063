"""The command line: the parser, the wiring of all parts, and exit statuses."""
