"""A rubric of deductions becomes a `Rubric`, or one line that says what is wrong where.

The file is joined with the rubric that it extends, checked where lines are still
known, and filled from the overlay. What comes out says everything by itself: its
`source` can be read again without the other files.
"""

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from judgebench.errors import RubricError
from judgebench.formats import Key, Located, dotted, parse_yaml, validate
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
from judgebench.model.libraries import LibraryPlace
from judgebench.model.rubric import Criterion, Rubric, Scale
from judgebench.rubrics.checks import check_faults
from judgebench.rubrics.deduction_schema import (
    PARAMETER,
    CheckFile,
    DeductionCapFile,
    DeductionCriterionFile,
    DeductionFile,
    DeductionGateFile,
    EntryFile,
    OverlayFile,
    Value,
)
from judgebench.rubrics.extending import ids, join, without
from judgebench.rubrics.kinds import KIND, is_deductions
from judgebench.rubrics.schema import ID_PATTERN
from judgebench.text import digest, one_line, shorten

MAX_DEPTH = 4
"""Rubrics that may stand under one another."""
MAX_CATALOGUE = 250
"""Entries after the parameters are filled in; a judge reads all of them."""
MAX_ID = 40
_HOLE = re.compile(r"\$\{([^{}]*)\}")
_VALUE = "value"

Find = Callable[[str], tuple[str, Path]]
"""The text and the path of a rubric of this name."""
_Fill = Mapping[str, Value]


@dataclass(frozen=True, kw_only=True)
class _Fault:
    key: Key
    problem: str
    fix: str


@dataclass(frozen=True, kw_only=True)
class Overlay:
    """What a use case fills in, with places for faults."""

    located: Located
    file: OverlayFile


def parse_overlay(text: str, path: Path) -> Overlay:
    """Read an overlay file.

    Raises:
        RubricError: with line and dotted key of the first fault in the file.
    """
    located = parse_yaml(text, path, RubricError, keep_words=True)
    file = validate(OverlayFile, located, RubricError)
    source = file.library_source
    if source is not None and (source.folder is None) == (source.package is None):
        fix = "write either folder or package"
        raise _error(located, ("library_source",), "does not say where it lies", fix)
    for name, value in file.parameters.items():
        texts = {(): value} if isinstance(value, str) else {(k,): v for k, v in value.items()}
        for key, one in texts.items():
            if "${" in one:
                where: Key = ("parameters", name, *key)
                raise _error(located, where, "holds ${", "write the text itself")
    for fault in _check_faults(file):
        raise _error(located, fault.key, fault.problem, fault.fix)
    return Overlay(located=located, file=file)


def build(located: Located, text: str, *, find: Find, overlay: Overlay | None = None) -> Rubric:
    """Turn a located rubric of deductions into a `Rubric`.

    Args:
        located: Its values and lines.
        text: The file's text, kept as the source where nothing was joined or filled.
        find: Gives the rubric that is extended.
        overlay: What the use case fills in.

    Raises:
        RubricError: with line and dotted key of the first fault.
    """
    joined, bases = _joined(located, find, ())
    file = _checked(joined)
    if overlay:
        _check_overlay(overlay, file, bases)
    filled = _filled(file, overlay)
    source = _written(filled) if bases or overlay else text
    made = _rubric(filled, source, str(located.path))
    rules = replace(
        _rules(filled),
        extends=tuple(bases),
        overlay=str(overlay.located.path) if overlay else "",
        library=_library(overlay) if overlay else None,
    )
    return replace(made, deductions=rules)


def _library(overlay: Overlay) -> LibraryPlace | None:
    given = overlay.file.library_source
    if given is None:
        return None
    folder = overlay.located.path.parent / given.folder if given.folder else None
    return LibraryPlace(folder=folder, package=given.package)


def _error(located: Located, key: Key, problem: str, fix: str) -> RubricError:
    line = located.line(key)
    return RubricError(located.path, problem, fix, line=line, key=dotted(key))


