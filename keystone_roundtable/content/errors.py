"""What can be wrong with a mode, a role or a template."""

from __future__ import annotations

from pathlib import Path

from ..core.errors import KeystoneError


class ContentError(KeystoneError):
    """A file of modes, roles or templates cannot be used.

    `line` counts from 1; None where the fault is not at one line. `field` is dotted, as in
    `lens.align`; "" where the fault is not in one field.
    """

    def __init__(
        self, path: Path, reason: str, *, line: int | None = None, field: str = ""
    ) -> None:
        where = [str(path)]
        where += [f"line {line}"] if line is not None else []
        if field:
            from ..core.secrets import shown

            where.append(f"field '{shown(field)}'")
        super().__init__(f"{', '.join(where)}: {reason}", "Mend the file or move it away")
        self.path, self.reason, self.line, self.field = path, reason, line, field
