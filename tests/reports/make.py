"""Results made by hand: small builders, one keyword for what a test is about."""

import dataclasses
from typing import Any

from judgebench.model.collected import Ambiguity, Arm, Settings, UseCase
from judgebench.model.comparing import ComparedArm, Comparing
from judgebench.model.contrasts import (
    Contrast,
    ContrastArm,
    ContrastCount,
    Contrasts,
    Side,
    SideQuote,
)
from judgebench.model.controls import ControlCheck, ControlClass, ControlKind, Controls, Verdict
from judgebench.model.extended import (
    ArmExtra,
    CriterionExtra,
    CriterionRow,
    Extended,
    PairExtra,
    RepeatExtra,
)
from judgebench.model.nouns import Estimate, ObservedRank, Refusal
from judgebench.model.passes import DataLevel, PassFacts
from judgebench.model.result import (
    ArmResult,
    BlockedCount,
    Context,
    Counts,
    CriterionMean,
    JudgeChecks,
    Money,
    PairResult,
    Result,
    Warning_,
)
from judgebench.model.strengths import ArmStrength, Strengths
from judgebench.model.tradeoff import Tradeoff, TradeoffArm

CRITERIA = (
    ("correctness", "correct", 2.0),
    ("completeness", "complete", 1.0),
    ("clarity", "clarity", 1.0),
    ("format", "format", 1.0),
)
NAMES = ("north", "harbour", "meadow", "granite", "willow")


def refused(
    statistic: str, *, code: str = "too_few_items", have: float = 1, need: float = 3
) -> Refusal:
    """A refusal that needs three of something, unless told otherwise."""
    return Refusal(statistic=statistic, code=code, have=have, need=need)


def facts(**changes: Any) -> PassFacts:  # noqa: ANN401 - fields of several types
    """A complete live pass of one judge."""
    base = PassFacts(
        id="p-4be1",
        judge_name="acme/marker-2",
        judge_model="marker-2",
        judge_sha256="a1" * 32,
        rubric_name="usecase",
        rubric_version="1.0",
        ask_sha256="b2" * 32,
        sum_sha256="c3" * 32,
        prompt_version="pointwise-7d1",
        mode="pointwise",
        blinding="mask",
        seed=271828,
        repeats=1,
        route="live",
        params_sent='{"temperature":0}',
        started_at="2026-09-05T10:00:00Z",
        finished_at="2026-09-05T10:04:00Z",
        planned=40,
        answered=40,
        complete=True,
    )
    return dataclasses.replace(base, **changes)


def arm(name: str, *, items: int, mean: float, **changes: Any) -> ArmResult:  # noqa: ANN401 - as above
    """One arm with all items answered; `changes` replace fields of the row."""
    interval = items >= 3
    base = ArmResult(
        arm=Arm(id=name, provider="acme", model=f"{name}-1", harness="api", kind="api"),
        planned=items,
        answered=items,
        answered_rate=Estimate(value=1.0, n=items, low=0.6, high=1.0, kind="exact"),
        blocked=(),
        judge_blocked=(),
        suspects=0,
        masked=0,
        mean=mean,
        total=(
            Estimate(value=mean, n=items, low=mean - 0.8, high=mean + 0.7, kind="bounded")
            if interval
            else refused("total", have=items)
        ),
        median=mean,
        criteria=tuple(
            CriterionMean(criterion=name_, mean=float(round(mean) - place % 2), n=items)
            for place, (name_, _, _) in enumerate(CRITERIA)
        ),
        gated_share=0.0,
        uncapped=mean,
        difference=refused("difference", have=items),
        shared=items,
        may_be_best=None,
        rank_low=None,
        rank_high=None,
        observed_rank=refused("observed_rank", have=items),
        place_code="too_few_items",
        placed=True,
        worst_low=mean,
        worst_high=mean,
        quote=f"the {name} answer names the deadline and the form to hand in",
        quote_criterion="correctness",
        tier=None,
        tier_borderline=False,
        context=Context(
            wall_s=round(12.4 + 10 * (8.5 - mean), 1),
            completion_tokens=812,
            cost_usd=0.031,
            reasoning_ratio=1.5,
            chars=2960,
            known=items,
        ),
        same_family=False,
    )
    return dataclasses.replace(base, **changes)


