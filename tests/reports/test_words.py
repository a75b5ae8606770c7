"""Sentences that count: none of nothing, a list as a list, and what is cut says so."""

import dataclasses

import pytest

from judgebench.model.nouns import Refusal
from judgebench.reports import agree_terminal, agree_words, elsewhere, refusals
from tests.reports import make_agreement


@pytest.mark.parametrize(
    ("turned", "every", "said"),
    [
        (0, 6, "all 6 pairs of arms compared are ordered alike"),
        (1, 6, "1 of 6 pairs of arms compared is not ordered alike"),
        (3, 6, "3 of 6 pairs of arms compared are not ordered alike"),
        (1, 1, "the one pair of arms compared is not ordered alike"),
        (0, 1, "the one pair of arms compared is ordered alike"),
    ],
)
def test_pairs_that_are_ordered_alike(turned: int, every: int, said: str) -> None:
    """No pair that is ordered otherwise is said as all that are ordered alike."""
    found = dataclasses.replace(
        make_agreement.one_item(), pairs_turned=turned, pairs_compared=every
    )
    assert said in agree_words.answer(found)


def test_a_list_of_raters_that_is_cut_says_how_many_more() -> None:
    """Their names and what may be best by each."""
    found = make_agreement.three()
    text = agree_terminal.render(dataclasses.replace(found, raters=found.raters * 2))
    assert "\n… 2 more: --extended\n" in text


@pytest.mark.parametrize(
    ("statistic", "code", "said"),
    [
        ("kendall_w", "too_few_arms", "needs ≥ 3 arms that all of them marked on one item, have 2"),
        ("pareto", "too_few_arms", "needs ≥ 3 arms that are placed, have 2"),
        ("judges_as_sample", "too_few_items", "items where all marked both arms"),
        ("icc", "too_few_items", "needs ≥ 3 items that all of them marked, have 2"),
    ],
)
def test_what_lacks_is_named_and_not_items_or_arms(statistic: str, code: str, said: str) -> None:
    """Where marks of the same people lack, nobody is sent to add items or arms to the run."""
    refused = Refusal(
        statistic=statistic, code=code, have=2, need=3,
        how="add items, not repeats" if code == "too_few_items" else "",
    )  # fmt: skip
    why = refusals.why(refused)
    assert said in why
    assert "add items" not in why
    assert "add arms to the run" not in why


def test_no_report_is_named_that_nobody_wrote() -> None:
    """The command stands in its place; where it is written its name does."""
    said = "1 other pass on this run not shown, see report.md"
    command = "judge report runs/mt"
    assert elsewhere.before_report(said, command) == said.replace("report.md", command)
    assert elsewhere.before_report(said, "") == said
