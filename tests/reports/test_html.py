"""The page: its parts, its limits, its bytes, and hostile text in every field."""

import base64
import dataclasses
import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from judgebench.model.exhibits import CellFact, Exhibit, Exhibits, Judging
from judgebench.model.nouns import Quote
from judgebench.model.reasons import Reason
from judgebench.model.result import Result
from judgebench.model.sensitivity import GapDrivers, ItemInfluence
from judgebench.reports import html, markdown
from judgebench.reports.answers import MOST_ANSWERS, pieces
from judgebench.reports.digits import DASH
from tests.reports import make, make_exhibits
from tests.reports.make_exhibits import TEXT, exhibits, quote
from tests.reports.page import Page
from tests.reports.test_gold import partly_blocked, replay
from tests.reports.test_hostile import HOSTILE, RESULTS, effects, poison

GOLD = Path(__file__).parents[1] / "gold" / "reports"
_ELEMENTS = """
html head meta title style body header h1 h2 h3 g nav ul li a main section p div table caption
thead tbody tr th td figure figcaption svg desc line path circle rect text details summary
pre code b br mark sup span
"""
_ATTRIBUTES = """
lang charset http-equiv content name href id class role tabindex aria-label aria-labelledby
scope viewbox x y x1 x2 y1 y2 cx cy r d dy width height text-anchor transform fill stroke
stroke-width stroke-dasharray stroke-opacity font-size
"""
ELEMENTS, ATTRIBUTES = set(_ELEMENTS.split()), set(_ATTRIBUTES.split())
CASES: dict[str, Callable[[], Result]] = {
    "one": lambda: make.result(items=1),
    "five": lambda: make.result(items=5, separated={("north", "willow")}),
    "partly": partly_blocked,
    "blocked": make.all_blocked,
    "replay": replay,
}


def page_of(result: Result, found: Exhibits | None = None, *, most_bytes: int = 10**8) -> str:
    """The page of a result with made exhibits."""
    found = found or exhibits(result)
    return html.render(result, found, run="runs/notice", most_bytes=most_bytes).decode()


def test_the_page_is_the_gold_file() -> None:
    """All but the shapes of its plots, which each version of the library places anew."""
    page = page_of(CASES["partly"]())
    text = re.sub(r"(?<=</desc>\n).*?(?=\n</svg>)", "", page, flags=re.DOTALL)
    assert text != page
    gold = GOLD / "partly.html"
    if os.environ.get("JUDGEBENCH_GOLD") == "write":
        gold.write_text(text, encoding="utf-8")
    assert text == gold.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_the_page_is_whole_and_refers_only_to_itself(name: str) -> None:
    """Elements close in order, headings go down by one, ids are unique, links lead to them."""
    text = page_of(CASES[name]())
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>\n")
    assert page.open == []
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(b <= a + 1 for a, b in zip(page.headings, page.headings[1:], strict=False))
    ids = page.ids()
    assert len(ids) == len(set(ids))
    assert {link[:1] for link in page.links()} == {"#"}
    assert {link[1:] for link in page.links()} <= set(ids)
    assert text == page_of(CASES[name]())


@pytest.mark.parametrize("name", CASES)
def test_the_page_says_what_screen_readers_need(name: str) -> None:
    """Every table has a caption, every head a scope, every plot a title and a description."""
    page = Page(page_of(CASES[name]()))
    tags = [tag for tag, _ in page.elements]
    assert tags.count("table") == tags.count("caption")
    assert tags.count("svg") == tags.count("desc")
    for tag, attrs in page.elements:
        if tag == "th":
            assert attrs["scope"] in {"row", "col"}
        if tag == "svg":
            assert attrs["role"] == "img"
            assert set((attrs["aria-labelledby"] or "").split()) <= set(page.ids())


def warned() -> Result:
    """Warnings of which other sections hold more."""
    return dataclasses.replace(
        partly_blocked(),
        warnings=(
            make.flag("controls_failed", 1, kinds="near_empty 1 of 2", key="5ab1e05a"),
            make.flag("blocked_share", 1, blocked=9, planned=40, reasons="9 length"),
            make.flag("passes_unfinished", 1, passes=2),
        ),
    )


def test_what_stands_in_report_md_is_a_link_within_the_page() -> None:
    """A warning leads to the section that holds more; no words send a reader of the page away."""
    page = page_of(warned())
    assert 'near-empty 1 of 2 (<a href="#controls">Planted controls</a>)' in page
    assert '<a href="#totals">Total per arm</a> has both worst cases' in page
    assert 'unfinished, see <a href="#passes">All passes on this run</a></li>' in page
    assert "report.md" not in page


