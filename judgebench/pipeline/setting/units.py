"""What the independent units of a run are: its items, or the clusters that they come in.

The one place that turns what a run declares into codes; statistics take these or None.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from judgebench.model.clusters import Clusters
from judgebench.stats.arrays import IntArray


def cluster_codes(clusters: Mapping[str, Sequence[str]], items: Sequence[str]) -> IntArray | None:
    """The cluster of each item.

    Args:
        clusters: Items by the name of their cluster, as a run declares them.
        items: Ids of the items by their index.

    Returns:
        Shape (I,), codes from 0 in the order of first sight; an item in no cluster is its
        own. None where no two items are of one cluster: items are the units then.
    """
    of = {item: name for name, members in clusters.items() for item in members}
    known: dict[tuple[bool, str], int] = {}
    codes = [
        known.setdefault((item in of, of.get(item, item)), len(known)) for item in items
    ]  # fmt: skip
    return np.array(codes, dtype=np.int64) if len(known) < len(items) else None


def counted(codes: IntArray | None) -> Clusters | None:
    """How many clusters there are, and of how many items; None where items are the units."""
    if codes is None or not codes.size:
        return None
    sizes = np.bincount(codes)
    sizes = sizes[sizes > 0]
    return Clusters(
        count=int(sizes.size),
        items=int(codes.size),
        smallest=int(sizes.min()),
        largest=int(sizes.max()),
    )
