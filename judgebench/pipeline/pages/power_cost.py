"""What so many more judgings would cost: requests, and US dollars each."""

from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.planning.plan import requests_an_item
from judgebench.store.store import Store


def requests_for(analysis: Analysis, arms: int, items: int) -> int | None:
    """Requests for so many judgings of whole items; None where marks were given elsewhere."""
    judging = analysis.shown.judging
    if analysis.shown.facts().marks_only:
        return None
    each = requests_an_item(judging.mode, arms)
    return items * each * (len(analysis.rubric.criteria) if judging.split_criteria else 1)


def cost_each(store: Store, pass_id: str) -> float | None:
    """US dollars a request, over those whose cost is known."""
    rows = store.records("costs", pass_id=pass_id)
    if not rows or rows[0]["cost_usd"] is None:
        return None
    known = rows[0]["requests"] - rows[0]["cost_unknown"]
    return float(rows[0]["cost_usd"]) / known if known else None