def _joined(located: Located, find: Find, above: tuple[Path, ...]) -> tuple[Located, list[str]]:
    extends = located.data.get("extends")
    if extends is None:
        return located, []
    if not isinstance(extends, str) or not re.fullmatch(ID_PATTERN, extends):
        what = f'is "{one_line(str(extends), 40)}", which is no name'
        raise _error(located, ("extends",), what, "write the name of a rubric, such as code-8d")
    text, path = _found(located, extends, find)
    above = (*above, located.path)
    if path in above or len(above) > MAX_DEPTH:
        what = "leads back to this file" if path in above else f"goes over {MAX_DEPTH} files"
        raise _error(located, ("extends",), what, "name a rubric that stands by itself")
    base = parse_yaml(text, path, RubricError, keep_words=True)
    if not is_deductions(base):
        what = f'is "{one_line(extends, 40)}", a rubric of marks'
        raise _error(located, ("extends",), what, "name a rubric of deductions")
    under, bases = _joined(base, find, above)
    _checked(under)
    whole = join(under, located)
    dropped, known = _texts(located.data.get("drop")), sorted(ids(under.data))
    for n, one in enumerate(dropped):
        if one not in known:
            fault = _unknown(("drop", n), one, known, f"criterion or entry of {extends}")
            raise _error(located, fault.key, fault.problem, fault.fix)
    return without(whole, dropped), [extends, *bases]


def _found(located: Located, name: str, find: Find) -> tuple[str, Path]:
    try:
        return find(name)
    except RubricError as exc:
        where = one_line(name, 80)
        if str(exc.path) != where:
            raise
        problem, _, fix = str(exc).removeprefix(f"{where}: ").partition("; ")
        key: Key = ("extends",)
        raise _error(located, key, f'is "{where}", which {problem}', fix) from None


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _checked(located: Located) -> DeductionFile:
    file = validate(DeductionFile, located, RubricError)
    faults = sorted(_faults(file), key=lambda fault: located.line(fault.key))
    if faults:
        raise _error(located, faults[0].key, faults[0].problem, faults[0].fix)
    return file


def _faults(file: DeductionFile) -> Iterator[_Fault]:
    yield from _id_faults(file)
    for i, criterion in enumerate(file.criteria):
        yield from _criterion_faults(file, criterion, ("criteria", i))
    yield from _unless_faults(file)
    yield from _limit_faults(file)
    yield from _tier_faults(file)
    yield from _anchored_faults(file)
    yield from _check_faults(file)
    yield from _hole_faults(file)
    if file.drop and file.extends is None:
        yield _Fault(key=("drop",), problem="has nothing to drop from", fix="name it in extends")


def _entries(file: DeductionFile) -> Iterator[tuple[Key, EntryFile]]:
    for i, criterion in enumerate(file.criteria):
        for j, entry in enumerate(criterion.deductions):
            yield ("criteria", i, "deductions", j), entry


def _id_faults(file: DeductionFile) -> Iterator[_Fault]:
    seen: set[str] = set()
    named: list[tuple[Key, str]] = [(("criteria", i), c.id) for i, c in enumerate(file.criteria)]
    named += [(key, entry.id) for key, entry in _entries(file)]
    named += [(("checks", i), check.id) for i, check in enumerate(file.checks)]
    for key, one in named:
        if one.lower() == "other":
            problem, fix = 'is "other", what faults outside the catalogue are called', "rename it"
            yield _Fault(key=(*key, "id"), problem=problem, fix=fix)
        if one.lower() in seen:
            fix = "give every criterion and every entry an id of its own"
            yield _Fault(key=(*key, "id"), problem=f"is {one}, which stands elsewhere too", fix=fix)
        seen.add(one.lower())


def _criterion_faults(
    file: DeductionFile, criterion: DeductionCriterionFile, key: Key
) -> Iterator[_Fault]:
    if criterion.floor >= criterion.max:
        yield _too_high((*key, "floor"), criterion.floor, criterion.max, "max")
    if criterion.other and criterion.other.at_most < criterion.other.points:
        what = f"is {criterion.other.at_most:g}, less than one such fault costs"
        yield _Fault(key=(*key, "other", "at_most"), problem=what, fix="write points or more")
    for j, entry in enumerate(criterion.deductions):
        here: Key = (*key, "deductions", j)
        if entry.floor >= criterion.max:
            yield _too_high((*here, "floor"), entry.floor, criterion.max, "max")
        for name in ("patterns", "paths"):
            if getattr(entry, name) and entry.evidence != "absent":
                what = "is for entries with evidence: absent"
                yield _Fault(key=(*here, name), problem=what, fix="take it out, or add that line")
        yield from _each_faults(file, entry, here)


