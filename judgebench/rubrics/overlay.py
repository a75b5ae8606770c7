"""The overlay of a use case: what it may say, and a rubric of deductions filled from it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgebench.errors import RubricError
from judgebench.formats.check import validate
from judgebench.formats.located import Key, Located
from judgebench.formats.yaml_text import parse_yaml
from judgebench.model.libraries import LibraryPlace
from judgebench.records import dataclass
from judgebench.rubrics.deduction_faults import HOLE, VALUE, declared_faults, entries
from judgebench.rubrics.deduction_schema import DeductionFile, EntryFile, OverlayFile, Value
from judgebench.rubrics.extending import ids
from judgebench.rubrics.faults import error, refuse, unknown
from judgebench.rubrics.kinds import KIND

MAX_CATALOGUE = 250
"""Entries after the parameters are filled in; a judge reads all of them."""
MAX_ID = 40
_Fill = Mapping[str, Value]


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
        raise error(located, ("library_source",), "does not say where it lies", fix)
    for name, value in file.parameters.items():
        texts = {(): value} if isinstance(value, str) else {(k,): v for k, v in value.items()}
        for key, one in texts.items():
            if "${" in one:
                where: Key = ("parameters", name, *key)
                raise error(located, where, "holds ${", "write the text itself")
    refuse(located, declared_faults(file))
    return Overlay(located=located, file=file)


def library(overlay: Overlay) -> LibraryPlace | None:
    """Where the library lies that an overlay names; None where it names none."""
    given = overlay.file.library_source
    if given is None:
        return None
    folder = overlay.located.path.parent / given.folder if given.folder else None
    return LibraryPlace(folder=folder, package=given.package)


def check_overlay(overlay: Overlay, file: DeductionFile, bases: Sequence[str]) -> None:
    """Hold an overlay against the rubric that it fills.

    Args:
        overlay: The overlay.
        file: The rubric, joined.
        bases: Names of the rubrics that it extends.

    Raises:
        RubricError: It is of another rubric, or a name in it does not fit.
    """
    located, given = overlay.located, overlay.file
    names = [file.name, *bases]
    if given.rubric not in names:
        what = f'is "{given.rubric}", and the rubric is {file.name}'
        raise error(located, ("rubric",), what, f"write {file.name}, or use the other rubric")
    listed = {entry.each for _, entry in entries(file) if entry.each}
    for name, value in given.parameters.items():
        key: Key = ("parameters", name)
        if name not in file.parameters:
            known = list(file.parameters)
            refuse(located, [unknown(key, name, known, f"parameter of {file.name}")])
        if name in listed and isinstance(value, str):
            raise error(located, key, "is one text", "write named texts, one entry each")
    taken = {name.lower() for name in ids(file.model_dump())}
    for i, check in enumerate(given.checks):
        if check.id.lower() in taken:
            what = f"is {check.id}, which stands in the rubric or twice"
            raise error(located, ("checks", i, "id"), what, "give it an id of its own")
        taken.add(check.id.lower())
    for _, entry in entries(file):
        for one in _named(entry, given.parameters):
            if len(f"{entry.id}-{one}") > MAX_ID:
                key = ("parameters", str(entry.each), one)
                room = MAX_ID - len(entry.id) - 1
                raise error(located, key, "has too long a name", f"use at most {room} letters")


def _named(entry: EntryFile, values: _Fill) -> Mapping[str, str]:
    value = values.get(entry.each) if entry.each else None
    return value if isinstance(value, dict) else {}


def filled(file: DeductionFile, overlay: Overlay | None) -> DeductionFile:
    """The file without holes: parameters filled in, `each` written out, nothing extended.

    Raises:
        RubricError: What comes out has too many entries, two of one name, or none.
    """
    values: dict[str, Value] = {name: p.default for name, p in file.parameters.items()}
    values.update(overlay.file.parameters if overlay else {})
    groups = {
        entry.id: [f"{entry.id}-{one}" for one in _named(entry, values)]
        if entry.each
        else [entry.id]
        for _, entry in entries(file)
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
        fill = {**values, VALUE: text}
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

    return HOLE.sub(put, text)


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
