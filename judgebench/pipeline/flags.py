"""Which warnings a result carries, with the facts that their sentences need.

The sentence of each code stands in `judgebench.reports.flags`; here is only when
it applies. A lower rank is more harmful and shown first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from judgebench.blind.names import are_kin
from judgebench.model import (
    ArmResult,
    Blinding,
    BlockedCount,
    Controls,
    Estimate,
    JudgeChecks,
    Refusal,
    Result,
    Warning_,
)
from judgebench.model.audits import Audit, Find
from judgebench.model.deductions import Evidence
from judgebench.model.findings import JUDGE, Standing
from judgebench.namesakes import apart
from judgebench.pipeline.choices import Reading
from judgebench.pipeline.facts import RunFacts
from judgebench.pipeline.gather import ArmFacts
from judgebench.store.store import Store

MODAL_LIMIT = 0.8
UNSUPPORTED_LIMIT = 0.1
LENGTH_LIMIT = 0.5
MEETINGS_SHARE = 0.8
HALF, ORDER_LIMIT, TURNED_LIMIT = 0.5, 0.05, 0.3

Facts = dict[str, str | int | float]


def unknowns(store: Store, *, run: str) -> dict[str, int]:
    """Record fields that nobody measured, with the number of outputs."""
    return {name: count for name, count in store.rows("unknown_fields", run=run) if count}


def flag_counts(store: Store, *, run: str) -> dict[str, int]:
    """How many outputs carry each flag."""
    return dict(store.rows("flag_counts", run=run))


def missing_settings(facts: RunFacts, unknown: Mapping[str, int]) -> tuple[str, ...]:
    """What is unknown of budget, timeout and working folder: one is enough to spoil repeating."""
    settings = facts.settings
    cli = any(arm.kind == "cli" for arm in facts.arms)
    found = (
        ("token budget", settings.max_tokens is None and unknown.get("max_tokens", 0) > 0),
        ("timeout", settings.timeout_s is None and unknown.get("timeout_s", 0) > 0),
        ("working folder of CLI arms", cli and (settings.cli_cwd or "unknown") == "unknown"),
    )
    names = [name for name, missing in found if missing or not facts.declared]
    return tuple(name for name in names if cli or name != "working folder of CLI arms")


def warnings(
    result: Result,
    *,
    facts: RunFacts,
    arms: Mapping[str, ArmFacts],
    reading: Reading,
    store: Store,
) -> tuple[Warning_, ...]:
    """All warnings of a result, most harmful first."""
    found = [
        *_of_state(result, store),
        *_of_blocked(result),
        *_of_failed_beside(result, store),
        *_of_judge(result),
        *_of_pairs(result),
        *_of_outputs(result, arms, reading, store),
        *(_of_marks(result, store) if facts.form == "marks" else _of_run(result, facts, store)),
    ]
    return tuple(
        Warning_(code=code, rank=rank, facts=values)
        for rank, code, values in sorted(found, key=lambda row: (row[0], row[1]))
    )


NAMED = 3


def _named(names: tuple[str, ...]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - NAMED
    short = apart(names, 16)
    shown = ", ".join(short[name] for name in names[:NAMED])
    return f"{shown} and {more} more" if more > 0 else shown


Found = Iterator[tuple[int, str, Facts]]


def _of_state(result: Result, store: Store) -> Found:
    counts = result.counts
    if counts.requests_answered < counts.requests_planned:
        yield 0, "unfinished", {
            "answered": counts.requests_answered, "planned": counts.requests_planned,
        }  # fmt: skip
    if result.not_asked:
        yield 12, "not_asked", {
            "items": len(result.not_asked), "names": _named(result.not_asked),
        }  # fmt: skip
    (superseded,) = store.rows("superseded", pass_id=result.judging.id)[0]
    if superseded:
        yield 40, "superseded", {"judgments": superseded}
    shown = {p.id for p in result.panel or (result.judging,)}
    others = [p for p in result.passes if p.id not in shown]
    unfinished = sum(not p.complete for p in others)
    if unfinished:
        yield 45, "passes_unfinished", {"passes": unfinished}
    if len(others) > unfinished:
        yield 60, "passes_unused", {"passes": len(others) - unfinished}
    if counts.calls_in_doubt:
        yield 35, "calls_in_doubt", {"calls": counts.calls_in_doubt}
    if result.money.requests_unreported:
        yield 55, "cost_unknown", {"requests": result.money.requests_unreported}


def _of_blocked(result: Result) -> Found:
    counts = result.counts
    blocked = _by_reason(arm.blocked for arm in result.arms)
    if blocked:
        yield 10, "blocked_share", {
            "blocked": counts.outputs_blocked,
            "planned": counts.outputs,
            "reason": blocked.most_common(1)[0][0],
        }  # fmt: skip
    failed = _by_reason(arm.judge_blocked for arm in result.arms)
    if failed:
        planned = counts.judgments_scored + counts.judgments_blocked
        yield 5, "judge_blocked", {
            "blocked": counts.judgments_blocked, "planned": planned,
            "reason": failed.most_common(1)[0][0],
        }  # fmt: skip
    reference = next((a for a in result.arms if a.arm.id == result.reference), None)
    held = [arm for arm in result.arms if arm.answered and not arm.placed and _lost(arm)]
    if held:
        yield 8, "half_blocked", {
            "arm": " and ".join(arm.arm.id for arm in held),
            "blocked": sum(_lost(arm) for arm in held),
            "planned": sum(arm.planned for arm in held),
            "whose": "their" if len(held) > 1 else "its",
        }  # fmt: skip
    for arm in result.arms:
        if reference and arm.answered and arm.placed and arm.shared < 0.5 * reference.answered:
            yield 9, "unequal_items", {
                "arm": arm.arm.id, "shared": arm.shared, "planned": reference.answered,
            }  # fmt: skip


def _by_reason(arms: Iterable[Sequence[BlockedCount]]) -> Counter[str]:
    """How often each reason stands, over all arms; of equals the first by name comes first."""
    found: Counter[str] = Counter()
    for one in sorted((one for arm in arms for one in arm), key=lambda one: one.reason):
        found[one.reason] += one.count
    return found


def _of_failed_beside(result: Result, store: Store) -> Found:
    """Controls and repeats whose requests the judge never answered: no arm lacks them."""
    found: dict[str, Counter[str]] = {}
    for one in result.panel or (result.judging,):
        for purpose, reason, count in store.rows("failed_beside", pass_id=one.id):
            found.setdefault(purpose, Counter())[reason] += count
    for purpose, reasons in sorted(found.items()):
        yield 5, f"{purpose}_failed", {
            "requests": reasons.total(), "reason": reasons.most_common(1)[0][0],
        }  # fmt: skip


def _lost(arm: ArmResult) -> int:
    """Answers without a fair result: blocked themselves, or at the judge."""
    return min(
        arm.planned - arm.answered,
        sum(b.count for b in arm.blocked) + sum(b.count for b in arm.judge_blocked),
    )


def _of_controls(result: Result) -> Found:
    failed = failed_controls(result.controls)
    if failed:
        yield 1, "controls_failed", failed


def failed_controls(found: Controls | None) -> Facts:
    """Kinds that a judge fails with their counts, and one failure; empty where it fails none."""
    failed = [one for one in found.classes if one.failed] if found else []
    if found is None or not failed:
        return {}
    kinds = {one.kind for one in failed}
    return {
        "kinds": ", ".join(f"{one.kind} {one.counts}" for one in failed),
        "key": next(one.key[:8] for one in found.failures if one.kind in kinds),
    }


def _of_judge(result: Result) -> Found:
    found = result.checks
    if found.wrong_model:
        yield 4, "wrong_model", {
            "asked": result.judging.judge_model,
            "answered": found.wrong_model,
        }  # fmt: skip
    yield from _of_modal(found)
    yield from _of_controls(result)
    if found.marks_unsupported > UNSUPPORTED_LIMIT * max(1, found.marks):
        yield 12, "unsupported_quotes", {"marks": found.marks_unsupported, "of": found.marks}
    yield from _of_family(result)
    if _drifted(found):
        yield 3, "drift", {"points": found.drift_points or 0.0, "answers": found.drift_cells}
    baseline = getattr(found.length_baseline, "value", None)
    if baseline is not None and abs(baseline) > LENGTH_LIMIT:
        yield 9, "length_baseline", {"rho": baseline, "way": "higher" if baseline > 0 else "lower"}
    if result.panel:
        yield from _of_panel(result)
    elif result.counts.judgments_scored and not result.judging.by_people:
        yield 50, "one_judge", {"judge": result.judging.judge_name}


def _of_modal(found: JudgeChecks) -> Found:
    """Judges who give one mark nearly always, each by name where there are several."""
    if found.modal_share is not None and found.modal_mark is not None:
        if found.modal_share == 1 and found.marks > 1:
            yield 1, "constant_judge", {"mark": found.modal_mark}
        elif found.modal_share > MODAL_LIMIT:
            yield 2, "modal_share", {"mark": found.modal_mark, "share": found.modal_share}
    for one in found.modal_marks:
        if one.share == 1 and one.marks > 1:
            yield 1, "constant_panelist", {"judge": one.judge, "mark": one.mark}
        elif one.share > MODAL_LIMIT:
            yield 2, "modal_panelist", {"judge": one.judge, "mark": one.mark, "share": one.share}


def _of_family(result: Result) -> Found:
    if result.checks.same_family:
        yield 6, "same_family", {
            "judge": judges_of_family(result), "arms": ", ".join(result.checks.same_family),
        }  # fmt: skip


def judges_of_family(result: Result) -> str:
    """The judges of a result that are of an arm's family."""
    panel = result.panel or (result.judging,)
    named = [
        one.judge_name
        for one in panel
        if any(are_kin(one.judge_model, row.arm.model, row.arm.provider) for row in result.arms)
    ]
    return " and ".join(named) or result.judging.judge_name


