"""Whole pages at 80 columns against gold files; ``JUDGEBENCH_GOLD=write`` rewrites them."""

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from judgebench.model.result import BlockedCount, Result
from judgebench.reports import csv, json, markdown, terminal
from judgebench.reports.cells import width
from tests.reports import make, make_audit

GOLD = Path(__file__).parents[1] / "gold" / "reports"


def replay() -> Result:
    """One item, replayed from a recording."""
    judging = make.facts(
        route="replay", recorded_at="2026-09-05T10:04:00Z", recording="recorded/marker.jsonl"
    )
    return make.result(
        items=1,
        judging=judging,
        passes=(judging,),
        warnings=(make.flag("replay", 9, judge="acme/marker-2", recorded_at="2026-09-05"),),
    )


def panel() -> Result:
    """Two judges, averaged."""
    first, second = make.facts(), make.facts(id="p-9f", judge_name="beta/critic")
    return make.result(
        items=8,
        judges=2,
        panel=(first, second),
        passes=(first, second),
        separated={("north", "willow"), ("harbour", "willow")},
    )


def partly_blocked() -> Result:
    """Eight items, one arm half blocked, one that looks cut, four warnings."""
    whole = make.result(
        items=8, separated={("north", "willow")}, order_differs=True, controls=make.planted()
    )
    north, harbour, meadow, granite, willow = whole.arms
    lengths = (
        BlockedCount(
            reason="length", count=3, message="finish_reason max_tokens, 16,000 of 16,000"
        ),
        BlockedCount(reason="provider_window", count=1, message="broke off at 307 s, twice"),
    )
    meadow = dataclasses.replace(
        meadow, answered=4, shared=4, blocked=lengths, placed=False, worst_low=4.6, worst_high=9.1,
        observed_rank=make.refused("observed_rank", code="blocked_share_high", have=4, need=8),
    )  # fmt: skip
    unsure = make.refused("observed_rank", code="looks_cut", have=8, need=8)
    granite = dataclasses.replace(granite, suspects=2, placed=False, observed_rank=unsure)
    cli = dataclasses.replace(willow.arm, kind="cli", harness="terminal agent")
    willow = dataclasses.replace(willow, arm=cli, same_family=True)
    return dataclasses.replace(
        whole,
        arms=(north, harbour, meadow, granite, willow),
        settings=dataclasses.replace(whole.settings, timeout_s=None, cli_cwd="unknown"),
        counts=dataclasses.replace(whole.counts, outputs_blocked=4),
        reproducible=False,
        unknowns={"cwd": 8, "timeout_s": 40},
        warnings=(
            make.flag("not_reproducible", 6, what="timeout, folder of CLI arms"),
            make.flag(
                "half_blocked",
                1,
                arm="meadow",
                blocked=4,
                planned=8,
                remedy="collect its 4 blocked answers again",
            ),
            make.flag("looks_cut", 2, outputs=2, arms="granite"),
            make.flag("same_family", 4, judge="acme/marker-2", arms="willow"),
        ),
    )


def best_of_five() -> Result:
    """Forty items, the set of possible best has one member."""
    return make.result(items=40, separated={("north", other) for other in make.NAMES[1:]})


CASES: dict[str, Callable[[], Result]] = {
    "one-item": lambda: make.result(items=1),
    "two-items": lambda: make.result(items=2),
    "five-items-nothing-separated": lambda: make.result(items=5),
    "eight-items-separated": lambda: make.result(
        items=8, separated={("north", "granite"), ("north", "willow")}
    ),
    "eight-items-partly-blocked": partly_blocked,
    "forty-items-one-best": best_of_five,
    "forty-arms": lambda: make.result(
        items=12, names=tuple(f"arm-{n:02}" for n in range(1, 41)), separated={("arm-01", "arm-40")}
    ),
    "all-blocked": make.all_blocked,
    "audited": make_audit.audited,
    "two-judges": panel,
    "replay": replay,
    "pairs": make.pairs,
    "pairs-one-item": lambda: make.pairs(items=1),
    "pairs-four-items": lambda: make.pairs(items=4),
}


EXTENDED: dict[str, Callable[[Result], str]] = {
    ".md": markdown.render,
    ".txt": lambda whole: terminal.render(whole, view="extended"),
    ".json": json.render,
    ".csv": csv.render,
    "-pairs.csv": csv.render_pairs,
    "-criteria.csv": csv.render_criteria,
}


def check(name: str, text: str) -> None:
    """Compare with the gold file, or write it where the environment says so."""
    path = GOLD / name
    if os.environ.get("JUDGEBENCH_GOLD") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} differs from its gold file"


@pytest.mark.parametrize("name", CASES)
def test_default_view_is_the_gold_page_of_24_lines_by_80_columns(name: str) -> None:
    """The page is as reviewed, and holds its shape whatever the run."""
    text = terminal.render(CASES[name]())
    check(f"{name}.txt", text)
    assert len(text.splitlines()) <= 24
    assert max(map(width, text.splitlines())) <= 80


@pytest.mark.parametrize(
    "name", ["one-item", "eight-items-partly-blocked", "all-blocked", "pairs", "audited"]
)
def test_report_files_are_the_gold_files(name: str) -> None:
    """report.md, ratings.csv and result.json are as reviewed."""
    result = CASES[name]()
    check(f"{name}.md", markdown.render(result))
    check(f"{name}.csv", csv.render(result))
    check(f"{name}.json", json.render(result))


def test_extended_pages_are_the_gold_pages() -> None:
    """report.md, the terminal, result.json and three CSV files of an extended report."""
    whole = make.extended(partly_blocked())
    for suffix, render in EXTENDED.items():
        check(f"extended{suffix}", render(whole))
    assert json.load_result(json.render(whole)) == whole


@pytest.mark.parametrize("columns", [40, 60, 100, 160])
def test_an_extended_view_keeps_to_the_width(columns: int) -> None:
    """Rows that are too wide become sentences; nothing is cut and nothing sticks out."""
    text = terminal.render(make.extended(partly_blocked()), width=columns, view="extended")
    assert max(map(width, text.splitlines())) <= columns
    assert "0.062" in text


@pytest.mark.parametrize("view", terminal.VIEWS[1:])
def test_other_views_are_the_gold_pages(view: str) -> None:
    """Criteria, context, reasons and all arms, each at 80 columns."""
    text = terminal.render(partly_blocked(), view=view)
    check(f"view-{view}.txt", text)
    assert max(map(width, text.splitlines())) <= 80


@pytest.mark.parametrize("name", CASES)
def test_equal_results_give_equal_bytes(name: str) -> None:
    """Nothing but the result enters: no clock, no order of a set."""
    for render in (terminal.render, markdown.render, csv.render, json.render):
        assert render(CASES[name]()) == render(CASES[name]())


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("columns", [40, 60, 100, 160])
def test_every_view_keeps_to_the_width(name: str, columns: int) -> None:
    """No line of any view is wider than it was asked to be."""
    for view in terminal.VIEWS:
        lines = terminal.render(CASES[name](), width=columns, view=view).splitlines()
        assert max(map(width, lines)) <= columns