def test_a_line_of_report_md_names_the_section_and_not_its_own_file() -> None:
    """Whoever reads the file already is told the section that holds more."""
    page = markdown.render(warned())
    assert 'near-empty 1 of 2 ("Planted controls")' in page
    assert '"Total per arm" has both worst cases' in page
    assert 'unfinished, see "All passes on this run"' in page
    assert "report.md" not in page


def test_the_policy_lets_only_the_style_sheet_act() -> None:
    """No script, and no style but the one whose hash the policy names."""
    text = page_of(CASES["five"]())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert policy
    assert style
    digest = base64.b64encode(hashlib.sha256(style.group(1).encode()).digest()).decode()
    said = policy.group(1).replace("&#39;", "'").replace("&#43;", "+")
    assert said == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in style.group(1)
    assert "@import" not in style.group(1)


@pytest.mark.parametrize("name", RESULTS)
def test_hostile_text_is_only_text(name: str) -> None:
    """In every field: no foreign element, attribute or address, no control sign, all readable."""
    text = hostile_page(RESULTS[name])
    page = Page(text)
    assert page.open == []
    assert page.names() <= ELEMENTS
    assert page.attributes() <= ATTRIBUTES
    assert {link[:1] for link in page.links()} == {"#"}
    assert effects(text) == set()
    assert all(re.fullmatch(r"[a-z_]+|c[0-9]+|[a-z]+-[0-9]*-?[td]", one) for one in page.ids())
    if "#exhibits" in page.links():
        assert "<script>document.title=1</script><img src=x onerror=" in page.text
        assert "<U+202E>RLO" in page.text


def hostile_page(result: Result) -> str:
    """The page of a hostile result with hostile exhibits."""
    clean = exhibits(result)
    answers = tuple(map(poisoned, clean.answers))
    found = poison(dataclasses.replace(clean, answers=()))
    return page_of(result, dataclasses.replace(found, order=clean.order, answers=answers))


def poisoned(exhibit: Exhibit) -> Exhibit:
    """An answer with hostile text in every field, its quotes still in place."""
    made: Exhibit = poison(exhibit)
    return dataclasses.replace(made, arm=exhibit.arm, item=exhibit.item, text=HOSTILE * 2)


def test_quotes_are_marked_in_place_even_where_they_overlap() -> None:
    """Two quotes that overlap give one marked stretch, each number where its quote ends."""
    numbered = [
        (quote("stop moves on Monday"), 1),
        (quote("moves on Monday.\n\nNew rails"), 2),
        (quote("never said"), 3),
        (quote("ninth", source="prompt"), 4),
        (Quote(text="beyond", source="answer", start=0, end=10**6), 5),
    ]
    found = pieces(TEXT, numbered)
    assert "".join(piece.text for piece in found) == TEXT
    marked = "".join(piece.text for piece in found if piece.quoted)
    assert marked == "stop moves on Monday.\n\nNew rails"
    ends = {number: piece.text for piece in found for number in piece.ends}
    assert ends[1].endswith("Monday")
    assert ends[2].endswith("New rails")
    assert set(ends) == {1, 2}


def test_an_answer_says_how_far_its_judgings_are_apart() -> None:
    """Two on one criterion and none on the others: what answers are sorted by."""
    result = CASES["five"]()
    first = next(iter(exhibits(result).answers))
    one, other = first.judgings
    moved = dataclasses.replace(other.marks[0], mark=6.0)
    other = dataclasses.replace(other, marks=(moved, *other.marks[1:]))
    found = dataclasses.replace(
        exhibits(result), answers=[dataclasses.replace(first, judgings=(one, other))]
    )
    said = "totals 6.50 to 7.25, marks 2 apart over all criteria, 2 judgings"
    assert said in page_of(result, found)


def test_an_answer_shows_text_marks_and_raw_reply() -> None:
    """The drill-down of a cell holds all that was stored, noise judgings named as such."""
    text = page_of(CASES["five"]())
    assert "<mark>stop </mark>" in text
    assert "Judging 2, for the noise only: total 6.50" in text
    assert "totals 6.50 to 7.25, 2 judgings" in text
    assert "unsupported: a required quote was not found" in text
    assert 'words never said” <span class="note">answer, not found there' in text
    assert "blocked: judge_invalid: no JSON in three replies" in text
    assert "No reply on record." in text


