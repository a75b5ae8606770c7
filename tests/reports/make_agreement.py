"""Agreements made by hand: two passes, three judges, one pass alone."""

import dataclasses
from typing import Any

from judgebench.model.agreement import (
    Agreement,
    AgreementRow,
    Designs,
    Gaps,
    Holding,
    IccForms,
    JudgeDesign,
    LeftOut,
    Near,
    Noise,
    Rater,
    RaterPair,
    Reversal,
    SampledGap,
    Split,
    VarianceParts,
)
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.passes import DataLevel
from tests.reports import make

ORDER = ("north", "harbour", "meadow")


def estimate(value: float, half: float = 0.2, **changes: Any) -> Estimate:  # noqa: ANN401 - fields
    """A figure with an interval."""
    base = Estimate(value=value, n=24, low=value - half, high=value + half, kind="jackknife")
    return dataclasses.replace(base, **changes)


def noise() -> Noise:
    """A judge that moves half a point."""
    return Noise(sd=estimate(0.5, 0.1), df=24, limit=1.39, floored=False, exact_share=0.5)


def near() -> Near:
    """Marks that are mostly near."""
    return Near(
        exact=0.5, within=0.96, gap=0.6, chance_exact=0.2, chance_within=0.55, chance_gap=1.9,
        units=72,
    )  # fmt: skip


def gaps(bias: float) -> Gaps:
    """A shift with limits."""
    return Gaps(bias=estimate(bias), low=bias - 1.5, high=bias + 1.5, slope=0.1)


def rater(at: int, name: str, *, judge: int, best: tuple[str, ...] | Refusal = ("north",)) -> Rater:
    """One pass."""
    facts = make.facts(id=f"p-{at}a7b4c1", judge_name=name, judge_sha256=f"{judge}" * 64)
    return Rater(
        facts=facts, name=name, judge=judge, best=best, unplaced=("meadow",), unjudged=(),
        order=ORDER[:2], means=(6.5, 5.0),
        mean=6.5 + at, spread=1.5, noise=noise(), swaps=estimate(0.1, 0.05), pinned=at == 1,
    )  # fmt: skip


def row(criterion: str, head: str, *, pair: bool) -> AgreementRow:
    """One criterion or the total."""
    forms = IccForms(
        absolute=estimate(0.7), absolute_mean=estimate(0.8), consistency=estimate(0.75),
        consistency_mean=estimate(0.85),
    )  # fmt: skip
    return AgreementRow(
        criterion=criterion, head=head, near=near(), alpha=estimate(0.62),
        shift=gaps(0.31) if pair else None, ordering=estimate(0.9, 0.05) if pair else None,
        icc=forms, noise=noise(), swaps=estimate(0.1, 0.05),
        kappa=Estimate(value=0.71, n=72) if pair else None,
        tau=estimate(0.66) if pair else None, w_items=None if pair else estimate(0.7),
    )  # fmt: skip


def rows(*, pair: bool) -> tuple[AgreementRow, ...]:
    """Four criteria and the total."""
    return (
        *(row(name, head, pair=pair) for name, head, _ in make.CRITERIA),
        row("", "total", pair=pair),
    )


def few_judges(statistic: str, *, have: int = 1, need: int = 3) -> Refusal:
    """A refusal for want of judges."""
    return make.refused(statistic, code="too_few_judges", have=have, need=need)


def splits(passes: int) -> tuple[Split, ...]:
    """Twelve cells, the widest first."""
    return tuple(
        Split(
            arm="harbour", item=f"item-{at:02}", criterion="clarity",
            marks=(3.0, 8.0 - at / 4, 4.5)[:passes], totals=(5.0, 6.0, 5.5)[:passes],
            gap=5.0 - at / 4,
        )
        for at in range(12)
    )  # fmt: skip


def two(**changes: Any) -> Agreement:  # noqa: ANN401 - fields of several types
    """Two judges; one separated pair is reversed unless told otherwise."""
    turned = Reversal(
        first="north", second="harbour", gaps=(1.21, -0.4), separated=(True, False)
    )  # fmt: skip
    base = Agreement(
        run_name="notice", rubric_name="usecase", scale_low=1, scale_high=10, near_points=1,
        level=DataLevel.E4, judges=2, arms=ORDER, items=24, cells=72, shared=70,
        raters=(
            rater(0, "acme/marker-2", judge=0),
            rater(1, "beta/critic", judge=1, best=("harbour",)),
        ),
        verdict=Holding.DOES_NOT_HOLD, common=(), reversals=(turned,), pairs_turned=1,
        pairs_compared=3, rows=rows(pair=True),
        pairs=(RaterPair(first=0, second=1, near=near(), alpha=estimate(0.6), shift=gaps(0.3),
                         ordering=estimate(0.8), kappa=Estimate(value=0.7, n=70),
                         tau=estimate(0.6)),),
        by_arm=tuple(row(name, name, pair=True) for name in ORDER),
        w_items=few_judges("kendall_w", have=2), w_totals=few_judges("kendall_w", have=2),
        sampled=few_judges("judges_as_sample", have=2), panel_best=("north", "harbour"),
        left_out=few_judges("leave_one_judge_out", have=2),
        parts=make.refused("components", code="too_few_repeats", have=1, need=2),
        designs=make.refused("components", code="too_few_repeats", have=1, need=2),
        splits=splits(2), cells_split=12, cells_far=12,
        others=(make.facts(id="p-99", complete=False, judge_name="gamma/slow"),),
    )  # fmt: skip
    return dataclasses.replace(base, **changes)