def _each_faults(file: DeductionFile, entry: EntryFile, key: Key) -> Iterator[_Fault]:
    if entry.each is None:
        return
    parameter = file.parameters.get(entry.each)
    if parameter is None:
        yield _unknown((*key, "each"), entry.each, list(file.parameters), "parameter")
    elif isinstance(parameter.default, str):
        what = f"names {entry.each}, which is one text"
        yield _Fault(key=(*key, "each"), problem=what, fix="give it named texts as default")


def _too_high(key: Key, value: float, bound: float, name: str) -> _Fault:
    return _Fault(key=key, problem=f"is {value:g}", fix=f"stay below {name}, {bound:g}")


def _unknown(key: Key, name: str, known: Sequence[str], what: str) -> _Fault:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    listed = shorten(", ".join(known), 120)
    fix = f"did you mean {near[0]}?" if near else f"name one of {listed}" if known else "add it"
    return _Fault(key=key, problem=f'is "{one_line(name, 40)}", which is no {what}', fix=fix)


def _unless_faults(file: DeductionFile) -> Iterator[_Fault]:
    by_id = {entry.id: entry for _, entry in _entries(file)}
    for key, entry in _entries(file):
        for n, other in enumerate(entry.unless):
            if other not in by_id:
                yield _unknown((*key, "unless", n), other, list(by_id), "entry")
            elif _leads_back(entry.id, other, by_id):
                # Two entries that give way to each other would both cost nothing.
                what = f"is {other}, which gives way to {entry.id} in turn"
                fix = "let only the cheaper one give way"
                yield _Fault(key=(*key, "unless", n), problem=what, fix=fix)


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


def _limit_faults(file: DeductionFile) -> Iterator[_Fault]:
    maxima = {criterion.id: criterion.max for criterion in file.criteria}
    whole = sum(maxima.values())
    for i, gate in enumerate(file.gates):
        yield from _cause_faults(file, gate, ("gates", i))
        if gate.cap >= whole:
            yield _too_high(("gates", i, "cap"), gate.cap, whole, "the highest total")
    for i, cap in enumerate(file.caps):
        yield from _cause_faults(file, cap, ("caps", i))
        if cap.target not in maxima:
            yield _unknown(("caps", i, "target"), cap.target, list(maxima), "criterion")
        elif cap.cap >= maxima[cap.target]:
            yield _too_high(("caps", i, "cap"), cap.cap, maxima[cap.target], "its max")


def _cause_faults(
    file: DeductionFile, limit: DeductionCapFile | DeductionGateFile, key: Key
) -> Iterator[_Fault]:
    both = (limit.criterion is None) == (limit.finding is None)
    if both or (limit.criterion is None) != (limit.below is None):
        fix = "write either finding, or criterion with below"
        yield _Fault(key=key, problem="does not say what sets it off", fix=fix)
        return
    if limit.finding is not None:
        entries = [entry.id for _, entry in _entries(file)]
        if limit.finding not in entries:
            yield _unknown((*key, "finding"), limit.finding, entries, "entry")
        return
    maxima = {criterion.id: criterion.max for criterion in file.criteria}
    if limit.criterion not in maxima:
        yield _unknown((*key, "criterion"), str(limit.criterion), list(maxima), "criterion")
    elif limit.below is not None and not 0 < limit.below <= maxima[limit.criterion]:
        fix = f"stay above 0 and within its max, {maxima[limit.criterion]:g}"
        yield _Fault(key=(*key, "below"), problem=f"is {limit.below:g}", fix=fix)


def _tier_faults(file: DeductionFile) -> Iterator[_Fault]:
    whole, names = sum(criterion.max for criterion in file.criteria), set[str]()
    for i, tier in enumerate(file.tiers):
        key: Key = ("tiers", i, "at_least")
        if not 0 <= tier.at_least <= whole:
            fix = f"stay between 0 and the highest total, {whole:g}"
            yield _Fault(key=key, problem=f"is {tier.at_least:g}", fix=fix)
        if i and tier.at_least >= file.tiers[i - 1].at_least:
            what = f"is {tier.at_least:g}, not below the tier above it"
            yield _Fault(key=key, problem=what, fix="list tiers from the highest down")
        if tier.name in names:
            what = f'is "{tier.name}", which stands above already'
            fix = "give every tier a name of its own"
            yield _Fault(key=("tiers", i, "name"), problem=what, fix=fix)
        names.add(tier.name)