def level(items: int, repeats: int, judges: int) -> DataLevel:
    """The level that this many items, repeats and judges carry."""
    if items == 1:
        return DataLevel.E0 if repeats == judges == 1 else DataLevel.E1
    bounds = ((2, DataLevel.E2), (5, DataLevel.E3), (29, DataLevel.E4))
    return next((name for most, name in bounds if items <= most), DataLevel.E5)


def compared(arms: list[ArmResult], items: int, separated: set[tuple[str, str]]) -> dict[str, Any]:
    """Arms with ranks, differences and pairs; `separated` names (better, worse)."""
    first = arms[0]
    pairs, out = [], []
    for place, one in enumerate(arms):
        for other in arms[place + 1 :]:
            gap = (one.mean or 0) - (other.mean or 0)
            pairs.append(
                PairResult(
                    first=one.arm.id,
                    second=other.arm.id,
                    difference=Estimate(
                        value=gap, n=items, low=gap - 0.9, high=gap + 0.9, kind="t"
                    ),
                    p_all_pairs=0.0004 if (one.arm.id, other.arm.id) in separated else 0.41,
                    shared=items,
                    separated=(one.arm.id, other.arm.id) in separated,
                )
            )
        better = sum((other.arm.id, one.arm.id) in separated for other in arms)
        worse = sum((one.arm.id, other.arm.id) in separated for other in arms)
        gap = (one.mean or 0) - (first.mean or 0)
        out.append(
            dataclasses.replace(
                one,
                difference=Estimate(value=gap, n=items, low=gap - 0.9, high=gap + 0.9, kind="t"),
                may_be_best=better == 0,
                rank_low=1 + better,
                rank_high=len(arms) - worse,
                observed_rank=_observed(one, arms),
                place_code=None,
            )
        )
    best = tuple(one.arm.id for one in out if one.may_be_best)
    return {
        "arms": tuple(out),
        "pairs": tuple(pairs),
        "best": best,
        "reference": first.arm.id,
        "detectable": Estimate(value=1.42, n=items),
        "detectable_pair": (arms[0].arm.id, arms[-1].arm.id),
        "items_needed": ((1.0, 17), (0.5, 64)),
    }


def _observed(one: ArmResult, arms: list[ArmResult]) -> ObservedRank:
    """By means as they are shown; every arm has all items."""
    mine, others = round(one.mean or 0, 2), [round(each.mean or 0, 2) for each in arms]
    return ObservedRank(value=1 + sum(o > mine for o in others), tied=others.count(mine) > 1)


