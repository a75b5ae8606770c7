"""Calibration → people.md and people.json: every figure, and every refusal with its reason."""

from collections.abc import Iterable
from pathlib import Path

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import (
    AltTest,
    Axis,
    Beside,
    Calibration,
    Ceiling,
    Corrected,
    GateShare,
)
from judgebench.reports import json, markdown, people_notes, people_words, refusals, wording
from judgebench.reports.blocks import Block, Bullets, Paragraph, Section, Table
from judgebench.reports.digits import DASH, decimals, plain, points, share, signed
from judgebench.reports.write import write_files
from judgebench.text import plural

_LEAST_P = 0.0001
_SAMPLING = {
    "all": "All items that the judge marked were marked by people.",
    "draw": "The items were drawn at random by judge sample.",
    "packets": "Single answers were drawn at random by judge sample --for means: weights of the "
    "draw are used for means, and differences of arms are refused.",
    "said": "The items were drawn at random, as the user says.",
    "unknown": "How the items were chosen is not known: nothing is corrected with these marks.",
}


def write_people(made: Calibration, folder: Path, *, run: str) -> list[Path]:
    """Write people.md and people.json into the report folder of the pass.

    Raises:
        StoreError: A file cannot be written.
    """
    files = {"people.md": render(made, run=run), "people.json": json.document(made)}
    return write_files({name: text.encode() for name, text in files.items()}, folder)


def render(made: Calibration, *, run: str) -> str:
    """Write the page."""
    return markdown.page(tuple(_sections(made, run)))


def _sections(made: Calibration, run: str) -> Iterable[Section]:
    digits = decimals(made.scale_low, made.scale_high)
    yield Section(
        key="people",
        title=f"{made.judge_name} and people: {made.run_name}",
        blocks=(Paragraph(text=f"{people_words.verdict(made)}."), *_needed(made, run)),
    )
    yield Section(key="whose", title="Whose marks", blocks=(Bullets(lines=tuple(_whose(made))),))
    for axis in made.axes:
        yield _alone(axis, digits)
    if made.axes:
        yield _beside(made, digits)
    for axis in made.axes:
        yield from _corrected(axis, digits)
    yield from _gates(made)
    yield from _preferences(made)
    yield from _refused(made)


def _needed(made: Calibration, run: str) -> Iterable[Block]:
    return (Paragraph(text=line) for line in people_words.needs(made, run))


def _whose(made: Calibration) -> Iterable[str]:
    labels = made.labels
    yield f"Rubric {made.rubric_name}, version {made.rubric_version}; pass {made.pass_id}."
    yield f"Files: {', '.join(labels.files) or DASH}."
    if said := wording.as_independent(made.clusters, wording.PEOPLE_ALONE):
        yield said
    if labels.withdrawn:
        yield f"Taken back: {', '.join(labels.withdrawn)}. The marks are kept and count nowhere."
    known = "persons" if labels.identified else "places in the file, not persons"
    yield f"Raters ({known}): {', '.join(labels.people) or DASH}."
    yield f"Blind: {labels.blind}."
    beside = f"of {labels.items_all:,}"
    if labels.items > labels.items_all:
        beside = f"marked by people, {labels.items_all:,} by the judge"
    yield f"Items: {labels.items:,} {beside}. {_SAMPLING[labels.sampling]}"
    if labels.tuned:
        yield "The rubric was changed after these marks had been shown beside it."
    yield from people_notes.flags(made)


def _ends(found: Estimate | Refusal, digits: int) -> str:
    if isinstance(found, Refusal):
        return DASH
    value = signed(found.value, digits)
    if found.low is None or found.high is None:
        return value
    return f"{value} [{points(found.low, digits)}, {points(found.high, digits)}]"


def _plain_ends(found: Estimate | Refusal, digits: int) -> str:
    return _ends(found, digits).lstrip("+")


