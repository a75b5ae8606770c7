"""Templates of pages, for the reports and for the labelling page: what they write is text.

Prompts have an environment of their own, in which nothing is escaped.
"""

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from judgebench.text import printable


def environment(room: str, *, number: Callable[[float], str], trim: bool) -> Environment:
    """Autoescape on, a missing value is an error, and hidden characters are shown.

    Args:
        room: The package whose folder ``templates`` holds them.
        number: How a number with decimals is written.
        trim: Drop the line of a block, its indent and the last line break.
    """

    def shown(value: Any) -> Any:  # noqa: ANN401 - any value of a template
        # Finished mark-up stays as it is.
        if isinstance(value, Markup):
            return value
        if isinstance(value, float):
            return number(value)
        return printable(str(value), keep_newlines=True)

    return Environment(
        loader=PackageLoader(room, "templates"),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=shown,
        trim_blocks=trim,
        lstrip_blocks=trim,
        keep_trailing_newline=not trim,
    )