def result(
    *,
    items: int = 5,
    names: tuple[str, ...] = NAMES,
    separated: set[tuple[str, str]] | None = None,
    judges: int = 1,
    **changes: Any,  # noqa: ANN401 - fields of several types
) -> Result:
    """A finished pass over `items` items, means falling from 8.5 on."""
    arms = [arm(name, items=items, mean=8.5 - 0.15 * i) for i, name in enumerate(names)]
    outputs = len(arms) * items
    base = Result(
        run_name="notice",
        use_case=UseCase(key="notice.draft", project="townhall", job="Draft a notice."),
        settings=Settings(
            max_tokens=16000, timeout_s=900, cli_cwd="empty", cache="off", fallback="off"
        ),
        declared=True,
        has_prompt=True,
        ambiguities=(Ambiguity(what="the date format is left open", undefined_fields=("date",)),),
        collected_at="2026-09-05",
        collector="collect 0.1",
        judging=facts(planned=outputs, answered=outputs),
        passes=(
            facts(planned=outputs, answered=outputs),
            facts(id="p-77c0", judge_name="beta/critic", complete=False, answered=3),
        ),
        counts=Counts(
            arms=len(arms),
            items=items,
            criteria=len(CRITERIA),
            judges=judges,
            repeats=1,
            outputs=outputs,
            outputs_blocked=0,
            requests_planned=outputs,
            requests_answered=outputs,
            judgments_scored=outputs,
            judgments_blocked=0,
            noise_cells=0 if outputs < 20 else 12,
            calls=outputs,
            calls_in_doubt=0,
        ),
        level=level(items, 1, judges),
        scale_low=1,
        scale_high=10,
        criteria=CRITERIA,
        arms=tuple(arms),
        reference=None,
        order_differs=False,
        pairs=(),
        best=refused("best", have=items),
        detectable=refused("detectable", have=items),
        items_needed=refused("items_needed", have=items),
        checks=JudgeChecks(
            marks=4 * outputs,
            modal_mark=8,
            modal_share=0.41,
            length_baseline=refused("length_baseline", have=items)
            if items < 5
            else Estimate(value=0.21, n=items),
            quotes=4 * outputs,
            quotes_found=4 * outputs - 1,
            marks_unsupported=1,
        ),
        money=Money(
            cost_usd=0.004 * outputs,
            price_source="judges.toml",
            prompt_tokens=2100 * outputs,
            completion_tokens=310 * outputs,
            reasoning_tokens=None,
            calls=outputs,
            requests_unreported=0,
        ),
        warnings=(),
        refusals=(
            refused("repeatability", code="too_few_repeats", need=2),
            refused("agreement", code="too_few_judges", have=judges, need=3),
        ),
        versions={"judgebench": "0.1.0", "numpy": "2.4.6"},
        reproducible=True,
        unknowns={},
        generated_from="d4" * 32,
    )
    extra = compared(arms, items, separated or set()) if items >= 3 else {}
    return dataclasses.replace(base, **{**extra, **changes})


def pairs(items: int = 8, names: tuple[str, ...] = NAMES[:4]) -> Result:
    """A pass of comparisons, the first arm shown above the last."""
    separated = {(names[0], names[-1])} if items >= 3 else set()
    whole = result(items=items, names=names, separated=separated)
    k = len(names)
    asked = items * k * (k - 1)
    judging = facts(mode="pairwise", planned=asked, answered=asked)
    arms = tuple(_share(one, 0.7 - 0.15 * at) for at, one in enumerate(whole.arms))
    many = items >= 6
    strengths = [
        Estimate(value=0.0, n=items)
        if at == 0
        else Estimate(
            value=-0.6 * at, n=items, low=-0.6 * at - 0.5, high=-0.6 * at + 0.4, kind="sandwich"
        )
        for at in range(k)
    ]
    first = Estimate(value=0.61, n=items, low=0.55, high=0.67, kind="t")
    found = Comparing(
        arms=tuple(
            ComparedArm(
                arm=one.arm.id,
                won=20 - 4 * at,
                tied=6,
                lost=10 + 4 * at,
                strength=strengths[at] if many else refused("bradley_terry", have=items, need=6),
                against_reference=Estimate(value=0.5, n=items, kind="reference")
                if at == 0
                else Estimate(value=0.4, n=items, low=0.25, high=0.55, kind="t")
                if items >= 3
                else refused("win_rate", have=items),
            )
            for at, one in enumerate(arms)
        ),
        comparisons=asked,
        tied=asked // 8,
        place_shift=0.0,
        first_share=first if items >= 3 else refused("first_share", have=items),
        order=Estimate(value=0.9, n=items, low=0.4, high=1.4, kind="sandwich")
        if many
        else refused("order", have=items, need=6),
        both_orders=asked // 2,
        turned_first=asked // 12,
        turned_second=asked // 24,
        loosened=asked // 16,
        again=12 if many else 0,
        again_changed=2 if many else 0,
        circular=Estimate(value=0.08, n=25)
        if many
        else refused("circular_share", have=4 * items, need=20),
        circular_expected=0.06 if many else None,
        meetings_fewest=2 * items,
        meetings_most=2 * items,
        unlinked=(),
    )
    return dataclasses.replace(
        whole,
        judging=judging,
        passes=(judging,),
        counts=dataclasses.replace(
            whole.counts, requests_planned=asked, requests_answered=asked, calls=asked
        ),
        scale_low=0.0,
        scale_high=1.0,
        arms=arms,
        comparing=found,
        detectable=Estimate(value=0.22, n=items) if items >= 3 else whole.detectable,
        items_needed=((0.2, 17), (0.1, 64)) if items >= 3 else whole.items_needed,
        checks=dataclasses.replace(
            whole.checks,
            modal_mark=refused("modal_mark", code="not_identified", have=0, need=1),
            modal_share=refused("modal_mark", code="not_identified", have=0, need=1),
        ),
        warnings=(flag("order_preference", 9, share=0.61),) if items >= 3 else (),
    )


