"""result.json comes back equal, and never holds what is no number."""

import dataclasses
import json as stdlib_json
import math
import re

import pytest

from judgebench.errors import StoreError
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import CriterionMean, Result
from judgebench.reports import csv, json, markdown, terminal
from tests.reports import make
from tests.reports.test_gold import CASES


@pytest.mark.parametrize("name", CASES)
def test_result_comes_back_equal_with_equal_bytes(name: str) -> None:
    """Writing, reading and writing again changes nothing."""
    text = json.render(CASES[name]())
    loaded = json.load_result(text)
    assert loaded == CASES[name]()
    assert json.render(loaded) == text


def test_refusals_are_null_with_a_code() -> None:
    """A program that reads the file cannot take a refusal for a number."""
    document = stdlib_json.loads(json.render(make.result(items=1)))
    assert document["schema"] == json.SCHEMA
    assert document["best"]["value"] is None
    assert document["best"]["code"] == "too_few_items"
    assert document["arms"][0]["total"]["value"] is None


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_becomes_a_refusal_or_null(bad: float) -> None:
    """No NaN and no infinity, whatever a statistic let through."""
    whole = make.result()
    arm = dataclasses.replace(
        whole.arms[0],
        median=bad,
        total=Estimate(value=bad, n=5, kind="t"),
        difference=Estimate(value=1.0, n=5, low=bad, high=2.0),
    )
    params = dataclasses.replace(arm.arm, params={"top_p": bad, "stop": ["a", None]})
    arm = dataclasses.replace(arm, arm=params)
    text = json.render(dataclasses.replace(whole, arms=(arm,)))
    loaded = json.load_result(text).arms[0]
    odd = CriterionMean(criterion="clarity", mean=bad, n=1)
    one_item = make.result(items=1, arms=(dataclasses.replace(arm, criteria=(odd,)),))
    for render in (terminal.render, markdown.render, csv.render):
        assert not re.search(r"\b(nan|inf)\b", render(one_item))
    assert "NaN" not in text
    assert "Infinity" not in text
    assert loaded.median is None
    assert isinstance(loaded.total, Refusal)
    assert loaded.total.code == "not_finite"
    assert isinstance(loaded.difference, Estimate)
    assert loaded.difference.low is None
    assert loaded.arm.params == {"top_p": None, "stop": ["a", None]}


def _changed(**changes: object) -> str:
    document = stdlib_json.loads(json.render(make.result()))
    return stdlib_json.dumps({**document, **changes})


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        '{"schema": 1}',
        _changed(schema=2),
        _changed(counts=None),
        _changed(arms=3),
        _changed(declared="yes"),
        _changed(scale_low=True),
        _changed(level=17),
        _changed(invented=1),
        _changed(criteria=[["a", "b"]]),
        _changed(best={"code": "x", "value": 3}),
        _changed(best={"code": "too_few_items", "value": 3, "statistic": "b"}),
    ],
)
def test_a_foreign_or_older_file_is_one_line_for_the_user(text: str) -> None:
    """Never a traceback, and never a result with holes."""
    with pytest.raises(StoreError, match=r"result\.json .* run `judge report`"):
        json.load_result(text)


def test_a_loaded_result_is_a_result() -> None:
    """The type that every renderer takes."""
    assert isinstance(json.load_result(json.render(make.result())), Result)


def test_a_result_with_names_of_before_is_refused_in_one_line() -> None:
    """`p_holm` of a pair was the larger of two tests: it is never read as one of them."""
    text = json.render(make.result()).replace('"p_all_pairs"', '"p_holm"')
    with pytest.raises(StoreError, match=r"not hold a whole result; run `judge report`"):
        json.load_result(text)
