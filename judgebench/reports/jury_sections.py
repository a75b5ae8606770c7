"""Sections on judges as a sample of judges: differences, one left out, components, designs."""

from judgebench.model.agreement import Agreement, Designs, JudgeDesign, VarianceParts
from judgebench.model.nouns import Estimate, Refusal
from judgebench.reports import agree_names, agree_words, refusals
from judgebench.reports.agree_figures import figure
from judgebench.reports.blocks import Block, Paragraph, Section, Table, section
from judgebench.reports.digits import DASH, listed, plain, plural, points, share, usd
from judgebench.reports.naming import apart

_PARTS = (
    ("items", "item"),
    ("arms", "arm"),
    ("{many} (leniency)", "judge"),
    ("item × arm", "item_arm"),
    ("arm × {one} (a {one}'s own lean)", "arm_judge"),
    ("item × {one}", "item_judge"),
    ("item × arm × {one}", "item_arm_judge"),
    ("re-scoring", "residual"),
)


def sampled(found: Agreement) -> Section | None:
    """Differences of arms for other judges of this kind."""
    many = agree_names.voice(found, 2)
    title = f"{many.capitalize()} as a sample of {many}"
    if isinstance(found.sampled, Refusal):
        return section("sampled", title, _refused(found.sampled))
    if (alike := refusals.one_for_all([one.difference for one in found.sampled])) is not None:
        words = f"None of {plural(len(found.sampled), 'difference')} is printed"
        return section("sampled", title, Paragraph(f"{words}: {refusals.why(alike)}."))
    digits = agree_names.digits(found)
    rows = [
        (
            f"{agree_names.arm(one.first, found)} − {agree_names.arm(one.second, found)}",
            figure(one.difference, digits) if isinstance(one.difference, Estimate)
            else refusals.why(one.difference),
            {True: "yes", False: "no", None: DASH}[one.separated],
        )
        for one in found.sampled
    ]  # fmt: skip
    note = (
        f"For other items and for other {many} of this kind, all comparisons together 95 %: wider "
        f"than the table of one {_alone(found)} alone."
    )
    heads = ("arms", "difference", "separated")
    return section("sampled", title, Table(heads, rows), Paragraph(note))


def _alone(found: Agreement) -> str:
    return (
        "person, which speaks for that person"
        if found.persons
        else "pass, which speaks for its judge"
    )


def effective(found: Agreement) -> Section | None:
    """How many independent judges they are worth, by errors against people."""
    one = found.effective
    if one is None:
        return None
    title = "How many independent judges they are worth"
    if isinstance(one, Refusal):
        return section("effective", title, _refused(one))
    text = (
        f"{points(one.value, 1)} of {plural(found.judges, 'judge')}, by their errors against "
        f"people on {plural(one.n, 'answer')}: judges that err alike are one voice."
    )
    return section("effective", title, Paragraph(text))


def left_out(found: Agreement) -> Section | None:
    """What the panel would say without one judge."""
    title = f"The panel without each {agree_names.voice(found)}"
    if isinstance(found.left_out, Refusal):
        return section("left_out", title, _refused(found.left_out))
    alike = refusals.one_for_all([found.panel_best, *(one.best for one in found.left_out)])
    if alike is not None:
        words = "Neither the arms that may be best by all nor those without one are printed"
        return section("left_out", title, Paragraph(f"{words}: {refusals.why(alike)}."))
    names = apart((one.judge for one in found.left_out), agree_names.NAME)
    rows = [
        (
            names[one.judge],
            _set(one.best, found),
            DASH if isinstance(one.same, Refusal) else "yes" if one.same else "no",
        )
        for one in found.left_out
    ]
    heads = ("without", "may be best", "the same")
    first = f"All {agree_names.voice(found, 2)}, equal weight: {_set(found.panel_best, found)}."
    return section("left_out", title, Paragraph(first), Table(heads, rows, right=3))


def _set(best: tuple[str, ...] | Refusal, found: Agreement) -> str:
    if isinstance(best, Refusal):
        return refusals.why(best)
    return listed([agree_names.arm(one, found) for one in best], most=6)


