"""Pages of HTML that stand alone: one file, nothing loaded, no script."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from .locations import shipped_folder
from .templating import Templates
from .yaml_files import read_text

STYLE = "pages/page.css"


def html_page(name: str, **values: Any) -> str:
    """`templates/pages/<name>.html.j2` filled in; every value is escaped.

    From the shipped templates alone: a project's own come with whatever was cloned, and a page is
    opened where scripts run. The page's policy lets it load nothing and apply no style but its own.
    Raises `ContentError`.
    """
    templates = Templates((shipped_folder("templates"),), html=True)
    style = read_text(templates.path(STYLE))
    return templates.render(
        f"pages/{name}.html.j2", style=style, policy=_policy(f"\n{style}"), **values
    )


def _policy(style: str) -> str:
    """What the page may do; `style` is the text of its one style element, to the byte."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
