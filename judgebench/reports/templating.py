"""The only door to the page's templates: what they write is text, whatever it holds."""

import base64
import hashlib
from functools import cache

from jinja2 import Environment, Template
from markupsafe import Markup

from judgebench import hypertext
from judgebench.reports.digits import fixed


@cache
def environment() -> Environment:
    """The page's own; numbers are short."""
    return hypertext.environment(
        "judgebench.reports", number=lambda value: f"{float(fixed(value, 2)):g}", trim=False
    )


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