def _of_panel(result: Result) -> Found:
    """Where the judges of a panel go apart, and cells that lack one of them."""
    found = result.agreement
    if found is None:
        return
    for rater in found.raters:
        failed = failed_controls(rater.controls)
        if failed:
            yield 1, "controls_failed_by", {"judge": rater.name, **failed}
    if found.shared < found.cells:
        yield 5, "panel_partial", {"cells": found.cells - found.shared}
    wide = found.splits[0] if found.splits else None
    if wide is not None and wide.gap > found.near_points:
        far = sum(one.gap > found.near_points for one in found.splits)
        yield 6, "panel_split", {
            "cells": far, "arm": wide.arm, "item": wide.item, "gap": wide.gap,
        }  # fmt: skip


def _drifted(found: JudgeChecks) -> bool:
    """Whether old answers got other totals when they were judged again, chance set aside."""
    gap = found.drift
    if not isinstance(gap, Estimate) or gap.low is None or gap.high is None:
        return False
    return gap.low > 0 or gap.high < 0


def _of_pairs(result: Result) -> Found:
    found = result.comparing
    if found is None:
        return
    first = found.first_share
    if isinstance(first, Estimate) and abs(first.value - HALF) > ORDER_LIMIT:
        away = first.low is not None and first.high is not None
        if away and not (first.low or 0) <= HALF <= (first.high or 1):
            yield 9, "order_preference", {"share": first.value}
    if found.both_orders and found.turned > TURNED_LIMIT * found.both_orders:
        rank = 2 if found.turned > MODAL_LIMIT * found.both_orders else 8
        yield rank, "order_turned", {"turned": found.turned, "pairs": found.both_orders}
    if found.comparisons > 1 and found.tied == found.comparisons:
        yield 1, "all_ties", {"comparisons": found.comparisons}
    elif found.tied > MODAL_LIMIT * found.comparisons:
        yield 2, "modal_ties", {"share": found.tied / found.comparisons}
    if found.meetings_fewest < MEETINGS_SHARE * found.meetings_most:
        yield 8, "unequal_opponents", {
            "fewest": found.meetings_fewest, "most": found.meetings_most,
        }  # fmt: skip
    single = found.comparisons - 2 * found.both_orders
    if single and not result.judging.marks_only:
        yield 7, "one_order", {"pairs": single}


