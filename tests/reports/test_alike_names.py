"""Arms, judges and criteria whose names begin alike, in every text report."""

import dataclasses
import re

import pytest

from judgebench.reports import agree_terminal, markdown, terminal
from judgebench.reports.layout import Column, grid
from tests.reports import make, make_agreement

TAILS = ("alpha", "beta", "gamma")
NAMES = tuple(f"one-vendor-one-model-20260101-in-the-same-harness-{tail}" for tail in TAILS)
_ROW = re.compile(r"(?:[*?] +)?(?:\S+ +)?(…\S+|one-vendor\S+) ")


@pytest.mark.parametrize("width", [44, 80, 100])
@pytest.mark.parametrize("view", ["default", "criteria", "context", "arms"])
def test_arms_that_begin_alike_are_told_apart_on_a_terminal(view: str, width: int) -> None:
    """What tells them apart is in the table, however narrow it is."""
    page = terminal.render(make.result(names=NAMES, detectable_pair=None), width=width, view=view)
    rows = {found[1] for line in page.splitlines() if (found := _ROW.match(line))}
    # A second table may have more room for them.
    assert len(rows) in {len(NAMES), 2 * len(NAMES)}, page


def test_a_sentence_names_arms_apart() -> None:
    """The answer names the winner and whom it beats by what tells them apart."""
    found = make.result(items=30, names=NAMES, separated={(NAMES[0], NAMES[2])})
    page = terminal.render(found, width=80).replace("\n", " ")
    assert "…alpha scores above …gamma" in page


def test_a_report_writes_names_whole() -> None:
    """A page that wraps cuts no name, and gives none a number."""
    found = make.result(items=30, names=NAMES, separated={(NAMES[0], NAMES[2])})
    page = markdown.render(found)
    assert f"{NAMES[0]} scores above {NAMES[2]}" in page
    assert "…" not in page


def test_a_report_begins_with_the_table_of_all_arms() -> None:
    """One table of report.md holds what the terminal shows, before the figures one by one."""
    page = markdown.render(make.result(items=30, names=NAMES))
    table, _ = page.split("## The arms")[1].split("##", 1)
    heads = " ".join(table.replace("\\", "").split())
    assert "| arm | may be best (*) | rank | difference | total (n) |" in heads
    assert "| answered | blocked |" in table
    assert all(name in table for name in NAMES)
    assert page.index("## The arms") < page.index("## Answered")


def test_the_page_of_all_arms_spells_cut_names_out() -> None:
    """A reader of short names finds which arm is meant; the usual page says where."""
    found = make.result(items=30, names=NAMES)
    page = terminal.render(found, view="arms").replace("\n  ", " ")
    assert all(f"…{tail} is {name}" in page for tail, name in zip(TAILS, NAMES, strict=True))
    assert "whole names: --arms" in terminal.render(found)


def test_rows_that_are_shown_are_cut_as_all_rows_are() -> None:
    """The first rows of a long table read as they do where every arm has one."""
    names = tuple(
        f"one-vendor-one-model-in-one-harness-{size}-at-{heat}"
        for size in ("large", "small")
        for heat in range(12)
    )
    found = make.result(items=30, names=names)
    first = re.findall(r"…(?:large|small)…\d+", terminal.render(found))
    assert first
    assert set(first) <= set(terminal.render(found, view="arms").split())


def test_criteria_that_begin_alike_have_heads_of_their_own() -> None:
    """Two heads that were cut to the same letters would stand for one criterion."""
    base = make.result()
    criteria = tuple(
        (f"follows-the-instruction-{at}", "", weight)
        for at, (_, _, weight) in enumerate(base.criteria)
    )
    arms = tuple(
        dataclasses.replace(
            arm,
            criteria=tuple(
                dataclasses.replace(one, criterion=criteria[at][0])
                for at, one in enumerate(arm.criteria)
            ),
        )
        for arm in base.arms
    )
    page = terminal.render(
        dataclasses.replace(base, criteria=criteria, arms=arms), width=100, view="criteria"
    )
    assert all(f"…{at}" in page for at in range(len(criteria)))


def test_raters_and_their_arms_are_told_apart() -> None:
    """Agreement of two judges of one long name, over arms of one long name."""
    found = make_agreement.two()
    raters = tuple(
        dataclasses.replace(one, name=f"the-same-provider/the-same-model-with-{tail}", best=NAMES)
        for one, tail in zip(found.raters, TAILS, strict=False)
    )
    page = agree_terminal.render(
        dataclasses.replace(found, raters=raters, arms=NAMES), run="notice", width=140
    )
    assert all(f"…{tail} " in page for tail in TAILS[:2]), page
    assert "…beta and …gamma" in page


def test_cells_of_a_column_that_shrinks_stay_unlike() -> None:
    """A column gives way without making two rows one."""
    table = grid(
        [
            Column(head="arm", cells=NAMES, least=10),
            Column(head="total", cells=("1", "2", "3"), right=True),
        ],
        18,
    )
    assert [line.split()[0] for line in table.lines] == [
        "…alpha",
        "…beta",
        "…gamma",
    ]
