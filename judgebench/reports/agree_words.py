"""The sentences of an agreement: does the answer hold, what turned, what cannot be said.

Plain text, safe to show, unbroken: a renderer wraps and escapes. The rule behind
HOLDS, MOSTLY and DOES NOT HOLD is in docs/agreement.md.
"""

import shlex
from math import comb

from judgebench.model.agreement import Agreement, Holding, Reversal, Split
from judgebench.model.nouns import Estimate, Mode, Refusal
from judgebench.model.passes import PassFacts
from judgebench.model.reasons import RefusalCode
from judgebench.reports import controls, refusals, wording
from judgebench.reports.agree_names import arm, digits, judge, many_word, one_word, places, rater
from judgebench.reports.digits import listed, plain, plural, points, signed
from judgebench.reports.naming import among
from judgebench.text import one_line, printable

WORDS = {
    Holding.HOLDS: "HOLDS",
    Holding.MOSTLY: "MOSTLY",
    Holding.DOES_NOT_HOLD: "DOES NOT HOLD",
    Holding.NOTHING_SHOWN: "NOTHING TO HOLD",
}
ALPHA_ITEMS = 20
BOTH = 2
"""Raters of which one says "both"."""


def unknown() -> Refusal:
    """Why nothing is said of single raters where people are places in a file."""
    code = RefusalCode.RATERS_NOT_IDENTIFIED.value
    return Refusal(statistic="holds", code=code, have=0, need=1)


def headline(found: Agreement) -> str:
    """What is compared."""
    parts = [
        one_line(found.run_name, 30),
        plural(len(found.arms), "arm"),
        plural(found.items, "item"),
        f"rubric {one_line(found.rubric_name, 20)}",
    ]
    if len(found.raters) > 1:
        parts.append(f"marked by all: {found.shared:,} of {plural(found.cells, 'cell')}")
    return " · ".join(parts)


def route(facts: PassFacts, found: Agreement) -> str:
    """How a pass was answered, and its id."""
    if found.persons and facts.by_people:
        what = "a place in the file" if places(found) else "one of the people"
        return f"{what} of pass {one_line(facts.id, 12)[:6]}"
    words = {"replay": "replay", "marks": "imported marks", "people": "people, imported"}
    how = words.get(facts.route, "judged here")
    when = f" recorded {one_line(facts.recorded_at, 10)}" if facts.recorded_at else ""
    return f"pass {one_line(facts.id, 12)[:6]}, {one_line(facts.mode, 12)}, {how}{when}"


def answer(found: Agreement) -> str:
    """Whether the answer holds, by rule, or why that is not said."""
    if isinstance(found.verdict, Refusal):
        return _refused(found, found.verdict)
    word, many = WORDS[found.verdict], len(found.raters)
    all_of = _all_of(found)
    if found.verdict is Holding.HOLDS:
        same = "the same arm" if len(found.common) == 1 else "the same arms"
        text = f"by {all_of} {same} may be best, and no separated pair is reversed."
    elif found.verdict is Holding.MOSTLY:
        text = f"{_common(found, all_of)}, but the sets differ; no separated pair is reversed."
    elif found.verdict is Holding.NOTHING_SHOWN:
        none_of = (
            f"neither {one_word(found)}"
            if many == BOTH
            else f"none of the {many} {many_word(found)}"
        )
        text = f"{none_of} shows any arm better than another."
    else:
        text = _broken(found)
    return f"{word}: {text}"


def _all_of(found: Agreement) -> str:
    """All raters in a sentence."""
    many = len(found.raters)
    return f"both {many_word(found)}" if many == BOTH else f"all {many} {many_word(found)}"


def _common(found: Agreement, all_of: str) -> str:
    """The arms of all sets; an arm that some never marked is open for these, and no more."""
    named = listed([arm(one, found) for one in found.common])
    there = [sum(one not in rater.unjudged for rater in found.raters) for one in found.common]
    if min(there) == len(found.raters):
        return f"{named} may be best by {all_of}"
    it = "it" if len(found.common) == 1 else "each of them"
    who = "who" if found.persons else "that"
    return f"{named} may be best by all {many_word(found)} {who} marked {it}"


def _broken(found: Agreement) -> str:
    parts = []
    if not found.common:
        parts.append(f"no arm may be best by all of these {many_word(found)}")
    if found.reversals:
        pairs = "a separated pair is" if len(found.reversals) == 1 else "separated pairs are"
        parts.append(f"{pairs} reversed: {reversed_pairs(found)}")
    return "; ".join(parts) + "."


