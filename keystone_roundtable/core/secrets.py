"""Masks what looks like a key, a token or a password, before a text leaves the session's log.

A mask names its kind: `[masked: github token]`. Masking twice changes nothing more, and the time is
linear in the text: every repetition below is bounded or possessive.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable

# A key starts where no letter or digit stands before it.
_START = r"(?<![A-Za-z0-9])"

# Shapes that providers publish. More special ones first: the first that fits names the kind.
_SHAPES: tuple[tuple[str, str], ...] = (
    ("anthropic key", r"sk-ant-[A-Za-z0-9_-]{16,}+"),
    ("openai key", r"sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{16,}+"),
    ("openai key", r"sk-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,}+"),
    ("google key", r"AIza[A-Za-z0-9_-]{30,}+"),
    ("google token", r"ya29\.[A-Za-z0-9_-]{20,}+"),
    ("google secret", r"GOCSPX-[A-Za-z0-9_-]{20,}+"),
    ("aws key", r"(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("github token", r"gh[pousr]_[A-Za-z0-9]{20,}+"),
    ("github token", r"github_pat_[A-Za-z0-9_]{20,}+"),
    ("gitlab token", r"gl(?:pat|ptt|dt|rt|soat)-[A-Za-z0-9_-]{16,}+"),
    ("slack token", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}+"),
    ("slack token", r"xapp-[A-Za-z0-9-]{10,}+"),
    ("stripe key", r"(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}+"),
    ("hugging face token", r"hf_[A-Za-z0-9]{20,}+"),
    ("npm token", r"npm_[A-Za-z0-9]{30,}+"),
    ("pypi token", r"pypi-[A-Za-z0-9_-]{50,}+"),
    ("sendgrid key", r"SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"),
    ("digitalocean token", r"do[por]_v1_[a-f0-9]{40,}+"),
    ("groq key", r"gsk_[A-Za-z0-9]{30,}+"),
    ("xai key", r"xai-[A-Za-z0-9]{40,}+"),
    ("age key", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}+"),
    ("telegram token", r"[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("json web token", r"eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+)?"),
)
_SHAPE = re.compile(
    _START + "(?:" + "|".join(f"(?P<k{i}>{shape})" for i, (_, shape) in enumerate(_SHAPES)) + ")"
)

_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:"
    r"(?:(?!-----)[\s\S]){0,20000}+-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:\\[nr]|\s|[A-Za-z0-9+/=]{16,}+)*+"  # cut off before its end
    r")"
)
_SLACK_HOOK = re.compile(r"(https://hooks\.slack\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{10,}+")
_HEADER = re.compile(
    r"((?:proxy-)?authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
    r"(?:(?:bearer|basic|token|digest|apikey)\s{1,3})?)"
    r"(?!\[masked: )(?!(?:bearer|basic|token|digest|apikey)\s)[^\s\"',;]{6,}+",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(?<![A-Za-z])(bearer\s{1,3})[A-Za-z0-9._~+/=-]{16,}+", re.IGNORECASE)
_URL_PASSWORD = re.compile(r"(://[^\s/:@\"'\[]{0,200}+:)[^\s/\"']{1,200}(?=@)")
_ASSIGNED = re.compile(
    r"(?P<name>pass(?:word|wd|phrase|code)?|pwd|api[_ -]?key|secret[_-]?key|access[_-]?key"
    r"|private[_-]?key|account[_-]?key|client[_-]?secret|secret|token|credentials?|auth)"
    r"(?P<between>[\"']?\s{0,3}(?:=>|:=|[:=])\s{0,3})"
    r"(?!\[masked: )"
    r"(?:\"(?P<double>[^\"\n]{4,300})\"|'(?P<single>[^'\n]{4,300})'"
    r"|(?P<bare>[^\s\"'`,;<>\[\](){}]{4,300}+))",
    re.IGNORECASE,
)

_MIN_BITS = 2.5  # a character's entropy in a random string; prose has less over so few. Judged.


def mask(text: str) -> str:
    """`text` with every secret replaced by what kind it was."""
    text = _PRIVATE_KEY.sub("[masked: private key]", text)
    text = _SLACK_HOOK.sub(r"\1[masked: slack hook]", text)
    text = _URL_PASSWORD.sub(r"\1[masked: password]", text)
    text = _SHAPE.sub(_shape_masked, text)
    text = _HEADER.sub(r"\1[masked: credentials]", text)
    text = _BEARER.sub(r"\1[masked: token]", text)
    return _ASSIGNED.sub(_assignment_masked, text)


_KEY_BEGINS = re.compile(
    _START + r"(?:(?:sk|rk|gsk|xai|hf|gh[pousr]|npm|pypi|nvapi|pplx)[-_]|AIza|AKIA)[A-Za-z0-9_-]{3}"
)
_RUN = re.compile(r"[A-Za-z0-9]{12,}+")  # names of models and files have shorter ones


def is_key(value: str) -> bool:
    """Whether a setting's value is a key in the wrong place: by its shape, or how it begins."""
    return mask(value) != value or _KEY_BEGINS.search(value) is not None


def shown(value: str) -> str:
    """A setting's value for a message: what may be a key is not repeated, not even a part of it."""
    if is_key(value):
        return "[masked: a key]"
    if any(_is_random(run, True) for run in _RUN.findall(value)):
        return "[masked: it may be a key]"
    return value


def _shape_masked(match: re.Match[str]) -> str:
    assert match.lastgroup is not None
    return f"[masked: {_SHAPES[int(match.lastgroup[1:])][0]}]"


def _assignment_masked(match: re.Match[str]) -> str:
    name, between = match["name"], match["between"]
    group = next(g for g in ("double", "single", "bare") if match[g] is not None)
    value = match[group]
    if "[masked: " in value:
        return match[0]
    is_password = name.lower().startswith(("pass", "pwd"))
    fits: Callable[[str, bool], bool] = _is_password if is_password else _is_random
    if not fits(value, "=" in between or group != "bare"):
        return match[0]
    kind = "password" if is_password else "secret"
    quote = {"double": '"', "single": "'", "bare": ""}[group]
    return f"{name}{between}{quote}[masked: {kind}]{quote}"


def _is_password(value: str, assigned: bool) -> bool:
    """Anything assigned; after a plain colon only what is no word: `password: users forget it`."""
    if assigned:
        return not value.isdigit() or len(value) >= 6
    return any(c.isdigit() for c in value) or any(not c.isalnum() for c in value.rstrip(".!?:"))


def _is_random(value: str, assigned: bool) -> bool:
    if len(value) < (8 if assigned else 12) or any(c.isspace() for c in value):
        return False
    if not (any(c.isdigit() for c in value) and any(c.isalpha() for c in value)):
        return False
    counts = Counter(value)
    bits = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return bits >= _MIN_BITS
