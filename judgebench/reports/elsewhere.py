"""Sentences that send to report.md, and the section of it that they mean.

The terminal has room for the name of the file alone; a page that holds the section
itself names it.
"""

from collections.abc import Mapping

_FILE = "report.md"
_TOLD_IN = (
    ("worst cases", "totals"),
    ("planted controls", "controls"),
    ("on this run", "passes"),
    ("of the lines of", "projects"),
    ("names the groups", "comparisons"),
)


def meant(text: str, titles: Mapping[str, str]) -> tuple[str, str, str]:
    """Split one of our own sentences at the place where it sends to report.md.

    Args:
        text: The sentence.
        titles: Titles of the page's sections by their keys.

    Returns:
        What stands before, the key of the section meant, and what stands after; the
        whole text and no key where it sends nowhere, or to what the page does not hold.
    """
    before, found, after = text.rpartition(_FILE)
    key = next((key for words, key in _TOLD_IN if words in text), "")
    return (before, key, after) if found and key in titles else (text, "", "")


def before_report(text: str, command: str) -> str:
    """The sentence with the command that writes report.md, where none is written yet.

    Args:
        text: The sentence.
        command: That command; empty where report.md is there.
    """
    before, found, after = text.rpartition(_FILE)
    return f"{before}{command}{after}" if found and command else text


def named(text: str, titles: Mapping[str, str]) -> str:
    """The sentence with the title of the section in place of the file's name."""
    before, key, after = meant(text, titles)
    return f'{before}"{titles[key]}"{after}' if key else text
