"""The plotting library's SVG → one that may stand in the page.

Kept are shapes, places and text. Styles, scripts, addresses and ids are not: the page's
policy forbids the first, two plots must not share an id, and the library draws its ids
anew in each process, where equal input has to give equal bytes.
"""

import re
from xml.etree import ElementTree as ET

from markupsafe import Markup, escape

SHADES = tuple(f"h{step}" for step in range(7))
"""Steps of a heat map, from the lowest on the scale to the highest."""
_NAMES = ("ink", "muted", "line", "paper", "accent", "best", "hatch", *SHADES)
COLOURS = {name: "#" + f"{place:02x}" * 3 for place, name in enumerate(_NAMES, start=1)}
"""Colour of the page → the sign that stands for it while a plot is drawn."""

_VARIABLES = {int(sign[1:3], 16): f"var(--{name})" for name, sign in COLOURS.items()}
_SHAPES = {"g", "line", "path", "circle", "rect", "text", "tspan"}
_PLACES = (
    "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "d", "dy",
    "transform", "stroke-width", "stroke-dasharray", "stroke-opacity", "fill-opacity",
)  # fmt: skip
_TEXTS = {"axis-text-x": "muted", "axis-title-x": "muted", "axis-title-y": "muted"}
_NUMBER = re.compile(r"-?[0-9]+\.[0-9]+(?:E-?[0-9]+)?")
_COLOUR = re.compile(r"#([0-9a-f]{2})\1\1|rgb\(([0-9]+), ?\2, ?\2\)", re.IGNORECASE)
_STILL = re.compile(r"rotate\(-?0(?: [^)]*)?\)")
# In a label the library reads links and formulas. What it reads there is not the sign
# itself but one that no printable text holds; it is put back in what was drawn.
_SIGNS = {"<": "\ue000", "\\": "\ue001"}
_HIDE = str.maketrans(_SIGNS)
_SHOW = str.maketrans({hidden: sign for sign, hidden in _SIGNS.items()})


def as_text(words: str) -> str:
    """Words for a label in which nothing is read as a link or a formula."""
    return words.translate(_HIDE)


def picture(
    drawn: str, *, key: str, title: str, desc: str, width: float, height: float, kind: str = "plot"
) -> Markup:
    """A drawn plot as a picture of the page, with its title and description."""
    inner = "".join(map(_element, ET.fromstring(drawn)))  # noqa: S314 - the library's own
    head = Markup(
        '<svg class="{kind}" role="img" aria-labelledby="{key}-t {key}-d"'
        ' width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        '<title id="{key}-t">{title}</title>\n'
        '<desc id="{key}-d">{desc}</desc>\n'
    ).format(key=key, title=title, desc=desc, width=width, height=height, kind=kind)
    return head + Markup(inner) + Markup("\n</svg>")  # noqa: S704 - escaped below


def _element(node: ET.Element) -> str:
    tag = node.tag.rpartition("}")[2]
    if tag not in _SHAPES:
        return ""
    words = (node.text or "").translate(_SHOW) if tag == "tspan" else ""
    inner = escape(words) + Markup("").join(map(Markup, map(_element, node)))
    attributes = _attributes(node, tag)
    if (tag in {"g", "text", "tspan"} and not inner) or (tag == "path" and "d" not in attributes):
        return ""
    if tag in {"g", "tspan"} and not attributes:
        return str(inner)
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{inner}</{tag}>" if inner else f"<{tag}{written}/>"


def _attributes(node: ET.Element, tag: str) -> dict[str, str]:
    """Places, and colours as the page names them."""
    given = dict(node.attrib)
    for rule in given.get("style", "").split(";"):
        name, _, value = rule.partition(":")
        given[name.strip()] = value.strip()
    out = {name: _short(given[name]) for name in _PLACES if name in given}
    out = {name: value for name, value in out.items() if value not in {"", "1"} or name in "dxyr"}
    for name in ("fill", "stroke"):
        if name in given:
            out[name] = _colour(given[name], given.get(f"{name}-opacity"))
            if out[name] == "none":
                out.pop(f"{name}-opacity", None)
    if tag == "text":
        out |= _text(given)
    return out


def _text(given: dict[str, str]) -> dict[str, str]:
    kind = given.get("class", "")
    looks = {"class": "halo"} if not kind else {}
    if kind:
        looks["fill"] = f"var(--{_TEXTS.get(kind, 'ink')})"
    for name in ("font-size", "text-anchor"):
        if name in given:
            looks[name] = _short(given[name])
    return looks


def _colour(value: str, opacity: str | None) -> str:
    if value == "none" or (opacity is not None and float(opacity) == 0):
        return "none"
    found = _COLOUR.fullmatch(value)
    level = -1 if not found else int(found[1], 16) if found[1] else int(found[2])
    return _VARIABLES.get(level, _VARIABLES[1])


def _short(value: str) -> str:
    """Numbers to two decimals, without turns by nothing."""
    short = _NUMBER.sub(lambda found: f"{round(float(found[0]), 2):g}", value)
    return _STILL.sub("", short).strip()