def _alone(axis: Axis, digits: int) -> Section:
    counted = axis.counted
    lines = (
        f"{plural(counted.marks, 'mark')} by {counted.people:,} people on "
        f"{plural(counted.cells, 'answer')} to {plural(counted.items, 'item')}; "
        f"{plural(counted.twice, 'answer')} with two marks or more."
    )
    blocks: list[Block] = [
        Paragraph(text=lines),
        Paragraph(text=people_words.pick(axis)),
        Table(
            heads=("arm", "mean of people", "items"),
            rows=tuple(
                (row.arm, points(row.people, digits), plain(row.items)) for row in axis.arms
            ),
        ),
    ]
    if axis.pairs:
        blocks.append(
            Table(
                heads=("first - second", "difference by people", "items"),
                rows=tuple(
                    (f"{pair.first} - {pair.second}", _ends(pair.alone, digits), plain(pair.shared))
                    for pair in axis.pairs
                ),
            )
        )
    blocks.append(
        Paragraph(
            text=f"Among themselves: alpha {_plain_ends(axis.people_alpha, 2)}, ICC(1,1) "
            f"{_plain_ends(axis.icc_one, 2)}, ICC(1,k) {_plain_ends(axis.icc_one_mean, 2)}, "
            f"ICC(A,1) {_plain_ends(axis.icc_absolute, 2)}; "
            f"the same mark: {share(axis.same)} of {axis.same_pairs:,} pairs."
        )
    )
    return Section(key=f"alone-{axis.id}", title=f"People alone: {axis.id}", blocks=tuple(blocks))


def _beside(made: Calibration, digits: int) -> Section:
    rows = [(axis, axis.beside) for axis in made.axes if isinstance(axis.beside, Beside)]
    blocks: list[Block] = []
    if rows:
        blocks.append(
            Table(
                heads=("criterion", "bias", "mean gap", "95 % of gaps", "trend", "alpha",
                       "same mark", "by chance", "same order"),
                rows=tuple(
                    (
                        axis.id,
                        _ends(found.bias, digits),
                        _plain_ends(found.mae, digits),
                        _limits(found, digits),
                        signed(found.slope, 2),
                        _plain_ends(found.alpha, 2),
                        share(found.exact),
                        share(found.exact_chance),
                        _share(found.ordering),
                    )
                    for axis, found in rows
                ),
            )
        )  # fmt: skip
    held = [(axis, axis.ceiling) for axis in made.axes if isinstance(axis.ceiling, Ceiling)]
    if held:
        blocks += [
            Paragraph(
                text="The ceiling: judge and person held against the mean of the other people. "
                "A judge that is no further from them than a person is as good as one more person."
            ),
            Table(
                heads=("criterion", "gap, judge", "gap, person", "judge further by",
                       "order, judge", "order, person"),
                rows=tuple(
                    (axis.id, points(c.judge_mae, digits), points(c.person_mae, digits),
                     _ends(c.further, digits), share(c.judge_ordering), share(c.person_ordering))
                    for axis, c in held
                ),
            ),
        ]  # fmt: skip
    tests = [(axis.id, axis.alt_test) for axis in made.axes if isinstance(axis.alt_test, AltTest)]
    if tests:
        blocks += [*_alt_tests(tests)]
    blocks += _leanings(made, digits)
    if not blocks:
        blocks = [Paragraph(text="Nothing can be said yet.")]
    return Section(key="beside", title="The judge against people", blocks=tuple(blocks))


def _limits(found: Beside, digits: int) -> str:
    if found.limits_low is None:
        return DASH
    return f"{points(found.limits_low, digits)} to {points(found.limits_high, digits)}"


def _share(found: Estimate | Refusal) -> str:
    return DASH if isinstance(found, Refusal) else share(found.value)


def _alt_tests(tests: list[tuple[str, AltTest]]) -> Iterable[Block]:
    yield Paragraph(
        text="The alternative annotator test: in the place of each person, how often is the judge "
        f"at least as close to the others? It may cost a share of {tests[0][1].epsilon:g} of wins, "
        "which stands for its lower price; it may stand in where it equals half of the people."
    )
    yield Table(
        heads=("criterion", "people equalled", "advantage probability", "people left out"),
        rows=tuple(
            (name, f"{sum(one.rejected for one in found.people)} of {len(found.people)}",
             points(found.advantage, 3), plain(found.left_out))
            for name, found in tests
        ),
    )  # fmt: skip
    yield Table(
        heads=("criterion", "person", "judge wins", "person wins", "items", "p"),
        rows=tuple(
            (name, one.person, share(one.judge_wins), share(one.person_wins), plain(one.items),
             _p(one.p))
            for name, found in tests for one in found.people
        ),
        right=2,
    )  # fmt: skip


def _p(value: float) -> str:
    return "under 0.0001" if value < _LEAST_P else points(value, 4)


