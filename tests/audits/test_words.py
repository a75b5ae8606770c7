"""Tiers, places and counts in words, and what of several judgings is one find."""

from dataclasses import replace

import pytest

from judgebench.model.audits import Audit, Counted, Find, ProjectAudit, ReadProject
from judgebench.model.deductions import OTHER, Evidence
from judgebench.model.findings import Checked, Finding, Standing
from judgebench.pipeline.audits.told import same_finds
from judgebench.reports import audits

AUDIT = Audit(
    maximum=100, tiers=(("A", 80), ("B", 60), ("C", 40), ("D", 0)), judgings=3, projects=()
)


def project(*totals: tuple[float | None, str | None]) -> ProjectAudit:
    """A project with these totals and tiers."""
    judgings = tuple(
        Counted(repeat=n, total=total, tier=tier) for n, (total, tier) in enumerate(totals, 1)
    )
    return ProjectAudit(arm="a", item="i", judgings=judgings, marks=(), faults=())


@pytest.mark.parametrize(
    ("totals", "words"),
    [
        ([(85, "A"), (90, "A")], "A"),
        ([(85, "A"), (79, "B")], "A or B"),
        ([(79, "B"), (85, "A"), (81, "A")], "A or B"),
        ([(85, "A"), (55, "C")], "A to C"),
        ([(85, "A"), (None, None)], "A"),
        ([(45, "C"), (-1, None)], "C or none"),
        ([(None, None)], "-"),
        ([], "-"),
    ],
)
def test_a_tier_names_every_side_of_a_bar(
    totals: list[tuple[float | None, str | None]], words: str
) -> None:
    """One tier where all judgings agree, two where they straddle a bar."""
    assert audits.tier(project(*totals), AUDIT) == words


def test_a_total_has_its_ends_where_judgings_differ() -> None:
    """Whole points stay whole, a mean has one digit."""
    assert audits.total(project((85, "A"), (85, "A"))) == "85"
    assert audits.total(project((85, "A"), (79.5, "B"), (80, "A"))) == "81.5 (79.5-85)"
    assert audits.total(project((None, None))) == "-"


@pytest.mark.parametrize(
    ("find", "words"),
    [
        ({"path": "a.rb", "first": 3, "last": 5}, "a.rb:3-5"),
        ({"path": "a.rb", "first": 3, "last": 3}, "a.rb:3"),
        ({"path": "gone.rb"}, "gone.rb"),
        ({"evidence": Evidence.ABSENT, "patterns": ("rescue",)}, "nowhere: “rescue”"),
        ({"evidence": Evidence.ABSENT, "paths": ("a/*", "b")}, "nowhere: a/* or b"),
        ({"evidence": Evidence.ABSENT}, "nowhere"),
    ],
)
def test_a_place_is_file_and_lines_or_what_was_searched(
    find: dict[str, object], words: str
) -> None:
    """So that a reader can look."""
    given: dict[str, object] = {
        "evidence": Evidence.PRESENT, "standing": Standing.SUPPORTED, "judgings": (1,),
    }  # fmt: skip
    assert audits.place(Find(**{**given, **find})) == words  # type: ignore[arg-type]  # by name


def test_coverage_is_the_share_of_lines() -> None:
    """A project without lines is shown whole."""
    assert ReadProject(files=1, lines=10, lines_shown=4).coverage == 0.4
    assert ReadProject(files=0, lines=0, lines_shown=0).coverage == 1


PLACED = Checked(
    finding=Finding(criterion="c", entry="e", evidence=Evidence.PRESENT, path="a.rb", first=3),
    standing=Standing.SUPPORTED,
    path="a.rb",
    first=3,
    last=6,
)
NOWHERE = Checked(
    finding=Finding(criterion="c", entry="e", evidence=Evidence.ABSENT, patterns=("door",)),
    standing=Standing.SUPPORTED,
)


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        (PLACED, replace(PLACED, first=6, last=9), 1),
        (PLACED, replace(PLACED, first=7, last=9), 2),
        (PLACED, replace(PLACED, path="b.rb"), 2),
        (PLACED, replace(PLACED, standing=Standing.UNVERIFIED), 2),
        (PLACED, NOWHERE, 2),
        (NOWHERE, replace(NOWHERE, finding=replace(NOWHERE.finding, patterns=("gate",))), 1),
        (
            replace(NOWHERE, finding=replace(NOWHERE.finding, entry=OTHER)),
            replace(NOWHERE, finding=replace(NOWHERE.finding, entry=OTHER, patterns=("gate",))),
            2,
        ),
    ],
)
def test_finds_of_one_place_and_standing_are_one(one: Checked, other: Checked, count: int) -> None:
    """Passages that overlap are one place; what is missing is missing everywhere."""
    finds = same_finds([(1, one), (2, other)])
    assert len(finds) == count
    assert sorted(n for find in finds for n in find.judgings) == [1, 2]
