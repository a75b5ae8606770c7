"""Pages of an agreement against gold files, their shape, and hostile names in them."""

import dataclasses
import json as plain_json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from judgebench.model.agreement import Agreement, Holding
from judgebench.model.nouns import Refusal
from judgebench.reports import agree_markdown, agree_terminal, json, write
from judgebench.reports.cells import width
from tests.reports import make, make_agreement
from tests.reports.test_hostile import effects, poison

GOLD = Path(__file__).parents[1] / "gold" / "reports"
CASES: dict[str, Callable[[], Agreement]] = {
    "agree-two": make_agreement.two,
    "agree-three": make_agreement.three,
    "agree-one-item": make_agreement.one_item,
    "agree-alone": make_agreement.alone,
    "agree-hundred": lambda: make_agreement.hundred(make_agreement.two()),
    "agree-hundred-three": lambda: make_agreement.hundred(make_agreement.three()),
}
POISONED = {name: poison(made()) for name, made in CASES.items()}


def check(name: str, text: str) -> None:
    """Compare with the gold file, or write it."""
    path = GOLD / name
    if os.environ.get("JUDGEBENCH_GOLD") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", CASES)
def test_the_short_page_is_the_gold_file(name: str) -> None:
    """At most 24 lines of 80 columns, the answer before everything else."""
    text = agree_terminal.render(CASES[name](), run="runs/notice")
    check(f"{name}.txt", text)
    assert len(text.splitlines()) <= 24
    assert max(map(width, text.splitlines())) <= 80


@pytest.mark.parametrize("name", CASES)
def test_the_whole_page_is_the_gold_file(name: str) -> None:
    """The Markdown page holds every section that the data carry, and why others are not there."""
    check(f"{name}.md", agree_markdown.render(CASES[name]()))


def test_the_longer_views_are_gold_files() -> None:
    """Splits with their commands, and everything that is known."""
    for name, made in (("two", make_agreement.two), ("three", make_agreement.three)):
        for view in ("split", "extended"):
            text = agree_terminal.render(made(), view=view, run="runs/notice")
            check(f"agree-{name}-{view}.txt", text)


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Holding.HOLDS, "HOLDS: by both passes the same arms may be best"),
        (Holding.MOSTLY, "MOSTLY: north and harbour may be best by both passes"),
        (Holding.NOTHING_SHOWN, "NOTHING TO HOLD: neither pass shows any arm better than another"),
        (Holding.DOES_NOT_HOLD, "DOES NOT HOLD: separated pairs are reversed: north − harbour"),
    ],
)
def test_the_verdict_is_the_first_sentence(verdict: Holding, words: str) -> None:
    """Each word of the rule with its reason."""
    turned = make_agreement.two().reversals if verdict is Holding.DOES_NOT_HOLD else ()
    found = make_agreement.two(verdict=verdict, common=("north", "harbour"), reversals=turned * 2)
    lines = agree_terminal.render(found).splitlines()
    assert words in " ".join(lines[3:7])


def test_arms_without_marks_are_in_no_order() -> None:
    """Where all is blocked no order of names is printed."""
    found = make_agreement.two()
    bare = tuple(dataclasses.replace(one, order=(), means=()) for one in found.raters)
    text = agree_terminal.render(dataclasses.replace(found, raters=bare), view="extended")
    assert "order no arm that is placed" in " ".join(text.split())


def test_on_a_hundred_points_two_distances_stand_beside_their_chance() -> None:
    """80 columns hold within 5 and within 10; where there is room the exact share is there too."""
    found = make_agreement.hundred(make_agreement.two())
    narrow = agree_terminal.render(found)
    head = next(line for line in narrow.splitlines() if line.startswith("criterion"))
    assert head.split() == [
        "criterion", "within", "5", "chance", "within", "10", "chance", "alpha", "shift",
    ]  # fmt: skip
    row = next(line for line in narrow.splitlines() if line.startswith("clarity"))
    assert row.split()[1:9] == ["58", "%", "30", "%", "83", "%", "44", "%"]
    assert "exact" in agree_terminal.render(found, width=120)


def test_many_criteria_and_passes_still_fit() -> None:
    """Twelve criteria and six passes: the total stays, the rest is counted."""
    row = make_agreement.row("clarity", "clarity", pair=False)
    found = dataclasses.replace(
        make_agreement.three(),
        raters=make_agreement.three().raters * 2,
        rows=(*(row,) * 12, make_agreement.rows(pair=False)[-1]),
    )
    text = agree_terminal.render(found)
    assert len(text.splitlines()) <= 24
    assert "\ntotal " in text
    assert "more criteria: --extended" in text
    assert "… 2 more passes: --extended" in text