def _of_outputs(
    result: Result, arms: Mapping[str, ArmFacts], reading: Reading, store: Store
) -> Found:
    run = result.run_name
    suspects = {arm: facts.suspects for arm, facts in arms.items() if facts.suspects}
    if suspects and not reading.accept_cut:
        yield 7, "looks_cut", {"outputs": sum(suspects.values()), "arms": ", ".join(suspects)}
    hits = sum(facts.masked for facts in arms.values())
    if result.audit is not None:
        yield from _of_projects(result.audit)
    elif hits:
        ((outputs,),) = store.rows("masked_outputs", run=run)
        yield from _of_names(result, {"hits": hits, "outputs": outputs})
    if reading.empty_as_minimum:
        cells = len(store.columns("own_empty", run=run)["arm"])
        if cells:
            yield 14, "empty_as_minimum", {"cells": cells}


def _of_names(result: Result, counts: Facts) -> Found:
    """Names in answers: masked, or sent, and then what they change; strict blocks them."""
    without = result.without_flagged
    if result.judging.blinding == Blinding.MASK:
        yield 48, "identity_masked", counts
    elif result.judging.blinding == Blinding.STRICT:
        return
    elif without is None or without.same is None or isinstance(without.best, Refusal):
        yield 11, "identity_flagged", counts
    elif without.same:
        yield 11, "identity_flagged_same", counts
    else:
        arms = ", ".join(without.best) or "no arm"
        yield 5, "identity_flagged_other", {**counts, "arms": arms}


