"""Biases → text: one table of probes, what was seen in words, and what was not measured.

Every word is of what goes together. Only planted answers can show a cause, and none
are planted here.
"""

from judgebench.model.biases import Biases, BiasRow, Flips
from judgebench.model.nouns import Estimate, Mode, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.reports import markup, refusals, wording
from judgebench.reports.cells import wrap
from judgebench.reports.digits import DASH, decimals, listed, plain, plural, points, share, signed
from judgebench.reports.layout import Column, grid
from judgebench.reports.naming import apart
from judgebench.text import one_line

_WRAP = 80
_ALPHA = 0.05
NAMES = {
    "order": "place in the list",
    "first_place": "shown first",
    "length": "length",
    "headings": "headings",
    "list_lines": "list lines",
    "bold": "bold words",
    "code": "code marks",
    "family": "own family",
    "leniency": "leniency",
    "compression": "spread of marks",
    "halo": "criteria together",
}
_UNITS = {
    "points a place": "a place",
    "points a doubling": "a doubling",
    "points a standard deviation": "one sd",
    "mean correlation": "correlation",
    "share": "share won",
}
_SEEN = {
    "order": ("answers further down the list have higher marks",
              "answers further up the list have higher marks"),
    "first_place": ("the answer shown first wins more often than half",
                    "the answer shown first wins less often than half"),
    "length": ("longer answers have higher marks", "longer answers have lower marks"),
    "headings": ("answers with more headings have higher marks",
                 "answers with more headings have lower marks"),
    "list_lines": ("answers with more list lines have higher marks",
                   "answers with more list lines have lower marks"),
    "bold": ("answers with more bold words have higher marks",
             "answers with more bold words have lower marks"),
    "code": ("answers with more code marks have higher marks",
             "answers with more code marks have lower marks"),
    "family": ("arms of the judge's own family stand higher than with the reference",
               "arms of the judge's own family stand lower than with the reference"),
    "leniency": ("the judge marks higher than the reference",
                 "the judge marks lower than the reference"),
    "compression": ("its marks spread more than the reference's",
                    "its marks spread less than the reference's"),
    "halo": ("its criteria move together within an item",
             "its criteria move against each other within an item"),
}  # fmt: skip


def render(made: Biases, *, width: int = _WRAP) -> str:
    """Write the probes for a terminal."""
    blocks = [
        head(made),
        table(made, width),
        flips_table(made, width),
        [*sentences(made), *_flip_note(made), *missing(made), *_note(made)],
    ]
    lines = [
        line
        for place, block in enumerate(block for block in blocks if block)
        for line in (*([""] if place else []), *block)
    ]
    return "\n".join(part for line in lines for part in _fit(line, width)) + "\n"


FLIPS = ("better arm wins", "pairs", "changed", "share", "95 % interval", "to first shown")
FLIPS_NOTE = (
    "Changed is another verdict once the order is another: the other arm wins (turned), or the "
    "pair is a tie in one order only. The better arm of a pair wins that share of the two arms' "
    "comparisons on the other items: between nearly equal arms verdicts change with any judge, "
    "between arms that are far apart they should not."
)
NOTE = (
    "What goes with a mark need not have made it. p is adjusted over the tested probes (Holm); "
    "an effect that is not seen may still be as large as the last column says."
)


def _note(made: Biases) -> list[str]:
    """How the table is read; nothing where no probe stands in it."""
    return [NOTE] if any(isinstance(row.effect, Estimate) for row in made.rows) else []


def _fit(line: str, width: int) -> list[str]:
    return [line] if line.startswith(" ") or len(line) <= width else wrap(line, width)


def head(made: Biases) -> list[str]:
    """What was probed, and against whom."""
    counts = f"{plural(made.arms, 'arm')}, {plural(made.items, 'item')}"
    first = (
        f"{one_line(made.run_name, 40)} · judge {one_line(made.judge_name, 32)} · "
        f"{one_line(made.rubric_name, 32)} {one_line(made.rubric_version, 12)} · {counts} · "
        f"{made.mode.value}"
    )
    if not made.reference:
        return [
            first,
            f"Reference: none ({_no_people(made)}, no other judge under this rubric).",
            *clustered(made),
        ]
    names = listed([*apart(made.references, 24).values()])
    who = "people" if made.reference == "people" else plural(len(made.references), "other judge")
    return [first, f"Reference: {who} ({names}).", *clustered(made)]


