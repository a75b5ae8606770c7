"""The reply that a judge must give, made from the rubric once: model, schemas, reading.

Per criterion first the quotes, then the rationale, then whether it can be
judged at all, then the mark, so that a model that writes from left to right
decides last. Judges know the word *score*; here it is a mark from then on.

The model is strict: 4.0 is no integer, "4" is no number, true is no 1, and an
unknown field is a fault. It is wrapped once with `instructor.openai_schema`,
which also makes the schema that is sent. Whether a mark lies on the scale is
decided in `validate`, because the mark of a criterion that cannot be judged is
not looked at.
"""

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from judgebench.model.nouns import Mode
from judgebench.model.rubric import Rubric, Scale
from judgebench.records import dataclass
from judgebench.text import digest

MOST_QUOTES = 4
SCHEMA_NAME = "marks"
TIE = "tie"
Source = Literal["answer", "prompt", "evidence", "reference"]
SHARED_SOURCES = ("prompt", "evidence", "reference")

# The sent bounds keep small models short; what is read is bounded more widely,
# because a long rationale is no reason to throw a judgment away.
_QUOTE_CHARS, _QUOTE_CHARS_READ = 400, 4_000
_RATIONALE_CHARS, _RATIONALE_CHARS_READ = 800, 16_000
_QUOTES_READ = 40
_LABEL_CHARS = 40
_BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
)
STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class QuoteReply(BaseModel):
    """Words that a judge cites, with the text that they come from."""

    model_config = STRICT

    text: str = Field(max_length=_QUOTE_CHARS_READ, json_schema_extra={"maxLength": _QUOTE_CHARS})
    source: Source


class CitedReply(BaseModel):
    """Words that a judge of two answers cites; the source may be one of the two labels."""

    model_config = STRICT

    text: str = Field(max_length=_QUOTE_CHARS_READ, json_schema_extra={"maxLength": _QUOTE_CHARS})
    source: str = Field(max_length=_LABEL_CHARS)


class MarkReply(Protocol):
    """What every criterion's reply has once it is read."""

    quotes: list[QuoteReply]
    rationale: str
    cannot_judge: bool
    score: int | float


class VerdictReply(Protocol):
    """What every criterion's reply has where two answers are compared."""

    quotes: list[CitedReply]
    rationale: str
    cannot_judge: bool
    verdict: str


def whole_marks(scale: Scale) -> bool:
    """Whether every mark of the scale is a whole number."""
    return float(scale.low).is_integer() and float(scale.step).is_integer()


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


@lru_cache(maxsize=64)
def _mark_model(scale: Scale, quotes: int) -> type[BaseModel]:
    bounds: dict[str, JsonValue] = {
        "minimum": _number(scale.low),
        "maximum": _number(scale.high),
    }
    kind: type[int | float] = int if whole_marks(scale) else float
    return create_model(
        "Mark",
        __config__=STRICT,
        **_grounds(list[QuoteReply], quotes),
        score=(kind, Field(json_schema_extra=bounds)),
    )


@lru_cache(maxsize=64)
def _verdict_model(quotes: int) -> type[BaseModel]:
    return create_model(
        "Verdict",
        __config__=STRICT,
        **_grounds(list[CitedReply], quotes),
        verdict=(str, Field(max_length=_LABEL_CHARS)),
    )


def _grounds(kind: type[list[Any]], quotes: int) -> dict[str, Any]:
    """What comes before a mark or a verdict, in the order in which a judge writes it."""
    most: dict[str, JsonValue] = {"maxItems": max(MOST_QUOTES, quotes)}
    longest: dict[str, JsonValue] = {"maxLength": _RATIONALE_CHARS}
    return {
        "quotes": (kind, Field(max_length=_QUOTES_READ, json_schema_extra=most)),
        "rationale": (str, Field(max_length=_RATIONALE_CHARS_READ, json_schema_extra=longest)),
        "cannot_judge": (bool, ...),
    }


def objects(name: str, fields: Mapping[str, type[BaseModel]]) -> type[BaseModel]:
    """A model with these keys; its own names are plain, so that no key can clash with one."""
    definitions: dict[str, Any] = {
        f"field_{place}": (model, Field(alias=key))
        for place, (key, model) in enumerate(fields.items())
    }
    return create_model(name, __config__=STRICT, **definitions)


@lru_cache(maxsize=256)
def _model(
    scale: Scale, asked: tuple[tuple[str, int], ...], labels: tuple[str, ...], mode: Mode
) -> Any:  # noqa: ANN401 - a pydantic model with instructor's methods
    # Imported here: it takes a second, and most commands read no reply.
    import instructor  # noqa: PLC0415

    if mode is Mode.PAIRWISE:
        # One model for all pairs: the labels stand in the schema, and are read in `validate`.
        verdicts = {name: _verdict_model(quotes) for name, quotes in asked}
        return instructor.openai_schema(objects(SCHEMA_NAME, verdicts))
    answer = {name: _mark_model(scale, quotes) for name, quotes in asked}
    if mode is Mode.POINTWISE:
        return instructor.openai_schema(objects(SCHEMA_NAME, answer))
    one = objects("Answer", answer)
    return instructor.openai_schema(objects(SCHEMA_NAME, dict.fromkeys(labels, one)))


@dataclass(frozen=True, kw_only=True)
class _Schemas:
    full: dict[str, Any]
    plain: dict[str, Any]
    sha256: str


