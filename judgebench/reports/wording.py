"""What a report begins with: what was measured and scored, who judged, under what rubric.

Plain text, safe to show, unbroken: a renderer wraps and escapes.
"""

import shlex

from judgebench.model.clusters import Clusters
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.passes import PassFacts, shown_first
from judgebench.model.result import ArmResult, Result
from judgebench.reports import audits, controls
from judgebench.reports.digits import listed, plural
from judgebench.reports.fairness import fairness
from judgebench.reports.naming import among
from judgebench.text import one_line, printable

MARKS_ONLY = "marks only: outputs were not checked"

_LINE = 80
BOUND = (
    "a worst-case bound from the ends of the scale, meant to hold however marks are spread over "
    "it, so with few items it is much wider than one that trusts the marks that were given"
)
"""What an interval of the kind ``bounded`` is."""
SCALE_TAKEN = (
    "The scale was taken from the marks, so its true ends are not known: worst cases of blocked "
    "answers, and intervals of a mean that rest on the ends, are not printed; name the scale at "
    "the import (--scale LOW-HIGH)."
)
"""Columns of the usual terminal."""


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
    rate = arm.answered_rate
    return round(rate.value * arm.planned) if isinstance(rate, Estimate) else 0


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
            _items(result),
            _criteria(result) if counts.criteria else "overall marks",
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
        return (_marks_only(result), size, outcome(result), *who_judged(result))
    first = [size, outcome(result)]
    if is_unfinished(result):
        # Before all else: who reads one line must not take it for the result.
        first.reverse()
    return (*first, *who_judged(result), fairness(result))


def _marks_only(result: Result) -> str:
    if not result.scale_taken:
        return MARKS_ONLY
    ends = f"{result.scale_low:.15g} to {result.scale_high:.15g}"
    return f"{MARKS_ONLY}; scale {ends} taken from the marks"


def _items(result: Result) -> str:
    """How many items there are, and in how many clusters they come where they do."""
    items = plural(result.counts.items, "item")
    found = result.clusters
    return items if found is None else f"{items} in {plural(found.count, 'cluster')}"


def unit(result: Result) -> str:
    """What the independent units are called."""
    return "item" if result.clusters is None else "cluster"


PEOPLE_ALONE = " (not differences by people alone)"
"""Which figures of people's marks do allow for clusters."""


def as_independent(found: Clusters | None, but: str = "") -> str:
    """That figures do not allow for clusters of items; empty where there are none.

    Args:
        found: The clusters.
        but: What does, as the end of the sentence.
    """
    if found is None:
        return ""
    return (
        f"{plural(found.items, 'item')} in {plural(found.count, 'cluster')}: these figures take "
        f"items as independent{but}, so intervals may be too narrow."
    )


def _criteria(result: Result) -> str:
    """How many criteria there are, and how many of them have a mark where not all do."""
    every = plural(result.counts.criteria, "criterion", "criteria")
    marked = {
        one.criterion for arm in result.arms for one in arm.criteria if one.n
    }  # fmt: skip
    return f"{len(marked)} of {every} marked" if 0 < len(marked) < result.counts.criteria else every


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
    if counts.judgments_blocked and result.comparing is not None:
        # Each blocks a judgment of both of its answers.
        parts.append(f"comparisons blocked {counts.judgments_blocked // 2:,}")
    elif counts.judgments_blocked:
        parts.append(f"judgments blocked {counts.judgments_blocked:,}")
    if never := sum(arm.never_given or 0 for arm in result.arms):
        parts.append(f"never given {never:,}")
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
        comparing, order = result.comparing, ""
        if comparing is not None and comparing.order_unknown:
            part = "" if comparing.place_shift is None else " in part"
            order = f" · who was shown first is{part} unknown"
        return (f"marks of {who}, imported{order}",)
    return (f"judge {judge_words(facts)} · {rubric}",)


def judge_words(facts: PassFacts) -> str:
    """The judge's name, with the model where the name does not tell it."""
    name, model = one_line(facts.judge_name, 32), one_line(facts.judge_model, 32)
    return name if model in name else f"{name} ({model})"


def replay(facts: PassFacts) -> str:
    """That this is a replay, of whom and from when."""
    when = one_line(facts.recorded_at or "", 32)[:10] or "an unknown date"
    return f"replay of judge {one_line(facts.judge_name, 32)} recorded on {when}"


def run_word(result: Result, run: str) -> str:
    """The run as it can be typed, safe to show."""
    return shlex.quote(printable(run) if run else one_line(result.run_name, 60))


def unless_first(result: Result) -> str:
    """The pass, where a command that names none would read another one."""
    passes = result.passes
    if not passes or result.panel or shown_first(passes).id == result.judging.id:
        return ""
    return f" --pass {shlex.quote(one_line(result.judging.id, 60))}"


def rested_on(result: Result) -> str:
    """Items that a comparison rests on: of two arms those that both have, at most."""
    answered = max(arm.answered for arm in result.arms)
    shared = max((pair.shared for pair in result.pairs), default=answered)
    if result.clusters is None and 0 < shared < answered:
        return f"{shared:,} shared {'item' if shared == 1 else 'items'}"
    clusters = result.clusters
    by = "" if clusters is None else f" in {plural(clusters.count, 'cluster')}"
    return f"{plural(answered, 'item')}{by}"


def show_answer(result: Result, arm: str, item: str, run: str) -> str:
    """The command that shows one answer as the pass that is shown judged it."""
    return show_cell(run_word(result, run) + unless_first(result), arm, item)


def show_cell(where: str, arm: str, item: str) -> str:
    """The command that shows one answer: of a run, with its pass, as these are typed."""
    cell = [shlex.quote(printable(word)) for word in (arm, item)]
    # A name that begins with a dash is no option.
    dashes = "-- " if any(word.startswith("-") for word in cell) else ""
    return f"judge show {where} {dashes}{' '.join(cell)}"


def other_judges(result: Result) -> int:
    """How many other judges were asked the same of this run, to the end, and are not shown."""
    if result.panel:
        return 0
    mine = result.judging
    return len(
        {
            one.judge_sha256
            for one in result.passes
            if one.complete
            and (one.mode, one.ask_sha256, one.by_people)
            == (mine.mode, mine.ask_sha256, mine.by_people)
        }
        - {mine.judge_sha256}
    )


def agreeing(result: Result, run: str) -> str:
    """The command that holds the other judges against this one; empty where none does.

    Args:
        result: What is shown.
        run: The run as the user typed it; its name where that is not known.
    """
    mine = result.judging
    # Verdicts on pairs are no marks: their passes are not held together.
    if mine.mode == "pairwise" or not other_judges(result):
        return ""
    usual = shown_first(
        [one for one in result.passes if one.mode != "pairwise"]
    ).ask_sha256 == mine.ask_sha256  # fmt: skip
    which = "" if usual else f" --pass {shlex.quote(one_line(mine.id, 60))}"
    return f"judge agree {run_word(result, run)}{which}"


def has_bound(result: Result) -> bool:
    """Whether the interval of any arm by itself is a worst-case bound."""
    return any(
        isinstance(arm.total, Estimate) and arm.total.kind == "bounded" for arm in result.arms
    )


def has_differences(result: Result) -> bool:
    """Whether two arms are compared by a difference: the reference has one to itself."""
    others = (arm.difference for arm in result.arms if arm.arm.id != result.reference)
    found = (*others, *(pair.difference for pair in result.pairs))
    strong = any(pair.strength is not None for pair in result.pairs)
    return strong or any(isinstance(one, Estimate) for one in found)
