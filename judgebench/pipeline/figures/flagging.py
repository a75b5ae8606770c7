"""A warning on its way into a result."""

from collections.abc import Iterator

Facts = dict[str, str | int | float]
"""What the sentence of a warning needs."""
Flags = Iterator[tuple[int, str, Facts]]
"""Rank, code and facts of each warning that applies; a lower rank is more harmful."""