def test_no_splits_and_no_such_view() -> None:
    """Nothing to list is said; a view that is not there is our fault."""
    text = agree_terminal.render(make_agreement.two(splits=()), view="split")
    assert "No cell has marks that differ." in text
    with pytest.raises(ValueError, match="view must be one of"):
        agree_terminal.render(make_agreement.two(), view="sideways")


def test_nothing_placed_and_nothing_found_are_said() -> None:
    """An empty set, a design that is not to be had, a cost that is not known."""
    found = make_agreement.three()
    bare = dataclasses.replace(found.raters[0], best=(), unplaced=())
    assert not isinstance(found.designs, Refusal)
    designs = dataclasses.replace(found.designs, cheapest=None)
    page = agree_markdown.render(
        dataclasses.replace(found, raters=(bare, *found.raters[1:]), designs=designs)
    )
    assert "may be best no arm that is placed" in page
    assert "No design that was tried finds a difference of 1.00 points." in page


@pytest.mark.parametrize("name", POISONED)
def test_terminal_shows_hostile_names_as_names(name: str) -> None:
    """No control sign, no forged line, and the short page keeps its size."""
    for view in agree_terminal.VIEWS:
        text = agree_terminal.render(POISONED[name], view=view, run=make.NAMES[0])
        assert effects(text) == set()
        assert not any(line.startswith("# head") for line in text.splitlines())
    short = agree_terminal.render(POISONED[name])
    assert len(short.splitlines()) <= 24
    assert max(map(width, short.splitlines())) <= 80


@pytest.mark.parametrize("name", POISONED)
def test_markdown_holds_no_element_link_or_image(name: str) -> None:
    """Foreign text is text for a Markdown parser."""
    text = agree_markdown.render(POISONED[name])
    assert effects(text) == set()
    kinds = {
        inner.type
        for token in MarkdownIt("commonmark").enable("table").parse(text)
        for inner in (token, *(token.children or ()))
    }
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "fence", "code_block"}


@pytest.mark.parametrize("name", CASES)
def test_json_has_a_code_for_what_is_refused(name: str) -> None:
    """Nulls with codes, no NaN, and no sign that acts on a terminal."""
    text = json.document(poison(CASES[name]()))
    assert effects(text) == set()
    found = plain_json.loads(json.document(CASES[name]()))
    assert found["sampled"] is not None
    if "three" not in name:
        assert (found["sampled"]["value"], found["sampled"]["code"]) == (None, "too_few_judges")


def test_a_result_with_an_agreement_is_read_back() -> None:
    """result.json of a panel gives the same result again, agreement and all."""
    panel = tuple(one.facts for one in make_agreement.three().raters)
    result = make.result(items=8, judges=3, panel=panel)
    whole = dataclasses.replace(result, agreement=make_agreement.three())
    assert json.load_result(json.render(whole)) == whole


def test_agreement_files_are_written_once(tmp_path: Path) -> None:
    """Page and data; a second write of the same leaves the files alone."""
    path = write.write_agreement(make_agreement.two(), tmp_path)
    assert path == tmp_path / "agreement.md"
    times = {one: one.stat().st_mtime_ns for one in tmp_path.iterdir()}
    assert set(times) == {path, tmp_path / "agreement.json"}
    write.write_agreement(make_agreement.two(), tmp_path)
    assert {one: one.stat().st_mtime_ns for one in tmp_path.iterdir()} == times


@pytest.mark.parametrize(
    ("repeats", "said"),
    [
        ((1, 1), ""),
        ((2, 2), "total, --split: means of all scorings; else first marks"),
        ((2, 1), "total, --split: means of all scorings, seldom equal to one; else first marks"),
    ],
)
def test_what_the_rows_compare_is_said_on_one_line(repeats: tuple[int, int], said: str) -> None:
    """Criteria compare first marks and the total means: with one scoring these are the same."""
    found = make_agreement.two()
    raters = tuple(
        dataclasses.replace(one, facts=dataclasses.replace(one.facts, repeats=n))
        for one, n in zip(found.raters, repeats, strict=True)
    )
    text = agree_terminal.render(dataclasses.replace(found, raters=raters), run="runs/notice")
    assert [one for one in text.splitlines() if "--split: means" in one] == ([said] if said else [])
    assert len(text.splitlines()) <= 24