def test_marks_without_a_word_beside_them_are_one_table() -> None:
    """A judging a row, a criterion a column; with one reason given, each has its own again."""
    result = CASES["five"]()
    first = next(iter(exhibits(result).answers))
    bare = [
        dataclasses.replace(
            one,
            reply="",
            marks=tuple(
                dataclasses.replace(mark, quotes=(), rationale="", unsupported=False)
                for mark in one.marks
            ),
        )
        for one in first.judgings
    ]
    unmarked = dataclasses.replace(bare[1].marks[0], mark=None, blocked=Reason.CANNOT_JUDGE)
    bare[1] = dataclasses.replace(bare[1], marks=(unmarked, *bare[1].marks[2:]))

    def page(judgings: list[Judging]) -> str:
        answer = dataclasses.replace(first, judgings=tuple(judgings))
        return page_of(result, dataclasses.replace(exhibits(result), answers=[answer]))

    text = page(bare)
    names = "".join(f'<th scope="col">{name}</th>' for name, _, _ in result.criteria)
    assert text.count(f'<tr><th scope="col">judging</th>{names}</tr>') == 1
    assert text.count('<th scope="row">Judging') == 2
    assert f'<td class="n">blocked (cannot_judge)</td><td class="n">{DASH}</td>' in text
    assert "<h3>Judging" not in text
    said = dataclasses.replace(bare[0].marks[0], rationale="As it says.")
    text = page([dataclasses.replace(bare[0], marks=(said, *bare[0].marks[1:])), bare[1]])
    assert text.count("<h3>Judging") == 2
    assert '<th scope="col">judging</th>' not in text


def test_blocked_cells_are_hatched_and_never_a_number() -> None:
    """A blocked cell carries its reason; a suspected one a question mark."""
    text = page_of(CASES["partly"]())
    assert text.count('<td class="blocked"><span>length</span></td>') == 4
    assert re.search(r'<a href="#c[0-9]+">[0-9.]+\?</a>', text)


def test_cells_that_are_not_judged_yet_and_many_items() -> None:
    """They carry a dash, and the page says how many of the items it shows."""
    result = make.result(items=5)
    found = dataclasses.replace(
        exhibits(result), items=900, cells=(CellFact(arm="north", item="item-1"),)
    )
    text = page_of(result, found)
    assert "As a table: the first 1 of 900 items, with links to the answers<" in text
    assert '<td><a href="#c1">-</a></td>' in text


def test_a_page_without_answers_speaks_of_no_links() -> None:
    """Marks that were brought in have cells, but nothing that a cell could lead to."""
    result = make.result(items=3)
    bare = dataclasses.replace(exhibits(result), judged=0, order=(), answers=())
    text = page_of(result, bare)
    assert "<summary>As a table: 3 items</summary>" in text
    assert 'id="matrix-t"' in text


def test_answers_without_room_are_named_by_their_command() -> None:
    """What does not fit is listed as `judge show`, with names as a shell takes them."""
    result = make.result(items=8)
    whole = exhibits(result)
    text = page_of(result, whole, most_bytes=20_000)
    shown = text.count('<div id="c')
    assert 0 < shown < len(whole.order)
    rest = Page(text).text.count("judge show runs/notice ")
    assert rest == len(whole.order) - shown
    assert f"{rest} more answers, each shown by its command" in text
    order = (("north", "it's; rm -rf"), *whole.order)
    odd = dataclasses.replace(whole, order=order, answers=iter(()), judged=5_000)
    text = page_of(result, odd)
    assert """judge show runs/notice north 'it'"'"'s; rm -rf'""" in Page(text).text
    assert "5,000 more answers, each shown by its command; the first 41 of them" in text


def test_the_commands_of_a_page_show_the_pass_of_the_page() -> None:
    """A command that names no pass would show what another one said of the answer."""
    result = make.result(items=8)
    mine = result.judging
    other = dataclasses.replace(mine, id="0ther", judge_name="another", planned=mine.planned + 1)
    result = dataclasses.replace(result, passes=(other, mine))
    order = (("north", "-dashed"), *exhibits(result).order)
    odd = dataclasses.replace(exhibits(result), order=order, answers=iter(()), judged=5_000)
    text = Page(page_of(result, odd)).text
    assert f"judge show runs/notice --pass {mine.id} -- north -dashed" in text
    assert text.count("judge show runs/notice ") == text.count(f"--pass {mine.id} ")


def test_at_most_500_answers_and_20_mb() -> None:
    """A run of any size gives a page of bounded size."""
    result = make.result(items=120)
    text = html.render(result, exhibits(result)).decode()
    assert text.count('<div id="c') == MOST_ANSWERS
    large = dataclasses.replace(exhibits(result), answers=large_answers(result))
    assert len(html.render(result, large)) < 20_000_000


def large_answers(result: Result) -> list[Exhibit]:
    """Answers of a megabyte each."""
    judging = make_exhibits.judging(result)
    return [
        Exhibit(arm="north", item=f"item-{n + 1}", text="<" * 250_000, judgings=(judging,))
        for n in range(30)
    ]


