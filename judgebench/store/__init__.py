"""Everything that was judged, in one DuckDB file; the only room that knows SQL."""

from judgebench.store.rows import (
    Doubt,
    ItemRow,
    OutputRow,
    PassRow,
    PlanChange,
    StoredReply,
    TotalRow,
)
from judgebench.store.store import Store

__all__ = [
    "Doubt",
    "ItemRow",
    "OutputRow",
    "PassRow",
    "PlanChange",
    "Store",
    "StoredReply",
    "TotalRow",
]