def _share(one: ArmResult, won: float) -> ArmResult:
    """A row on the scale of shares won."""
    gap = one.difference
    if isinstance(gap, Estimate):
        value = won - 0.7
        gap = dataclasses.replace(gap, value=value, low=value - 0.21, high=value + 0.21)
    total = one.total
    if isinstance(total, Estimate):
        total = dataclasses.replace(total, value=won, low=won - 0.1, high=won + 0.12)
    criteria = tuple(
        dataclasses.replace(mark, mean=won + 0.1 * (place % 2))
        for place, mark in enumerate(one.criteria)
    )
    return dataclasses.replace(
        one,
        mean=won,
        median=won,
        total=total,
        difference=gap,
        criteria=criteria,
        worst_low=won,
        worst_high=won,
    )


def planted() -> Controls:
    """Controls of which a padded one and a near-empty one failed, and one is not decided."""
    undecided = refused("controls", code="nothing_scored", have=0, need=1)
    classes = (
        (ControlKind.NEAR_EMPTY, 2, 2, 1, Estimate(value=0.5, n=2, low=0.013, high=0.987)),
        (ControlKind.DAMAGED, 1, 1, 1, Estimate(value=1.0, n=1, low=0.025, high=1.0)),
        (ControlKind.DUPLICATE, 1, 0, 0, undecided),
    )
    return Controls(
        planted=4,
        decided=3,
        passed=2,
        rate=Estimate(value=2 / 3, n=3, low=0.094, high=0.992, kind="exact"),
        noise_sd=refused("repeatability", code="too_few_repeats", have=8, need=10),
        limit=None,
        classes=tuple(
            ControlClass(
                kind=kind, planted=count, decided=decided, passed=passed, rate=rate,
                failed=passed < decided,
            )
            for kind, count, decided, passed, rate in classes
        ),
        failures=(
            ControlCheck(
                key="5ab1e0" * 5, kind=ControlKind.NEAR_EMPTY, item="notice-3", source="meadow",
                total=7.25, source_total=6.5, verdict=Verdict.FAILED,
                why="the lowest third ends at 4.00",
            ),
        ),
        undecided=(("the repeatability limit is unknown", 1),),
    )  # fmt: skip


def all_blocked() -> Result:
    """Eight items, three arms, not one answer that can be judged."""
    arms = [blocked_arm(name) for name in NAMES[:3]]
    whole = result(items=8, names=NAMES[:3])
    return dataclasses.replace(
        whole,
        arms=tuple(arms),
        pairs=(),
        level=DataLevel.E0,
        reference=None,
        best=refused("best", code="nothing_scored", have=0),
        detectable=refused("detectable", code="nothing_scored", have=0),
        items_needed=refused("items_needed", code="nothing_scored", have=0),
        counts=dataclasses.replace(
            whole.counts,
            outputs_blocked=24,
            requests_planned=0,
            requests_answered=0,
            judgments_scored=0,
            noise_cells=0,
            calls=0,
        ),
        checks=dataclasses.replace(
            whole.checks,
            marks=0,
            modal_mark=refused("modal_mark", code="not_identified", have=0, need=1),
            modal_share=refused("modal_mark", code="not_identified", have=0, need=1),
            quotes=0,
            quotes_found=0,
        ),
        money=dataclasses.replace(whole.money, cost_usd=0.0, calls=0),
        warnings=(),
    )


