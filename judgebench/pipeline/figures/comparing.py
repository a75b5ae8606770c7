"""What only comparisons show: strengths, order, circles, how often an arm won."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from judgebench.model.comparing import ComparedArm, Comparing
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.compared import Compared
from judgebench.stats import both_orders, circles, pairwise, swaps
from judgebench.stats.arrays import IntArray
from judgebench.stats.opponents import opponents
from judgebench.stats.pairwise import Comparisons, Strengths

ONE_ORDER = "each two arms were shown in one order only"
"""Why place and worth cannot be told apart."""


def comparing(
    found: Compared,
    *,
    ids: Sequence[str],
    order: Sequence[int],
    reference: int | None,
    rng: np.random.Generator,
    place_shift: float,
    clusters: IntArray | None = None,
) -> Comparing:
    """The figures of a pass that only comparisons have.

    Args:
        found: Its comparisons.
        ids: Ids of the arms by code.
        order: Codes in the order of the table.
        reference: The arm whose strength is 0.
        rng: Draws outcomes for the expected share of circles.
        place_shift: The most that the place may add to a difference of two arms.
        clusters: Shape (I,), the cluster of each item; None where items are independent.
    """
    every = found.decided(len(ids))
    met = arms_met(every)
    data = among(every, met)
    again, n_again = found.changed(len(ids))
    # Where some order is not on record, the column says nothing of the others either.
    ordered = bool(found.ordered.all())
    counts = both_orders.order_counts(data) if ordered else None
    split = found.opponents(len(ids)).groups
    fit = fitted(data, reference=_at(met, reference), order=ordered, clusters=clusters)
    groups = pairwise.unlinked(data) if met.size else ()
    meetings = _meetings(data)
    strengths = fit if isinstance(fit, Strengths) else None
    circular = circles.circular_share(data)
    return Comparing(
        arms=tuple(
            _arm(
                data,
                fit,
                ids[at],
                at=_at(met, at),
                reference=_at(met, reference),
                clusters=clusters,
            )
            for at in order
        ),
        comparisons=int(data.item.size),
        tied=int((data.outcome == 0.5).sum()),  # noqa: PLR2004 - a tie
        first_share=_first_share(data, found, clusters=clusters),
        place_shift=place_shift if found.ordered.any() else None,
        order=_order(fit, found),
        both_orders=counts.pairs if counts else 0,
        turned_first=counts.first if counts else 0,
        turned_second=counts.second if counts else 0,
        loosened=counts.loosened if counts else 0,
        again=n_again,
        again_changed=again,
        circular=circular,
        circular_expected=(
            None
            if strengths is None or isinstance(circular, Refusal)
            else circles.circular_expected(data, strengths, rng=rng)
        ),
        meetings_fewest=min(meetings, default=0),
        meetings_most=max(meetings, default=0),
        unlinked=(
            tuple(tuple(ids[int(met[at])] for at in group) for group in groups)
            if len(groups) > 1
            else ()
        ),
        never_met=tuple(tuple(ids[at] for at in order if at in group) for group in split)
        if len(split) > 1
        else None,
    )


def arms_met(data: Comparisons) -> IntArray:
    """Codes of the arms that were compared, ascending."""
    return np.unique(np.concatenate([data.first, data.second]))


def among(data: Comparisons, met: IntArray) -> Comparisons:
    """The comparisons of the arms that met, which are numbered by their place among them.

    Args:
        data: Comparisons of all arms.
        met: Codes of the arms, ascending.
    """
    kept = np.isin(data.first, met) & np.isin(data.second, met)
    return Comparisons(
        item=data.item[kept],
        first=np.searchsorted(met, data.first[kept]),
        second=np.searchsorted(met, data.second[kept]),
        outcome=data.outcome[kept],
        n_arms=int(met.size),
        weight=data.weights[kept],
    )


def _meetings(data: Comparisons) -> list[int]:
    """How often each two arms were compared."""
    low, high = np.minimum(data.first, data.second), np.maximum(data.first, data.second)
    counts = np.bincount(low * data.n_arms + high, minlength=data.n_arms**2)
    grid = counts.reshape(data.n_arms, data.n_arms)
    return [int(n) for n in grid[np.triu_indices(data.n_arms, k=1)]]


def _at(met: IntArray, arm: int | None) -> int | None:
    """Place of an arm among those that were compared."""
    return int(np.searchsorted(met, arm)) if arm is not None and arm in met else None


def fitted(
    data: Comparisons, *, reference: int | None, order: bool, clusters: IntArray | None
) -> Strengths | Refusal:
    """Strengths of the comparisons, or why there are none.

    Args:
        data: Comparisons of the arms that met.
        reference: The arm whose strength is 0; None where it met none.
        order: The order is on record of all of them.
        clusters: The cluster of each item; None where items are independent.
    """
    if reference is None:
        return Refusal(
            statistic="bradley_terry", code=RefusalCode.NOTHING_SCORED.value, have=0, need=1,
        )  # fmt: skip
    made = pairwise.bradley_terry(data, reference=reference, order=order, clusters=clusters)
    if isinstance(made, Refusal) and made.code == RefusalCode.ORDER_NOT_RECORDED.value:
        # It is on record, and no two arms met in both orders: a strength would be the place too.
        return _one_order(made.statistic)
    if isinstance(made, Refusal) and made.code == RefusalCode.DISCONNECTED.value:
        return opponents(data).split(made.statistic) or made
    return made


def _first_share(
    data: Comparisons, found: Compared, *, clusters: IntArray | None
) -> Estimate | Refusal:
    """Share won by the arm seen first, of arms that met in both orders: else it is their worth."""
    if not found.ordered.all():
        return _not_recorded("first_share", found)
    both = swaps.in_both_orders(data)
    if data.item.size and not both.any():
        return _one_order("first_share")
    kept = Comparisons(
        item=data.item[both], first=data.first[both], second=data.second[both],
        outcome=data.outcome[both], n_arms=data.n_arms, weight=data.weights[both],
    )  # fmt: skip
    return pairwise.first_share(kept, clusters=clusters)


def _order(fitted: Strengths | Refusal, found: Compared) -> Estimate | Refusal:
    if isinstance(fitted, Refusal):
        return replace(fitted, statistic="order")
    return fitted.order or _not_recorded("order", found)


def _one_order(statistic: str) -> Refusal:
    return Refusal(
        statistic=statistic, code=RefusalCode.NOT_IDENTIFIED.value, have=1, need=2, how=ONE_ORDER
    )


def _not_recorded(statistic: str, found: Compared) -> Refusal:
    return Refusal(
        statistic=statistic, code=RefusalCode.ORDER_NOT_RECORDED.value, have=1, need=2,
        # Whoever was asked here was asked in an order that is kept: such pairs were brought in.
        how=found.no_order,
    )  # fmt: skip


def _arm(
    data: Comparisons,
    fitted: Strengths | Refusal,
    name: str,
    *,
    at: int | None,
    reference: int | None,
    clusters: IntArray | None,
) -> ComparedArm:
    nothing = Refusal(
        statistic="win_rate", code=RefusalCode.NOTHING_SCORED.value, have=0, need=1,
    )  # fmt: skip
    if at is None:
        return ComparedArm(
            arm=name, won=0, tied=0, lost=0, against_reference=nothing,
            strength=fitted if isinstance(fitted, Refusal) else nothing,
        )  # fmt: skip
    mine = np.concatenate([data.outcome[data.first == at], 1 - data.outcome[data.second == at]])
    against: Estimate | Refusal = nothing
    if at == reference:
        against = Estimate(value=0.5, n=int(np.unique(data.item).size), kind="reference")
    elif reference is not None:
        against = pairwise.win_rate(data, arm=at, against=reference, clusters=clusters)
    return ComparedArm(
        arm=name,
        won=int((mine == 1).sum()),
        tied=int((mine == 0.5).sum()),  # noqa: PLR2004 - a tie
        lost=int((mine == 0).sum()),
        strength=fitted if isinstance(fitted, Refusal) else fitted.arms[at],
        against_reference=against,
    )
