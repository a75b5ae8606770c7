"""The reply that a judge must give on a project: per criterion what it found, and no mark.

Present faults are shown by file, lines and passage, and by the names that a library is
said not to have; absent ones by the texts and paths that would show the thing. The models are
strict as those of marks are: an unknown field, a number as text, a fault that the
catalogue does not list under the criterion make the whole reply invalid.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from judgebench.judges.reply import ReplyForm, inlined, objects, without_bounds
from judgebench.model.deductions import OTHER, DeductionCriterion, Evidence
from judgebench.model.findings import Finding, Reported
from judgebench.model.nouns import Mode
from judgebench.model.rubric import Rubric
from judgebench.text import digest

SCHEMA_NAME = "findings"
MOST_OTHER = 3
"""Faults outside the catalogue that are asked for, of each kind."""
MOST_FOUND = 20
_MOST_READ = 200
_SHORT, _SHORT_READ = 300, 4_000
_LONG, _LONG_READ = 1_200, 16_000
_LOOKED, _LOOKED_READ = 12, 100
_MAX_LINE = 10_000_000
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def _text(sent: int, read: int) -> Any:  # noqa: ANN401 - what a field of pydantic is
    return Field(max_length=read, json_schema_extra={"maxLength": sent})


class PresentReply(BaseModel):
    """A fault that a passage shows."""

    model_config = _STRICT

    fault: str = Field(max_length=_SHORT_READ)
    file: str = _text(_SHORT, _SHORT_READ)
    first_line: int = Field(ge=1, le=_MAX_LINE)
    last_line: int = Field(ge=1, le=_MAX_LINE)
    excerpt: str = _text(_LONG, _LONG_READ)
    names: list[str] = Field(max_length=_LOOKED_READ, json_schema_extra={"maxItems": _LOOKED})
    why: str = _text(_LONG, _LONG_READ)


class AbsentReply(BaseModel):
    """A fault that is shown by what stands nowhere."""

    model_config = _STRICT

    fault: str = Field(max_length=_SHORT_READ)
    patterns: list[str] = Field(max_length=_LOOKED_READ, json_schema_extra={"maxItems": _LOOKED})
    paths: list[str] = Field(max_length=_LOOKED_READ, json_schema_extra={"maxItems": _LOOKED})
    why: str = _text(_LONG, _LONG_READ)


class CriterionReply(BaseModel):
    """What is found under one criterion."""

    model_config = _STRICT

    reading: str = _text(_LONG, _LONG_READ)
    present: list[PresentReply] = Field(
        max_length=_MOST_READ, json_schema_extra={"maxItems": MOST_FOUND}
    )
    absent: list[AbsentReply] = Field(
        max_length=_MOST_READ, json_schema_extra={"maxItems": MOST_FOUND}
    )
    cannot_judge: bool


class UnknownFault(Exception):  # noqa: N818 - it names what was found
    """A reply names a fault that its criterion does not list; the message says which."""


def protocol_sha256() -> str:
    """What all replies of findings have in common: fields, their order, and their bounds."""
    models = (CriterionReply, PresentReply, AbsentReply)
    return digest(
        {
            "fields": [list(one.model_fields) for one in models],
            "bounds": [MOST_OTHER, MOST_FOUND, _SHORT, _LONG, _LOOKED],
        }
    )


def faults_of(criterion: DeductionCriterion, evidence: Evidence) -> tuple[str, ...]:
    """Ids that may be reported under a criterion as shown in this way."""
    present = evidence is Evidence.PRESENT
    listed = [one.id for one in criterion.entries if not present or one.evidence is evidence]
    return (*listed, OTHER)


@lru_cache(maxsize=64)
def _model(criteria: tuple[str, ...]) -> Any:  # noqa: ANN401 - a pydantic model with methods
    # Imported here: it takes a second, and most commands read no reply.
    import instructor  # noqa: PLC0415

    return instructor.openai_schema(objects(SCHEMA_NAME, dict.fromkeys(criteria, CriterionReply)))


@dataclass(frozen=True)
class FindingForm:
    """The form of one request's reply about one project.

    Args:
        rubric: One of deductions.
        criteria: Ids of the criteria asked about, in order.
        labels: The one label of the project.
    """

    rubric: Rubric = field(repr=False)
    criteria: tuple[str, ...]
    labels: tuple[str, ...]
    mode: Mode = Mode.POINTWISE

    @property
    def name(self) -> str:
        """Name of the function or schema that is asked for."""
        return SCHEMA_NAME

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema with bounds, without references. Not to be changed."""
        made = _model(self.criteria).model_json_schema()
        full: dict[str, Any] = inlined(made, made.get("$defs", {}))
        properties = {
            name: self._with_faults(self._of(name), one) for name, one in full["properties"].items()
        }
        return {**full, "properties": properties}

    @cached_property
    def plain_schema(self) -> dict[str, Any]:
        """The same without bounds, for endpoints that refuse their words."""
        plain: dict[str, Any] = without_bounds(self.schema)
        return plain

    @cached_property
    def schema_sha256(self) -> str:
        """Hash of `schema`, in canonical JSON."""
        return digest(self.schema)

    @property
    def claims(self) -> frozenset[str]:
        """Keys of a verdict."""
        return frozenset(self.criteria)

    def parse(self, text: str) -> tuple[Reported, ...]:
        """Read a verdict strictly, in the order of the criteria.

        Raises:
            pydantic.ValidationError: The text is no JSON of this form.
            UnknownFault: A fault is not one of its criterion's.
        """
        read = _model(self.criteria).model_validate_json(text, strict=True)
        return tuple(
            self._reported(name, getattr(read, f"field_{at}"))
            for at, name in enumerate(self.criteria)
        )

    def _of(self, criterion: str) -> DeductionCriterion:
        if self.rubric.deductions is None:
            raise ValueError(f"{self.rubric.name} is a rubric of marks")
        return self.rubric.deductions.criterion(criterion)

    def _with_faults(self, criterion: DeductionCriterion, node: Any) -> Any:  # noqa: ANN401 - JSON
        fields = dict(node["properties"])
        for kind in Evidence:
            one = fields[kind.value]["items"]
            fault = {"type": "string", "enum": list(faults_of(criterion, kind))}
            item = one | {"properties": one["properties"] | {"fault": fault}}
            fields[kind.value] = fields[kind.value] | {"items": item}
        return node | {"properties": fields}

    def _reported(self, name: str, reply: CriterionReply) -> Reported:
        criterion = self._of(name)
        found: list[Finding] = []
        for present in reply.present:
            # An absent fault shown by a passage is kept: the check says that it is none.
            self._must_know(criterion, present.fault)
            found.append(
                Finding(
                    criterion=name, entry=present.fault, evidence=Evidence.PRESENT,
                    why=present.why, path=present.file, first=present.first_line,
                    last=present.last_line, excerpt=present.excerpt,
                    patterns=tuple(present.names),
                )
            )  # fmt: skip
        for absent in reply.absent:
            self._must_know(criterion, absent.fault)
            found.append(
                Finding(
                    criterion=name, entry=absent.fault, evidence=Evidence.ABSENT, why=absent.why,
                    patterns=tuple(absent.patterns), paths=tuple(absent.paths),
                )
            )  # fmt: skip
        return Reported(
            criterion=name,
            reading=reply.reading,
            cannot_judge=reply.cannot_judge,
            findings=tuple(found),
        )

    def _must_know(self, criterion: DeductionCriterion, fault: str) -> None:
        known = faults_of(criterion, Evidence.ABSENT)
        if fault not in known:
            raise UnknownFault(f"{criterion.id} has no fault {fault}")


AnyForm = ReplyForm | FindingForm
"""The form of the reply to a request of a pass."""
