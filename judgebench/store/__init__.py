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
from judgebench.store.writer import Op, Writer

__all__ = [
    "Doubt",
    "ItemRow",
    "Op",
    "OutputRow",
    "PassRow",
    "PlanChange",
    "Store",
    "StoredReply",
    "TotalRow",
    "Writer",
]
