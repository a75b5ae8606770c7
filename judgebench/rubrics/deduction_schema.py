"""A rubric of deductions as people write it, and the overlay that fills its parameters.

Rules that join several values stand in `deductions`, where lines are known.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field

from judgebench.rubrics.schema import (
    MAX_CRITERIA,
    MAX_HEAD,
    OF_FILES,
    CriterionId,
    FileName,
    Quoted,
    Short,
    Text,
    TierFile,
)

MAX_ENTRIES = 60
MAX_POINTS = 1000.0
MAX_PATTERNS = 12
MAX_CHECKS = 60
MAX_GROUPS = 40
PARAMETER = r"[a-z][a-z0-9_]{0,39}"


def _halves(value: float) -> float:
    # Halves add up exactly in binary, so that no total can be off by rounding.
    if not (value * 2).is_integer():
        raise ValueError(f"is {value:g}; write whole or half points")
    return value + 0.0


Points = Annotated[float, Field(ge=0, le=MAX_POINTS), AfterValidator(_halves)]
Price = Annotated[float, Field(gt=0, le=MAX_POINTS), AfterValidator(_halves)]
Looked = Annotated[list[Short], Field(max_length=MAX_PATTERNS)]
ParameterName = Annotated[str, Field(pattern=f"^{PARAMETER}$")]
Value = Text | Annotated[dict[FileName, Text], Field(min_length=1, max_length=MAX_ENTRIES)]


class _Part(BaseModel):
    model_config = OF_FILES


class EntryFile(_Part):
    """One fault of the catalogue with its price."""

    id: CriterionId
    """Names the fault in replies, caps and reports; unique in the rubric."""
    points: Price
    """What it costs, in whole or half points."""
    when: Text
    """The condition under which the judge reports it."""
    counts: Literal["once", "per_find"] = "once"
    """Whether many finds cost once, or each of them."""
    floor: Points = 0.0
    """This entry alone takes the mark of its criterion no lower."""
    evidence: Literal["present", "absent"] = "present"
    """Whether a passage shows the fault, or that something is found nowhere."""
    patterns: Looked = []
    """Texts that would show the thing whose absence is the fault."""
    paths: Looked = []
    """Files that would show it, as patterns of paths."""
    unless: Annotated[list[Quoted], Field(max_length=MAX_ENTRIES)] = []
    """Entries beside which this one costs nothing."""
    about_library: bool = False
    """Claims that the library lacks something; held against the library's own source."""
    detect: Literal["secrets"] | None = None
    """What code finds by itself beside the judge: keys of known forms."""
    each: ParameterName | None = None
    """A parameter with several values: one entry for each of them."""


class OtherFile(_Part):
    """What faults outside the catalogue cost."""

    points: Price
    """The price of one."""
    at_most: Price
    """What all of them together cost at most."""


class DeductionCriterionFile(_Part):
    """A dimension that starts at its maximum and loses points."""

    id: CriterionId
    """Letters, digits, - and _; stands in tables, replies and file names."""
    head: Annotated[Short, Field(max_length=MAX_HEAD)] | None = None
    """Head of its column in narrow tables."""
    text: Text
    """What is looked at; reaches the judge."""
    max: Price
    """The mark where nothing is found."""
    floor: Points = 0.0
    """Deductions take the mark no lower; a cap may."""
    deductions: Annotated[list[EntryFile], Field(min_length=1, max_length=MAX_ENTRIES)]
    """The catalogue of faults."""
    other: OtherFile | None = None
    """Whether faults outside the catalogue count, and for how much."""


class DeductionCapFile(_Part):
    """A find, or a low mark, holds a criterion's mark at `cap` or lower."""

    finding: Quoted | None = None
    """Id of the entry that sets it off."""
    criterion: Quoted | None = None
    """Or id of the criterion whose mark is looked at."""
    below: Points | None = None
    """With `criterion`: works for marks under this one."""
    target: Quoted
    """Id of the criterion whose mark is held down."""
    cap: Points
    """The highest mark that is then left."""


class DeductionGateFile(_Part):
    """A find, or a low mark, holds the total at `cap` or lower."""

    finding: Quoted | None = None
    """Id of the entry that sets it off."""
    criterion: Quoted | None = None
    """Or id of the criterion whose mark is looked at."""
    below: Points | None = None
    """With `criterion`: works for marks under this one."""
    cap: Points
    """The highest total that is then left."""


