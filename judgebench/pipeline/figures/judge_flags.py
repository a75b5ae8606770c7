"""Warnings about judges: their marks, controls, quotes, family, drift, order; panels."""

from judgebench.blind.names import are_kin, model_name
from judgebench.model.comparing import Comparing
from judgebench.model.controls import Controls
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.passes import DataLevel
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import JudgeChecks, Result
from judgebench.pipeline.figures.flagging import Facts, Flags

MODAL_LIMIT = 0.8
LEAST_MODAL = 10
"""Marks from which a share of them is a habit; that all are the same is said of two."""
UNSUPPORTED_LIMIT = 0.1
LENGTH_LIMIT = 0.5
MEETINGS_SHARE = 0.8
LEAST_AGREEING = 6
"""Items that all agree from which a coin is ruled out, two-sided at 5 %."""
_ONE_ORDER = RefusalCode.NOT_IDENTIFIED.value
HALF, ORDER_LIMIT, TURNED_LIMIT = 0.5, 0.05, 0.3


def of_judge(result: Result) -> Flags:
    """What is odd about the judge, or about the judges of a panel."""
    checks = result.checks
    if checks.wrong_model:
        yield 4, "wrong_model", {
            "asked": result.judging.judge_model,
            "answered": checks.wrong_model,
        }  # fmt: skip
    yield from _of_modal(checks)
    yield from _of_controls(result)
    if checks.marks_unsupported is not None and checks.marks_unsupported > UNSUPPORTED_LIMIT * max(
        1, checks.marks
    ):
        yield 12, "unsupported_quotes", {"marks": checks.marks_unsupported, "of": checks.marks}
    yield from _of_family(result)
    if _drifted(checks):
        yield 3, "drift", {"points": checks.drift_points or 0.0, "answers": checks.drift_cells}
    baseline = getattr(checks.length_baseline, "value", None)
    if baseline is not None and abs(baseline) > LENGTH_LIMIT:
        yield 9, "length_baseline", {"rho": baseline, "way": "higher" if baseline > 0 else "lower"}
    if result.panel:
        yield from _of_panel(result)
    elif result.counts.judgments_scored and not result.judging.by_people:
        # Marks of two items have no interval.
        alone = result.level <= DataLevel.E2
        yield 50, "one_judge_marks" if alone else "one_judge", {"judge": result.judging.judge_name}


def _of_modal(checks: JudgeChecks) -> Flags:
    """Judges who give one mark nearly always, each by name where there are several."""
    if not isinstance(checks.modal_share, Refusal) and not isinstance(checks.modal_mark, Refusal):
        if checks.modal_share == 1 and checks.marks > 1:
            yield 1, "constant_judge", {"mark": checks.modal_mark}
        elif checks.modal_share > MODAL_LIMIT and checks.marks >= LEAST_MODAL:
            yield 2, "modal_share", {"mark": checks.modal_mark, "share": checks.modal_share}
    for one in checks.modal_marks:
        if one.share == 1 and one.marks > 1:
            yield 1, "constant_panelist", {"judge": one.judge, "mark": one.mark}
        elif one.share > MODAL_LIMIT and one.marks >= LEAST_MODAL:
            yield 2, "modal_panelist", {"judge": one.judge, "mark": one.mark, "share": one.share}


def _of_family(result: Result) -> Flags:
    if result.checks.same_family:
        yield 6, "same_family", {
            "judge": _judges_of_family(result), "arms": ", ".join(result.checks.same_family),
        }  # fmt: skip


def _judges_of_family(result: Result) -> str:
    """The judges of a result that are of an arm's family."""
    panel = result.panel or (result.judging,)
    alone = result.judging.marks_only
    arms = [(model_name(row.arm, alone=alone), row.arm.provider) for row in result.arms]
    named = [one.judge_name for one in panel if any(are_kin(one.judge_model, *arm) for arm in arms)]
    return " and ".join(named) or result.judging.judge_name