def blocked_arm(name: str) -> ArmResult:
    """An arm whose eight answers are all blocked."""
    base = arm(name, items=8, mean=1)
    return dataclasses.replace(
        base,
        answered=0,
        answered_rate=Estimate(value=0.0, n=8, low=0.0, high=0.37, kind="exact"),
        blocked=(
            BlockedCount(
                reason="length", count=7, message="finish_reason length, 4,096 tokens of 4,096"
            ),
            BlockedCount(reason="provider_window", count=1, message="broke off at 307 s twice"),
        ),
        mean=None,
        total=refused("total", code="nothing_scored", have=0),
        median=None,
        criteria=(),
        gated_share=None,
        difference=refused("difference", code="nothing_scored", have=0),
        shared=0,
        place_code="nothing_scored",
        placed=False,
        worst_low=1.0,
        worst_high=10.0,
        quote=None,
        quote_criterion=None,
    )


def flag(code: str, rank: int, **given: str | float) -> Warning_:
    """A warning with its facts."""
    return Warning_(code=code, rank=rank, facts=dict(given))


def extended(whole: Result) -> Result:
    """The same with extended figures: some estimated, some refused."""
    names = [one.arm.id for one in whole.arms]
    criteria = tuple(name for name, _, _ in whole.criteria)
    noise = Estimate(value=0.41, n=12, low=0.31, high=0.62, kind="chi-square")
    found = Extended(
        rule="holm-t",
        max_t=refused("sign_flip", have=4, need=6),
        arms=tuple(
            ArmExtra(
                arm=name,
                median=Estimate(value=8.0 - at, n=8, low=7.5 - at, high=8.5 - at, kind="order"),
                least_squares=refused("least_squares_mean", have=2)
                if at
                else Estimate(value=8.1, n=8, low=7.9, high=8.3, kind="sandwich"),
            )
            for at, name in enumerate(names)
        ),
        pairs=tuple(
            PairExtra(
                first=one.first,
                second=one.second,
                p_holm=one.p_all_pairs,
                p_max_t=None,
                sign_flip=Estimate(value=0.4, n=8, kind="sign-flip", p=0.0625)
                if at
                else refused("sign_flip", have=4, need=6),
                worst_low=-0.5 if at % 2 else 0.4,
                worst_high=0.4,
            )
            for at, one in enumerate(whole.pairs)
        ),
        tiers=(tuple(names[:1]), tuple(names[1:])),
        criteria=tuple(
            CriterionExtra(
                criterion=criterion,
                reference=names[0],
                best=refused("best", have=2) if at else (names[0],),
                rows=tuple(_criterion_row(name, place) for place, name in enumerate(names)),
            )
            for at, criterion in enumerate(criteria[:2])
        ),
        repeats=(
            _repeat(None, noise),
            _repeat(criteria[0], noise),
            _repeat(criteria[1], refused("repeatability", code="too_few_repeats", have=4, need=10)),
        ),
        swap_share=Estimate(value=0.12, n=24, low=0.02, high=0.22, kind="t"),
        refusals=(refused("components", code="too_few_judges", have=1, need=2),),
    )
    return dataclasses.replace(whole, extended=found)


def strengths(model: str, names: tuple[str, ...] = NAMES) -> Strengths:
    """Strengths of all arms but the last, which stood beside no other."""
    lists = model == "plackett-luce"
    known = [
        Estimate(value=-0.5 * at, n=8, low=-0.5 * at - 1, high=1.0, kind="sandwich" if at else "")
        for at in range(len(names) - 1)
    ]
    nothing = refused("strength", code="nothing_scored", have=0, need=1)
    found: list[Estimate | Refusal] = [dataclasses.replace(known[0], low=None, high=None)]
    found += [*known[1:], nothing]
    return Strengths(
        model=model,
        reference=names[0],
        judged=8,
        items=8,
        arms=tuple(
            ArmStrength(arm=name, strength=one, equal_length=None if lists else one)
            for name, one in zip(names, found, strict=True)
        ),
        length=None if lists else Estimate(value=0.3, n=8, low=0.1, high=0.5, kind="sandwich"),
        unlinked=(),
    )


