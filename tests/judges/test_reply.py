"""The reply's form: order of fields, bounds, schemas for strict servers, one making a rubric."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from judgebench.judges.reply import ReplyForm, protocol_sha256, whole_marks
from judgebench.model.nouns import Mode
from judgebench.model.rubric import Scale
from tests.judges import made

BOUND_WORDS = {"minimum", "maximum", "maxLength", "minLength", "maxItems", "minItems"}


def nodes(schema: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - JSON
    """Every object of a JSON schema, at any depth."""
    if isinstance(schema, list):
        return [node for one in schema for node in nodes(one)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(node for one in schema.values() for node in nodes(one))]


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("plain", [False, True])
def test_the_schema_is_what_strict_servers_ask_for(mode: Mode, plain: bool) -> None:  # noqa: FBT001 - a table
    """No references, no other keys, all of them required, in the order of the properties."""
    form = made.form(mode, ("K2", "K1") if mode is Mode.LISTWISE else ("A",))
    schema = form.plain_schema if plain else form.schema
    found = nodes(schema)
    for node in found:
        assert not {"$ref", "$defs", "title", "default", "anyOf"} & node.keys()
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
    assert any(BOUND_WORDS & node.keys() for node in found) is not plain


@pytest.mark.parametrize("mode", list(Mode))
def test_the_schema_is_what_instructor_makes_of_the_model(mode: Mode) -> None:
    """Types, bounds and names are the same, whoever writes the schema out."""
    form = made.form(mode, ("K2", "K1") if mode is Mode.LISTWISE else ("A",))
    shared = ("title", "description", "default", "required", "additionalProperties")

    def bare(node: Any) -> Any:  # noqa: ANN401 - JSON
        if isinstance(node, list):
            return [bare(one) for one in node]
        if not isinstance(node, dict):
            return node
        return {key: bare(value) for key, value in node.items() if key not in shared}

    theirs = form.model.openai_schema["parameters"]
    assert bare(form.model.model_json_schema()) == bare(theirs)


def test_bounds_follow_scale_and_rubric() -> None:
    """Whole marks are integers in the scale's range; steps between are numbers."""
    one = made.form().schema["properties"]["clarity"]["properties"]
    assert one["score"] == {"type": "integer", "minimum": 1, "maximum": 5}
    assert one["quotes"]["maxItems"] == 4
    halves = made.form(scale=Scale(low=0, high=2.5, step=0.5)).schema
    score = halves["properties"]["clarity"]["properties"]["score"]
    assert score == {"type": "number", "minimum": 0, "maximum": 2.5}


@pytest.mark.parametrize(
    ("scale", "whole"),
    [
        (Scale(low=1, high=10), True),
        (Scale(low=0, high=100, step=5), True),
        (Scale(low=0.5, high=4.5), False),
        (Scale(low=0, high=1, step=0.25), False),
    ],
)
def test_a_scale_is_whole_where_all_its_marks_are(scale: Scale, whole: bool) -> None:  # noqa: FBT001 - a table
    """It takes a whole lowest mark and a whole step."""
    assert whole_marks(scale) is whole


def test_listwise_asks_for_the_labels_in_the_order_shown() -> None:
    """The properties stand as the answers do, and one model reads both orders."""
    one = made.form(Mode.LISTWISE, ("K2", "K1"))
    other = made.form(Mode.LISTWISE, ("K1", "K2"))
    assert list(one.schema["properties"]) == ["K2", "K1"]
    assert list(other.schema["properties"]) == ["K1", "K2"]
    assert one.model is other.model
    assert one.schema_sha256 != other.schema_sha256


def test_models_and_schemas_are_made_once() -> None:
    """A form costs next to nothing; pointwise labels make no model of their own."""
    one, other = made.form(labels=("A",)), made.form(labels=("B",))
    assert one.model is other.model
    assert one.schema is other.schema


@pytest.mark.parametrize("text", ["", "{}", "[]", "NaN", json.dumps(made.verdict(4.0))])
def test_parse_refuses_what_is_not_of_the_form(text: str) -> None:
    """The error is pydantic's own, for the reader to explain."""
    with pytest.raises(ValidationError):
        made.form().parse(text)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "true", '"1"'])
def test_numbers_between_steps_are_finite_numbers(number: str) -> None:
    """Also without the reader before it."""
    form = made.form(scale=Scale(low=0, high=1, step=0.5))
    with pytest.raises(ValidationError):
        form.parse(json.dumps(made.verdict(0.25)).replace("0.25", number))


def test_the_protocol_hash_is_stable_and_differs_by_mode() -> None:
    """It goes into the prompt's version."""
    assert len({protocol_sha256(mode) for mode in Mode}) == len(Mode)
    assert protocol_sha256(Mode.POINTWISE) == protocol_sha256(Mode.POINTWISE)


def test_a_rubric_may_ask_for_more_quotes_than_usual() -> None:
    """The bound rises with what is required."""
    base = made.rubric()
    asked = type(base)(
        name="n", version="1", scale=base.scale,
        criteria=(type(base.criteria[0])(id="c", text="?", quotes=6),),
    )  # fmt: skip
    schema = ReplyForm(asked, ("c",), ("A",), Mode.POINTWISE).schema
    assert schema["properties"]["c"]["properties"]["quotes"]["maxItems"] == 6