def _no_people(made: Biases) -> str:
    """What there is of people, where their marks are no reference."""
    if made.people_compared:
        who = plural(made.people_compared, "person", "people")
        return f"{who} compared pairs and marked no answers"
    if made.people_marked:
        who = plural(made.people_marked, "person", "people")
        return f"{who} marked answers, and this pass compares pairs"
    return "no people"


def clustered(made: Biases) -> list[str]:
    """That items in clusters are taken as independent."""
    if not any(isinstance(row.effect, Estimate) for row in made.rows):
        return []
    said = wording.as_independent(made.clusters)
    return [said] if said else []


def table(made: Biases, width: int = _WRAP) -> list[str]:
    """The measured probes, one a line."""
    rows = [row for row in made.rows if isinstance(row.effect, Estimate)]
    if not rows:
        return ["No probe can be measured on these data."]
    cells = [cells_of(made, row) for row in rows]
    heads = ("what goes with the mark", "effect", "unit", "95 % interval", "p", "would see")
    columns = [
        Column(
            head=name,
            cells=tuple(cell[at] for cell in cells),
            right=at in {1, 4, 5},
            least=14 if at == 0 else 0,
        )
        for at, name in enumerate(heads)
    ]
    made_grid = grid(columns, width - 1)
    return [f" {line}".rstrip() for line in (made_grid.head, *made_grid.lines)]


def flips_table(made: Biases, width: int = _WRAP) -> list[str]:
    """Verdicts that change with the order, by how near the two arms are."""
    rows = _flip_rows(made)
    if not rows:
        return []
    columns = [
        Column(head=name, cells=tuple(row[at] for row in rows), right=at in {1, 2, 3, 5})
        for at, name in enumerate(FLIPS)
    ]
    found = grid(columns, width - 1)
    return [f" {line}".rstrip() for line in (found.head, *found.lines)]


def _flip_rows(made: Biases) -> list[tuple[str, ...]]:
    if not isinstance(made.flips, tuple):
        return []
    return [
        (
            f"{share(one.low)} to {share(one.high)}",
            plain(one.pairs),
            plain(one.changed),
            share(one.changed / one.pairs) if one.pairs else DASH,
            _flip_interval(one),
            plain(one.to_first),
        )
        for one in made.flips
    ]


def _flip_interval(one: Flips) -> str:
    found = one.share
    if isinstance(found, Refusal):
        return f"– ({refusals.why(found)})" if one.pairs else DASH
    return f"{share(found.low)} to {share(found.high)}"


def _flip_note(made: Biases) -> list[str]:
    return [FLIPS_NOTE] if _flip_rows(made) else []


def cells_of(made: Biases, row: BiasRow) -> tuple[str, ...]:
    """Name, effect, unit, interval, p, smallest effect that would be seen."""
    effect = row.effect
    if isinstance(effect, Refusal):
        return (NAMES.get(row.probe, row.probe), DASH, "", _why(effect), DASH, DASH)
    digits = _digits(made, row)
    say = points if row.null or row.probe == "halo" else signed
    return (
        NAMES.get(row.probe, row.probe),
        say(effect.value, digits),
        _unit(made, row),
        f"{say(effect.low, digits)} to {say(effect.high, digits)}",
        p_words(row.p_holm),
        points(row.detectable, digits),
    )


def _digits(made: Biases, row: BiasRow) -> int:
    return 2 if row.null or row.probe == "halo" else decimals(made.scale_low, made.scale_high)


def _unit(made: Biases, row: BiasRow) -> str:
    if made.mode is Mode.PAIRWISE and row.unit.startswith("points"):
        return "share won, " + _UNITS.get(row.unit, "")
    return _UNITS.get(row.unit, row.unit)


def p_words(p: float | None) -> str:
    """A p-value in three digits."""
    if p is None:
        return DASH
    return "< 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 - as it says


