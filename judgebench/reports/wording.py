"""The sentences of a report: what was measured, what it says, what to do next.

Plain text, safe to show, unbroken: a renderer wraps and escapes. The rules of
wording are in docs/statistics.md: *best* only where the set of possible best has
one member, and what is not separated is never called equal.
"""

import math
import shlex
from collections.abc import Sequence

from judgebench.model.checked import ArmCheck
from judgebench.model.collected import Settings
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.passes import DataLevel, PassFacts
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import ArmResult, BlockedCount, Result
from judgebench.namesakes import among, apart
from judgebench.reports import audits, controls, refusals
from judgebench.reports.digits import decimals, listed, plural, points
from judgebench.text import one_line, printable

NEAR_NORMAL_FROM = 30
"""Items from which simulated power is what was said, whatever the differences look like."""

MARKS_ONLY = "marks only: outputs were not checked"
CLI_FOLDER = "folder of CLI arms"

_LINE = 80
"""Columns of the usual terminal."""
_FEW_SHARED = (
    "The arms share at most one scored item so far: no arm is shown better than another; "
    "that needs at least 3 shared items."
)
ONE_ITEM_PAIRS = (
    "These are verdicts on one answer per arm to one prompt. "
    "They do not say which arm is better on other prompts."
)
ONE_ITEM = (
    "These are marks for one answer per arm to one prompt. "
    "They do not say which arm is better on other prompts."
)


def arm_ids(result: Result) -> tuple[str, ...]:
    """The arms of a result, in the order of its table."""
    return tuple(arm.arm.id for arm in result.arms)


def short(arm: str, result: Result) -> str:
    """An arm's name, short enough for a sentence and unlike that of any other arm."""
    return among(arm, arm_ids(result), 24)


def scored(result: Result) -> list[ArmResult]:
    """The arms that have marks, in the order of the table."""
    return [arm for arm in result.arms if arm.answered]


def no_totals(result: Result) -> Refusal | None:
    """Why criteria stand alone, where people marked some but no answer on all of them."""
    return next((one for one in result.refusals if one.statistic == "totals"), None)


def has_rows(result: Result) -> bool:
    """Whether there is any mark to show."""
    return bool(scored(result)) or no_totals(result) is not None


def marked(result: Result, arm: ArmResult) -> int:
    """Answers of an arm with a total, or with any mark where there are no totals."""
    if no_totals(result) is None:
        return arm.answered
    return max((one.n for one in arm.criteria), default=0)


def headline(result: Result) -> tuple[str, ...]:
    """What was measured: counts, what came of them, judge, fairness settings."""
    counts = result.counts
    raters = (plural(counts.judges, "judge"), _judged_how(result))
    if result.judging.by_people:
        raters = ("people", f"up to {plural(counts.repeats, 'mark')} each")
    size = " · ".join(
        (
            one_line(result.run_name, 40),
            plural(counts.arms, "arm"),
            plural(counts.items, "item"),
            plural(counts.criteria, "criterion", "criteria")
            if counts.criteria
            else "overall marks",
            *raters,
        )
    )
    if result.audit is not None:
        size = " · ".join(
            (
                plural(counts.criteria, "criterion", "criteria"),
                plural(counts.judges, "judge"),
                f"{plural(counts.repeats, 'judging')} each",
                outcome(result),
            )
        )
        return (audits.first_line(result), size, *who_judged(result), fairness(result))
    if result.judging.marks_only:
        return (MARKS_ONLY, size, outcome(result), *who_judged(result))
    first = [size, outcome(result)]
    if is_unfinished(result):
        # Before all else: who reads one line must not take it for the result.
        first.reverse()
    return (*first, *who_judged(result), fairness(result))


def is_unfinished(result: Result) -> bool:
    """Whether requests of the pass have no answer yet."""
    return result.counts.requests_answered < result.counts.requests_planned


def _judged_how(result: Result) -> str:
    repeats = result.counts.repeats
    several = list(dict.fromkeys(one.repeats for one in result.panel))
    if len(several) > 1:
        return f"{listed([f'{one:,}' for one in several])} scorings"
    if result.comparing is None or result.judging.marks_only:
        return plural(repeats, "scoring") + " each"
    return "pairs in both orders" + (f", {repeats:,} times" if repeats > 1 else "")


