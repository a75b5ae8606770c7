"""The clusters that the items of a run come in."""

from types import MappingProxyType

from judgebench.records import dataclass

SPARE = MappingProxyType({"spare": True})
"""Of a field that is written only where there is something to say."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Clusters:
    """Items that hang together: clusters of them are the independent units."""

    count: int
    items: int
    smallest: int
    """Items of the smallest cluster."""
    largest: int