def is_seen(row: BiasRow) -> bool:
    """Whether there is such a leaning: by its adjusted p, else by its interval."""
    effect = row.effect
    if isinstance(effect, Refusal):
        return False
    if row.p_holm is not None:
        return row.p_holm <= _ALPHA
    if effect.p is not None or effect.low is None or effect.high is None:
        return False
    return not effect.low <= row.null <= effect.high


def sentences(made: Biases) -> list[str]:
    """What was seen, in words that name no cause."""
    seen = [row for row in made.rows if is_seen(row)]
    lines = [f"Seen: {_sentence(made, row)}." for row in seen]
    tested = [row for row in made.rows if isinstance(row.effect, Estimate)]
    if tested and not seen:
        lines.append("No leaning is seen beyond chance.")
    if made.both_orders:
        lines.append(
            f"{plain(made.kept)} of {plural(made.both_orders, 'pair')} judged in both orders "
            f"kept the verdict ({share(made.kept / made.both_orders)})."
        )
    return lines + _over_arms(made) + _levels(made)


def _over_arms(made: Biases) -> list[str]:
    """What the table says of length, beside the probe, which is another question."""
    found, probe = made.length_baseline, next((r for r in made.rows if r.probe == "length"), None)
    if not isinstance(found, Estimate) or probe is None or isinstance(probe.effect, Refusal):
        return []
    words = (
        f"The table's length baseline (rank correlation {signed(found.value, 2)}) compares the "
        "arms of an item; the probe above compares each arm's own answers: both may hold."
    )
    return [words]


def _sentence(made: Biases, row: BiasRow) -> str:
    effect = row.effect
    if isinstance(effect, Refusal):
        return ""
    up, down = _SEEN.get(row.probe, (row.probe, row.probe))
    words = up if effect.value > row.null else down
    _, value, unit, *_ = cells_of(made, row)
    size = value if not unit else f"{value} {unit}"
    if row.unit.startswith("points") and made.mode is not Mode.PAIRWISE:
        size = f"{value} points" + (f", {unit}" if unit not in {"", "points"} else "")
    if row.probe == "halo":
        return f"{words} ({size}){_beside(row)}; good answers may be good in all of them"
    return f"{words} ({size})"


def _beside(row: BiasRow) -> str:
    if isinstance(row.reference, Estimate):
        return f", the reference's {points(row.reference.value, 2)}"
    return ", without a reference"


def _levels(made: Biases) -> list[str]:
    used = made.levels
    if used is None:
        return []
    words = (
        f"Cells at the two highest levels: {share(used.top_share)}, reference "
        f"{share(used.top_share_reference)}; different values used: {used.levels:,}, reference "
        f"{used.levels_reference:,}."
    )
    return [words]


def missing(made: Biases) -> list[str]:
    """What was not measured, one line for each reason."""
    groups: dict[str, list[str]] = {}
    for row in made.rows:
        if isinstance(row.effect, Refusal):
            groups.setdefault(_why(row.effect), []).append(NAMES.get(row.probe, row.probe))
    if isinstance(made.flips, Refusal):
        groups.setdefault(_why(made.flips), []).append(
            "verdicts that change with the order, by nearness of arms"
        )
    return [f"Not measured: {listed(names, most=6)}: {why}." for why, names in groups.items()]


def _why(refusal: Refusal) -> str:
    if refusal.code == RefusalCode.ONE_FAMILY.value:
        return f"good cannot be told from favoured ({one_line(refusal.how, 80)})"
    return refusals.why(refusal)


def markdown(made: Biases) -> list[str]:
    """The same as lines of Markdown, for a page that holds more."""
    heads = (
        "what goes with the mark",
        "effect",
        "unit",
        "95 % interval",
        "p (Holm)",
        "seen in 80 % of such runs, by the measured spread",
    )
    rows = [cells_of(made, row) for row in made.rows]
    changed = _flip_rows(made)
    flips = [*markup.table(FLIPS, changed), "", markup.text(FLIPS_NOTE), ""] if changed else []
    return [
        *markup.table(heads, rows), "", *flips,
        *markup.bullets([*sentences(made), *clustered(made)]), "", *map(markup.text, _note(made)),
    ]  # fmt: skip
