"""Sections on how the arms stand: totals, criteria, comparisons, differences, which may be best."""

from collections.abc import Sequence
from math import comb, isclose

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import PairResult, Result
from judgebench.reports import audits, claims, comparing, refusals, tables, wording
from judgebench.reports.blocks import (
    Block,
    Paragraph,
    Section,
    Table,
    bullets,
    interval,
    p_words,
    paragraph,
    section,
    signed_estimate,
)
from judgebench.reports.digits import DASH, decimals, plural, points, share
from judgebench.reports.power_notes import power_note, ties_note


def totals(result: Result) -> Section | None:
    """Mean total of each arm, or the share that it won."""
    if not tables.scored(result) or audits.is_one_brief(result):
        return None
    if result.comparing is not None:
        return _shares(result)
    digits = decimals(result.scale_low, result.scale_high)
    held = any(arm.gated_share for arm in result.arms)
    heads = (
        "arm",
        "mean (n)",
        "interval (95 %)",
        "median",
        "gate or cap fired",
        *(["mean without gates and caps"] if held else []),
        "tier",
        "if all blocked were lowest",
        "if all blocked were highest",
    )
    rows = [
        (
            arm.arm.id,
            tables.row_of(result, arm).total,
            interval(arm.total, lambda one: points(one, digits)) or DASH,
            points(arm.median, digits),
            share(arm.gated_share),
            *([points(arm.uncapped, digits)] if held else []),
            audits.arm_tier(result, arm),
            points(arm.worst_low, digits),
            points(arm.worst_high, digits),
        )
        for arm in result.arms
    ]
    scale = (
        f"Scale {result.scale_low:g} to {result.scale_high:g}; n is the number of items with a "
        "total. The last two columns are the worst cases: every blocked answer at one end of the "
        "scale."
    )
    if result.scale_taken:
        scale += f" {wording.SCALE_TAKEN}"
    parts = (Paragraph(scale), paragraph(_own(result)), Table(heads, rows))
    return section("totals", "Total per arm", *parts)


def _own(result: Result) -> str:
    """What the interval of one arm by itself is, and is not for; empty where there is none."""
    if not any(isinstance(arm.total, Estimate) for arm in result.arms):
        return ""
    like = "items" if result.clusters is None else "clusters of items"
    said = (
        f"The interval is of that arm by itself, over all {like} like these: it holds how much "
        "easy and hard items differ. Compare arms by their differences, never by whether these "
        "overlap."
    )
    return f"{said} Bounded: {wording.BOUND}." if wording.has_bound(result) else said


def _shares(result: Result) -> Section | None:
    heads = ("arm", "won (n)", "interval (95 %)", "median")
    rows = [
        (
            arm.arm.id,
            f"{share(arm.mean)} ({arm.answered:,})",
            interval(arm.total, share) or DASH,
            share(arm.median),
        )
        for arm in result.arms
    ]
    note = (
        "Share of an item's comparisons that the arm won, a tie as half; n is the number of items. "
        "It is a share against these arms: with other arms beside it, it would be another."
    )
    return section("totals", "Share won per arm", Paragraph(note), Table(heads, rows))


def comparisons(result: Result) -> Section | None:
    """What comparisons of two arms alone can tell: won, tied and lost, strengths."""
    found = comparing.bullets(result)
    if not found:
        return None
    heads = ("arm", "won", "tied", "lost", "strength (95 %)", f"won against {result.reference}")
    by = "item" if result.clusters is None else "the clusters of items"
    place = isinstance(result.comparing and result.comparing.order, Estimate)
    terms = f"Davidson's ties{' and a term for the first place' if place else ''}"
    note = (
        f"Strengths are Bradley–Terry with {terms}, log "
        f"scale, against the reference arm; errors are clustered by {by}. A verdict of a "
        "comparison is decided by code from the criteria's verdicts and weights."
    )
    return section(
        "comparisons",
        "Comparisons",
        Paragraph(note),
        Table(heads, comparing.rows(result)),
        Paragraph(turned) if (turned := comparing.order_note(result)) else None,
        bullets(found),
    )


def is_total(result: Result) -> bool:
    """Whether a table of the only criterion would repeat the totals."""
    return len(result.criteria) == 1 and all(
        one.mean is None or (arm.mean is not None and isclose(one.mean, arm.mean, abs_tol=1e-9))
        for arm in result.arms
        for one in arm.criteria
    )