@lru_cache(maxsize=256)
def _schemas(
    scale: Scale, asked: tuple[tuple[str, int], ...], labels: tuple[str, ...], mode: Mode
) -> _Schemas:
    shared = () if mode is Mode.PAIRWISE else labels
    # What instructor's `openai_schema` says too, without loading its clients of all providers.
    made: dict[str, Any] = _model(scale, asked, shared, mode).model_json_schema()
    full = inlined(made, made.get("$defs", {}))
    if mode is Mode.PAIRWISE:
        full = _with_labels(full, labels)
    return _Schemas(full=full, plain=without_bounds(full), sha256=digest(full))


def inlined(node: Any, definitions: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """Put definitions where they are used, and keep only what a strict server knows."""
    if isinstance(node, list):
        return [inlined(one, definitions) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return inlined(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    out: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties":
            out[key] = {name: inlined(one, definitions) for name, one in value.items()}
        elif key not in {"title", "description", "default", "$defs", "required"}:
            out[key] = inlined(value, definitions)
    if "properties" in out:
        # In the order in which they are to be written: instructor sorts this list.
        out |= {"required": list(out["properties"]), "additionalProperties": False}
    return out


def _with_labels(node: Any, labels: tuple[str, ...]) -> Any:  # noqa: ANN401 - JSON
    """Let sources and verdicts be these labels only, where criteria may have any name."""
    found: dict[str, Any] = {"properties": {}}
    for name, criterion in node["properties"].items():
        fields = dict(criterion["properties"])
        fields["verdict"] = {"type": "string", "enum": [*labels, TIE]}
        quote = fields["quotes"]["items"]
        source = {"type": "string", "enum": [*labels, *SHARED_SOURCES]}
        cited = quote | {"properties": quote["properties"] | {"source": source}}
        fields["quotes"] = fields["quotes"] | {"items": cited}
        found["properties"][name] = criterion | {"properties": fields}
    return {**node, **found}


def without_bounds(node: Any) -> Any:  # noqa: ANN401 - JSON
    """The same schema for endpoints that refuse the words of `_BOUNDS`."""
    if isinstance(node, list):
        return [without_bounds(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {name: without_bounds(one) for name, one in value.items()}
        if key == "properties"
        else without_bounds(value)
        for key, value in node.items()
        if key not in _BOUNDS
    }


def protocol_sha256(mode: Mode) -> str:
    """What all replies of this mode have in common: fields, their order, and their bounds."""
    reply, quote = (
        (VerdictReply, CitedReply) if mode is Mode.PAIRWISE else (MarkReply, QuoteReply)
    )  # fmt: skip
    return digest(
        {
            "mode": mode.value,
            "fields": list(reply.__annotations__),
            "quote": list(quote.model_fields),
            "bounds": [MOST_QUOTES, _QUOTE_CHARS, _RATIONALE_CHARS],
        }
    )


@dataclass(frozen=True)
class ReplyForm:
    """The form of one request's reply. Cheap to make: models and schemas are made once.

    Args:
        rubric: Its scale and the quotes that each criterion requires count.
        criteria: Ids of the criteria asked about, in order.
        labels: Labels of the answers, in the order in which they are shown.
        mode: Pointwise: one property a criterion. Listwise: one a label, each
            holding one a criterion. Pairwise: one a criterion, whose verdict is a label.
    """

    rubric: Rubric = field(repr=False)
    criteria: tuple[str, ...]
    labels: tuple[str, ...]
    mode: Mode

    @cached_property
    def _asked(self) -> tuple[tuple[str, int], ...]:
        return tuple((name, self.rubric.criterion(name).quotes) for name in self.criteria)

    @cached_property
    def _made(self) -> _Schemas:
        return _schemas(self.rubric.scale, self._asked, self._keys, self.mode)

    @property
    def _keys(self) -> tuple[str, ...]:
        # Pointwise replies do not name the label, so all of a pass share one model.
        return () if self.mode is Mode.POINTWISE else self.labels

    @property
    def claims(self) -> frozenset[str]:
        """Keys that a verdict has at its top."""
        return frozenset(self.labels if self.mode is Mode.LISTWISE else self.criteria)

    @property
    def name(self) -> str:
        """Name of the function or schema that is asked for."""
        return SCHEMA_NAME

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema with bounds, without references. Not to be changed."""
        return self._made.full

    @property
    def plain_schema(self) -> dict[str, Any]:
        """The same without bounds, for endpoints that refuse their words."""
        return self._made.plain

    @property
    def schema_sha256(self) -> str:
        """Hash of `schema`, in canonical JSON."""
        return self._made.sha256

    @cached_property
    def model(self) -> Any:  # noqa: ANN401 - a pydantic model with instructor's methods
        """The pydantic model, wrapped by instructor."""
        keys = () if self.mode is Mode.PAIRWISE else tuple(sorted(self._keys))
        return _model(self.rubric.scale, self._asked, keys, self.mode)

    def parse_pair(self, text: str) -> dict[str, VerdictReply]:
        """Read a comparison strictly: criterion → reply; its labels are not looked at.

        Raises:
            pydantic.ValidationError: The text is no JSON of this form.
        """
        read = self.model.model_validate_json(text, strict=True)
        return {name: getattr(read, f"field_{at}") for at, name in enumerate(self.criteria)}

    def parse(self, text: str) -> dict[str, dict[str, MarkReply]]:
        """Read a verdict strictly: label → criterion → reply.

        Raises:
            pydantic.ValidationError: The text is no JSON of this form.
        """
        read = self.model.model_validate_json(text, strict=True)
        if self.mode is Mode.POINTWISE:
            return {self.labels[0]: self._marks(read)}
        answers = {f.alias: name for name, f in type(read).model_fields.items()}
        return {label: self._marks(getattr(read, answers[label])) for label in self.labels}

    def _marks(self, answer: Any) -> dict[str, MarkReply]:  # noqa: ANN401 - a made model
        return {name: getattr(answer, f"field_{at}") for at, name in enumerate(self.criteria)}
