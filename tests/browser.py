"""A real browser for pages: Chromium, with what it complains of and what it asks for written down.

`tests/conftest.py` takes in the fixtures. A test marks itself `browser` and asks for `open_page`:

    @pytest.mark.browser
    def test_the_page_loads_nothing(open_page, tmp_path):
        opened = open_page(tmp_path / "page.html", width=360, scheme="dark")
        assert (opened.complaints, opened.outgoing) == ([], [])

The browser lives as long as a file of tests: while it does, no other event loop can run in the
process.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request, Route

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",  # root has none
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    # It would look up hosts of its own.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass
class Opened:
    """A page that is open, what it complained of, and what it wanted from elsewhere.

    `complaints` are errors and warnings of the console and uncaught exceptions; `asked` is every
    address it asked for, `outgoing` those beyond files and this machine, none of which it got.
    """

    page: Page
    complaints: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    outgoing: list[str] = field(default_factory=list)

    def overflow(self) -> int:
        """Pixels by which the page is wider than its window."""
        wide, window = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        return int(wide - window)

    def accessibility(self) -> list[dict[str, Any]]:
        """The accessibility tree as Chromium tells it: role, name, properties of each node."""
        session = self.page.context.new_cdp_session(self.page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        session.detach()
        return [node for node in nodes if not node["ignored"]]

    def roles(self) -> list[tuple[str, str]]:
        """Role and name of each node, in the order in which they are read."""
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in self.accessibility()
        ]

    def faint_texts(self, at_least: float = 4.5) -> list[str]:
        """Texts, of HTML and of SVG, with less contrast to what is behind them (WCAG 1.4.3)."""
        return list(self.page.evaluate(_FAINT_TEXTS, at_least))

    def tab_stops(self) -> list[str]:
        """What Tab reaches from the top, in order, until it leaves the page."""
        stops: list[str] = []
        self.page.evaluate("document.activeElement.blur()")
        for _ in range(200):
            self.page.keyboard.press("Tab")
            stop = self.page.evaluate(_FOCUSED)
            if stop is None:
                return stops
            stops.append(stop)
        raise AssertionError("Tab does not leave the page")

    def screenshot(self, path: Path) -> Path:
        self.page.screenshot(path=str(path), full_page=True)
        return path


OpenPage = Callable[..., Opened]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser. Skips where there is none, or nothing to drive it with."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    driver = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install -e '.[browser]'"
    )
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[OpenPage]:
    """Opens a file or an address on this machine in a window of its own."""
    contexts = []

    def opener(
        where: Path | str,
        *,
        width: int = 1024,
        height: int = 900,
        scheme: Literal["light", "dark"] = "light",
        forced_colours: bool = False,
    ) -> Opened:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            forced_colors="active" if forced_colours else "none",
        )
        contexts.append(context)
        opened = Opened(context.new_page())
        page = opened.page

        def let_through(route: Route, request: Request) -> None:
            opened.asked.append(request.url)
            if _is_here(request.url):
                route.continue_()
            else:
                opened.outgoing.append(request.url)
                route.abort()

        def console(kind: str, text: str) -> None:
            if kind in ("error", "warning"):
                opened.complaints.append(f"{kind}: {text}")

        context.route("**/*", let_through)
        page.on("console", lambda message: console(message.type, message.text))
        page.on("pageerror", lambda error: opened.complaints.append(f"uncaught: {error}"))
        page.goto(where.resolve().as_uri() if isinstance(where, Path) else where)
        return opened

    yield opener
    for context in contexts:
        context.close()


def _is_here(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in ("file", "data", "blob", "about") or parts.hostname in LOOPBACK


_FOCUSED = """() => {
  const e = document.activeElement;
  if (!e || e === document.body || e === document.documentElement) return null;
  return `${e.tagName.toLowerCase()} ${(e.getAttribute("aria-labelledby")
    ? document.getElementById(e.getAttribute("aria-labelledby")).textContent
    : e.textContent).trim()}`;
}"""

_FAINT_TEXTS = """(atLeast) => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => {
      v /= 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour[3] === 1) return colour;
    }
    return rgba("Canvas");
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !element || element.closest("style, script, title, desc")) continue;
    const style = getComputedStyle(element);
    if (style.visibility === "hidden" || !element.getClientRects().length) continue;
    if (style.opacity === "0" || element.getAttribute("opacity") === "0") continue;
    const inSvg = element.namespaceURI.endsWith("svg");
    const front = rgba(inSvg ? style.fill : style.color);
    const [a, b] = [luminance(front), luminance(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < atLeast) faint.push(`${ratio.toFixed(2)}: ${text}`);
  }
  return faint;
}"""
