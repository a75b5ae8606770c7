"""Differences in kind on the short page and in sections: whose words, how many lines."""

import dataclasses

import pytest

from judgebench.model.contrasts import Contrasts
from judgebench.reports import contrasts, json, markdown
from judgebench.reports.blocks import Bullets, Paragraph
from judgebench.reports.cells import width
from tests.reports import make


def told(found: Contrasts) -> str:
    """All that a report says of differences in kind."""
    return " ".join([contrasts.opening(found), *contrasts.kinds(found)])


def test_the_list_marks_every_sentence_of_the_judge() -> None:
    """Outside of the brackets stand counts only; inside, where and by whom it was said."""
    said = told(make.contrasts())
    outside = ""
    for at, part in enumerate(said.split("[Judge on ")):
        outside += part if at == 0 else part.partition("]")[2]
    assert "numbered steps" in said
    assert "numbered steps" not in outside
    assert "Structure: 2 of 3 items; more: north 2; less: harbour 2." in outside


def test_what_is_not_in_the_counts_is_said() -> None:
    """Blocked, open, left out and not drawn items, each with its number."""
    found = dataclasses.replace(
        make.contrasts(), planned=9, answered=3, blocked=2, left_out=1, not_drawn=5
    )
    said = told(found)
    for words in (
        "2 items without a usable answer of the judge", "4 items not asked yet",
        "1 item with fewer than two outputs to compare", "5 items not drawn",
    ):  # fmt: skip
        assert words in said


def test_kinds_beyond_those_with_examples_are_named_with_their_counts() -> None:
    """The four that recur most have an example, the others a number."""
    (one, *_) = make.contrasts().counts
    kinds = ("structure", "format", "depth", "tone", "omission", "evidence_use")
    counts = tuple(dataclasses.replace(one, kind=kind) for kind in kinds)
    said = told(dataclasses.replace(make.contrasts(), counts=counts))
    assert said.count("[Judge on ") == 4
    assert "Rarer: omission (2) and evidence use (2)." in said


def test_no_difference_is_an_answer_too() -> None:
    """The page says so; the paragraph holds no judge's words."""
    found = dataclasses.replace(make.contrasts(), counts=(), contrasts=(), unlike=0)
    assert "No supported difference in kind was named." in contrasts.render(found, None)
    assert "on 0 of 3 items" in told(found)


def test_without_a_rating_there_is_no_recommendation() -> None:
    """The page names the command that makes one."""
    page = contrasts.render(make.contrasts(), None, run="runs/r")
    assert "No recommendation: there is no rating yet; judge score runs/r makes one." in page


def test_a_long_recommendation_still_fits_the_screen() -> None:
    """Even where nothing else has room: 24 lines, the last says where the rest is."""
    many = tuple(f"arm-{at}-of-thirty-two-signs-at-most-x" for at in range(5))
    result = make.result(items=8)
    beaten = make.tradeoff(names=many)
    page = contrasts.render(crowded(), dataclasses.replace(result, tradeoff=beaten))
    lines = page.splitlines()
    assert len(lines) <= contrasts.LINES
    assert max(map(width, lines)) <= contrasts.COLUMNS


def crowded() -> Contrasts:
    """Six kinds with many arms of long names, and words at their limit."""
    base = make.contrasts(names=tuple(f"{at}" * 32 for at in range(6)), trait="word " * 60)
    (one, *_) = base.counts
    kinds = ("structure", "format", "depth", "tone", "omission", "evidence_use")
    counts = tuple(dataclasses.replace(one, kind=kind) for kind in kinds)
    return dataclasses.replace(base, counts=counts)


@pytest.mark.parametrize("foreign", ["a] b [c", "[[x]]", "]"])
def test_no_foreign_word_closes_the_mark(foreign: str) -> None:
    """Brackets in traits, quotes, items and arms become round ones."""
    found = make.contrasts(names=(f"n{foreign}", "harbour"), trait=foreign)
    said = contrasts.judge_words(dataclasses.replace(found.contrasts[0], item=f"i{foreign}"))
    assert said.count("[") == said.count("]") == 1
    assert said.endswith(".]")


def test_a_result_with_both_comes_back_from_json() -> None:
    """result.json holds all of it, and is read back equal."""
    result = dataclasses.replace(
        make.result(items=8), contrasts=make.contrasts(), tradeoff=make.tradeoff()
    )
    assert json.load_result(json.render(result)) == result
    text = markdown.render(result)
    assert "## How the outputs differ in kind" in text
    assert "## Recommendation" in text


def test_a_report_lists_the_kinds_one_a_line() -> None:
    """Who was asked stands above; each kind with its example is an entry of a list."""
    found = make.contrasts()
    made = contrasts.in_kind(dataclasses.replace(make.result(items=8), contrasts=found))
    assert made is not None
    assert made.blocks[:2] == (
        Paragraph(contrasts.opening(found)), Bullets(tuple(contrasts.kinds(found))),
    )  # fmt: skip


def test_many_unsupported_ones_are_cut_and_counted() -> None:
    """The first twenty are listed, and the sentence says so."""
    base = make.contrasts()
    left = tuple(one for one in base.contrasts if not one.supported) * 30
    section = contrasts.in_kind(
        dataclasses.replace(
            make.result(items=8), contrasts=dataclasses.replace(base, contrasts=left)
        )
    )
    assert section is not None
    assert "the first 20 of them" in str(section.blocks)
    assert make.contrasts().unsupported == 1