def criteria(result: Result) -> Section | None:
    """Mean mark of each arm on each criterion."""
    if not tables.has_rows(result) or not result.criteria or audits.is_one_brief(result):
        return None
    heads = ["arm", *(f"{name} (weight {weight:g})" for name, _, weight in result.criteria)]
    rows = []
    for arm in result.arms:
        counts = {one.criterion: one.n for one in arm.criteria}
        cells = [
            f"{mark} ({counts.get(name, 0):,})" if mark != DASH else DASH
            for mark, (name, _, _) in zip(
                tables.criteria(result, arm), result.criteria, strict=True
            )
        ]
        rows.append([arm.arm.id, *cells])
    if is_total(result):
        name = result.criteria[0][0]
        said = f"There is one criterion, {name}: what stands under the totals are its marks."
        return section("criteria", "Criteria", Paragraph(said))
    what = "Mean mark" if result.comparing is None else "Mean share won"
    note = Paragraph(f"{what}, with the number of items that have one.")
    return section("criteria", "Criteria", note, Table(heads, rows))


_BY_STRENGTHS = (
    "Arms that met other opponents are held against each other by strengths (log scale), which "
    "allow for opponents; intervals are of all pairs together, 95 %. Order, ranks and who may be "
    "best are of these:"
)


def _strengths(result: Result) -> list[tuple[str, ...]]:
    """All pairs of arms that strengths tell apart, or not; empty where shares or marks do."""
    return [
        (
            f"{pair.first} − {pair.second}",
            signed_estimate(pair.strength, 2),
            p_words(pair.p_all_pairs),
            _shown_by_strength(pair, marks_only=result.judging.marks_only),
        )
        for pair in result.pairs
        if pair.strength is not None
    ]


def _shown_by_strength(pair: PairResult, *, marks_only: bool) -> str:
    if pair.separated is None:
        return "not tested: fewer than three items join them"
    return claims.verdict(pair, marks_only=marks_only)


def differences(result: Result) -> Section | None:
    """Differences to the reference arm, and of all pairs."""
    digits = decimals(result.scale_low, result.scale_high)
    rows = [
        (arm.arm.id, signed_estimate(arm.difference, digits), f"{arm.shared:,}")
        for arm in result.arms
        if arm.arm.id != result.reference and isinstance(arm.difference, Estimate)
    ]
    pairs = [
        (
            f"{pair.first} − {pair.second}",
            signed_estimate(pair.difference, digits) + (" floor" if pair.floored else ""),
            p_words(pair.p_all_pairs),
            f"{pair.shared:,}",
            claims.verdict(pair, marks_only=result.judging.marks_only),
        )
        for pair in result.pairs
        if isinstance(pair.difference, Estimate)
    ]
    parts: list[Block] = []
    if strong := _strengths(result):
        heads4 = ("pair", "difference of strengths", "p (all pairs)", "shown")
        parts += [Paragraph(_BY_STRENGTHS), Table(heads4, strong, caption="All pairs by strengths")]
        if any(map(claims.sharper, result.pairs)):
            parts.append(Paragraph(_SHARPER))
        # Beside strengths, shares of some pairs alone would be a second answer.
        rows, pairs = [], []
    if rows:
        note = f"Paired on shared items, to {result.reference}; all comparisons together 95 %."
        if result.clusters is not None:
            note += f" {BY_CLUSTER}"
        heads = ("arm", "difference", "shared items")
        parts += [Paragraph(note), Table(heads, rows)]
    if pairs:
        heads5 = ("pair", "difference", "p (all pairs)", "shared items", "shown")
        parts += [Paragraph(_all_pairs(result)), Table(heads5, pairs, caption="All pairs")]
        if any(map(claims.sharper, result.pairs)):
            parts.append(Paragraph(_SHARPER))
        if any(map(claims.held_back, result.pairs)):
            parts.append(Paragraph(_held_back(result)))
        if any(pair.floored and isinstance(pair.difference, Estimate) for pair in result.pairs):
            parts.append(Paragraph(_FLOOR))
    return section("differences", "Differences", *parts)


def _all_pairs(result: Result) -> str:
    """What the table of pairs is, where another table of them follows."""
    if result.extended is None or not result.extended.pairs:
        return "All pairs:"
    return (
        'All pairs by the test that decides; every other test stands under "All pairs, all tests":'
    )


BY_CLUSTER = (
    "Items of one cluster hang together, so the clusters are the units: standard errors are CR2 "
    "with Satterthwaite's degrees of freedom, and signs are flipped for whole clusters."
)


def _like_these(result: Result) -> str:
    """What the further items are to be: more of the same clusters, or fewer people, tell less."""
    clusters = "" if result.clusters is None else ", in further clusters like these"
    people = ", each answer marked by as many people as here" if result.judging.by_people else ""
    return f"{clusters}{people}"


_SHARPER = (
    "Shown is decided by the p of this table, which keeps the pairs together; the intervals share "
    "their level over all pairs and are wider, so one may hold 0 where p is below 0.05."
)


