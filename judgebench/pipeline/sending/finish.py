"""From an answer to what is stored: quotes checked, totals computed by code."""

from collections.abc import Mapping

from judgebench.judges import quotes
from judgebench.judges.validate import Reading
from judgebench.model.collected import Block, Usage
from judgebench.model.nouns import Judgment, Mark, Mode, Part
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Rubric, Total
from judgebench.pipeline.audits.auditing import Audited, audit
from judgebench.pipeline.planning.prepare import Prepared
from judgebench.pipeline.setting import hooks
from judgebench.records import dataclass
from judgebench.rubrics.total import total, won


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """All judgments of one request, ready for the writer."""

    judgments: tuple[Judgment, ...]
    totals: tuple[Total | None, ...]
    cost_usd: float | None
    criterion: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """What the calls of one request took."""

    calls: int = 0
    in_doubt: int = 0
    usage: Usage = Usage()
    cost_usd: float | None = None


def judged(prepared: Prepared, reading: Reading, taken: Taken, *, rubric: Rubric) -> Judged:
    """Make one judgment an output of a request.

    Args:
        prepared: The request with the texts that quotes may come from.
        reading: What its reply says.
        taken: Calls, tokens and cost of the whole request.
        rubric: Quotes required, weights, gates, caps.
    """
    request = prepared.request
    made = [
        _one(prepared, part, reading, taken=taken, rubric=rubric) for part in request.parts
    ]  # fmt: skip
    return Judged(
        judgments=tuple(judgment for judgment, _ in made),
        totals=tuple(found for _, found in made),
        cost_usd=taken.cost_usd,
        criterion=request.criterion,
    )


def _one(
    prepared: Prepared, part: Part, reading: Reading, *, taken: Taken, rubric: Rubric
) -> tuple[Judgment, Total | None]:
    request = prepared.request
    ok = reading.status == "ok"
    marks: tuple[Mark, ...] = ()
    found: Audited | None = None
    if ok and prepared.project is not None:
        found = audit(rubric, reading.reported, prepared.project, claims=hooks.check_claim)
        marks = found.marks
    elif ok:
        marks = _checked(reading.marks[part.label], prepared.sources[part.label], rubric)
    judgment = Judgment(
        key=request.key,
        label=part.label,
        arm=part.arm,
        item=request.item,
        repeat=request.repeat,
        purpose=request.purpose,
        status="ok" if ok else "blocked",
        marks=marks,
        findings=found.findings if found else (),
        blocked=None if ok else _block(reading),
        calls=taken.calls,
        in_doubt=taken.in_doubt,
        usage=taken.usage,
        model_answered=reading.model,
        fingerprint=reading.fingerprint,
    )
    if found:
        return judgment, found.total
    if not ok or request.criterion is not None:
        return judgment, None
    by_id = {mark.criterion: mark for mark in marks}
    summed = won if prepared.form.mode is Mode.PAIRWISE else total
    return judgment, summed(rubric, by_id, applicable=prepared.form.criteria)


def _checked(
    marks: tuple[Mark, ...], sources: Mapping[str, str], rubric: Rubric
) -> tuple[Mark, ...]:
    return tuple(
        quotes.check(mark, sources, required=rubric.criterion(mark.criterion).quotes)
        for mark in marks
    )


def _block(reading: Reading) -> Block:
    return Block(reason=reading.reason or Reason.JUDGE_INVALID, message=reading.message)
