"""Digits, widths and columns."""

import dataclasses
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.model.nouns import Estimate
from judgebench.reports import cells, csv, digits, markdown, tables, terminal
from judgebench.reports.layout import Column, grid
from judgebench.text import printable
from tests.reports import make

SHOWN = [
    (digits.points(8.5, 2), "8.50"),
    (digits.points(-0.001, 2), "0.00"),
    (digits.points(None, 2), "-"),
    (digits.points(math.nan, 2), "-"),
    (digits.signed(0.254, 2), "+0.25"),
    (digits.signed(-0.001, 2), "0.00"),
    (digits.signed(math.inf, 1), "-"),
    (digits.share(0.0), "0 %"),
    (digits.share(0.001), "under 1 %"),
    (digits.share(0.999), "over 99 %"),
    (digits.share(1 - 1e-15), "100 %"),
    (digits.share(1e-15), "0 %"),
    (digits.share(1.0), "100 %"),
    (digits.share(None), "-"),
    (digits.usd(0.0), "$0.00"),
    (digits.usd(0.004), "under $0.01"),
    (digits.usd(1234.5), "$1,234.50"),
    (digits.usd(None), "-"),
    (digits.plain(1200), "1,200"),
    (digits.plain(None), "-"),
    (digits.plural(1, "item"), "1 item"),
    (digits.plural(2, "criterion", "criteria"), "2 criteria"),
    (digits.listed([]), ""),
    (digits.listed(["a"]), "a"),
    (digits.listed(["a", "b", "c", "d"]), "a, b, c and d"),
    (digits.listed(["a", "b", "c", "d", "e"]), "a, b, c and 2 more"),
]


@pytest.mark.parametrize(("shown", "expected"), SHOWN, ids=map(str, range(len(SHOWN))))
def test_digits_say_no_more_than_is_known(shown: str, expected: str) -> None:
    """Unknown is a dash, zero carries no sign, no share is rounded to all or none."""
    assert shown == expected


def test_decimals_follow_the_scale() -> None:
    """Two on 1 to 10, one on 0 to 100."""
    assert digits.decimals(1, 10) == 2
    assert digits.decimals(0, 100) == 1


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("日本", 4), ("e\u0301", 1), ("ﾊ", 1), ("❤\ufe0f", 2), ("", 0)],
)
def test_width_is_in_terminal_columns(text: str, columns: int) -> None:
    """Wide signs take two, marks on a letter none, the emoji selector makes it wide."""
    assert cells.width(text) == columns


def test_cut_and_pad_never_split_a_wide_sign_over_the_edge() -> None:
    """A sign of two columns that does not fit is left out whole."""
    assert cells.cut("日本語", 4) == "日…"
    assert cells.pad("日本語", 4) == "日… "
    assert cells.pad("7", 3, right=True) == "  7"
    assert cells.cut("abc", 0) == ""


def test_wrap_breaks_at_blanks_and_keeps_per_cent_together() -> None:
    """Words stay whole where they fit, a number stays with its sign."""
    assert cells.wrap("above B (95 % of all)", 12) == ["above B", "(95 % of", "all)"]
    assert cells.wrap("abcdefgh", 3) == ["abc", "def", "gh"]
    assert cells.wrap("one two three", 5, most=2, indent=" ") == ["one", " two…"]
    assert cells.wrap("", 5) == []


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.integers(4, 60))
def test_wrapped_and_cut_text_keeps_to_its_width(text: str, columns: int) -> None:
    """Whatever is shown, no line is wider than allowed and none is lost."""
    safe = printable(text)
    lines = cells.wrap(safe, columns)
    assert all(cells.width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(safe.split())
    assert cells.width(cells.pad(safe, columns)) == columns


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=12), st.integers(40, 120))
def test_tables_of_any_names_keep_shape(names: list[str], columns: int) -> None:
    """Any arm name, in any script: 24 lines, the width, one table in the report."""
    result = make.result(items=1, names=tuple(names))
    lines = terminal.render(result, width=columns).splitlines()
    assert len(lines) <= 24
    assert max(map(cells.width, lines)) <= columns


def test_criteria_that_find_no_room_are_counted() -> None:
    """They drop out from the right, and the criteria view has them all."""
    names = [(f"criterion-{n:02}", f"crit-{n:02}", 1.0) for n in range(14)]
    result = make.result(items=8, criteria=tuple(names))
    page = terminal.render(result)
    assert "more criteria: --criteria" in page
    assert "crit-13" not in page
    view = terminal.render(result, view="criteria")
    assert all(name in view for name, _, _ in names)
    assert max(map(cells.width, view.splitlines())) <= 80


def test_heads_that_would_read_alike_are_not_cut_alike() -> None:
    """Two criteria with the same first letters keep what tells them apart."""
    columns = [
        Column(head="format-a", cells=("1",), criterion=True),
        Column(head="format-b", cells=("1",), criterion=True),
    ]
    assert grid(columns, 20).head == "format-a  format-b"
    narrow = grid(columns, 10)
    assert (narrow.head, narrow.dropped) == ("format-a", 1)