def outcome(result: Result) -> str:
    """How many of the planned answers were scored, blocked, or are still open."""
    counts = result.counts
    done = sum(marked(result, arm) for arm in result.arms)
    did = "marked" if no_totals(result) else "scored" if result.comparing is None else "compared"
    what = "answer" if result.audit is None else "project"
    parts = [f"{did} {done:,} of {plural(counts.outputs, what)}"]
    if is_unfinished(result):
        state = f"requests {counts.requests_answered:,} of {counts.requests_planned:,}"
        parts.insert(0, f"UNFINISHED: {state}")
    if not result.judging.marks_only:
        parts.append(f"blocked {counts.outputs_blocked:,}")
    if counts.outputs_not_asked:
        parts.append(f"not asked {counts.outputs_not_asked:,}")
    if counts.judgments_blocked:
        parts.append(f"judgments blocked {counts.judgments_blocked:,}")
    if result.judging.first_items:
        parts.append(f"first {plural(result.judging.first_items, 'item')} only")
    if counts.noise_cells:
        parts.append(f"{plural(counts.noise_cells, 'cell')} judged twice")
    return " · ".join(parts)


def who_judged(result: Result) -> tuple[str, ...]:
    """The judge or panel, the rubric, and the controls beside them or on a line of their own."""
    *lines, last = _who(result)
    planted = controls.short(result)
    beside = f"{last} · {planted}"
    if planted:
        lines += [beside] if len(beside) <= _LINE else [last, planted]
    else:
        lines.append(last)
    # Never at the end of a line: an order by such a judge is worth little.
    failing = controls.failing(result)
    return (failing, *lines) if failing else tuple(lines)


def _who(result: Result) -> tuple[str, ...]:
    """The judge or panel and the rubric; a replay says so, with judge and date."""
    facts = result.judging
    rubric = (
        f"rubric {one_line(facts.rubric_name, 24)} {one_line(facts.rubric_version, 12)}".rstrip()
    )
    if result.panel:
        judges = listed([one_line(one.judge_name, 28) for one in result.panel])
        lines = [f"panel of judges {judges} · {rubric}"]
        replays = [replay(one) for one in result.panel if one.route == "replay"]
        return (*lines, *replays)
    if facts.route == "replay":
        return (f"{replay(facts)} · {rubric}",)
    if facts.marks_only:
        who = "people" if facts.by_people else one_line(facts.judge_name, 40)
        return (f"marks of {who}, imported",)
    return (f"judge {judge_words(facts)} · {rubric}",)


def judge_words(facts: PassFacts) -> str:
    """The judge's name, with the model where the name does not tell it."""
    name, model = one_line(facts.judge_name, 32), one_line(facts.judge_model, 32)
    return name if model in name else f"{name} ({model})"


def replay(facts: PassFacts) -> str:
    """That this is a replay, of whom and from when."""
    when = one_line(facts.recorded_at or "", 32)[:10] or "an unknown date"
    return f"replay of judge {one_line(facts.judge_name, 32)} recorded on {when}"


def fairness(result: Result) -> str:
    """Token budget, timeout and folder of CLI arms; what is unknown and what follows."""
    settings, unknown = result.settings, unknown_settings(result)
    parts = []
    if settings.max_tokens is not None:
        parts.append(f"budget {settings.max_tokens:,} tokens")
    if settings.timeout_s is not None:
        parts.append(f"timeout {settings.timeout_s:g} s")
    if CLI_FOLDER not in unknown:
        parts.append(_folder(result))
    if not is_reproducible(result):
        parts.append(_not_reproducible(result, unknown))
    return " · ".join(parts)


def _not_reproducible(result: Result, unknown: list[str]) -> str:
    """The mark with what is unknown: settings of the run, else fields of its records."""
    fields = [one_line(name, 20) for name, count in sorted(result.unknowns.items()) if count]
    what = ", ".join(unknown) or listed(fields)
    return f"not reproducible: {what} unknown" if what else "not reproducible"


def is_reproducible(result: Result) -> bool:
    """Whether all that the fairness settings need is known."""
    return result.reproducible and not unknown_settings(result)


def unknown_settings(result: Result) -> list[str]:
    """The fairness settings that are not on record."""
    settings = result.settings
    return [
        word
        for word, missing in (
            ("token budget", settings.max_tokens is None),
            ("timeout", settings.timeout_s is None),
            (CLI_FOLDER, _has_cli(result) and _folder_unknown(settings)),
        )
        if missing
    ]


