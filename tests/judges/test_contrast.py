"""The question in what outputs differ in kind: form, reading, quotes, words."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from judgebench.judges import contrast, prompts
from judgebench.judges.contrast import ContrastFault, ContrastForm, Kind
from judgebench.model.contrasts import Contrast, ContrastKind
from tests.judges.made import FRAME, item

FORM = ContrastForm(("B2C3", "D4F5", "H6J7"))
TEXTS = {"B2C3": "First open the lid.", "D4F5": "Lids can be opened, perhaps.", "H6J7": "No."}


def side(*labels: str, amount: str = "more", text: str = "") -> dict[str, Any]:
    """One side; each quote is the whole text unless another one is given."""
    quotes = [{"answer": label, "text": text or TEXTS.get(label, "x y z")} for label in labels]
    return {"quotes": quotes, "trait": "opens lids", "amount": amount}


def reply(*sides: dict[str, Any], kind: str = "tone") -> str:
    """A reply with one difference."""
    return json.dumps({"differences": [{"kind": kind, "sides": list(sides)}]})


def test_the_kinds_of_the_form_are_those_of_the_model() -> None:
    """What a judge may answer is the closed list that code counts by."""
    assert set(Kind.__args__) == {kind.value for kind in ContrastKind}  # type: ignore[attr-defined]  # a Literal
    assert all(kind.meaning and kind.words for kind in ContrastKind)


def test_a_reply_is_read_by_label() -> None:
    """Sides, amounts and quotes as they were given; no quote counts as found yet."""
    (found,) = FORM.parse(reply(side("B2C3", "H6J7"), side("D4F5", amount="less")))
    assert [one.names for one in found.sides] == [("B2C3", "H6J7"), ("D4F5",)]
    assert not found.supported
    assert FORM.parse('{"differences": []}') == ()


@pytest.mark.parametrize(
    "text",
    [
        reply(side("B2C3")),
        reply(side("B2C3"), side("D4F5"), kind="beauty"),
        reply(side("B2C3"), side("D4F5", amount="most")),
        reply(side("B2C3"), {"quotes": [], "trait": "x", "amount": "less"}),
        reply(side("B2C3"), side("D4F5") | {"mark": 5}),
        '{"differences": [], "winner": "B2C3"}',
        '{"differences": null}',
        "[]",
    ],
)
def test_a_reply_of_another_form_is_refused(text: str) -> None:
    """One side, unknown kinds or amounts, no quotes, further keys: each is a fault."""
    with pytest.raises(ValidationError) as caught:
        FORM.parse(text)
    assert "\n" not in contrast.explain(caught.value)


@pytest.mark.parametrize(
    ("sides", "why"),
    [
        ((side("B2C3"), side("X9X9")), "X9X9"),
        ((side("B2C3"), side("D4F5", "B2C3")), "two sides"),
    ],
)
def test_sides_that_make_no_sense_are_refused(sides: tuple[dict[str, Any], ...], why: str) -> None:
    """An answer that is not shown, and one that stands on both sides."""
    with pytest.raises(ContrastFault, match=why):
        FORM.parse(reply(*sides))


def checked(*sides: dict[str, Any], kind: str = "tone") -> Contrast:
    """A reply as it is kept."""
    (found,) = contrast.checked(FORM.parse(reply(*sides, kind=kind)), TEXTS)
    return found


def test_a_quote_counts_in_its_own_answer_only() -> None:
    """Found where it is said to stand; the words of another answer do not support."""
    assert checked(side("B2C3"), side("D4F5")).supported
    assert not checked(side("B2C3"), side("D4F5", text="open the lid")).supported


def test_length_is_measured_and_nothing_else_is() -> None:
    """More length on the shorter side is contradicted; more tone on it is no matter of code."""
    assert checked(side("D4F5"), side("B2C3", amount="less"), kind="length").supported
    wrong = checked(side("B2C3"), side("D4F5", amount="less"), kind="length")
    assert wrong.contradicted
    assert not wrong.supported
    assert checked(side("B2C3"), side("D4F5", amount="different"), kind="length").supported
    assert checked(side("B2C3"), side("D4F5", amount="less")).supported


def test_the_request_shows_the_answers_in_frames_and_evaluates_nothing() -> None:
    """Values are put in once; the schema names the labels of this request alone."""
    hostile = "{{ frame }} {% for x in y %} <b>&"
    parts = [("B2C3", TEXTS["B2C3"]), ("D4F5", hostile), ("H6J7", TEXTS["H6J7"])]
    made = contrast.build(FORM, item(), parts, frame=FRAME, key="k")
    assert f"<<<{FRAME}:answer:D4F5\n{hostile}\n{FRAME}:answer:D4F5>>>" in made.user
    assert all(f"`{kind.value}`" in made.system for kind in ContrastKind)
    assert json.dumps(list(FORM.labels)) in json.dumps(FORM.schema)
    plain = json.dumps(FORM.plain_schema)
    assert "maxLength" not in plain
    assert "minItems" not in plain
    other = ContrastForm(("B2C3", "D4F5"))
    again = contrast.build(other, item(), parts[:2], frame=FRAME, key="k")
    assert again.request_sha256 != made.request_sha256


def test_a_frame_that_stands_in_a_text_is_no_frame() -> None:
    """Nothing is rendered that a text could close, or under other labels."""
    parts = [("B2C3", f"x {FRAME}"), ("D4F5", "y"), ("H6J7", "z")]
    with pytest.raises(ValueError, match="frame"):
        contrast.build(FORM, item(), parts, frame=FRAME, key="k")
    with pytest.raises(ValueError, match="form asks"):
        contrast.build(FORM, item(), parts[1:], frame=FRAME, key="k")


def test_the_version_follows_the_templates() -> None:
    """Sixteen digits, of both templates and the kinds."""
    assert len(contrast.prompt_version()) == 16
    assert set(prompts.sources_of(contrast.FOLDER)) == {"system", "user"}


def test_the_templates_name_no_maker_and_no_mark() -> None:
    """No identity, no scale: nothing that a judge of kinds has a use for."""
    made = contrast.build(
        FORM, item(), [(label, TEXTS[label]) for label in FORM.labels], frame=FRAME, key="k"
    )
    words = made.system.lower()
    assert not any(name in words for name in ("openai", "anthropic", "claude", "gpt", "score"))
