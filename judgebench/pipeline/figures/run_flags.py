"""Warnings about a run and its outputs, and what is unknown of how it was made."""

from collections import Counter
from collections.abc import Mapping

from judgebench.model.audits import Audit, Find
from judgebench.model.deductions import Evidence
from judgebench.model.findings import JUDGE, Standing
from judgebench.model.nouns import Blinding, Refusal
from judgebench.model.result import Result
from judgebench.pipeline.figures.flagging import Facts, Flags
from judgebench.pipeline.figures.gather import ArmFacts
from judgebench.pipeline.setting.choices import Reading
from judgebench.pipeline.setting.facts import RunFacts
from judgebench.store.store import Store


def unknowns(store: Store, *, run: str) -> dict[str, int]:
    """Record fields that nobody measured, with the number of outputs."""
    return {name: count for name, count in store.rows("unknown_fields", run=run) if count}


def flag_counts(store: Store, *, run: str) -> dict[str, int]:
    """How many outputs carry each flag."""
    return dict(store.rows("flag_counts", run=run))


def passed_over(store: Store, *, run: str) -> tuple[str, ...]:
    """Keys of records that nobody reads, by name."""
    lines = [keys for (keys,) in store.rows("record_keys", run=run)]
    return tuple(sorted({key for line in lines for key in line.split(", ")}))


def missing_settings(facts: RunFacts, unknown: Mapping[str, int]) -> tuple[str, ...]:
    """What is unknown of budget, timeout and working folder: one is enough to spoil repeating."""
    settings = facts.settings
    wanted = [
        ("token budget", settings.max_tokens is None and unknown.get("max_tokens", 0) > 0),
        ("timeout", settings.timeout_s is None and unknown.get("timeout_s", 0) > 0),
    ]
    if any(arm.kind == "cli" for arm in facts.arms):
        folder = (settings.cli_cwd or "unknown") == "unknown"
        wanted.append(("working folder of CLI arms", folder))
    return tuple(name for name, missing in wanted if missing or not facts.declared)


def of_outputs(
    result: Result, arms: Mapping[str, ArmFacts], reading: Reading, store: Store
) -> Flags:
    """What is odd about the outputs, or about the projects."""
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


def _of_names(result: Result, counts: Facts) -> Flags:
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


def _of_projects(audit: Audit) -> Flags:
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


def of_marks(result: Result, store: Store) -> Flags:
    """What is odd about marks that were imported without a run."""
    ((off, given),) = store.rows("off_scale", pass_id=result.judging.id)
    if off and result.comparing is not None:
        yield 3, "off_scale", {"comparisons": off // 2, "of": given // 2}
    elif off:
        yield 3, "off_scale", {"marks": off, "of": given}


_COUNTED = (
    ("secret_masked", 14, "secret_masked"),
    ("cwd_unknown", 18, "cwd_unknown"),
    ("canary_warning", 19, "canary_warning"),
    ("style_mark", 20, "template_marks"),
)
"""Flags of outputs that are said with their number: flag, rank, code."""


def of_run(result: Result, facts: RunFacts, store: Store) -> Flags:
    """What is odd about the run itself."""
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
