"""Rules that join several values of a rubric of deductions, as faults at their keys."""

import re
from collections.abc import Iterator, Mapping

from judgebench.formats.located import Key
from judgebench.rubrics.checks import check_faults
from judgebench.rubrics.deduction_schema import (
    PARAMETER,
    DeductionCapFile,
    DeductionCriterionFile,
    DeductionFile,
    DeductionGateFile,
    EntryFile,
    OverlayFile,
)
from judgebench.rubrics.faults import Fault, tier_faults, too_high, unknown
from judgebench.text import one_line

HOLE = re.compile(r"\$\{([^{}]*)\}")
"""A parameter in a text, ``${name}``."""
VALUE = "value"
"""What an entry for each of several texts calls the one that it is for."""


def deduction_faults(file: DeductionFile) -> Iterator[Fault]:
    """All that is wrong between the values of a rubric of deductions."""
    yield from _id_faults(file)
    for i, criterion in enumerate(file.criteria):
        yield from _criterion_faults(file, criterion, ("criteria", i))
    yield from _unless_faults(file)
    yield from _limit_faults(file)
    yield from _tier_faults(file)
    yield from _anchored_faults(file)
    yield from declared_faults(file)
    yield from _hole_faults(file)
    if file.drop and file.extends is None:
        yield Fault(key=("drop",), problem="has nothing to drop from", fix="name it in extends")


def entries(file: DeductionFile) -> Iterator[tuple[Key, EntryFile]]:
    """Every entry of the catalogue with its key."""
    for i, criterion in enumerate(file.criteria):
        for j, entry in enumerate(criterion.deductions):
            yield ("criteria", i, "deductions", j), entry


def _id_faults(file: DeductionFile) -> Iterator[Fault]:
    seen: set[str] = set()
    named: list[tuple[Key, str]] = [(("criteria", i), c.id) for i, c in enumerate(file.criteria)]
    named += [(key, entry.id) for key, entry in entries(file)]
    named += [(("checks", i), check.id) for i, check in enumerate(file.checks)]
    for key, one in named:
        if one.lower() == "other":
            problem, fix = 'is "other", what faults outside the catalogue are called', "rename it"
            yield Fault(key=(*key, "id"), problem=problem, fix=fix)
        if one.lower() in seen:
            fix = "give every criterion and every entry an id of its own"
            yield Fault(key=(*key, "id"), problem=f"is {one}, which stands elsewhere too", fix=fix)
        seen.add(one.lower())


def _criterion_faults(
    file: DeductionFile, criterion: DeductionCriterionFile, key: Key
) -> Iterator[Fault]:
    if criterion.floor >= criterion.max:
        yield too_high((*key, "floor"), criterion.floor, criterion.max, "max")
    if criterion.other and criterion.other.at_most < criterion.other.points:
        what = f"is {criterion.other.at_most:g}, less than one such fault costs"
        yield Fault(key=(*key, "other", "at_most"), problem=what, fix="write points or more")
    for j, entry in enumerate(criterion.deductions):
        here: Key = (*key, "deductions", j)
        if entry.floor >= criterion.max:
            yield too_high((*here, "floor"), entry.floor, criterion.max, "max")
        for name in ("patterns", "paths"):
            if getattr(entry, name) and entry.evidence != "absent":
                what = "is for entries with evidence: absent"
                yield Fault(key=(*here, name), problem=what, fix="take it out, or add that line")
        yield from _each_faults(file, entry, here)


def _each_faults(file: DeductionFile, entry: EntryFile, key: Key) -> Iterator[Fault]:
    if entry.each is None:
        return
    parameter = file.parameters.get(entry.each)
    if parameter is None:
        yield unknown((*key, "each"), entry.each, list(file.parameters), "parameter")
    elif isinstance(parameter.default, str):
        what = f"names {entry.each}, which is one text"
        yield Fault(key=(*key, "each"), problem=what, fix="give it named texts as default")


def _unless_faults(file: DeductionFile) -> Iterator[Fault]:
    by_id = {entry.id: entry for _, entry in entries(file)}
    for key, entry in entries(file):
        for n, other in enumerate(entry.unless):
            if other not in by_id:
                yield unknown((*key, "unless", n), other, list(by_id), "entry")
            elif _leads_back(entry.id, other, by_id):
                # Two entries that give way to each other would both cost nothing.
                what = f"is {other}, which gives way to {entry.id} in turn"
                fix = "let only the cheaper one give way"
                yield Fault(key=(*key, "unless", n), problem=what, fix=fix)


