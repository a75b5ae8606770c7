"""What a pass cost: calls, tokens and money, unknown where one of them is."""

from collections.abc import Sequence
from typing import Any

from judgebench.model.result import Money
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

UNKNOWN_PRICE = "price unknown"


def costs_of(store: Store, rows: Sequence[PassRow]) -> list[dict[str, Any]]:
    """Calls and tokens of each pass that was judged here; marks given elsewhere cost nothing."""
    judged = [row.judging.id for row in rows if not row.facts().marks_only]
    return [row for one in judged for row in store.records("costs", pass_id=one)]


def money_of(costs: Sequence[dict[str, Any]], rows: Sequence[PassRow]) -> Money:
    """All passes together.

    Args:
        costs: As `costs_of` gives them.
        rows: The passes, for where their prices are from.
    """

    def total(name: str) -> Any:  # noqa: ANN401 - an integer or a number
        values = [row.get(name) for row in costs]
        return None if not values or None in values else sum(values)

    sources = dict.fromkeys(row.price_source or UNKNOWN_PRICE for row in rows)
    return Money(
        cost_usd=None if any(row["cost_unknown"] for row in costs) else total("cost_usd"),
        price_source="; ".join(sources),
        prompt_tokens=total("prompt_tokens"),
        completion_tokens=total("completion_tokens"),
        reasoning_tokens=total("reasoning_tokens"),
        calls=sum(row["calls"] or 0 for row in costs),
        requests_unreported=sum(row["tokens_unknown"] or 0 for row in costs),
    )
