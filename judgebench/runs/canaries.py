"""Canaries: words that only the run's own files hold, looked for in its outputs."""

import re

from judgebench.model.collected import Item, Output, Run


def told(output: Output, item: Item, run: Run) -> frozenset[str]:
    """Canaries of the run that an output names and nothing gave to it."""
    if not run.canaries or not output.text:
        return frozenset()
    found = named(output.text, run.canaries)
    return frozenset(canary for canary in found if not supplied(item, canary))


def named(text: str, canaries: tuple[str, ...]) -> list[str]:
    """Those of the canaries that a text holds as words of their own."""
    return [canary for canary in canaries if canary in text and _stands(canary, text)]


def _stands(canary: str, text: str) -> bool:
    """Whether a canary stands as a word of its own: scan.py is no part of rescan.pyc."""
    return re.search(rf"(?<!\w){re.escape(canary)}(?!\w)", text) is not None


def supplied(item: Item, canary: str) -> bool:
    """Whether the item itself gave the word, in its prompt or its evidence."""
    return canary in item.prompt or any(canary in piece.text for piece in item.evidence)