def test_a_page_of_1000_judgments_has_every_second_judging() -> None:
    """500 answers with two judgings each."""
    result = make.result(items=100)
    whole = exhibits(result)
    twice = (make_exhibits.judging(result), make_exhibits.judging(result, repeat=2))
    answers = [dataclasses.replace(one, text=TEXT * 20, judgings=twice) for one in whole.answers]
    html.render(result, exhibits(result))
    text = html.render(result, dataclasses.replace(whole, answers=answers)).decode()
    assert text.count("<h3>Judging 2, for the noise only") == MOST_ANSWERS


def test_no_more_answers_are_read_than_have_room() -> None:
    """The next hundred would be read from the store for nothing."""
    result = make.result(items=101)
    whole = exhibits(result)
    every = list(whole.answers)
    answers = iter(every)
    html.render(result, dataclasses.replace(whole, answers=answers))
    assert len(list(answers)) == len(every) - MOST_ANSWERS > 0


def test_a_criterion_without_a_head_is_headed_by_its_id() -> None:
    """No column of the first table is without words."""
    whole = make.result(items=5)
    bare = tuple((name, "", weight) for name, _, weight in whole.criteria)
    text = page_of(dataclasses.replace(whole, criteria=bare))
    assert not re.search(r"<th[^>]*></th>", text)
    assert '<th scope="col" class="n">completeness</th>' in text


def headings(page: str) -> list[str]:
    """Keys of the sections in the order of the page."""
    return re.findall(r'<h2 id="([a-z_]+)">', page)


def test_differences_stand_before_totals_and_answers_after_all() -> None:
    """What arms are compared by comes first; what belongs together stands together."""
    keys = headings(page_of(make.extended(partly_blocked())))
    for first, then in (
        ("differences", "totals"), ("record", "exhibits"), ("matrix", "settings"),
    ):  # fmt: skip
        assert keys.index(first) < keys.index(then)
    for first, then in (
        ("differences", "all_pairs"), ("totals", "arms_further"), ("criteria", "by_criterion"),
        ("judge", "judge_again"),
    ):  # fmt: skip
        assert keys.index(first) + 1 == keys.index(then)


def test_the_table_of_criteria_is_folded_below_its_picture() -> None:
    """The same figures stand once in sight; they are a table for whoever wants one."""
    part = page_of(make.result(items=5)).partition('<h2 id="criteria">')[2].partition("<h2")[0]
    assert part.count("<svg") == 1
    assert part.index("<svg") < part.index("<summary>As a table: Criteria") < part.index("<table")


def test_one_criterion_whose_marks_are_the_totals_is_not_shown_again() -> None:
    """Neither heat map nor table, but a word; where a gate moves a total, both."""
    whole = make.result(items=5)
    name = whole.criteria[0][0]

    def only(*, off: float) -> str:
        arms = tuple(
            dataclasses.replace(
                arm,
                criteria=(
                    dataclasses.replace(
                        arm.criteria[0], criterion=name, mean=(arm.mean or 0.0) + off
                    ),
                ),
            )
            for arm in whole.arms
        )
        made = dataclasses.replace(whole, arms=arms, criteria=whole.criteria[:1])
        return page_of(made, exhibits(whole)).partition('<h2 id="criteria">')[2].partition("<h2")[0]

    same, moved = only(off=0.0), only(off=-0.5)
    assert f"There is one criterion, {name}" in same
    assert not {"<svg", "<table"} & {word for word in ("<svg", "<table") if word in same}
    assert "<svg" in moved
    assert "<table" in moved


def test_figures_stand_under_the_line_that_they_belong_to() -> None:
    """Totals without an item are a list below what they are of, never beside it."""
    found = GapDrivers(
        first="north", second="harbour", difference=0.5, shared=6, turning=0,
        items=(ItemInfluence(item="i5", difference=0.4, turns=False),),
    )  # fmt: skip
    page = page_of(dataclasses.replace(partly_blocked(), drivers=found))
    part = page.partition('<h2 id="sensitivity">')[2].partition("<h2")[0]
    assert part.index("<p>One item less: north − harbour is +0.50 on 6 items;") < part.index("<ul>")
    assert re.findall(r"<li>([^<]*)", part) == ["Without i5: +0.40"]


def test_a_table_of_many_columns_is_set_smaller_on_paper() -> None:
    """On a screen it scrolls under a shade; paper does not scroll."""
    few, many = make.result(), make.result(items=30)
    wide = dataclasses.replace(
        many,
        criteria=tuple((f"c{n}", "", 1.0) for n in range(12)),
        arms=tuple(dataclasses.replace(arm, criteria=()) for arm in many.arms),
    )
    none = Exhibits(items=0, cells=(), marks=(), judged=0, order=(), answers=())
    assert b'class="scroll wide"' in html.render(wide, none)
    assert b'class="scroll"' in html.render(few, none)
