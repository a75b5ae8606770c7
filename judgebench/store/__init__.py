"""Everything that was judged, in one DuckDB file; the only room that knows SQL."""

from judgebench.store.judgments import Doubt, StoredReply, TotalRow
from judgebench.store.passes import PassRow
from judgebench.store.rows import ItemRow, OutputRow, PlanChange
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