def hundred(base: Agreement) -> Agreement:
    """The same passes on a scale of 0–100, where two distances count as near."""

    def closer(one: Near | Refusal) -> Near | Refusal:
        if isinstance(one, Refusal):
            return one
        return dataclasses.replace(
            one, exact=0.2, chance_exact=0.08, within=0.58, chance_within=0.3, gap=6.1,
            chance_gap=19.0, wide=0.83, chance_wide=0.44,
        )  # fmt: skip

    def moved(one: Gaps | Refusal | None) -> Gaps | Refusal | None:
        return gaps(-12.4) if isinstance(one, Gaps) else one

    assert not isinstance(base.pairs, Refusal)
    return dataclasses.replace(
        base, scale_low=0, scale_high=100, near_points=5, wide_points=10.0, alpha_metric="interval",
        rows=tuple(
            dataclasses.replace(one, near=closer(one.near), alpha=estimate(-0.12),
                                shift=moved(one.shift))
            for one in base.rows
        ),
        pairs=tuple(dataclasses.replace(one, near=closer(one.near)) for one in base.pairs),
    )  # fmt: skip


def three() -> Agreement:
    """Three judges with everything that they allow."""
    designs = tuple(
        JudgeDesign(
            items=items, judges=judges, repeats=1, sd=1 / judges, low=0.8 / judges,
            high=1.3 / judges, detectable=2 / judges, judgments=3 * items * judges, cost_usd=0.5,
        )
        for items in (10, 24)
        for judges in (1, 3)
    )  # fmt: skip
    parts = VarianceParts(
        item=0.4, arm=0.3, judge=0.2, item_arm=0.5, arm_judge=0.1, item_judge=0.0,
        item_arm_judge=0.2, residual=0.25, negative=("item_judge",), n_arms=3, n_items=24,
        n_judges=3, n_repeats=2, dropped=0.04,
    )  # fmt: skip
    return two(
        judges=3,
        raters=(
            rater(0, "acme/marker-2", judge=0),
            rater(1, "beta/critic", judge=1, best=("north", "harbour")),
            rater(2, "gamma/slow", judge=2),
        ),
        verdict=Holding.MOSTLY, common=("north",), reversals=(), rows=rows(pair=False),
        pairs=tuple(
            RaterPair(first=a, second=b, near=near(), alpha=estimate(0.6), shift=gaps(0.3),
                      ordering=estimate(0.8))
            for a, b in ((0, 1), (0, 2), (1, 2))
        ),
        w_items=estimate(0.7), w_totals=estimate(0.9, p=0.03, low=None, high=None),
        sampled=(
            SampledGap(first="north", second="harbour", difference=estimate(1.1, 0.9),
                       separated=True),
            SampledGap(first="north", second="meadow", separated=None,
                       difference=make.refused("difference", code="zero_spread")),
        ),
        left_out=(
            LeftOut(judge="acme/marker-2", best=("north", "harbour"), order=ORDER, same=True),
            LeftOut(judge="beta/critic", best=("north",), order=ORDER, same=False),
            LeftOut(judge="gamma/slow", best=make.refused("best"), order=ORDER,
                    same=make.refused("best")),
        ),
        parts=parts,
        designs=Designs(wished=1, grid=designs, cheapest=designs[-1]),
        splits=splits(3), cells_split=12, cells_far=12,
    )  # fmt: skip


def one_item() -> Agreement:
    """One prompt, two judges: no set, no verdict."""
    refused = make.refused("best")
    thin = dataclasses.replace(
        row("clarity", "clarity", pair=True), near=make.refused("exact_agreement", need=5),
        alpha=make.refused("alpha", need=5), icc=make.refused("icc", need=5),
        ordering=make.refused("ordering_accuracy", need=20),
        noise=make.refused("repeatability", code="too_few_repeats"),
        shift=Gaps(bias=Estimate(value=0.5, n=3), low=None, high=None, slope=None),
    )  # fmt: skip
    return two(
        level=DataLevel.E1, items=1, cells=3, shared=3, verdict=refused, reversals=(),
        raters=(
            rater(0, "acme/marker-2", judge=0, best=refused),
            rater(1, "beta/critic", judge=1, best=refused),
        ),
        rows=(thin,), by_arm=(), splits=(), cells_split=0, cells_far=0, others=(),
    )  # fmt: skip


def alone() -> Agreement:
    """One pass: nothing to compare it with."""
    few = few_judges("agreement", need=2)
    thin = dataclasses.replace(
        row("clarity", "clarity", pair=False), near=few, alpha=few, icc=few
    )  # fmt: skip
    return two(
        judges=1, raters=(rater(0, "acme/marker-2", judge=0),), verdict=few, reversals=(),
        rows=(thin,), by_arm=(), pairs=(), splits=(), cells_split=0, cells_far=0,
        pairs_compared=0, pairs_turned=0, others=(),
    )  # fmt: skip