def unlinked_strengths(model: str, names: tuple[str, ...] = NAMES) -> Strengths:
    """None of all arms: the first is above the others everywhere."""
    made = strengths(model, names)
    which = "plackett_luce" if model == "plackett-luce" else "length_control"
    why = refused(which, code="disconnected", have=2, need=1)
    return dataclasses.replace(
        made,
        arms=tuple(
            dataclasses.replace(
                one, strength=why, equal_length=None if one.equal_length is None else why
            )
            for one in made.arms
        ),
        length=None if made.length is None else why,
        unlinked=(names[:1], names[1:]),
    )


def _criterion_row(arm: str, place: int) -> CriterionRow:
    gap = Estimate(value=-0.5 * place, n=8, low=-0.9 * place, high=0.1, kind="t-simultaneous")
    return CriterionRow(
        arm=arm,
        mean=Estimate(value=8.0 - place, n=8, low=7.0 - place, high=9.0 - place, kind="bounded"),
        difference=gap if place else Estimate(value=0.0, n=8, kind="reference"),
        p=0.03 * place if place else None,
        separated=None if not place else place > 2,
        may_be_best=place < 2,
        rank_low=1 + place // 2,
        rank_high=5,
    )


def _repeat(criterion: str | None, sd: Estimate | Refusal) -> RepeatExtra:
    known = isinstance(sd, Estimate)
    return RepeatExtra(
        criterion=criterion,
        sd=sd,
        limit=1.14 if known else None,
        exact_share=0.5 if known else None,
        floored=known and criterion is not None,
        modal_mark=None if criterion is None else 8.0,
        modal_share=None if criterion is None else 0.4,
    )


def contrast(
    item: str,
    *,
    kind: str = "structure",
    found: bool = True,
    names: tuple[str, ...] = NAMES[:2],
    trait: str = "gives numbered steps",
) -> Contrast:
    """The first arm against the others; with a quote that was not found where it is wanted."""

    def quote(name: str) -> SideQuote:
        return SideQuote(name=name, text=f"1. The {name} step", found=found)

    sides = (
        Side(amount="more", trait=trait, quotes=(quote(names[0]),)),
        Side(amount="less", trait="writes one block", quotes=tuple(map(quote, names[1:]))),
    )
    return Contrast(kind=kind, item=item, sides=sides)


def contrasts(
    *, names: tuple[str, ...] = NAMES[:2], trait: str = "gives numbered steps"
) -> Contrasts:
    """Structure on two of three items, tone without its quotes on the third."""
    first = contrast("i1", names=names, trait=trait)
    count = ContrastCount(
        kind="structure",
        items=2,
        arms=(
            ContrastArm(arm=names[0], more=2, less=0, different=0),
            *(ContrastArm(arm=name, more=0, less=2, different=0) for name in names[1:]),
        ),
        example=first,
    )
    return Contrasts(
        run_name="letters",
        pass_id="c-71f0",  # noqa: S106 - an id
        judge_name="acme/marker-2",
        judge_model="marker-2",
        route="live",
        recorded_at=None,
        prompt_version="contrast-1",
        seed=3,
        arms=names,
        planned=3,
        answered=3,
        blocked=0,
        left_out=0,
        not_drawn=0,
        unlike=2,
        counts=(count,),
        contrasts=(
            first,
            contrast("i2", names=names, trait=trait),
            contrast("i3", kind="tone", found=False, names=names),
        ),
        calls=3,
        cost_usd=0.02,
    )


def tradeoff(*, names: tuple[str, ...] = NAMES[:2]) -> Tradeoff:
    """Every arm may be best; the first takes least and stands in the set, the others off it."""
    return Tradeoff(
        arms=tuple(
            TradeoffArm(
                arm=name, level=-float(at), cost_usd=0.5 + at, wall_s=2.0 + at,
                beaten_by=names[0] if at else None, behind=float(at) if at else None, shown=False,
            )
            for at, name in enumerate(names)
        ),
        left_out=(),
        best=names,
        weighed=("cost", "time"),
        cost_unknown=(),
        time_unknown=(),
        pareto=names[:1],
    )  # fmt: skip