def parts(found: Agreement) -> Section | None:
    """Variance components of the totals."""
    title = "Where the spread of totals comes from"
    parts = found.parts
    if isinstance(parts, Refusal):
        return section("parts", title, _refused(parts), *_lean(found))
    words = {"one": agree_names.voice(found), "many": agree_names.voice(found, 2)}
    rows = [
        (
            name.format(**words),
            points(getattr(parts, key), 3),
            "yes" if key in parts.negative else "",
        )
        for name, key in _PARTS
    ]
    size = (
        f"From a complete block of {plural(parts.n_arms, 'arm')} × "
        f"{plural(parts.n_items, 'item')} × {_voices(parts.n_judges, found)} × "
        f"{plural(parts.n_repeats, 'scoring')}; {share(parts.dropped)} of the totals do not fit "
        "into it and are left out."
    )
    if parts.without:
        named = listed([*apart(parts.without, agree_names.NAME).values()])
        size += f" Left out whole: {named}."
    table = Table(("part", "variance, points²", "estimate was below 0"), rows)
    return section("parts", title, table, Paragraph(size))


def _voices(count: int, found: Agreement) -> str:
    return plural(count, agree_names.voice(found), agree_names.voice(found, 2))


def _lean(found: Agreement) -> tuple[Block, ...]:
    if found.judges >= agree_words.BOTH:
        return ()
    return (Paragraph("Repeats cannot reveal this judge's own lean: that needs another judge."),)


def designs(found: Agreement) -> Section | None:
    """What other numbers of items, judges and repeats would give."""
    designs, parts = found.designs, found.parts
    if isinstance(designs, Refusal) or isinstance(parts, Refusal):
        return None
    digits = agree_names.digits(found)
    gap = points(designs.wished, digits)
    lines = [_cheapest(designs, found, gap)]
    rows = [_design(one, digits) for one in designs.grid if _is_shown(one, parts)]
    heads = (
        "items",
        agree_names.voice(found, 2),
        "repeats",
        "sd",
        "range",
        "finds",
        "judgments",
        "cost",
    )
    note = (
        "sd is of an arm's mean against other arms, computed from the measured variances, range "
        "its 90 % jackknife range; finds is the smallest difference of two arms with 80 % power "
        "by it. Costs are by what a judgment took "
        "here."
    )
    return section(
        "designs", f"Other numbers of items, {agree_names.voice(found, 2)} and repeats",
        *map(Paragraph, lines),
        Table(heads, rows, right=0), Paragraph(note),
    )  # fmt: skip


def _is_shown(one: JudgeDesign, parts: VarianceParts) -> bool:
    """The whole grid is in the JSON; a page shows once and twice scored, and as it is."""
    as_is = (one.items, one.judges, one.repeats) == (
        parts.n_items, parts.n_judges, parts.n_repeats,
    )  # fmt: skip
    return as_is or one.repeats == 1 or (one.repeats == 2 and one.judges <= 2)  # noqa: PLR2004


def _cheapest(designs: Designs, found: Agreement, gap: str) -> str:
    one, digits = designs.cheapest, agree_names.digits(found)
    if one is None:
        return f"No design that was tried finds a difference of {gap} points."
    cost = "" if one.cost_usd is None else f", about {usd(one.cost_usd)}"
    return (
        f"A difference of {gap} points is found most cheaply by {_voices(one.judges, found)}, "
        f"{plural(one.items, 'item')}, {plural(one.repeats, 'scoring')} each: "
        f"{plural(one.judgments, 'judgment')}{cost} "
        f"(sd {points(one.sd, digits)})."
    )


def _design(one: JudgeDesign, digits: int) -> tuple[str, ...]:
    known = one.low is not None and one.high is not None
    return (
        plain(one.items),
        plain(one.judges),
        plain(one.repeats),
        points(one.sd, digits),
        f"{points(one.low, digits)} to {points(one.high, digits)}" if known else DASH,
        points(one.detectable, digits),
        plain(one.judgments),
        usd(one.cost_usd),
    )


def _refused(one: Refusal) -> Paragraph:
    return Paragraph(f"not printed: {refusals.why(one)}.")