def _has_cli(result: Result) -> bool:
    return any(arm.arm.kind == "cli" for arm in result.arms)


def _folder_unknown(settings: Settings) -> bool:
    return settings.cli_cwd not in {"empty", "repo"}


def folder_words(result: Result) -> str:
    """Where CLI arms worked, for the list of fairness settings."""
    if not _has_cli(result):
        return "no CLI arms"
    if _folder_unknown(result.settings):
        return "unknown"
    if result.settings.cli_cwd != "empty":
        return "not empty"
    if result.unknowns.get("cwd"):
        return "empty (not on record for all)"
    return f"empty{but_for(result.arms)}"


def but_for(arms: Sequence[ArmResult] | Sequence[ArmCheck]) -> str:
    """The answers whose folder was not empty after all, behind the word empty."""
    found = sum(b.count for arm in arms for b in arm.blocked if b.reason == "contaminated")
    return f" but for {plural(found, 'blocked answer')}" if found else ""


def _folder(result: Result) -> str:
    if not _has_cli(result):
        return "no CLI arms"
    if result.settings.cli_cwd == "repo":
        return "CLI arms in a folder that was not empty"
    if result.unknowns.get("cwd"):
        return "CLI arms in an empty folder (not on record for all)"
    found = but_for(result.arms)
    return f"CLI folder empty{found}" if found else "CLI arms in an empty folder"


def answer(result: Result) -> str:
    """The one thing that these data can say."""
    with_marks = scored(result)
    if (refused := no_totals(result)) is not None:
        named = listed([*apart((name for name, _, _ in result.criteria), 24).values()])
        why = refusals.why(refused)
        return f"Marks on {named} alone: no total and no order is printed; {why}."
    if not with_marks:
        return _nothing(result)
    if len(with_marks) == 1:
        name, items = short(with_marks[0].arm.id, result), plural(with_marks[0].answered, "item")
        return f"Only {name} has marks, on {items}: there is nothing to compare it with."
    if result.level <= DataLevel.E1:
        return one_item(result) if result.counts.items <= 1 else _FEW_SHARED
    if result.level == DataLevel.E2:
        return "2 shared items: no arm is shown better than another; that needs at least 3."
    notes = [_comparison(result), unplaced_note(result), order_note(result)]
    return " ".join(filter(None, notes))


def one_item(result: Result) -> str:
    """What one item can say."""
    if result.audit is not None:
        return audits.ONE_EACH
    return ONE_ITEM if result.comparing is None else ONE_ITEM_PAIRS


def unplaced(result: Result) -> list[str]:
    """Arms with marks whose place blocked or suspected answers could change."""
    return [short(arm.arm.id, result) for arm in scored(result) if not arm.placed]


def unplaced_note(result: Result) -> str:
    """Which arms stand as ``?``."""
    names = unplaced(result)
    return f"Not placed: {listed(names)}." if names else ""


def order_note(result: Result) -> str:
    """Why the rows do not stand in the order of their means, where they do not."""
    if not result.order_differs:
        return ""
    return "Rows stand by paired difference: raw means are over unequal items."


def _nothing(result: Result) -> str:
    counts = result.counts
    if counts.outputs and counts.outputs_blocked >= counts.outputs:
        reasons = reasons_of([one for arm in result.arms for one in arm.blocked])
        return (
            f"No fair result: all {plural(counts.outputs, 'answer')} are blocked ({reasons}). "
            "No arm is compared."
        )
    if counts.judgments_blocked:
        reasons = reasons_of([one for arm in result.arms for one in arm.judge_blocked])
        return f"No mark was obtained from the judge ({reasons}). No arm is compared."
    if result.comparing is not None and not counts.requests_planned:
        return "No item has two answers that may be judged: nothing is compared."
    return "Nothing has been judged yet."


def reasons_of(blocked: list[BlockedCount]) -> str:
    """Reasons with their counts, the most frequent first."""
    counts: dict[str, int] = {}
    for one in blocked:
        counts[one.reason] = counts.get(one.reason, 0) + one.count
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count:,} {one_line(reason, 24)}" for reason, count in ordered)