_FREE = (
    "finds_unsupported", "finds_not_absent", "claims_refuted", "finds_unverified",
    "claims_unverified",
)  # fmt: skip
"""Why a find costs nothing."""


def _check_of(find: Find) -> str:
    """What the check of a find came to, as the code of a warning; empty where it holds."""
    if find.standing is Standing.SUPPORTED:
        return ""
    if find.standing is Standing.UNVERIFIED:
        return "claims_unverified" if find.placed else "finds_unverified"
    if find.evidence is Evidence.ABSENT:
        return "finds_not_absent"
    return "claims_refuted" if find.placed else "finds_unsupported"


def _of_projects(audit: Audit) -> Found:
    finds = Counter[str]()
    for project in audit.projects:
        for find in (find for fault in project.faults for find in fault.finds):
            if find.by == JUDGE:
                finds[_check_of(find)] += len(find.judgings)
    for code in _FREE:
        if finds[code]:
            yield 15, code, {"finds": finds[code], "of": finds.total()}
    read = {one.arm: one.read for one in audit.projects if one.read is not None}
    partly = (one for one in audit.projects if not one.saw_all)
    least = min(partly, key=lambda one: one.seen, default=None)
    if least is not None:
        code = "not_all_seen" if least.tools else "not_all_shown"
        yield 12, code, {"arm": least.arm, "share": least.seen}
    unread = {arm: one.unread for arm, one in read.items() if one.unread}
    if unread:
        arm = max(unread, key=lambda arm: len(unread[arm]))
        parts = sum(map(len, unread.values()))
        yield 12, "not_all_read", {"arm": arm, "path": unread[arm][0], "parts": parts}
    keys = sum(len(one.secrets) for one in read.values())
    if keys:
        yield 21, "secrets_masked", {"lines": keys}
    visible = [one.identity_visible for one in read.values() if one.identity_visible]
    if visible:
        yield 22, "identity_visible", {"projects": len(visible), "hits": sum(visible)}


def _of_marks(result: Result, store: Store) -> Found:
    ((off, given),) = store.rows("off_scale", pass_id=result.judging.id)
    if off:
        yield 3, "off_scale", {"marks": off, "of": given}


_COUNTED = (
    ("secret_masked", 14, "secret_masked"),
    ("cwd_unknown", 18, "cwd_unknown"),
    ("canary_warning", 19, "canary_warning"),
    ("style_mark", 20, "template_marks"),
)
"""Flags of outputs that are said with their number: flag, rank, code."""


def _of_run(result: Result, facts: RunFacts, store: Store) -> Found:
    run = result.run_name
    missing = missing_settings(facts, result.unknowns)
    if not facts.declared:
        yield 17, "undeclared", {}
    elif missing:
        yield 16, "not_reproducible", {"what": ", ".join(missing)}
    if not facts.has_prompt:
        yield 6, "no_prompt", {}
    seen = flag_counts(store, run=run)
    if seen.get("almost_no_content"):
        names = [arm for (arm,) in store.rows("almost_empty_arms", run=run)]
        yield 13, "almost_no_content", {
            "outputs": seen["almost_no_content"], "arms": ", ".join(names),
        }  # fmt: skip
    for flag, rank, code in _COUNTED:
        if seen.get(flag):
            yield rank, code, {"outputs": seen[flag]}
    limits = sorted(name.split(":")[1] for name in seen if name.startswith("not_settable:"))
    if limits:
        names = [arm for (arm,) in store.rows("not_settable_arms", run=run)]
        yield 30, "not_settable", {"arms": ", ".join(names), "what": " and ".join(limits)}
    fields = [field for a in facts.ambiguities for field in a.undefined_fields]
    if fields:
        yield 42, "ambiguity", {"fields": _span(fields)}


def _span(fields: list[str]) -> str:
    shown = 4
    if len(fields) <= shown:
        return ", ".join(fields)
    return f"{fields[0]} to {fields[-1]}" if fields[0][:1] == fields[-1][:1] else ", ".join(fields)
