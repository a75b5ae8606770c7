"""The judge against people in a report: sections, plots with words, hostile names."""

import dataclasses
import itertools
from collections.abc import Callable

import pytest

from judgebench.model.nouns import Refusal
from judgebench.model.result import Result
from judgebench.reports import html, json, markdown, people, people_plots, people_sections
from judgebench.reports.blocks import Table
from tests.reports import make, make_people
from tests.reports.make_exhibits import exhibits
from tests.reports.page import Page
from tests.reports.test_hostile import effects, poison

MADE = make_people.calibration()


def held(result: Result | None = None) -> Result:
    """A result of a judge whom people were held against."""
    return dataclasses.replace(result or make.result(items=5), people=MADE)


def page_of(result: Result) -> str:
    """The HTML of a result."""
    return html.render(result, exhibits(result), run="runs/notice").decode()


def test_without_people_nothing_is_said() -> None:
    """No section, no plot, null in result.json."""
    whole = make.result(items=5)
    assert people_sections.sections(whole) == ()
    assert "against people" not in markdown.render(whole)
    assert 'id="people' not in page_of(whole)
    assert '"people": null' in json.render(whole)


def test_three_sections_follow_the_judge() -> None:
    """Criteria, ceiling and corrected figures stand in report.md behind what is known of him."""
    keys = [one.key for one in people_sections.sections(held())]
    assert keys == ["people", "people_ceiling", "people_corrected"]
    text = markdown.render(held())
    places = [text.index(f"## {head}") for head in (
        "The judge", "The judge against people", "The human ceiling",
        "Corrected against raw ratings",
    )]  # fmt: skip
    assert places == sorted(places)
    assert "| grounding | no | 30 | +2.00 (+1.50 to +2.50, t) |" in text
    assert "| grounding | 2.10 | 0.80 | +1.30 (+0.80 to +1.80, t) | 60 % | 70 % |" in text
    assert "| grounding | north | 6.00 | 30 | 8.00 | 6.00 (5.50 to 6.50, t) | 0.50 |" in text


def test_refusals_stand_with_their_sentence() -> None:
    """Each with its criterion; a criterion without figures keeps its row."""
    text = markdown.render(held()).replace("\\", "")
    assert "| actionability | not shown | 5 | not printed (too few items) |" in text
    assert "corrected figures, actionability: the human marks are no random sample" in text
    assert "human ceiling, actionability: needs the marks of a second person" in text
    assert "labels_not_random" not in text
    assert "single_annotator" not in text


def test_marks_that_were_never_shown_beside_the_judge_are_one_sentence() -> None:
    """The sentence, and the command that shows them."""
    refused = Refusal(statistic="judge_against_people", code="not_compared", have=0, need=1)
    result = dataclasses.replace(make.result(items=5), people=refused)
    text = markdown.render(result).replace("\\", "")
    assert "People's marks have not been shown beside this judge yet" in text
    assert "judge calibrate" in text
    assert "not_compared" not in text
    assert page_of(result).count('id="people') == 1
    assert json.load_result(json.render(result)) == result


def test_where_people_marked_everything_nothing_is_corrected() -> None:
    """The section says so."""
    made = make_people.calibration(sampling="all")
    result = dataclasses.replace(make.result(items=5), people=made)
    assert "People marked every item: there is nothing to correct." in markdown.render(result)


def test_plots_hold_what_the_tables_say() -> None:
    """Bias and distance have a line at zero; the judge's own means are squares, named so."""
    (bias,) = people_plots.drawn(MADE, "people")
    (row,) = bias.rows
    assert bias.zero
    assert row.low is not None
    assert bias.low == 0 < row.low
    assert row.words == "+2.00"
    assert "grounding: +2.00" in bias.desc
    (further,) = people_plots.drawn(MADE, "people_ceiling")
    assert further.rows[0].words == "2.10 off, a person 0.80"
    (means,) = people_plots.drawn(MADE, "people_corrected")
    assert [one.words for one in means.rows] == ["6.00, judge 8.00", "5.00, judge 7.00"]
    assert all(one.raw and one.value and one.raw > one.value for one in means.rows)
    assert "square" in means.marked
    assert not means.zero
    assert people_plots.drawn(MADE, "totals") == ()
    assert people_plots.drawn(make_people.calibration(make_people.empty()), "people") == ()


def test_every_plot_can_be_reached_and_read() -> None:
    """A figure stops the tab key; its picture has a title and a description; tables stand below."""
    page = Page(page_of(held()))
    reached = {
        (picture.get("aria-labelledby") or "").split()[0]
        for (tag, around), (_, picture) in itertools.pairwise(page.elements)
        if tag == "figure" and around.get("tabindex") == "0"
    }
    assert {"people-bias-t", "people-further-t", "people-corrected-0-t"} <= reached
    assert len(page.ids()) == len(set(page.ids()))
    for one in people_sections.sections(held()):
        assert any(isinstance(block, Table) for block in one.blocks)


RENDER: dict[str, Callable[[Result], str]] = {
    "html": page_of,
    "markdown": markdown.render,
    "json": json.render,
}


@pytest.mark.parametrize("name", RENDER)
def test_hostile_names_stay_words(name: str) -> None:
    """Names of criteria, arms and people act nowhere."""
    text = RENDER[name](poison(held()))
    assert effects(text) == set()
    assert name == "json" or "<script>document" not in text


def test_hostile_names_make_no_elements() -> None:
    """The page has its own elements alone, each id once."""
    page = Page(page_of(poison(held())))
    assert not page.names() & {"script", "img"}
    assert {one for one in page.links() if not one.startswith("#")} == set()
    assert len(page.ids()) == len(set(page.ids()))


def test_result_json_holds_all_of_it_and_comes_back() -> None:
    """Equal after reading."""
    assert json.load_result(json.render(held())) == held()


def test_marks_of_more_items_are_the_page_and_the_others_are_named() -> None:
    """A few overall marks do not drive out a total that people marked on many items."""
    few = dataclasses.replace(make_people.whole().counted, people=1, items=2, marks=3)
    total, overall = make_people.whole("total"), make_people.whole("overall")
    total = dataclasses.replace(total, counted=dataclasses.replace(total.counted, people=1))
    made = make_people.calibration(total, dataclasses.replace(overall, counted=few))
    said = " ".join(people.render(made).split())
    assert "People alone, total: 120 marks on 30 items" in said
    assert "Also marked: overall, 3 marks on 2 items (people.md)." in said
    assert "each criterion by one of them alone" in said
    both = people.render(make_people.calibration(overall, make_people.whole("total")))
    assert "People alone, overall: 120 marks" in both
    assert "by one of them alone" not in both
    pairs = people.render(make_people.calibration())
    assert "by one of them alone" not in pairs
