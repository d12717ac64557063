"""What in an answer is a paste (trace, log, code, link) or an order to the program, and the rest.

Both are taken away before an answer is read, so that only the person's own words about the topic
count.
"""

from __future__ import annotations

import re
from typing import Final

_LINK: Final = re.compile(r"\b(?:https?|ftp|file)://\S+|\bwww\.\S+", re.IGNORECASE)
_TRACE_LINE: Final = re.compile(
    r"""^\s*(?:
        Traceback\b
      | File\s"[^"\n]{0,300}",\sline\s\d+
      | at\s[\w$.<>/]{1,200}\s?\([^)\n]{0,200}\)
      | (?:[\w.]{1,80})?(?:Error|Exception|Warning|Panic)\b\s*(?::|$|at\b)
      | Caused\sby:
      | panic:|goroutine\s\d+|thread\s'\w+'\spanicked
      | raise\s\w+
      | Segmentation\sfault|npm\sERR!|fatal:|error\[\w+\]
    )""",
    re.VERBOSE,
)
_LOG_LINE: Final = re.compile(
    r"""^\s*\[?(?:
        \d{4}-\d\d-\d\d[T\s]\d\d:\d\d
      | \d\d:\d\d:\d\d[.,]?\d*\s
      | (?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\]?[\s:]
      | \w{3}\s+\d{1,2}\s\d\d:\d\d:\d\d
      | \d{1,3}(?:\.\d{1,3}){3}\s
    )""",
    re.VERBOSE,
)
_CODE_LINE: Final = re.compile(
    r"""^\s*(?:
        \$\s\w | >>>\s | ```|diff\s--git|@@\s-\d|[+-]{3}\s[ab]/
      | (?:def|class)\s\w+.{0,200}:\s*$
      | (?:from\s[\w.]+\s)?import\s[\w.{*]
      | (?:const|let|var|function|public|private|static|void|fn|func|package|using|\#include)
        \s.{0,200}[;{(=<]
      | (?:if|for|while|try|else|elif|except|switch|return)\b.{0,200}[:;{]\s*$
      | (?:SELECT\s.{1,200}\sFROM|INSERT\sINTO|UPDATE\s\w+\sSET|CREATE\sTABLE|DELETE\sFROM)\b
      | <[/!?]?[A-Za-z][^>\n]{0,200}>
      | [\w.\[\]"']{1,80}\s(?:=|:=|\+=)\s\S.{0,200}[\](){};]
      | [\w.]{1,80}\([^)\n]{0,200}\);?\s*$
      | ["'][\w-]{1,60}["']\s*:\s
      | [{}\[\]();,\s]+$
    )""",
    re.VERBOSE,
)
_PATTERNS: Final = (_TRACE_LINE, _LOG_LINE, _CODE_LINE)


def own_words(text: str) -> str:
    """The text without pasted lines and links, line ends kept; blank for a bare paste."""
    lines = (_LINK.sub(" ", line) for line in text.splitlines() if not _is_pasted(line))
    return "\n".join(lines)


def _is_pasted(line: str) -> bool:
    head = line[:600]
    return any(pattern.match(head) for pattern in _PATTERNS)