def _comparison(result: Result) -> str:
    wins = _wins(result)
    winners = (arm.arm.id for arm in result.arms if wins.get(arm.arm.id))
    leader = _sole_best(result) or next(winners, None)
    if leader is None:
        return _nothing_separated(result)
    judges = result.counts.judges
    by = "this judge" if judges == 1 else f"these {judges} judges"
    if result.judging.by_people:
        by = "these people"
    claim = _claim(result, leader, wins.get(leader, []))
    did = "scored" if result.comparing is None else "compared"
    level = "all comparisons together" if result.comparing is None else "over all arms"
    first = f"On prompts like these, as {did} by {by}, {claim} (95 %, {level})."
    if leader == _sole_best(result):
        return first
    return " ".join(filter(None, [first, _not_separated(result, leader)]))


def _sole_best(result: Result) -> str | None:
    """The one arm that may be best, where every arm is placed."""
    if isinstance(result.best, Refusal) or len(result.best) != 1:
        return None
    # Blocked or suspected answers of an arm that is not placed could still make it best.
    if not all(arm.placed and arm.answered for arm in result.arms):
        return None
    return result.best[0]


def _wins(result: Result) -> dict[str, list[str]]:
    """Arm → the arms that it is shown to score above, both in the order of the table."""
    above: dict[str, set[str]] = {}
    placed = {arm.arm.id for arm in result.arms if arm.placed}
    for pair in result.pairs:
        if not pair.separated or not isinstance(pair.difference, Estimate):
            continue
        # Blocked or suspected answers could undo it: no claim on an arm that is not placed.
        if pair.first not in placed or pair.second not in placed:
            continue
        high, low = pair.first, pair.second
        if pair.difference.value < 0:
            high, low = low, high
        above.setdefault(high, set()).add(low)
    order = [arm.arm.id for arm in result.arms]
    return {high: [arm for arm in order if arm in lows] for high, lows in above.items()}


def _claim(result: Result, leader: str, losers: list[str]) -> str:
    name, arms = short(leader, result), len(result.arms)
    if leader == _sole_best(result):
        return f"{name} is the best of these {arms} arms"
    above = "scores above" if result.comparing is None else "wins more often than"
    open_arms = len(unplaced(result))
    if len(losers) == arms - 1 - open_arms and arms - open_arms > 2:  # noqa: PLR2004 - a pair
        return f"{name} {above} every other {'placed ' if open_arms else ''}arm"
    if len(losers) > 3:  # noqa: PLR2004 - more names than a sentence holds
        return f"{name} {above} {len(losers)} of {arms - 1} other arms"
    return f"{name} {above} {listed([short(one, result) for one in losers])}"


def _not_separated(result: Result, leader: str) -> str:
    order = [arm.arm.id for arm in result.arms]
    others = {
        pair.second if pair.first == leader else pair.first
        for pair in result.pairs
        if pair.separated is False and leader in {pair.first, pair.second}
    }
    placed = {arm.arm.id for arm in result.arms if arm.placed}
    names = [short(one, result) for one in order if one in others & placed]
    if not names:
        return ""
    if len(names) == 1:
        return f"{short(leader, result)} and {names[0]} are not separated."
    return f"{short(leader, result)} is not separated from {listed(names)}."


def _nothing_separated(result: Result) -> str:
    items = max(arm.answered for arm in result.arms)
    first = f"{plural(items, 'item')}: no arm is shown better than another."
    gap = result.detectable
    if isinstance(gap, Refusal) and gap.code == RefusalCode.BEYOND_SCALE:
        return f"{first} No gap on this scale would be found reliably."
    if not isinstance(gap, Estimate) or not math.isfinite(gap.value):
        return first
    below = points(gap.value, decimals(result.scale_low, result.scale_high))
    unit = "points" if result.comparing is None else "in the share won"
    return (
        f"{first} A true gap below {below} {unit} would usually be missed (by the measured spread)."
    )


def power_note(found: Estimate, comparisons: int) -> str:
    """What few items leave open of a detectable gap; empty where it does not matter."""
    if found.n >= NEAR_NORMAL_FROM:
        return ""
    from judgebench.stats.planning import power_range  # noqa: PLC0415 - most pages need no statistics

    low, high = power_range(found.n, comparisons=comparisons)
    return (
        f"{found.n} items tell the spread only roughly, so it may really be {100 * low:.0f} to "
        f"{100 * high:.0f} % (nine runs in ten, differences near normal)."
    )


def run_word(result: Result, run: str) -> str:
    """The run as it can be typed, safe to show."""
    return shlex.quote(printable(run) if run else one_line(result.run_name, 60))