def _leads_back(start: str, first: str, by_id: Mapping[str, EntryFile]) -> bool:
    todo, seen = [first], set[str]()
    while todo:
        one = todo.pop()
        if one == start:
            return True
        if one not in seen and one in by_id:
            seen.add(one)
            todo.extend(by_id[one].unless)
    return False


def _limit_faults(file: DeductionFile) -> Iterator[Fault]:
    maxima = {criterion.id: criterion.max for criterion in file.criteria}
    whole = sum(maxima.values())
    for i, gate in enumerate(file.gates):
        yield from _cause_faults(file, gate, ("gates", i))
        if gate.cap >= whole:
            yield too_high(("gates", i, "cap"), gate.cap, whole, "the highest total")
    for i, cap in enumerate(file.caps):
        yield from _cause_faults(file, cap, ("caps", i))
        if cap.target not in maxima:
            yield unknown(("caps", i, "target"), cap.target, list(maxima), "criterion")
        elif cap.cap >= maxima[cap.target]:
            yield too_high(("caps", i, "cap"), cap.cap, maxima[cap.target], "its max")


def _cause_faults(
    file: DeductionFile, limit: DeductionCapFile | DeductionGateFile, key: Key
) -> Iterator[Fault]:
    both = (limit.criterion is None) == (limit.finding is None)
    if both or (limit.criterion is None) != (limit.below is None):
        fix = "write either finding, or criterion with below"
        yield Fault(key=key, problem="does not say what sets it off", fix=fix)
        return
    if limit.finding is not None:
        names = [entry.id for _, entry in entries(file)]
        if limit.finding not in names:
            yield unknown((*key, "finding"), limit.finding, names, "entry")
        return
    maxima = {criterion.id: criterion.max for criterion in file.criteria}
    if limit.criterion not in maxima:
        yield unknown((*key, "criterion"), str(limit.criterion), list(maxima), "criterion")
    elif limit.below is not None and not 0 < limit.below <= maxima[limit.criterion]:
        fix = f"stay above 0 and within its max, {maxima[limit.criterion]:g}"
        yield Fault(key=(*key, "below"), problem=f"is {limit.below:g}", fix=fix)


def _tier_faults(file: DeductionFile) -> Iterator[Fault]:
    whole = sum(criterion.max for criterion in file.criteria)
    for i, tier in enumerate(file.tiers):
        if not 0 <= tier.at_least <= whole:
            fix = f"stay between 0 and the highest total, {whole:g}"
            yield Fault(key=("tiers", i, "at_least"), problem=f"is {tier.at_least:g}", fix=fix)
    yield from tier_faults("tiers", "at_least", [(t.name, t.at_least) for t in file.tiers])


def _anchored_faults(file: DeductionFile) -> Iterator[Fault]:
    if file.tiers and file.anchored_tiers:
        fix = "keep one of the two; tiers: [] takes out those of the rubric below"
        yield Fault(key=("anchored_tiers",), problem="stands beside tiers", fix=fix)
    tiers = [(tier.name, tier.from_anchor) for tier in file.anchored_tiers]
    yield from tier_faults("anchored_tiers", "from_anchor", tiers)


def declared_faults(file: DeductionFile | OverlayFile) -> Iterator[Fault]:
    """Faults of the declared checks of a rubric or an overlay."""
    for i, one in enumerate(file.checks):
        for name, problem, fix in check_faults(one):
            yield Fault(key=("checks", i, *name), problem=problem, fix=fix)


def _hole_faults(file: DeductionFile) -> Iterator[Fault]:
    texts: list[tuple[Key, str, bool]] = [(("intro",), file.intro, False)]
    for i, criterion in enumerate(file.criteria):
        texts.append((("criteria", i, "text"), criterion.text, False))
    for key, entry in entries(file):
        one = entry.each is not None
        texts.append(((*key, "when"), entry.when, one))
        for name, listed in (("patterns", entry.patterns), ("paths", entry.paths)):
            texts.extend(((*key, name, n), text, one) for n, text in enumerate(listed))
    for i, check in enumerate(file.checks):
        texts.append((("checks", i, "text"), check.text, False))
        texts.extend((("checks", i, "names", n), text, False) for n, text in enumerate(check.names))
    for key, text, one in texts:
        known = [*file.parameters, *([VALUE] if one else [])]
        for name in HOLE.findall(text):
            if name not in known or not re.fullmatch(PARAMETER, name):
                what = f"holds ${{{one_line(name, 40)}}}, which is no parameter"
                fix = f"use one of {', '.join(known)}" if known else "declare it in parameters"
                yield Fault(key=key, problem=what, fix=fix)
