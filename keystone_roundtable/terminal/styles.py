"""Looks: bold, dim and reverse, and the two palette colours that read on light and on dark."""

from __future__ import annotations

from prompt_toolkit.styles import Style

# Magenta and red keep their distance to black and to white in the usual palettes; yellow, green
# and cyan vanish on white, blue on black. Everything else is the terminal's own colour.
STYLE = Style.from_dict(
    {
        "heading": "bold ansimagenta",
        "question": "bold",
        "quiet": "dim",
        "number": "bold ansimagenta",
        "prompt": "bold ansimagenta",
        "warning": "bold ansired",
        "bar": "reverse",
        "bar.warning": "reverse bold",
        "auto-suggestion": "dim",
        "completion-menu": "noreverse fg:default bg:default",
        "completion-menu.completion": "noreverse fg:default bg:default",
        "completion-menu.completion.current": "reverse fg:default bg:default",
        "completion-menu.meta.completion": "noreverse dim fg:default bg:default",
        "completion-menu.meta.completion.current": "reverse fg:default bg:default",
        # questionary's names
        "qmark": "bold ansimagenta",
        "answer": "bold",
        "pointer": "bold ansimagenta",
        "highlighted": "bold",
        "selected": "noreverse",
        "instruction": "dim",
        "text": "",
    }
)
