"""The question in what outputs differ in kind: its messages, its reply, and how that is read.

One request shows all outputs of an item that may be compared, under labels. The reply is
strict as a judgment's is: unknown fields, kinds and labels are faults, and asked again.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from judgebench.judges import prompts, quotes
from judgebench.judges.reply import STRICT, inlined, without_bounds
from judgebench.model.collected import Item
from judgebench.model.contrasts import AMOUNTS, Contrast, ContrastKind, Side, SideQuote
from judgebench.model.nouns import Rendered
from judgebench.text import digest, one_line

FOLDER = "contrast"
SCHEMA_NAME = "differences"
MOST_CONTRASTS = 6
_READ_CONTRASTS, _READ_SIDES, _READ_QUOTES = 40, 40, 200
_QUOTE_CHARS, _QUOTE_CHARS_READ = 300, 4_000
_TRAIT_CHARS, _TRAIT_CHARS_READ = 200, 2_000
_LABEL_CHARS = 40

Kind = Literal[
    "structure", "format", "length", "depth", "evidence_use", "hedging", "tone", "omission",
    "error", "reading", "other",
]  # fmt: skip
Amount = Literal["more", "less", "different"]


class CitedReply(BaseModel):
    """Words of one answer."""

    model_config = STRICT

    answer: str = Field(max_length=_LABEL_CHARS)
    text: str = Field(max_length=_QUOTE_CHARS_READ, json_schema_extra={"maxLength": _QUOTE_CHARS})


class SideReply(BaseModel):
    """Answers that are alike."""

    model_config = STRICT

    quotes: list[CitedReply] = Field(min_length=1, max_length=_READ_QUOTES)
    trait: str = Field(max_length=_TRAIT_CHARS_READ, json_schema_extra={"maxLength": _TRAIT_CHARS})
    amount: Amount


class ContrastReply(BaseModel):
    """One difference."""

    model_config = STRICT

    kind: Kind
    sides: list[SideReply] = Field(min_length=2, max_length=_READ_SIDES)


class ContrastsReply(BaseModel):
    """The whole reply."""

    model_config = STRICT

    differences: list[ContrastReply] = Field(
        max_length=_READ_CONTRASTS, json_schema_extra={"maxItems": MOST_CONTRASTS}
    )


@lru_cache(maxsize=1)
def _model() -> Any:  # noqa: ANN401 - a pydantic model with instructor's methods
    # Imported here: it takes a second, and most commands read no reply.
    import instructor  # noqa: PLC0415

    return instructor.openai_schema(ContrastsReply)


@lru_cache(maxsize=1)
def _schema() -> dict[str, Any]:
    made: dict[str, Any] = _model().model_json_schema()
    found: dict[str, Any] = inlined(made, made.get("$defs", {}))
    return found


def _with_labels(schema: dict[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    """Let answers be named by these labels only."""
    named: dict[str, Any] = json.loads(json.dumps(schema))
    sides = named["properties"]["differences"]["items"]["properties"]["sides"]
    cited = sides["items"]["properties"]["quotes"]["items"]
    cited["properties"]["answer"] = {"type": "string", "enum": list(labels)}
    return named


@dataclass(frozen=True)
class ContrastForm:
    """The form of one reply.

    Args:
        labels: Of the answers, in the order in which they are shown.
    """

    labels: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the function or schema that is asked for."""
        return SCHEMA_NAME

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema with bounds, without references."""
        return _with_labels(_schema(), self.labels)

    @cached_property
    def plain_schema(self) -> dict[str, Any]:
        """The same without bounds, for endpoints that refuse their words."""
        found: dict[str, Any] = without_bounds(self.schema)
        return found

    @property
    def claims(self) -> frozenset[str]:
        """A key of a verdict."""
        return frozenset({"differences"})

    def parse(self, text: str) -> tuple[Contrast, ...]:
        """Read a reply strictly; no quote is looked for yet.

        Raises:
            pydantic.ValidationError: The text is no JSON of this form.
            ContrastFault: It names an answer that is not shown, or one on two sides.
        """
        read = _model().model_validate_json(text, strict=True)
        return tuple(self._contrast(one) for one in read.differences)

    def _contrast(self, reply: ContrastReply) -> Contrast:
        sides = tuple(
            Side(
                amount=side.amount,
                trait=side.trait,
                quotes=tuple(
                    SideQuote(name=one.answer, text=one.text, found=False) for one in side.quotes
                ),
            )
            for side in reply.sides
        )
        named = [name for side in sides for name in side.names]
        strange = next((name for name in named if name not in self.labels), None)
        if strange is not None:
            raise ContrastFault(
                f'answer "{one_line(strange, 40)}" in {reply.kind} is none of '
                f"{', '.join(self.labels)}"
            )
        twice = next((name for name in named if named.count(name) > 1), None)
        if twice is not None:
            raise ContrastFault(f"{twice} stands on two sides in {reply.kind}")
        return Contrast(kind=reply.kind, sides=sides)


class ContrastFault(ValueError):  # noqa: N818 - it names what was found
    """A reply of the right form whose sides make no sense."""


def explain(exc: ValidationError) -> str:
    """The first fault of a reply in one line."""
    first = exc.errors(include_url=False, include_context=False)[0]
    place = one_line(".".join(str(part) for part in first["loc"]), 80)
    return f"{place or 'the reply'}: {one_line(first['msg'], 120)}"


def checked(contrasts: Sequence[Contrast], texts: dict[str, str]) -> tuple[Contrast, ...]:
    """Look for each quote in the answer that it is of, and measure claims of length.

    Args:
        contrasts: As the judge gave them.
        texts: By label, as sent.
    """
    return tuple(
        replace(
            one,
            sides=tuple(_checked(side, texts) for side in one.sides),
            contradicted=one.kind == ContrastKind.LENGTH and _not_longer(one, texts),
        )
        for one in contrasts
    )


def _not_longer(contrast: Contrast, texts: dict[str, str]) -> bool:
    """Whether a text on the side of less length is longer than one on the side of more."""
    sizes: dict[str, list[int]] = {"more": [], "less": [], "different": []}
    for side in contrast.sides:
        sizes[side.amount] += [len(texts[name]) for name in side.names]
    return bool(sizes["more"] and sizes["less"]) and min(sizes["more"]) < max(sizes["less"])


def _checked(side: Side, texts: dict[str, str]) -> Side:
    return replace(
        side,
        quotes=tuple(
            replace(one, found=quotes.find(one.text, texts[one.name]) is not None)
            for one in side.quotes
        ),
    )


def prompt_version() -> str:
    """What a judge is told, as 16 hexadecimal digits: both templates, the kinds, the form."""
    return digest(
        {
            "templates": prompts.sources_of(FOLDER),
            "kinds": [[kind.value, kind.meaning] for kind in ContrastKind],
            "amounts": list(AMOUNTS),
            "fields": [
                list(model.model_fields)
                for model in (ContrastsReply, ContrastReply, SideReply, CitedReply)
            ],
            "bounds": [MOST_CONTRASTS, _QUOTE_CHARS, _TRAIT_CHARS],
        }
    )[:16]


def build(
    form: ContrastForm, item: Item, parts: Sequence[tuple[str, str]], *, frame: str, key: str
) -> Rendered:
    """Build the messages of one request.

    Args:
        form: Its labels are those of `parts`.
        item: Prompt, evidence and reference are shown.
        parts: Label and text of each answer, in the order in which they are shown.
        frame: The unguessable word of this request's frames.
        key: The request's key, taken over and not shown.

    Raises:
        ValueError: A text holds the frame's word, or the labels are not the form's.
    """
    if form.labels != tuple(label for label, _ in parts):
        raise ValueError(f"the form asks for {form.labels}")
    shown = prompts.shown(item, parts, frame=frame)
    system = prompts.template(FOLDER, "system").render(
        most=MOST_CONTRASTS,
        kinds=[{"id": kind.value, "text": kind.meaning} for kind in ContrastKind],
    )
    user = prompts.template(FOLDER, "user").render(**shown)
    return prompts.rendered(form, key=key, system=system, user=user)
