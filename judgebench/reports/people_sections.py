"""Calibration → sections of a report: the judge against people, the ceiling, corrected figures."""

from collections.abc import Iterable

from judgebench.model.nouns import Refusal
from judgebench.model.people import AltTest, Axis, Beside, Calibration, Ceiling, Corrected, Standing
from judgebench.model.result import Result
from judgebench.reports import people_notes, people_words, refusals, wording
from judgebench.reports.blocks import (
    Block,
    Bullets,
    Paragraph,
    Section,
    Table,
    bullets,
    estimate,
    signed_estimate,
)
from judgebench.reports.digits import DASH, decimals, listed, plain, points, share, signed

_STANDS = {Standing.STANDS_IN: "yes", Standing.NOT: "no", Standing.NOT_SHOWN: "not shown"}


def sections(result: Result) -> tuple[Section, ...]:
    """What a report says of people; nothing where nobody marked."""
    made = result.people
    if made is None:
        return ()
    if isinstance(made, Refusal):
        return (
            Section(
                key="people",
                title="The judge against people",
                blocks=(Paragraph(f"{_sentence(refusals.why(made))}"),),
            ),
        )
    digits = decimals(made.scale_low, made.scale_high)
    found = (_against(made, wording.run_word(result, "")), _ceiling(made, digits),
             _corrected(made, digits))  # fmt: skip
    return tuple(one for one in found if one is not None)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _against(made: Calibration, run: str) -> Section:
    digits = decimals(made.scale_low, made.scale_high)
    blocks: list[Block] = [
        Paragraph(f"{people_words.verdict(made)}."),
        Bullets(
            (*people_words.head(made), *people_notes.flags(made), *people_words.needs(made, run))
        ),
    ]
    if made.axes:
        blocks.append(_criteria(made, digits))
    chosen = bullets(line.strip() for line in people_words.preferences(made))
    blocks += [*([chosen] if chosen else []), *_refused(made)]
    return Section(key="people", title="The judge against people", blocks=tuple(blocks))


def _criteria(made: Calibration, digits: int) -> Table:
    heads = ("criterion", "stands in", "items", "bias (95 %)", "mean gap", "95 % of gaps",
             "same order", "alpha with people", "people equalled")  # fmt: skip
    return Table(
        heads,
        [
            (axis.id, _STANDS[axis.standing], plain(axis.counted.items), *_beside(axis, digits),
             _equalled(axis))
            for axis in made.axes
        ],
        right=2,
        caption="The judge against people on each criterion",
    )  # fmt: skip


def _beside(axis: Axis, digits: int) -> tuple[str, ...]:
    found = axis.beside
    if not isinstance(found, Beside):
        return (signed_estimate(found, digits), *[DASH] * 4)
    limits = DASH
    if found.limits_low is not None:
        limits = f"{signed(found.limits_low, digits)} to {signed(found.limits_high, digits)}"
    return (
        signed_estimate(found.bias, digits),
        points(found.mae.value, digits),
        limits,
        estimate(found.ordering, share),
        estimate(found.alpha, lambda one: points(one, 2)),
    )


def _equalled(axis: Axis) -> str:
    found = axis.alt_test
    if not isinstance(found, AltTest):
        return DASH  # the reason stands below the table
    return f"{sum(one.rejected for one in found.people)} of {len(found.people)}"


def _ceiling(made: Calibration, digits: int) -> Section | None:
    if not made.axes:
        return None
    rows = [
        (axis.id, *_held(axis, digits), estimate(axis.people_alpha, lambda one: points(one, 2)))
        for axis in made.axes
    ]
    heads = ("criterion", "gap, judge", "gap, a person", "judge further by (95 %)",
             "order, judge", "order, a person", "alpha among people")  # fmt: skip
    return Section(
        key="people_ceiling",
        title="The human ceiling",
        blocks=(
            Paragraph(
                "Judge and person are held against the mean of the other people: a judge that is "
                "no further from them than a person is as good as one more person."
            ),
            Table(heads, rows, caption="Judge and person against the other people"),
        ),
    )


def _held(axis: Axis, digits: int) -> tuple[str, ...]:
    found = axis.ceiling
    if not isinstance(found, Ceiling):
        return (estimate(found, str), *[DASH] * 4)
    return (
        points(found.judge_mae, digits),
        points(found.person_mae, digits),
        signed_estimate(found.further, digits),
        share(found.judge_ordering),
        share(found.person_ordering),
    )


def _corrected(made: Calibration, digits: int) -> Section | None:
    rows = [
        (axis.id, row.arm, points(row.people, digits), plain(row.items),
         *_figures(row.figure, digits))
        for axis in made.axes for row in axis.arms
    ]  # fmt: skip
    if not rows:
        return None
    heads = ("criterion", "arm", "people", "items", "judge", "as people would (95 %)", "weight")
    note = (
        "What people would have said of all items, from their marks and the judge's; the weight "
        "says how much of the judge is used, 0 is people alone."
    )
    if made.labels.sampling == "all":
        note = "People marked every item: there is nothing to correct."
    blocks: list[Block] = [
        Paragraph(note),
        Table(heads, rows, right=2, caption="Corrected and raw means of arms"),
    ]
    axis = people_words.main_axis(made)
    if axis is not None and axis.pairs:
        blocks.append(_pairs(axis, digits))
    return Section(
        key="people_corrected", title="Corrected against raw ratings", blocks=tuple(blocks)
    )


def _figures(found: Corrected | Refusal, digits: int) -> tuple[str, ...]:
    if isinstance(found, Refusal):
        return (DASH, estimate(found, str), DASH)
    return (
        points(found.raw, digits),
        estimate(found.estimate, lambda one: points(one, digits)),
        points(found.weight, 2),
    )


def _pairs(axis: Axis, digits: int) -> Table:
    return Table(
        (f"difference, {axis.id}", "people alone", "judge", "as people would (95 %)"),
        [
            (
                f"{pair.first} − {pair.second}",
                signed_estimate(pair.alone, digits),
                signed(pair.corrected.raw, digits)
                if isinstance(pair.corrected, Corrected)
                else DASH,
                signed_estimate(
                    pair.corrected.estimate
                    if isinstance(pair.corrected, Corrected)
                    else pair.corrected,
                    digits,
                ),
            )
            for pair in axis.pairs
        ],
        caption=f"Corrected and raw differences of arms, {axis.id}",
    )


def _refused(made: Calibration) -> Iterable[Block]:
    """What is not printed in these sections: name, criteria and reason."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for axis in made.axes:
        for figure in _every(axis):
            if isinstance(figure, Refusal):
                key = (refusals.name(figure), refusals.why(figure))
                found.setdefault(key, {})[axis.id] = None
    if found:
        yield Paragraph("Not printed, and why:")
        yield Bullets(
            tuple(
                f"{name}, {listed(list(axes), most=6)}: {why}"
                for (name, why), axes in found.items()
            )
        )


def _every(axis: Axis) -> Iterable[object]:
    yield from (axis.beside, axis.alt_test, axis.ceiling, axis.people_alpha)
    if isinstance(axis.beside, Beside):
        yield from (axis.beside.ordering, axis.beside.alpha)
    yield from (row.figure for row in axis.arms)
    for pair in axis.pairs:
        yield from (pair.alone, pair.corrected)
