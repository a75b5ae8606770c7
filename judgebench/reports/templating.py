"""The only door to the page's templates: what they write is text, whatever it holds."""

import base64
import hashlib
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from judgebench.text import printable


@cache
def environment() -> Environment:
    """The page's own: autoescape on, a missing value is an error."""
    return Environment(
        loader=PackageLoader("judgebench.reports", "templates"),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_shown,
        trim_blocks=False,
        keep_trailing_newline=True,
    )


def _shown(value: Any) -> Any:  # noqa: ANN401 - any value of a template
    """What a template writes: safe to show, numbers short; finished mark-up as it is."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, float):
        return f"{round(value, 2):g}"
    return printable(str(value), keep_newlines=True)


@cache
def template(name: str) -> Template:
    """One template, read once."""
    return environment().get_template(name)


@cache
def style() -> Markup:
    """The style sheet."""
    loader = environment().loader
    if loader is None:
        raise TypeError("the templates have a loader")
    source, _, _ = loader.get_source(environment(), "report.css")
    return Markup(source)  # noqa: S704 - our own file


def policy(css: str) -> str:
    """Nothing but this very style sheet: no script, no image, no address, no form."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