def _held_back(result: Result) -> str:
    """Which test keeps two arms together whose interval leaves out 0."""
    units, turned = ("items", "an item")
    if result.clusters is not None:
        units, turned = ("clusters", "a cluster")
    few = min((pair.shared for pair in result.pairs if claims.held_back(pair)), default=0)
    least = f"; {few} items give no p below {2 / 2**few:.2g}" if result.clusters is None else ""
    return (
        "Shown is decided by the p of this table, the larger one of Holm's rule over t tests and "
        f"of joint sign flips. An interval by t may leave out 0 where the flips do not show it: "
        f"few {units} can be flipped in few ways only{least}, and {turned} against the others "
        "raises it."
    )


_FLOOR = (
    "Floor: these differences spread less than marks rounded to their step must, so the interval "
    "has the width that rounding alone gives."
)


def best(result: Result) -> Section | None:
    """Rank intervals, and the set of possible best."""
    if not tables.shape(result).ranks:
        return None
    note = None
    if not isinstance(result.best, Refusal):
        left = claims.unplaced_note(result)
        note = Paragraph(f"{_may_be_best(result.best, result.open_arms)} {left}".strip())
    over = None
    if claims.unplaced(result):
        # Else "1-2" of an arm above all other placed arms has no meaning.
        over = Paragraph(
            "A rank interval runs over all arms with marks, those not placed too: what blocked "
            "answers could turn stays open in it."
        )
    rows = [
        (arm.arm.id, tables.observed_rank(arm), tables.rank(arm), tables.mark(arm) or DASH)
        for arm in result.arms
    ]
    heads = ("arm", "observed rank", "rank interval", "may be best (*), not placed (?)")
    return section(
        "best",
        "Which arms may be best",
        note,
        over,
        Paragraph(_observed(result)),
        Table(heads, rows),
        Paragraph(_UNSTARRED) if claims.unstarred(result) else None,
    )


_UNSTARRED = (
    "A rank from 1 without *: the rank interval allows it, the test of the best does not. They "
    "are two tests: ranks come from the pairs, asked about from both sides and all together; "
    "whether an arm may be best is asked from one side, about the first place alone."
)


def _observed(result: Result) -> str:
    """What the observed rank is a rank of, which is not the means where items are unequal."""
    by, unequal = "totals of this run stand, rounded as they are shown", ""
    if not _same_items(result):
        reference = wording.short(result.reference or "", result)
        by = (
            f"arms of this run stand by the total of {reference} plus the paired difference to "
            "it on shared items, rounded as totals are shown"
        )
        what = "The arms do not all have the same items"
        if result.judging.by_people:
            what = "The same people did not mark all arms of every item"
        unequal = f" {what}: their means alone may stand otherwise."
    return (
        f"The observed rank says how the {by}, = where arms share one; on other items it may be "
        f"another. What the pairs carry is the interval.{unequal}"
    )


def _same_items(result: Result) -> bool:
    """Whether every arm with marks has those items that the reference arm has."""
    counts = {arm.arm.id: arm.answered for arm in result.arms}
    full = counts.get(result.reference or "", 0)
    return all(
        arm.answered == full and (arm.arm.id == result.reference or arm.shared == full)
        for arm in result.arms
        if arm.answered
    )


def _may_be_best(best: Sequence[str], open_: Sequence[str]) -> str:
    if not best:
        return claims.NONE_BEST
    names = claims.best_of(best, open_)
    return f"May be best (holds the true best in 95 % of such runs): {names}."


def detectable(result: Result) -> Section | None:
    """Which gap such a run finds, and how many items a smaller one needs."""
    digits = decimals(result.scale_low, result.scale_high)
    lines = []
    if isinstance(result.detectable, Estimate):
        gap = points(result.detectable.value, digits)
        unit = "points" if result.comparing is None else "in the share won"
        whose = claims.whose_gap(result)
        said = f"A true gap of {gap} {unit} is found in 80 % of such runs ({whose})."
        arms = sum(arm.answered > 0 for arm in result.arms)
        unit = wording.unit(result)
        note = power_note(result.detectable, max(1, comb(arms, 2)), unit)
        lines.append(f"{said} {note}".strip())
    if not isinstance(result.items_needed, Refusal):
        if result.detectable_pair and isinstance(result.detectable, Refusal):
            pair = " and ".join(result.detectable_pair)
            if len(tables.scored(result)) > 2:  # noqa: PLR2004 - of two there is one pair
                lines.append(f"The spread is that of the worst pair, {pair}.")
            needed = [items for _, items in result.items_needed]
            why = (
                f"Smallest gap that would be found: not printed: {refusals.why(result.detectable)}."
            )
            if note := ties_note(result.detectable, needed):
                lines.append(f"{why} {note}")
        lines += [
            f"To find a gap of {gap:g} with that spread: about {plural(items, 'shared item')}"
            f"{_like_these(result)}."
            for gap, items in result.items_needed
        ]
    return section("detectable", "What this run could have seen", bullets(lines))