def _refused(found: Agreement, refusal: Refusal) -> str:
    if len(found.raters) < BOTH:
        facts = found.raters[0].facts
        if facts.by_people:
            return "One person alone: whether another one would mark alike is not known."
        other = "rater" if facts.marks_only else "judge"
        return f"One pass alone: whether its answer holds with another {other} is not known."
    first = f"Whether the answer holds is not said: {refusals.why(refusal)}."
    if found.projects:
        return f"{first} {NO_RANKS}"
    if not found.pairs_compared:
        return first
    where = "this item" if found.items == 1 else f"these {found.items} items"
    if found.shared < found.cells:
        where = f"the {plural(found.shared, 'answer')} that all of them marked"
    return f"{first} On {where} {_ordered(found)}, by totals."


def _ordered(found: Agreement) -> str:
    """How many pairs of arms are ordered alike, as a sentence says it."""
    turned, every = found.pairs_turned, found.pairs_compared
    # Raters with gaps, or who tie a pair, leave it out of the count.
    which = "" if every == comb(len(found.arms), 2) else " compared"
    if every == 1:
        return f"the one pair of arms{which} is {'not ' if turned else ''}ordered alike"
    if not turned:
        return f"all {every:,} pairs of arms{which} are ordered alike"
    are = "is" if turned == 1 else "are"
    return f"{turned:,} of {every:,} pairs of arms{which} {are} not ordered alike"


def one_judge(found: Agreement) -> str:
    """That several passes of one judge are no second opinion."""
    if found.judges > 1 or len(found.raters) < BOTH:
        return ""
    return (
        f"One judge in {len(found.raters)} passes: this says how it repeats itself, "
        "not that judges agree."
    )


def run_word(run: str) -> str:
    """A run as it can be typed, safe to show."""
    return shlex.quote(printable(run))


def failing(found: Agreement, run: str) -> list[tuple[str, str]]:
    """Each judge that fails a kind of planted control, and the command that shows a failure."""
    lines: list[tuple[str, str]] = []
    for one in found.raters:
        failed = controls.failed_kinds(one.controls) if one.controls else []
        if one.controls and failed:
            kinds = {row.kind for row in one.controls.classes if row.failed}
            key = next(check.key[:8] for check in one.controls.failures if check.kind in kinds)
            said = f"fails planted controls: {listed(failed, most=2)}:"
            command = f"judge show {run_word(run)} {key}"
            lines.append((f"! the judge {rater(one, found)} {said}", command))
    return lines


NO_RANKS = "Totals and tiers are of these projects, one an arm from one brief: they rank no arms."


def turned(found: Agreement) -> str:
    """How many pairs of arms are ordered otherwise, and which separated ones."""
    if found.projects:
        return NO_RANKS
    text = f"arm pairs not ordered alike: {found.pairs_turned} of {found.pairs_compared}"
    if not found.pairs_compared:
        text = f"arm pairs marked by {_all_of(found)} and ordered by any: none"
        if not found.shared:
            text = "no answer has a total by all of them, so no order is compared"
    if isinstance(found.verdict, Refusal):
        return text
    return f"{text} · separated and reversed: {len(found.reversals) or 'none'}"


def basis(found: Agreement) -> str:
    """What the rows compare, where passes scored an answer more than once; else empty."""
    several = [one.facts.repeats for one in found.raters]
    if len(several) < BOTH or max(several) == 1 or any(one.facts.by_people for one in found.raters):
        return ""
    rarely = ", seldom equal to one" if len(set(several)) > 1 else ""
    return f"total, --split: means of all scorings{rarely}; else first marks"


def alpha_scale(found: Agreement) -> str:
    """By which differences alpha counts: those of ranks, or of points."""
    metric = one_line(found.alpha_metric, 20)
    if metric == "interval":
        return "interval"
    return f"{metric} on criteria, interval on totals"


def reversed_pairs(found: Agreement, *, most: int = 2) -> str:
    """The pairs that are reversed, with the gap of each pass."""
    shown = [reversal(one, found) for one in found.reversals[:most]]
    more = len(found.reversals) - most
    return "; ".join(shown) + (f" and {more} more" if more > 0 else "")


def reversal(one: Reversal, found: Agreement) -> str:
    """One pair with its gaps; a star marks a pass that separates it."""
    gaps = ", ".join(
        signed(gap, digits(found)) + ("*" if apart else "")
        for gap, apart in zip(one.gaps, one.separated, strict=True)
    )
    return f"{arm(one.first, found)} − {arm(one.second, found)} {gaps}"