def _anchored_faults(file: DeductionFile) -> Iterator[_Fault]:
    names = set[str]()
    if file.tiers and file.anchored_tiers:
        fix = "keep one of the two; tiers: [] takes out those of the rubric below"
        yield _Fault(key=("anchored_tiers",), problem="stands beside tiers", fix=fix)
    for i, tier in enumerate(file.anchored_tiers):
        key: Key = ("anchored_tiers", i)
        if i and tier.from_anchor >= file.anchored_tiers[i - 1].from_anchor:
            what = f"is {tier.from_anchor:g}, not below the tier above it"
            fix = "list tiers from the highest down"
            yield _Fault(key=(*key, "from_anchor"), problem=what, fix=fix)
        if tier.name in names:
            what = f'is "{tier.name}", which stands above already'
            fix = "give every tier a name of its own"
            yield _Fault(key=(*key, "name"), problem=what, fix=fix)
        names.add(tier.name)


def _check_faults(file: DeductionFile | OverlayFile) -> Iterator[_Fault]:
    for i, one in enumerate(file.checks):
        for name, problem, fix in check_faults(one):
            yield _Fault(key=("checks", i, *name), problem=problem, fix=fix)


def _hole_faults(file: DeductionFile) -> Iterator[_Fault]:
    texts: list[tuple[Key, str, bool]] = [(("intro",), file.intro, False)]
    for i, criterion in enumerate(file.criteria):
        texts.append((("criteria", i, "text"), criterion.text, False))
    for key, entry in _entries(file):
        one = entry.each is not None
        texts.append(((*key, "when"), entry.when, one))
        for name, listed in (("patterns", entry.patterns), ("paths", entry.paths)):
            texts.extend(((*key, name, n), text, one) for n, text in enumerate(listed))
    for i, check in enumerate(file.checks):
        texts.append((("checks", i, "text"), check.text, False))
        texts.extend((("checks", i, "names", n), text, False) for n, text in enumerate(check.names))
    for key, text, one in texts:
        known = [*file.parameters, *([_VALUE] if one else [])]
        for name in _HOLE.findall(text):
            if name not in known or not re.fullmatch(PARAMETER, name):
                what = f"holds ${{{one_line(name, 40)}}}, which is no parameter"
                fix = f"use one of {', '.join(known)}" if known else "declare it in parameters"
                yield _Fault(key=key, problem=what, fix=fix)


def _check_overlay(overlay: Overlay, file: DeductionFile, bases: Sequence[str]) -> None:
    located, given = overlay.located, overlay.file
    names = [file.name, *bases]
    if given.rubric not in names:
        what = f'is "{given.rubric}", and the rubric is {file.name}'
        raise _error(located, ("rubric",), what, f"write {file.name}, or use the other rubric")
    listed = {entry.each for _, entry in _entries(file) if entry.each}
    for name, value in given.parameters.items():
        key: Key = ("parameters", name)
        if name not in file.parameters:
            fault = _unknown(key, name, list(file.parameters), f"parameter of {file.name}")
            raise _error(located, key, fault.problem, fault.fix)
        if name in listed and isinstance(value, str):
            raise _error(located, key, "is one text", "write named texts, one entry each")
    taken = {name.lower() for name in ids(file.model_dump())}
    for i, check in enumerate(given.checks):
        if check.id.lower() in taken:
            what = f"is {check.id}, which stands in the rubric or twice"
            raise _error(located, ("checks", i, "id"), what, "give it an id of its own")
        taken.add(check.id.lower())
    for _, entry in _entries(file):
        for one in _named(entry, given.parameters):
            if len(f"{entry.id}-{one}") > MAX_ID:
                key = ("parameters", str(entry.each), one)
                room = MAX_ID - len(entry.id) - 1
                raise _error(located, key, "has too long a name", f"use at most {room} letters")


def _named(entry: EntryFile, values: _Fill) -> Mapping[str, str]:
    value = values.get(entry.each) if entry.each else None
    return value if isinstance(value, dict) else {}


