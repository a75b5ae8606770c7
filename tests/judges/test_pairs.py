"""A comparison: the schema with its labels, and the reading of verdicts, quotes and faults."""

import json
from typing import Any

import pytest

from judgebench.judges import prompts
from judgebench.judges.quotes import check
from judgebench.judges.reply import ReplyForm
from judgebench.judges.validate import Reading, read_reply
from judgebench.model.nouns import Mode
from judgebench.model.reasons import Reason
from tests.judges import made

FORM = ReplyForm(made.rubric(), made.CRITERIA, made.LABELS, Mode.PAIRWISE)


def read(verdict: object, form: ReplyForm = FORM) -> Reading:
    """What a body with this verdict as its content says."""
    text = verdict if isinstance(verdict, str) else json.dumps(verdict)
    raw = made.raw(made.body({"content": text}))
    return read_reply(raw, form, wire_mode="json_schema", asked_model=made.MODEL)


@pytest.mark.parametrize(
    ("verdict", "marks"), [("K2", (1.0, 0.0)), ("K1", (0.0, 1.0)), ("tie", (0.5, 0.5))]
)
def test_a_verdict_is_a_mark_for_either_answer(verdict: str, marks: tuple[float, float]) -> None:
    """1 for the better one, 0 for the other, ½ for a tie; both marks add up to 1."""
    found = read(made.pair_verdict(verdict))
    assert found.status == "ok"
    for label, wanted in zip(made.LABELS, marks, strict=True):
        assert [mark.mark for mark in found.marks[label]] == [wanted, wanted]


def test_quotes_are_looked_for_in_the_answer_that_they_name() -> None:
    """Words of the other answer are not found in one's own, and the other way round."""
    found = read(made.pair_verdict())
    texts = {"K2": "Closed at 15:00.", "K1": "We close."}
    for label, other in (("K2", "K1"), ("K1", "K2")):
        mark = found.marks[label][0]
        assert {quote.source for quote in mark.quotes} == {"answer", "other"}
        sources = prompts.sources(made.item(), texts[label], other=texts[other])
        assert all(quote.found for quote in check(mark, sources, required=2).quotes)
        swapped = prompts.sources(made.item(), texts[other], other=texts[label])
        assert check(mark, swapped, required=1).unsupported


def test_what_cannot_be_judged_is_blocked_for_both() -> None:
    """No tie is made of it."""
    found = read(made.pair_verdict("tie", cannot_judge=True))
    blocked = {mark.blocked for marks in found.marks.values() for mark in marks}
    assert blocked == {Reason.CANNOT_JUDGE}
    assert all(mark.mark is None for marks in found.marks.values() for mark in marks)


def without(key: str) -> dict[str, Any]:
    """A verdict whose first criterion lacks a key."""
    whole = made.pair_verdict()
    del whole[made.CRITERIA[0]][key]
    return whole


@pytest.mark.parametrize(
    ("verdict", "kind", "word"),
    [
        (made.pair_verdict("first"), "label", '"first"'),
        (made.pair_verdict("k1"), "label", "K2, K1, tie"),
        (made.pair_verdict("K1 "), "label", "verdict"),
        (made.pair_verdict(quotes=[{"text": "x", "source": "answer"}]), "label", "source"),
        (made.pair_verdict(quotes=[{"text": "x", "source": "tie"}]), "label", "source"),
        ({**made.pair_verdict(), "overall": "K1"}, "form", "overall"),
        ({"clarity": made.compared()}, "form", "completeness"),
        (made.pair_verdict(score=4), "form", "score"),
        (without("rationale"), "form", "rationale"),
        (made.pair_verdict(cannot_judge="no"), "form", "cannot_judge"),
        ({**made.pair_verdict(), "clarity": {**made.compared(), "verdict": 1}}, "form", "verdict"),
        ('{"clarity": 1, "clarity": 2}', "duplicate_key", "clarity"),
        (
            f"{json.dumps(made.pair_verdict())} or {json.dumps(made.pair_verdict('tie'))}",
            "second",
            "more than one verdict",
        ),
        ("K1 is better", "form", "no verdict"),
    ],
)
def test_whatever_is_no_verdict_is_asked_again(verdict: object, kind: str, word: str) -> None:
    """Labels are letter for letter; what was not asked for is no verdict."""
    found = read(verdict)
    assert (found.status, found.kind, found.reason) == ("retry", kind, Reason.JUDGE_INVALID)
    assert word in found.message
    assert not found.marks


def test_the_schema_names_the_two_labels_and_no_third() -> None:
    """Verdicts and sources are enumerations of this very request."""
    for schema in (FORM.schema, FORM.plain_schema):
        criterion = schema["properties"]["clarity"]["properties"]
        assert criterion["verdict"] == {"type": "string", "enum": ["K2", "K1", "tie"]}
        assert list(criterion) == ["quotes", "rationale", "cannot_judge", "verdict"]
        source = criterion["quotes"]["items"]["properties"]["source"]["enum"]
        assert source == ["K2", "K1", "prompt", "evidence", "reference"]


def test_forms_of_two_pairs_share_no_label() -> None:
    """What was made for one pair of labels does not leak into the next."""
    other = ReplyForm(made.rubric(), made.CRITERIA, ("P1", "P2"), Mode.PAIRWISE)
    assert FORM.schema_sha256 != other.schema_sha256
    assert "K1" not in json.dumps(other.schema)
    assert read(made.pair_verdict("K1"), other).kind == "label"


def test_criteria_may_bear_the_names_of_fields() -> None:
    """A criterion called *verdict* or *quotes* is a criterion like any other."""
    rubric = made.rubric()
    names = ("verdict", "quotes")
    odd = type(rubric)(
        name="odd",
        version="1",
        scale=rubric.scale,
        criteria=tuple(
            type(one)(id=name, text=one.text, quotes=one.quotes)
            for name, one in zip(names, rubric.criteria, strict=True)
        ),
    )
    form = ReplyForm(odd, names, made.LABELS, Mode.PAIRWISE)
    assert list(form.schema["properties"]) == list(names)
    found = read({name: made.compared("K2") for name in names}, form)
    assert [mark.mark for mark in found.marks["K2"]] == [1.0, 1.0]
