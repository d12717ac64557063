"""Reads a page of HTML as a person with a parser would: tables, headings, drawings, links."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "wbr", "hr", "img", "input", "link"}


@dataclass
class ReadTable:
    """`rows` hold for each cell its text and the figure of its `data` element, if it has one."""

    caption: str = ""
    head: list[str] = field(default_factory=list)
    rows: list[list[tuple[str, str | None]]] = field(default_factory=list)
    scopes: list[str | None] = field(default_factory=list)

    def column(self, label: str) -> dict[str, str | None]:
        """The column's figures by the row's name."""
        at = self.head.index(label)
        return {row[0][1] or row[0][0]: row[at][1] for row in self.rows}


class PageReader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[ReadTable] = []
        self.headings: list[tuple[int, str]] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.order: list[str] = []
        """`svg` and `table` in the order in which they stand."""
        self._open: list[str] = []
        self._text = ""
        self._figure: str | None = None
        self.feed(page)
        self.close()
        assert self._open == [], f"not closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.attributes += attrs
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if tag == "a":
            self.links.append(given.get("href") or "")
        if tag in ("svg", "table"):
            self.order.append(tag)
        if tag == "table":
            self.tables.append(ReadTable())
        if tag == "th":
            self.tables[-1].scopes.append(given.get("scope"))
        if tag == "tr" and "tbody" in self._open:
            self.tables[-1].rows.append([])
        if tag in ("th", "td", "caption", "h1", "h2", "h3", "title"):
            self._text, self._figure = "", None
        if tag == "data":
            self._figure = given.get("value")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        if tag == "caption":
            self.tables[-1].caption = self._text.strip()
        elif tag in ("th", "td"):
            cell = (self._text.strip(), self._figure)
            if "thead" in self._open:
                self.tables[-1].head.append(cell[0])
            else:
                self.tables[-1].rows[-1].append(cell)
        elif tag in ("h1", "h2", "h3"):
            self.headings.append((int(tag[1]), self._text.strip()))

    def table(self, caption: str) -> ReadTable:
        return next(table for table in self.tables if table.caption.startswith(caption))