def _of_panel(result: Result) -> Flags:
    """Where the judges of a panel go apart, and cells that lack one of them."""
    agreement = result.agreement
    if agreement is None:
        return
    for rater in agreement.raters:
        failed = _failed_controls(rater.controls)
        if failed:
            yield 1, "controls_failed_by", {"judge": rater.name, **failed}
    if agreement.shared < agreement.cells:
        yield 5, "panel_partial", {"cells": agreement.cells - agreement.shared}
    wide = agreement.splits[0] if agreement.splits else None
    if wide is not None and wide.gap > agreement.near_points:
        yield 6, "panel_split", {
            "cells": agreement.cells_far, "near": agreement.near_points,
            "arm": wide.arm, "item": wide.item, "gap": wide.gap,
        }  # fmt: skip


def _drifted(checks: JudgeChecks) -> bool:
    """Whether old answers got other totals when they were judged again, chance set aside."""
    gap = checks.drift
    if not isinstance(gap, Estimate) or gap.low is None or gap.high is None:
        return False
    return gap.low > 0 or gap.high < 0


def of_pairs(result: Result) -> Flags:
    """What is odd about comparisons of two answers."""
    comparing = result.comparing
    if comparing is None:
        return
    if comparing.comparisons:
        yield from _of_places(result, comparing)
    if comparing.both_orders and comparing.turned > TURNED_LIMIT * comparing.both_orders:
        rank = 2 if comparing.turned > MODAL_LIMIT * comparing.both_orders else 8
        yield rank, "order_turned", {"turned": comparing.turned, "pairs": comparing.both_orders}
    if comparing.comparisons > 1 and comparing.tied == comparing.comparisons:
        yield 1, "all_ties", {"comparisons": comparing.comparisons}
    elif comparing.tied > MODAL_LIMIT * comparing.comparisons:
        yield 2, "modal_ties", {"share": comparing.tied / comparing.comparisons}
    if comparing.never_met:
        yield 1, "never_met", {"groups": len(comparing.never_met)}
    elif comparing.meetings_fewest < MEETINGS_SHARE * comparing.meetings_most:
        fitted = any(isinstance(arm.strength, Estimate) for arm in comparing.arms)
        yield 8, "unequal_opponents" if fitted else "unequal_opponents_alone", {
            "fewest": comparing.meetings_fewest, "most": comparing.meetings_most,
        }  # fmt: skip


def _of_places(result: Result, comparing: Comparing) -> Flags:
    """What the place of an answer may have to do with its verdicts."""
    shift = comparing.place_shift
    first = comparing.first_share
    if comparing.order_unknown:
        yield 2, "order_unknown" if shift is None else "order_unknown_in_part", {}
        if shift is not None and shift > ORDER_LIMIT:
            yield 2, "order_uneven", {"points": shift}
        return
    if shift is None:
        return
    single = comparing.comparisons - 2 * comparing.both_orders
    if shift > ORDER_LIMIT and isinstance(first, Refusal) and first.code == _ONE_ORDER:
        yield 1, "order_fixed", {}
    elif shift > ORDER_LIMIT:
        yield 2, "order_uneven", {"points": shift}
    elif single and not result.judging.marks_only:
        yield 7, "one_order", {"pairs": single}
    if isinstance(first, Estimate) and abs(first.value - HALF) > ORDER_LIMIT and _sways(first):
        # Of arms that stood first unequally often, the share is of their worth too.
        fitted = isinstance(comparing.order, Estimate) and _leaves(comparing.order, 0.0)
        if fitted or not shift:
            yield 9, "order_preference", {"share": first.value}


def _sways(first: Estimate) -> bool:
    """Whether the share won by the first is shown to be another than half."""
    if first.low is None:
        # All items agree, as a fair coin does once in 2^(N−1).
        return first.value in {0.0, 1.0} and first.n >= LEAST_AGREEING
    return _leaves(first, HALF)


def _leaves(found: Estimate, null: float) -> bool:
    if found.low is None or found.high is None:
        return False
    return not found.low <= null <= found.high


def _of_controls(result: Result) -> Flags:
    failed = _failed_controls(result.controls)
    if failed:
        yield 1, "controls_failed", failed


def _failed_controls(controls: Controls | None) -> Facts:
    """Kinds that a judge fails with their counts, and one failure; empty where it fails none."""
    failed = [one for one in controls.classes if one.failed] if controls else []
    if controls is None or not failed:
        return {}
    kinds = {one.kind for one in failed}
    return {
        "kinds": ", ".join(f"{one.kind} {one.counts}" for one in failed),
        "key": next(one.key[:8] for one in controls.failures if one.kind in kinds),
    }