def marks_alone(found: Agreement) -> bool:
    """Whether there is no text to read: marks were brought in without their answers."""
    return all(one.facts.marks_only for one in found.raters)


def split_head(found: Agreement) -> str:
    """How many cells have marks that differ, how many of them far, and what stands below."""
    unit = "point" if found.near_points == 1 else "points"
    far = f"{found.cells_far:,} by more than {plain(found.near_points)} {unit}"
    read = "" if marks_alone(found) else "; read both"
    return (
        f"Marks differ on {plural(found.cells_split, 'cell')}, {far}. "
        f"The widest gaps on a criterion{read}:"
    )


def split(one: Split, found: Agreement) -> str:
    """One cell that the raters split on, without the command that shows it."""
    marks = listed([points(mark, 1) for mark in one.marks], most=len(one.marks))
    item = among(one.item, (other.item for other in found.splits), 24)
    criterion = among(one.criterion, (row.criterion for row in found.rows), 20)
    return f"{arm(one.arm, found)} {item}: {criterion} {marks}"


def show_command(one: Split, run: str, facts: PassFacts) -> str:
    """The command that shows what one pass said of a cell."""
    where = f"{shlex.quote(printable(run))} --pass {one_line(facts.id, 12)}"
    return wording.show_cell(where, one.arm, one.item)


def refused(found: Agreement) -> list[tuple[str, str]]:
    """What is not printed of the default view, and why: name and reason, each once."""
    named: dict[tuple[str, str], str] = {}
    for row in found.rows:
        for name, one in (("agreement", row.near), ("alpha", row.alpha)):
            if isinstance(one, Refusal):
                named.setdefault((name, refusals.why(one)), row.head)
    out = [(name, why) for name, why in named]
    alphas = [row.alpha for row in found.rows if isinstance(row.alpha, Estimate)]
    if alphas and all(one.low is None for one in alphas):
        have = found.items if found.clusters is None else found.clusters.count
        unit = "items" if found.clusters is None else "clusters of items"
        told = f", have {have}" if have < ALPHA_ITEMS else " that two raters marked, has fewer"
        few = any(one.no_interval == RefusalCode.TOO_FEW_ITEMS.value for one in alphas)
        needs = f"needs ≥ {ALPHA_ITEMS} {unit}{told}"
        why = needs if few else "perfect, or decided by a single item"
        out.append(("interval of alpha", why))
    return out


def why_not(found: Agreement, other: PassFacts) -> str:
    """Why a pass of the run is not compared with the first one here."""
    base = found.raters[0].facts
    if other.mode == Mode.PAIRWISE:
        return "compares pairs, gives no marks"
    if other.by_people != base.by_people:
        return "marks of people" if other.by_people else "marks of a judge"
    if other.ask_sha256 != base.ask_sha256:
        return "asked by another rubric"
    return "left out" if other.complete else "unfinished"


def not_compared(found: Agreement) -> str:
    """The passes that cannot be compared, each with its reason; empty where there are none."""
    named = [
        f"{judge(one.judge_name, found)} {one_line(one.id, 12)[:6]} ({why})"
        for one in found.others
        if (why := why_not(found, one)) != "left out"
    ]
    return f"Not compared: {listed(named, most=3)}" if named else ""


def clustered(found: Agreement) -> str:
    """Which figures allow for clusters of items, and that the others do not."""
    return wording.as_independent(
        found.clusters, " (not the sets of best, alpha's interval and the shift)"
    )


def next_step(found: Agreement, run: str, typed: str = "") -> str:
    """One command that helps most from here; empty where there is none.

    Args:
        found: What is known of the passes.
        run: The run as the user typed it.
        typed: Options of this command as they were typed: another view is of the same.
    """
    name = shlex.quote(one_line(run, 60))
    same = f"{name} {typed}".strip()
    if found.judges < BOTH:
        facts = found.raters[0].facts
        if facts.marks_only:
            # A run of marks has no answers to judge again.
            people = any(one.by_people for one in found.others)
            return f"judge agree {name} --pass people  (the people among themselves)" * people
        cost = plural(facts.planned, "request")
        repeats = f" --repeats {facts.repeats}" if facts.repeats > 1 else ""
        return f"judge rejudge {name} --judge PROVIDER/MODEL{repeats}  ({cost} to another judge)"
    if found.splits:
        what = "cells whose marks differ" if marks_alone(found) else "cells to read"
        return f"judge agree {same} --split  ({what}; costs nothing)"
    return f"judge agree {same} --extended  (costs nothing)"
