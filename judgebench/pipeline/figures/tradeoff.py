"""From the rows of a table to what a recommendation rests on: rating, time and cost."""

from collections.abc import Sequence

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import ArmResult, PairResult, open_arms, sole_best, unseparated
from judgebench.model.tradeoff import Tradeoff, TradeoffArm
from judgebench.stats.pareto import beaten_by

_UNMATCHED = frozenset({RefusalCode.UNEQUAL_OPPONENTS.value, RefusalCode.DISCONNECTED.value})


def tradeoff(
    arms: Sequence[ArmResult],
    *,
    pairs: Sequence[PairResult],
    best: tuple[str, ...] | Refusal,
    reference: str | None,
    bare_marks: bool = False,
) -> Tradeoff:
    """Hold ratings against what the answers took.

    Args:
        arms: In the order of the table.
        pairs: Which of them are separated.
        best: Arms that may be best.
        reference: The arm that differences are taken to.
        bare_marks: Marks were imported without the answers, which have no records then.
    """
    levels = {one.arm.id: _level(one, reference) for one in arms}
    taking = [one for one in arms if levels[one.arm.id] is not None]
    cost_unknown = tuple(one.arm.id for one in taking if one.context.cost_usd is None)
    time_unknown = tuple(one.arm.id for one in taking if _seconds(one) is None)
    weighed = tuple(
        name for name, gaps in (("cost", cost_unknown), ("time", time_unknown)) if not gaps
    )
    pareto: tuple[str, ...] | Refusal
    beaten: dict[str, str | None] = {}
    if len(taking) < 2:  # noqa: PLR2004 - two arms are the least that can be held together
        pareto = _too_few(arms, taking)
    elif not weighed:
        pareto = Refusal(
            statistic="pareto", code=RefusalCode.NOT_IDENTIFIED, have=0, need=1,
            how="marks were imported without the answers, whose records would tell"
            if bare_marks
            else "",
        )  # fmt: skip
    else:
        names = [one.arm.id for one in taking]
        found = beaten_by(
            np.array([levels[name] for name in names], dtype=np.float64),
            np.array([_prices(one, weighed) for one in taking], dtype=np.float64),
        )
        beaten = {
            name: None if by is None else names[by] for name, by in zip(names, found, strict=True)
        }
        pareto = tuple(name for name in names if beaten[name] is None)
    open_ = open_arms(arms, pairs)
    alone = sole_best(best, open_)
    apart = {frozenset((pair.first, pair.second)) for pair in pairs if pair.separated}

    def row(one: ArmResult) -> TradeoffArm:
        name = one.arm.id
        level, by = levels[name] or 0.0, beaten.get(name)
        return TradeoffArm(
            arm=name,
            level=level,
            cost_usd=one.context.cost_usd,
            wall_s=_seconds(one),
            beaten_by=by,
            behind=None if by is None else (levels[by] or 0.0) - level,
            shown=frozenset((name, by)) in apart,
        )

    return Tradeoff(
        arms=tuple(map(row, taking)),
        left_out=tuple(one.arm.id for one in arms if levels[one.arm.id] is None),
        best=best,
        weighed=weighed,
        cost_unknown=cost_unknown,
        time_unknown=time_unknown,
        pareto=pareto,
        open_arms=open_,
        unmatched=tuple(
            one.arm.id
            for one in arms
            if one.placed
            and isinstance(one.difference, Refusal)
            and one.difference.code in _UNMATCHED
        )
        or None,
        unseparated=() if alone is None else unseparated(alone, pairs),
    )


def _level(one: ArmResult, reference: str | None) -> float | None:
    """Where an arm stands; None where it is not placed or shares no items."""
    if not one.placed or reference is None:
        return None
    if one.arm.id == reference:
        return 0.0
    return one.difference.value if isinstance(one.difference, Estimate) else None


def _seconds(one: ArmResult) -> float | None:
    """Median time of an arm whose every answer has one on record."""
    return one.context.wall_s if one.context.untimed == 0 else None


def _prices(one: ArmResult, weighed: Sequence[str]) -> list[float]:
    known = {"cost": one.context.cost_usd, "time": _seconds(one)}
    found = [known[name] for name in weighed]
    return [value for value in found if value is not None]


def _too_few(arms: Sequence[ArmResult], taking: Sequence[ArmResult]) -> Refusal:
    """Why fewer than two arms take part: no figures for more, or no more arms."""
    code, have, need = RefusalCode.TOO_FEW_ARMS.value, float(len(taking)), 2.0
    for one in arms:
        if one not in taking and isinstance(one.difference, Refusal):
            code, have, need = one.difference.code, one.difference.have, one.difference.need
    return Refusal(statistic="pareto", code=code, have=have, need=need)