def test_a_name_without_room_gives_way_to_the_short_head_of_the_rubric() -> None:
    """Never to its own first letters: report.html has the same head."""
    names = ("persistence", "architecture")
    columns = [
        Column(head=name, short=short, cells=("1",), criterion=True)
        for name, short in zip(names, ("state", "arch"), strict=True)
    ]
    assert grid(columns, 30).head == "persistence  architecture"
    assert grid(columns, 12).head == "state  arch"


def test_intervals_that_are_not_symmetric_show_the_wider_side() -> None:
    """A ± never promises more than the interval does."""
    whole = make.result()
    arm = dataclasses.replace(
        whole.arms[1], difference=Estimate(value=-0.2, n=5, low=-1.4, high=0.3)
    )
    assert tables.difference(whole, arm) == "-0.20 ±1.20"
    cut = dataclasses.replace(arm, difference=Estimate(value=-4.0, n=3, low=-9.0, high=7.68))
    assert tables.difference(whole, cut) == "-4.00 (-9.00 to +7.68)"
    bare = dataclasses.replace(arm, difference=Estimate(value=-0.2, n=5))
    assert tables.difference(whole, bare) == "-0.20"


def test_ranks_show_one_number_where_both_ends_agree() -> None:
    """``2`` and not ``2-2``; a dash where nothing was ranked."""
    arm = dataclasses.replace(make.result().arms[1], rank_low=2, rank_high=2)
    assert tables.rank(arm) == "2"
    assert tables.rank(dataclasses.replace(arm, rank_low=None)) == "-"


def test_many_arms_of_one_item_have_quotes_behind_their_rows() -> None:
    """No line of their own is left, so the quote stands beside, where there is room."""
    names = tuple(f"arm-{n:02}" for n in range(12))
    result = make.result(items=1, names=names)
    wide = terminal.render(result, width=140)
    assert "“the arm-00 answer" in wide
    narrow = terminal.render(result, width=60)
    assert "“" not in narrow
    assert len(terminal.render(result, view="arms").splitlines()) > 24


def test_unknown_view_is_our_own_fault() -> None:
    """The command line offers the five views and no other."""
    with pytest.raises(ValueError, match="view must be one of"):
        terminal.render(make.result(), view="html")


def test_typed_columns_have_one_kind_each() -> None:
    """What goes to Parquet is what its kind says, or nothing."""
    kinds: dict[str, type | tuple[type, ...]] = {
        "text": str,
        "integer": int,
        "real": (int, float),
        "boolean": bool,
    }
    for column in csv.columns(make.result(items=8)):
        present = [value for value in column.values if value is not None]
        assert all(isinstance(value, kinds[column.kind]) for value in present), column.name


def test_csv_shows_refusals_as_empty_cells_with_a_code() -> None:
    """No zero, no word among numbers."""
    found = {column.name: column.values for column in csv.columns(make.result(items=1))}
    assert found["total"] == (None,) * 5
    assert found["total_code"] == ("too_few_items",) * 5
    odd = dataclasses.replace(make.result().arms[0], median=math.nan)
    values = csv.columns(make.result(arms=(odd,)))
    assert next(one for one in values if one.name == "median").values == (None,)


def test_report_names_what_is_special_about_a_run() -> None:
    """No run.yaml, no prompt, parameters, tiers, family, wrong model, split criteria."""
    whole = make.result(items=8)
    arm = dataclasses.replace(
        whole.arms[0],
        tier="B",
        tier_borderline=True,
        arm=dataclasses.replace(whole.arms[0].arm, params={"temperature": 0.2}),
        context=dataclasses.replace(whole.arms[0].context, known=0),
    )
    facts = make.facts(route="replay", recording="recorded/a.jsonl", split_criteria=True)
    text = markdown.render(
        dataclasses.replace(
            whole,
            arms=(arm,),
            declared=False,
            has_prompt=False,
            judging=facts,
            generated_from="",
            collected_at=None,
            use_case=dataclasses.replace(whole.use_case, job=""),
            checks=dataclasses.replace(
                whole.checks, wrong_model="marker-1", same_family=("north",)
            ),
        )
    )
    for words in (
        "B (borderline)",
        '{"temperature": 0.2}',
        "There is no run.yaml",
        "not shown a prompt",
        "Another model answered: marker-1.",
        "own family: north.",
        "recorded/a.jsonl",
        "one request each",
        "Collected at an unknown time by collect 0.1",
    ):
        assert words in text
    assert "What the answers took" not in text
    assert "Job:" not in text


def test_a_text_that_is_cut_ends_with_a_whole_word() -> None:
    """The sign that there was more stands behind a word; one word alone is cut."""
    text = "the first items of this report are named in report.md, with both worst cases"
    lines = cells.wrap(text, 30, most=2, indent="  ")
    assert lines == ["the first items of this report", "  are named in report.md, …"]
    assert cells.wrap("x" * 40, 10, most=1) == ["xxxxxxxxx…"]
