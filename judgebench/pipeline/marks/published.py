"""One table of published scores → a run of marks: the total counts, the rest is shown.

Each project is an arm on one item, the brief. Tiers are those of the table.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.model.published import Published, ScoreTable
from judgebench.pipeline.marks import table as mark_table
from judgebench.pipeline.marks import values as mark_values
from judgebench.pipeline.marks.kept import Book, Taken, keep_marks
from judgebench.pipeline.marks.published_table import TableChoices, read_table
from judgebench.pipeline.marks.taken import file_sha256, rubric_of
from judgebench.pipeline.marks.values import ValueFault
from judgebench.pipeline.setting.scene import World
from judgebench.text import digest, one_line

TOTAL = "total"
ITEM = "brief"
RATER = "published"
_CHECKS = {
    "item": mark_values.a_name("item"),
    "arm": mark_values.a_name("arm"),
    "criterion": mark_values.a_name("criterion"),
    "rater": mark_values.a_name("rater"),
    "mark": mark_values.a_mark,
}


def import_scores(
    source: Path, dest: Path, choices: TableChoices, world: World, *, table: str | None = None,
    scale: str | None = None,
) -> Taken:  # fmt: skip
    """Take one published table into the store as marks; all of it or nothing.

    Args:
        source: The file.
        dest: The run that they become; no folder is made.
        choices: What the user says of the table.
        world: Clock and current folder.
        table: Its name, where the file holds several.
        scale: Its ends as the user writes them; None for 0 to the maximum that its rules give,
            or to the highest total where they give none or a lower one.

    Raises:
        ImportFileError: The file is no table of scores, or the run holds something else.
        StoreError: The database cannot be written.
    """
    chosen = _chosen(source, read_table(source, choices, world), table)
    ends, named = _scale(source, chosen, scale)
    coded = mark_values.code_rows(_rows(chosen), list(_CHECKS.values()), path=source)
    marks = mark_table.build(
        dict(zip(_CHECKS, coded, strict=True)), judges=(RATER,), scale=ends, path=source
    )
    marks = replace(marks, scale_named=named)
    rubric = rubric_of(marks, source, counted=TOTAL, tiers=chosen.rules.tiers)
    said = [choices.criteria, choices.tiers, choices.rubric, chosen.name]
    said += [scale] if scale else []
    content = digest([file_sha256(source), said])
    return keep_marks(marks, Book(dest=dest, source=source, content=content, rubric=rubric), world)


def _chosen(source: Path, found: Published, name: str | None) -> ScoreTable:
    names = [table.name for table in found.tables]
    if name is None and len(names) == 1:
        return found.tables[0]
    if name is None or names.count(name) != 1:
        what = (
            f"holds {len(names)} tables" if name is None else f"has no table {one_line(name, 40)}"
        )
        fix = f"--table names one of {one_line(', '.join(names), 200)}"
        raise ImportFileError(source, what, fix)
    return found.tables[names.index(name)]


def _scale(source: Path, table: ScoreTable, given: str | None) -> tuple[tuple[float, float], bool]:
    """The ends of the scale, and whether the user or the rules of the table name them."""
    if given is not None:
        try:
            return mark_values.read_scale(given), True
        except ValueFault as exc:
            raise ImportFileError(source, exc.problem, exc.fix) from None
    _none_below_zero(source, table)
    highest = max((claim.total or 0.0 for claim in table.claims), default=0.0)
    ruled = sum(table.rules.maxima.values())
    return (0.0, max(ruled, highest)), ruled > 0 and ruled >= highest


def _none_below_zero(source: Path, table: ScoreTable) -> None:
    for claim in table.claims:
        given = {TOTAL: claim.total, **claim.marks}
        for name, mark in given.items():
            if mark is not None and mark < 0:
                what = f"is {mark:g}, and the scale begins at 0"
                raise ImportFileError(
                    source, what, "mend it", line=claim.line, key=one_line(name, 40)
                )


def _rows(table: ScoreTable) -> Iterator[tuple[int, tuple[object, ...]]]:
    """Item, arm, criterion, rater and mark of every place; None where nothing was published."""
    once = len({claim.name for claim in table.claims}) == len(table.claims)
    seen: set[str] = set()
    for claim in table.claims:
        arm = claim.name if once else claim.label
        if arm in seen:
            what = f"has two rows of {one_line(arm, 60)}"
            raise ImportFileError(table.name, what, "tell them apart by a column condition")
        seen.add(arm)
        yield claim.line, (ITEM, arm, TOTAL, RATER, claim.total)
        for criterion in table.criteria:
            name = criterion if criterion != TOTAL else f"{criterion}-mark"
            yield claim.line, (ITEM, arm, name, RATER, claim.marks.get(criterion))
