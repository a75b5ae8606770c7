"""Pages from templates: whatever an answer holds, on the page it is text."""

import json
from functools import cache
from importlib import resources

from jinja2 import Environment

from judgebench import hypertext

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load: its own script and style from this very server."""
KEYS = "1234567890"
MOST_BUTTONS = 11
"""Of a scale; a longer one gets a field for numbers."""
_ASSETS = {"label.js": "text/javascript; charset=utf-8", "label.css": "text/css; charset=utf-8"}


@cache
def _environment() -> Environment:
    return hypertext.environment("judgebench.web", number=lambda value: f"{value:g}", trim=True)


def render(name: str, **values: object) -> bytes:
    """One page as it goes out."""
    return _environment().get_template(name).render(**values).encode("utf-8", "replace")


@cache
def asset(name: str) -> tuple[str, bytes] | None:
    """Type and content of a file that pages load; None where it is none."""
    if name not in _ASSETS:
        return None
    return _ASSETS[name], (resources.files("judgebench.web") / "templates" / name).read_bytes()


def mark_keys(marks: tuple[float, ...]) -> dict[float, str]:
    """Mark → the key that sets it; empty where marks are typed as numbers instead.

    >>> mark_keys((1.0, 2.0, 3.0))[2.0], mark_keys(tuple(map(float, range(1, 11))))[10.0]
    ('2', '0')
    >>> mark_keys((0.0, 0.5, 1.0))[0.5]
    '2'
    """
    if len(marks) > MOST_BUTTONS:
        return {}
    whole = all(mark == int(mark) and 0 <= mark <= len(KEYS) for mark in marks)
    if whole and len(KEYS) in marks and 0 in marks:
        return {mark: "t" if mark == len(KEYS) else f"{mark:g}" for mark in marks}
    if whole:
        return {mark: f"{mark:g}"[-1] for mark in marks}
    return dict(zip(marks, (*KEYS, "t"), strict=False))


def as_json(value: object) -> bytes:
    """An answer to the page's script."""
    return json.dumps(value, ensure_ascii=True).encode()