def _leanings(made: Calibration, digits: int) -> list[Block]:
    rows = tuple(
        (axis.id, one.arm, _ends(one.gap, digits))
        for axis in made.axes
        if not isinstance(axis.leanings, Refusal)
        for one in axis.leanings
    )
    if not rows:
        return []
    return [
        Paragraph(
            text="Which arms it favours: judge minus people, against the other arms of the item "
            "(all arms together)."
        ),
        Table(heads=("criterion", "arm", "leaning"), rows=rows, right=2),
    ]


def _corrected(axis: Axis, digits: int) -> Iterable[Section]:
    arms = [(row.arm, row.figure) for row in axis.arms if isinstance(row.figure, Corrected)]
    pairs = [pair for pair in axis.pairs if isinstance(pair.corrected, Corrected)]
    if not arms and not pairs:
        return
    blocks: list[Block] = [
        Paragraph(
            text="What people would have said of all items. The weight says how much of the judge "
            "is used: 0 is people alone."
        )
    ]
    heads = ("", "judge", "as people", "labels", "other items", "weight", "correlation")
    if arms:
        blocks.append(
            Table(
                heads=("arm", *heads[1:]),
                rows=tuple(
                    _row(name, found, points(found.raw, digits), digits) for name, found in arms
                ),
            )
        )
    if pairs:
        blocks.append(
            Table(
                heads=("first - second", *heads[1:]),
                rows=tuple(
                    _row(f"{p.first} - {p.second}", p.corrected, signed(p.corrected.raw, digits),
                         digits, sign=True)
                    for p in pairs if isinstance(p.corrected, Corrected)
                ),
            )
        )  # fmt: skip
    yield Section(
        key=f"corrected-{axis.id}", title=f"Corrected figures: {axis.id}", blocks=tuple(blocks)
    )


def _row(
    name: str, found: Corrected, raw: str, digits: int, *, sign: bool = False
) -> tuple[str, ...]:
    ends = _ends(found.estimate, digits) if sign else _plain_ends(found.estimate, digits)
    return (name, raw, ends, plain(found.labels), plain(found.others), points(found.weight, 2),
            points(found.correlation, 2))  # fmt: skip


def _gates(made: Calibration) -> Iterable[Section]:
    rows = [
        (gate, gate.figure)
        for axis in made.axes
        for gate in axis.gates
        if isinstance(gate.figure, GateShare)
    ]
    if rows:
        yield Section(key="gates", title="Gates",
            blocks=(
                Table(
                    heads=("criterion", "below", "arm", "judge passes", "people would pass",
                           "sensitivity", "specificity"),
                    rows=tuple(
                        (gate.criterion, plain(gate.below), gate.arm, share(found.raw),
                         (f"{share(found.share.value)} [{share(found.share.low)}, "
                         f"{share(found.share.high)}]"),
                         share(found.sensitivity), share(found.specificity))
                        for gate, found in rows
                    ),
                    right=3,
                ),
            ),
        )  # fmt: skip


def _preferences(made: Calibration) -> Iterable[Section]:
    found = made.preferences
    if found is None:
        return
    blocks: list[Block] = [Paragraph(text=line) for line in people_words.preferences(made)[:1]]
    if isinstance(found.alt_test, AltTest):
        blocks += _alt_tests([("preferences", found.alt_test)])
    blocks.append(
        Table(
            heads=("first over second", "comparisons", "people", "judge"),
            rows=tuple(
                (f"{pair.first} over {pair.second}", plain(pair.comparisons), _share(pair.share),
                 _share(pair.judge))
                for pair in found.pairs
            ),
        )
    )  # fmt: skip
    yield Section(key="preferences", title="Preferences", blocks=tuple(blocks))


def _refused(made: Calibration) -> Iterable[Section]:
    lines: dict[str, None] = {}
    for axis in made.axes:
        figures = (
            axis.beside, axis.ceiling, axis.alt_test, axis.leanings, axis.people_alpha,
            axis.icc_absolute, axis.best, *(row.figure for row in axis.arms),
            *(pair.corrected for pair in axis.pairs), *(gate.figure for gate in axis.gates),
        )  # fmt: skip
        for figure in figures:
            if isinstance(figure, Refusal):
                name = refusals.name(figure)
                lines[f"{axis.id}: {name}: {refusals.why(figure)}"] = None
    if lines:
        yield Section(
            key="refused", title="What is not shown, and why", blocks=(Bullets(lines=tuple(lines)),)
        )