def _filled(file: DeductionFile, overlay: Overlay | None) -> DeductionFile:
    """The file without holes: parameters filled in, `each` written out, nothing extended."""
    values: dict[str, Value] = {name: p.default for name, p in file.parameters.items()}
    values.update(overlay.file.parameters if overlay else {})
    groups = {
        entry.id: [f"{entry.id}-{one}" for one in _named(entry, values)]
        if entry.each
        else [entry.id]
        for _, entry in _entries(file)
    }
    data = file.model_dump(exclude={"parameters", "extends", "drop"}, exclude_defaults=True)
    data["kind"], data["intro"] = KIND, _fill(file.intro, values)
    for criterion, plain in zip(file.criteria, data["criteria"], strict=True):
        plain["text"] = _fill(criterion.text, values)
        plain["deductions"] = [
            made for entry in criterion.deductions for made in _made(entry, values, groups)
        ]
    if overlay and overlay.file.checks:
        added = [one.model_dump(exclude_defaults=True) for one in overlay.file.checks]
        data["checks"] = [*data.get("checks", []), *added]
    for check in data.get("checks", []):
        check["text"] = _fill(check["text"], values)
        if "names" in check:
            check["names"] = [_fill(name, values) for name in check["names"]]
    for kind in ("gates", "caps"):
        data[kind] = [
            {**limit, **({"finding": one} if one else {})}
            for limit in data.get(kind, [])
            for one in groups.get(limit.get("finding"), [None])
        ]
    _bounded(data, overlay, file)
    return DeductionFile.model_validate(data)


def _made(
    entry: EntryFile, values: _Fill, groups: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    plain = entry.model_dump(exclude={"each"}, exclude_defaults=True)
    if entry.unless:
        plain["unless"] = [one for name in entry.unless for one in groups[name]]
    named = _named(entry, values) if entry.each else {"": ""}
    for one, text in named.items():
        fill = {**values, _VALUE: text}
        made = {**plain, "when": _fill(entry.when, fill)}
        made["id"] = f"{entry.id}-{one}" if one else entry.id
        for key in {"patterns", "paths"} & made.keys():
            made[key] = [_fill(line, fill) for line in made[key]]
        yield made


def _fill(text: str, values: _Fill) -> str:
    def put(found: re.Match[str]) -> str:
        value = values[found.group(1)]
        return (
            value.strip()
            if isinstance(value, str)
            else "; ".join(v.strip() for v in value.values())
        )

    return _HOLE.sub(put, text)


def _bounded(data: Mapping[str, Any], overlay: Overlay | None, file: DeductionFile) -> None:
    made = [entry["id"] for criterion in data["criteria"] for entry in criterion["deductions"]]
    path = overlay.located.path if overlay else file.name
    if len(made) > MAX_CATALOGUE:
        what = f"makes {len(made)} entries of the catalogue"
        raise RubricError(path, what, f"keep it to {MAX_CATALOGUE}; a judge reads all of them")
    twice = next((one for one in made if made.count(one) > 1), None)
    empty = next((c["id"] for c in data["criteria"] if not c["deductions"]), None)
    if twice or empty:
        what = f"makes two entries called {twice}" if twice else f"leaves {empty} without entries"
        raise RubricError(path, what, "rename or add named texts of a parameter")


def _written(file: DeductionFile) -> str:
    """The file as YAML that reads back as itself."""
    plain = json.loads(file.model_dump_json(exclude_defaults=True))
    plain = {"kind": KIND, **plain}
    return str(yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100))


def _rules(file: DeductionFile) -> Deductions:
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


def _rubric(file: DeductionFile, source: str, path: str) -> Rubric:
    deductions = _rules(file)
    tiers = tuple(Tier(name=t.name, at_least=t.at_least + 0.0) for t in file.tiers)
    return Rubric(
        name=file.name,
        version=file.version,
        scale=Scale(low=0.0, high=deductions.maximum, step=0.5),
        criteria=tuple(
            Criterion(id=c.id, text=c.text, head=c.head, weight=c.maximum, quotes=0)
            for c in deductions.criteria
        ),
        intro=file.intro,
        tiers=tiers,
        deductions=deductions,
        ask_sha256=_ask(file),
        sum_sha256=_sum(file),
        source=source,
        path=path,
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
