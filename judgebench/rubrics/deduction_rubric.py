"""A whole file of deductions → `Rubric`, its two hashes, and the text that reads back as it."""

import json

import yaml

from judgebench.model.deductions import (
    Counts,
    DeductionCriterion,
    Deductions,
    Entry,
    Evidence,
    FileGroup,
    Limit,
    OtherFaults,
    Tier,
)
from judgebench.model.facts import Check, CheckKind
from judgebench.model.rubric import Criterion, Rubric, Scale
from judgebench.rubrics.deduction_schema import (
    CheckFile,
    DeductionCapFile,
    DeductionCriterionFile,
    DeductionFile,
    DeductionGateFile,
    EntryFile,
)
from judgebench.rubrics.kinds import KIND
from judgebench.text import digest


def rubric_of(file: DeductionFile, rules: Deductions, *, source: str, path: str) -> Rubric:
    """The rubric that a filled file is.

    Args:
        file: The file without holes.
        rules: What counts its marks: `rules_of` it, with what it came from.
        source: Text that reads back as the file.
        path: The file as the user named it.
    """
    tiers = tuple(Tier(name=t.name, at_least=t.at_least + 0.0) for t in file.tiers)
    return Rubric(
        name=file.name,
        version=file.version,
        scale=Scale(low=0.0, high=rules.maximum, step=0.5),
        criteria=tuple(
            Criterion(id=c.id, text=c.text, head=c.head, weight=c.maximum, quotes=0)
            for c in rules.criteria
        ),
        intro=file.intro,
        tiers=tiers,
        deductions=rules,
        ask_sha256=_ask(file),
        sum_sha256=_sum(file),
        source=source,
        path=path,
    )


def rules_of(file: DeductionFile) -> Deductions:
    """Catalogue, caps, gates, checks and reading order of a filled file."""
    return Deductions(
        criteria=tuple(_criterion(one) for one in file.criteria),
        caps=tuple(_limit(cap, cap.target) for cap in file.caps),
        gates=tuple(_limit(gate, None) for gate in file.gates),
        checks=tuple(_check(one) for one in file.checks),
        reading=tuple(
            FileGroup(paths=tuple(one.paths), last=one.place == "last", lines=one.lines)
            for one in file.reading
        ),
        anchored=tuple(Tier(name=t.name, at_least=t.from_anchor) for t in file.anchored_tiers),
    )


def _criterion(one: DeductionCriterionFile) -> DeductionCriterion:
    other = one.other
    return DeductionCriterion(
        id=one.id,
        text=one.text,
        maximum=one.max,
        head=one.head or "",
        floor=one.floor,
        entries=tuple(_entry(entry) for entry in one.deductions),
        other=OtherFaults(points=other.points, at_most=other.at_most) if other else None,
    )


def _entry(one: EntryFile) -> Entry:
    return Entry(
        id=one.id,
        points=one.points,
        when=one.when,
        counts=Counts(one.counts),
        floor=one.floor,
        evidence=Evidence(one.evidence),
        patterns=tuple(one.patterns),
        paths=tuple(one.paths),
        unless=tuple(one.unless),
        about_library=one.about_library,
        detect=one.detect or "",
    )


def _check(one: CheckFile) -> Check:
    return Check(
        id=one.id,
        text=one.text,
        kind=CheckKind(one.kind),
        paths=tuple(one.paths),
        patterns=tuple(one.patterns),
        names=tuple(one.names),
    )


def _limit(one: DeductionCapFile | DeductionGateFile, target: str | None) -> Limit:
    return Limit(
        cap=one.cap,
        target=target,
        finding=one.finding,
        criterion=one.criterion,
        below=one.below,
    )


def _ask(file: DeductionFile) -> str:
    """Hash of what the judge is shown: no prices, so that changing one costs no request."""
    return digest(
        {
            "kind": KIND,
            "intro": file.intro,
            "criteria": [
                {
                    "id": c.id,
                    "text": c.text,
                    "other": c.other is not None,
                    "entries": [
                        # The last only where it is set: others keep the hash that they had.
                        [
                            *(e.id, e.when, e.counts, e.evidence, e.patterns, e.paths),
                            *([True] * e.about_library),
                        ]
                        for e in c.deductions
                    ],
                }
                for c in file.criteria
            ],
            # Only where there are any: a rubric without checks keeps the hash that it had.
            **(
                {"checks": [check.model_dump(mode="json") for check in file.checks]}
                if file.checks
                else {}
            ),
            **(
                {"reading": [group.model_dump(mode="json") for group in file.reading]}
                if file.reading
                else {}
            ),
        }
    )


def _sum(file: DeductionFile) -> str:
    """Hash of what code does with the finds."""
    keep = {"name", "version", "gates", "caps", "tiers"}
    # Only where there are any: others keep the hash that they had.
    keep |= {"anchored_tiers"} if file.anchored_tiers else set()
    return digest(
        {
            "kind": KIND,
            **file.model_dump(mode="json", include=keep),
            "criteria": [
                [
                    [c.id, c.head, c.max, c.floor],
                    [c.other.points, c.other.at_most] if c.other else None,
                    [[e.id, e.points, e.floor, e.unless, e.detect] for e in c.deductions],
                ]
                for c in file.criteria
            ],
        }
    )


def written(file: DeductionFile) -> str:
    """The file as YAML that reads back as itself."""
    plain = json.loads(file.model_dump_json(exclude_defaults=True))
    plain = {"kind": KIND, **plain}
    return str(yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100))
