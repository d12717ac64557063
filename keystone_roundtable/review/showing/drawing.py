"""Vega-Lite specifications drawn as SVG that stands inside a page."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as Tree

from ..errors import MissingLibraryError

SVG = "http://www.w3.org/2000/svg"
VEGA_LITE = "5.20"  # what the specifications are written in, whatever the library has besides


def svg_of(spec: dict[str, Any], width: int, key: str, title: str, description: str) -> str:
    """The drawing, as wide as the page lets it, with its title and description as text.

    `width` is what the page takes as its whole width, however little is drawn: letters are then as
    large in one drawing as in the other. `key` makes its ids differ from those of the page's other
    drawings. Raises `MissingLibraryError`.
    """
    try:
        import vl_convert
    except ImportError as error:
        raise MissingLibraryError("a page's charts", "pages") from error
    drawn = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])
    Tree.register_namespace("", SVG)
    root = Tree.fromstring(drawn)
    for element in root.iter():
        for name in [n for n in element.attrib if n == "role" or n.startswith("aria-")]:
            del element.attrib[name]  # the picture is read as one, by its title and description
    # The page gives it its width, the view box its shape.
    drawn_width, height = (float(root.attrib.pop(size)) for size in ("width", "height"))
    root.set("viewBox", f"0 0 {max(drawn_width, width):g} {height:g}")
    root.set("role", "img")
    root.set("aria-labelledby", f"{key}-t {key}-d")
    for number, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = Tree.Element(f"{{{SVG}}}{tag}", {"id": f"{key}-{tag[0]}"})
        element.text = text
        root.insert(number, element)
    return Tree.tostring(root, encoding="unicode")
