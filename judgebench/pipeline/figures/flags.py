"""Which warnings a result carries, with the facts that their sentences need.

The sentence of each code stands in `judgebench.reports.flags`; here is only when
it applies. A lower rank is more harmful and shown first.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from judgebench.model.lacking import lacking
from judgebench.model.nouns import Estimate
from judgebench.model.result import ArmResult, BlockedCount, Result, Warning_
from judgebench.namesakes import apart
from judgebench.pipeline.figures.by_raters import Within
from judgebench.pipeline.figures.flagging import Flags
from judgebench.pipeline.figures.gather import ArmFacts
from judgebench.pipeline.figures.judge_flags import of_judge, of_pairs
from judgebench.pipeline.figures.run_flags import of_marks, of_outputs, of_run
from judgebench.pipeline.setting.choices import Reading
from judgebench.pipeline.setting.facts import MARKS, RunFacts
from judgebench.store.store import Store

NAMED = 3
"""Names that stand in a sentence."""
FEW_CLUSTERS = 5
"""Up to so many clusters of items the report warns of them."""


def warnings(
    result: Result,
    *,
    facts: RunFacts,
    arms: Mapping[str, ArmFacts],
    reading: Reading,
    store: Store,
    within: Within | None = None,
    scale_helps: bool = False,
) -> tuple[Warning_, ...]:
    """All warnings, most harmful first; `scale_helps` where naming it might place an arm."""
    found = [
        *_of_state(result, store),
        *_of_raters(within),
        *_of_blocked(result, within, scale_helps=scale_helps),
        *_of_failed_beside(result, store),
        *of_judge(result),
        *of_pairs(result),
        *of_outputs(result, arms, reading, store),
        *(of_marks(result, store) if facts.form == MARKS else of_run(result, facts, store)),
    ]
    return tuple(
        Warning_(code=code, rank=rank, facts=values)
        for rank, code, values in sorted(found, key=lambda row: (row[0], row[1]))
    )


def _named(names: tuple[str, ...]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - NAMED
    short = apart(names, 16)
    shown = ", ".join(short[name] for name in names[:NAMED])
    return f"{shown} and {more} more" if more > 0 else shown


def _has_interval(result: Result) -> bool:
    """Whether any figure of arms has an interval: what is refused rests on nothing."""
    found = [
        *(pair.difference for pair in result.pairs),
        *(arm.total for arm in result.arms),
        *([result.comparing.first_share] if result.comparing else []),
    ]
    return any(isinstance(one, Estimate) and one.low is not None for one in found)


def _of_state(result: Result, store: Store) -> Flags:
    counts = result.counts
    if counts.requests_answered < counts.requests_planned:
        yield 0, "unfinished", {
            "answered": counts.requests_answered, "planned": counts.requests_planned,
        }  # fmt: skip
    if result.not_asked:
        yield 12, "not_asked", {
            "items": len(result.not_asked), "names": _named(result.not_asked),
        }  # fmt: skip
    found = result.clusters if _has_interval(result) else None
    if found is not None and found.count <= FEW_CLUSTERS:
        yield 9, "few_clusters", {"items": found.items, "clusters": found.count}
    elif found is not None and 2 * found.largest > found.items:
        yield 9, "lopsided_clusters", {"items": found.items, "largest": found.largest}
    (superseded,) = store.rows("superseded", pass_id=result.judging.id)[0]
    if superseded:
        yield 40, "superseded", {"judgments": superseded}
    shown = {p.id for p in result.panel or (result.judging,)}
    others = [p for p in result.passes if p.id not in shown]
    # A plan that was exported and has no answer yet hides nothing from this table.
    unfinished = sum(not p.complete and p.answered > 0 for p in others)
    if unfinished:
        yield 45, "passes_unfinished", {"passes": unfinished}
    if whole := sum(p.complete for p in others):
        yield 60, "passes_unused", {"passes": whole}
    if counts.calls_in_doubt:
        yield 35, "calls_in_doubt", {"calls": counts.calls_in_doubt}
    if result.money.requests_unreported:
        yield 55, "cost_unknown", {"requests": result.money.requests_unreported}


def _of_raters(within: Within | None) -> Flags:
    if within is not None:
        yield 2, "raters_differ", {"marks": within.left_out, "of": within.given}


def _of_blocked(result: Result, within: Within | None, *, scale_helps: bool) -> Flags:
    counts = result.counts
    blocked = _by_reason(arm.blocked for arm in result.arms)
    if blocked:
        yield 10, "blocked_share", {
            "blocked": counts.outputs_blocked,
            "planned": counts.outputs,
            "reasons": _in_words(blocked),
        }  # fmt: skip
    failed = _by_reason(arm.judge_blocked for arm in result.arms)
    if failed:
        planned = counts.judgments_scored + counts.judgments_blocked
        # A comparison blocks a judgment of each of its two answers: it is counted once.
        each = 1 if result.comparing is None else 2
        noun = "planned" if result.comparing is None else "comparisons"
        # No judge was asked for marks that were given elsewhere.
        yield 5, "file_unmarked" if result.judging.marks_only else "judge_blocked", {
            "blocked": counts.judgments_blocked // each, noun: planned // each,
            "reasons": _in_words(Counter({why: n // each for why, n in failed.items()})),
        }  # fmt: skip
    reference = next((a for a in result.arms if a.arm.id == result.reference), None)
    held = [
        arm
        for arm in result.arms
        if arm.answered and not arm.placed and (arm.lost or arm.never_given)
    ]
    if held:
        yield 8, "half_blocked", {
            "arm": " and ".join(arm.arm.id for arm in held),
            "blocked": sum(arm.lost for arm in held),
            "never_given": sum(arm.never_given or 0 for arm in held),
            "planned": sum(arm.planned for arm in held),
            "remedy": (_NAME_IT if scale_helps else "") + _remedy(result, held),
        }  # fmt: skip
    # The items are there where nobody marked both arms: that is said once for all of them.
    for arm in result.arms if within is None else ():
        if reference and arm.answered and arm.placed and arm.shared < 0.5 * reference.answered:
            yield 9, "unequal_items", {
                "arm": arm.arm.id, "shared": arm.shared, "planned": reference.answered,
            }  # fmt: skip


_NAME_IT = "import with --scale LOW-HIGH, or "
"""What may place arms whose answers without a total could lie beyond all marks there are."""


def _remedy(result: Result, held: Sequence[ArmResult]) -> str:
    """How answers without a fair result are had."""
    found = lacking(result, held)
    whose = "the" if found.comparisons else "their" if len(held) > 1 else "its"
    what = f"{whose} {found.blocked}"
    if result.judging.marks_only:
        had = "not every judge had" if result.panel else "this judge never had"
        items = f"{whose} answers to {'the ' if found.alike else ''}{found.items}, which {had}"
        left = (what if found.blocked else "", items if found.items else "")
        return f"mark {' and '.join(filter(None, left))}"
    if not any(arm.judge_blocked for arm in held):
        return f"collect {what} again"
    if not any(arm.blocked for arm in held):
        return f"judge {what} again (--retry-blocked)"
    return f"collect or judge {what} again"


def _by_reason(arms: Iterable[Sequence[BlockedCount]]) -> Counter[str]:
    """How often each reason stands, over all arms; of equals the first by name comes first."""
    found: Counter[str] = Counter()
    for one in sorted((one for arm in arms for one in arm), key=lambda one: one.reason):
        found[one.reason] += one.count
    return found


def _of_failed_beside(result: Result, store: Store) -> Flags:
    """Controls and repeats whose requests the judge never answered: no arm lacks them."""
    found: dict[str, Counter[str]] = {}
    for one in result.panel or (result.judging,):
        for purpose, reason, count in store.rows("failed_beside", pass_id=one.id):
            found.setdefault(purpose, Counter())[reason] += count
    for purpose, reasons in sorted(found.items()):
        yield 5, f"{purpose}_failed", {
            "requests": reasons.total(), "reasons": _in_words(reasons),
        }  # fmt: skip


def _in_words(reasons: Counter[str]) -> str:
    """Reasons with their counts, the most frequent first, and how often the rest stands."""
    # A reason that is no more frequent than the next is not called the most frequent.
    first = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    rest = sum(count for _, count in first[NAMED:])
    shown = [f"{count:,} {reason}" for reason, count in first[:NAMED]]
    return ", ".join([*shown, *([f"{rest:,} other"] if rest else [])])