class CheckFile(_Part):
    """Something that code looks for in every project, before a judge is asked."""

    id: CriterionId
    """Names the check in facts and reports; unique in the rubric."""
    text: Text
    """What it asks; reaches the judge with the answer."""
    kind: Literal["files", "pattern", "dependency", "tests", "dockerfile", "compose"]
    """What is looked at."""
    paths: Looked = []
    """Where, as patterns of paths; the kind's own places where left out."""
    patterns: Looked = []
    """Of `pattern`: regular expressions, each looked for within a line."""
    names: Looked = []
    """Of `dependency`: packages, one of which is enough."""


class FileGroupFile(_Part):
    """Files of a project that are shown before or after all others."""

    paths: Annotated[list[Short], Field(min_length=1, max_length=MAX_PATTERNS)]
    """Patterns of paths; a file belongs to the first group that names it."""
    place: Literal["first", "last"] = "first"
    """Before the files that no group names, or after them."""
    lines: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """How many first lines of each are shown at most."""


class AnchoredTierFile(_Part):
    """A name for totals that lie so far above or below the total of a named arm."""

    name: Annotated[Short, Field(max_length=40)]
    """The word shown beside the total."""
    from_anchor: Annotated[float, Field(ge=-MAX_POINTS, le=MAX_POINTS), AfterValidator(_halves)]
    """Lowest distance of this tier: points above the anchor's total, or below it with a minus."""


class ParameterFile(_Part):
    """Something that each use case fills in its own words."""

    text: Text
    """What is to be filled in, for the one who writes the overlay."""
    default: Value
    """What stands there without an overlay: a text, or named texts."""


class DeductionFile(_Part):
    """A rubric whose marks are counted from finds."""

    kind: Literal["deductions"]
    """Tells it from a rubric of marks."""
    name: FileName
    """Name of the rubric; usually the file's name."""
    version: Annotated[Short, Field(max_length=40)] = "1"
    """Version, as text."""
    extends: FileName | None = None
    """The rubric that this one changes: a name beside it, or a packaged one."""
    drop: Annotated[list[Quoted], Field(max_length=MAX_ENTRIES)] = []
    """Ids of criteria and entries of that rubric that are left out."""
    intro: str = ""
    """What is judged and how; shown to the judge before the criteria."""
    parameters: Annotated[dict[ParameterName, ParameterFile], Field(max_length=20)] = {}
    """What an overlay may fill; `${name}` in a text stands for it."""
    criteria: Annotated[list[DeductionCriterionFile], Field(min_length=1, max_length=MAX_CRITERIA)]
    """The dimensions, in the order in which they are asked."""
    checks: Annotated[list[CheckFile], Field(max_length=MAX_CHECKS)] = []
    """What code looks for before a judge is asked."""
    reading: Annotated[list[FileGroupFile], Field(max_length=MAX_GROUPS)] = []
    """In which order files are shown while there is room; the usual order where left out."""
    gates: list[DeductionGateFile] = []
    """What holds the total down."""
    caps: list[DeductionCapFile] = []
    """What holds a mark down."""
    tiers: list[TierFile] = []
    """Names for ranges of the total, highest first."""
    anchored_tiers: Annotated[list[AnchoredTierFile], Field(max_length=20)] = []
    """In place of `tiers`: names for distances from the arm that run.yaml calls its anchor."""


class LibrarySourceFile(_Part):
    """Where the source of the use case's library lies: a folder or an installed package."""

    folder: Text | None = None
    """A folder, from the overlay's own."""
    package: FileName | None = None
    """A package that is installed beside the product; it is read and never imported."""


class OverlayFile(_Part):
    """What one use case fills into a rubric's parameters."""

    rubric: FileName
    """Name of the rubric that it is written for."""
    parameters: Annotated[dict[ParameterName, Value], Field(min_length=1, max_length=20)]
    """Each parameter's text, or named texts."""
    checks: Annotated[list[CheckFile], Field(max_length=MAX_CHECKS)] = []
    """What code looks for beside the rubric's own checks."""
    library_source: LibrarySourceFile | None = None
    """Source that claims about the library are held against."""


def json_schema() -> dict[str, Any]:
    """JSON Schema of a rubric of deductions that extends no other."""
    return _with_dialect(DeductionFile)


def overlay_schema() -> dict[str, Any]:
    """JSON Schema of an overlay file."""
    return _with_dialect(OverlayFile)


def _with_dialect(model: type[BaseModel]) -> dict[str, Any]:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **model.model_json_schema()}
