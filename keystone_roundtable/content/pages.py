"""Pages of HTML that stand alone: one file, nothing loaded, no script but the one it brings."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from .locations import shipped_folder
from .templating import Templates
from .yaml_files import read_text

STYLE = "pages/page.css"


def html_page(name: str, *, style_too: str = "", script: str = "", **values: Any) -> str:
    """`templates/pages/<name>.html.j2` filled in; every value is escaped.

    From the shipped templates alone: a project's own come with whatever was cloned, and a page is
    opened where scripts run. The page's policy lets it load nothing and apply no style but its own,
    which `style_too` adds to. `script` is the one script that runs, and may ask the page's own
    server; none does without it. Raises `ContentError`.
    """
    templates = Templates((shipped_folder("templates"),), html=True)
    style = "".join(read_text(templates.path(path)) for path in (STYLE, style_too) if path)
    runs = read_text(templates.path(script)) if script else ""
    policy = _policy(f"\n{style}", f"\n{runs}" if runs else "")
    return templates.render(
        f"pages/{name}.html.j2", style=style, script=runs, policy=policy, **values
    )


def _policy(style: str, script: str) -> str:
    """What the page may do; both are the text of their one element, to the byte."""
    policy = f"default-src 'none'; style-src {_hashed(style)}; base-uri 'none'; form-action 'none'"
    if script:
        policy += f"; script-src {_hashed(script)}; connect-src 'self'"
    return policy


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
