"""The rubric file as people write it: keys, types and the rules of one value.

Rules that join several values (anchors on the scale, gates that name a
criterion) stand in `load`, where lines are known.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from judgebench.formats.located import refuse_word
from judgebench.text import has_visible, one_line

ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$"
MAX_CRITERIA = 40
MAX_HEAD = 9
MAX_QUOTES = 5
RESERVED = frozenset(
    {
        "arm", "blocked", "cannot_judge", "item", "label", "labels", "mark", "marks", "quotes",
        "rationale", "score", "source", "total",
    }
)  # fmt: skip
"""Words with a meaning of their own in a judge's reply or beside criteria in a table."""

_ID = re.compile(ID_PATTERN.removesuffix("$") + r"\Z")


def _safe_id(value: str) -> str:
    if not _ID.match(value):
        raise ValueError(
            f'is "{one_line(value, 50)}"; use 1 to 40 letters, digits, - and _, '
            "starting with a letter or digit"
        )
    return value


def _free_id(value: str) -> str:
    if value.lower() in RESERVED:
        raise ValueError(f'is "{value}", a word of the reply itself; choose another id')
    return value


def _visible(value: str) -> str:
    if not has_visible(value):
        raise ValueError("has no visible character; write the text")
    return value


def _one_line(value: str) -> str:
    if one_line(value) != value:
        raise ValueError(
            "holds a line break, a double blank or an invisible character; take it out"
        )
    return value


Quoted = Annotated[str, BeforeValidator(refuse_word)]
"""Text that must not be one of YAML's ambiguous words."""
FileName = Annotated[
    Quoted, AfterValidator(_safe_id), Field(json_schema_extra={"pattern": ID_PATTERN})
]
"""A name that is safe as a file name."""
CriterionId = Annotated[FileName, AfterValidator(_free_id)]
Short = Annotated[Quoted, AfterValidator(_one_line), AfterValidator(_visible)]
Text = Annotated[str, AfterValidator(_visible)]
Number = Annotated[float, Field(allow_inf_nan=False)]


OF_FILES = ConfigDict(
    extra="forbid",
    strict=True,
    frozen=True,
    use_attribute_docstrings=True,
    defer_build=True,  # most commands read one kind of rubric
)
"""How every mapping of a rubric file is read."""


class _Part(BaseModel):
    model_config = OF_FILES


class ScaleFile(_Part):
    """The marks that a judge may give."""

    min: Number
    """Lowest mark."""
    max: Number
    """Highest mark."""
    step: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    """Distance between neighbouring marks; divides max − min."""


class CriterionFile(_Part):
    """One question that the judge answers with a mark."""

    id: CriterionId
    """Letters, digits, - and _; stands in tables, replies and file names."""
    head: Annotated[Short, Field(max_length=MAX_HEAD)] | None = None
    """Head of its column in narrow tables."""
    text: Text
    """The question; reaches the judge letter for letter."""
    anchors: Annotated[
        dict[str, Text],
        Field(json_schema_extra={"propertyNames": {"pattern": r"^[-+]?[0-9.]+$"}}),
    ] = {}
    """For some marks, what is seen in an output that earns it."""
    weight: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.0
    """Share in the total, relative to the other weights."""
    quotes: Annotated[int, Field(ge=0, le=MAX_QUOTES)] = 1
    """Verbatim quotes that the judge must give for its mark."""
    applies: Literal["always", "evidence", "reference", "ambiguity"] = "always"
    """Which items it is asked of; settled before any output is seen."""


class GateFile(_Part):
    """A mark under `below` holds the total at `cap` or lower."""

    criterion: Quoted
    """Id of the criterion that is looked at."""
    below: Number
    """The gate works for marks under this one."""
    cap: Number
    """The highest total that is then left."""


class CapFile(_Part):
    """A mark under `below` holds the mark of another criterion at `cap` or lower."""

    criterion: Quoted
    """Id of the criterion that is looked at."""
    below: Number
    """The cap works for marks under this one."""
    target: Quoted
    """Id of the criterion whose mark is held down."""
    cap: Number
    """The highest mark that is then left."""


class TierFile(_Part):
    """A name for totals from `at_least` upward."""

    name: Annotated[Short, Field(max_length=40)]
    """The word shown beside the total."""
    at_least: Number
    """Lowest total of this tier."""


class RubricFile(_Part):
    """A rubric: scale, criteria with anchors, and how a total is made."""

    name: FileName
    """Name of the rubric; usually the file's name."""
    version: Annotated[Short, Field(max_length=40)] = "1"
    """Version, as text."""
    intro: str = ""
    """What is judged and how; shown to the judge before the criteria."""
    scale: ScaleFile
    """The marks that a judge may give."""
    criteria: Annotated[list[CriterionFile], Field(min_length=1, max_length=MAX_CRITERIA)]
    """The questions, in the order in which they are asked."""
    gates: list[GateFile] = []
    """Marks that hold the total down."""
    caps: list[CapFile] = []
    """Marks that hold another criterion's mark down."""
    tiers: list[TierFile] = []
    """Names for ranges of the total, highest first."""


def json_schema() -> dict[str, Any]:
    """JSON Schema of a rubric file, for editors that complete and check it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **RubricFile.model_json_schema(),
    }
