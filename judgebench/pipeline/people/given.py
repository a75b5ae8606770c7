"""Marks that people gave, each under what it is about: merged, and in the shapes of the store."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from judgebench.errors import ImportFileError
from judgebench.runs.importers.human_sheet import (
    OVERALL,
    PREFERENCE,
    GivenKey,
    GivenMark,
    GivenPreference,
    HumanFile,
    Known,
)
from judgebench.stats.arrays import TIE
from judgebench.store.marks import MarkBatch
from judgebench.store.people import GivenRow
from judgebench.text import one_line

_SIDES = ("", "a", "b")


Given = dict[GivenKey, GivenMark | GivenPreference]


def keyed(given: Iterable[GivenMark | GivenPreference]) -> Given:
    """Each under what it is about."""
    return {one.key: one for one in given}


def merge(before: Given, file: HumanFile, source: Path) -> tuple[Given, int]:
    """What was given before with what a file gives, and how much of that is new.

    Raises:
        ImportFileError: The file says other than what was said before.
    """
    merged, filled = dict(before), 0
    for new in file.given:
        old = merged.setdefault(new.key, new)
        if math.isnan(old.value):
            merged[new.key] = new  # who could not judge then has judged now
            filled += 1
        elif abs(old.value - new.value) > TIE:
            who = one_line(" · ".join(filter(None, new.key)), 100)
            raise ImportFileError(
                source, f"has {new.value:g} where {old.value:g} is stored ({who})",
                "mend the file, or name the earlier one with --replaces FILE",
            )  # fmt: skip
    return merged, len(merged) - len(before) + filled


def row_of(one: GivenMark | GivenPreference) -> GivenRow:
    """It as the store keeps what a file gave."""
    value = one.value
    mark = None if math.isnan(value) else value
    return GivenRow(**one.key._asdict(), mark=mark)


def given_of(row: Mapping[str, Any]) -> GivenMark | GivenPreference:
    """What a row of the store says that a file gave."""
    value = math.nan if row["mark"] is None else float(row["mark"])
    if row["other"]:
        return GivenPreference(
            item=row["item"], first=row["arm"], second=row["other"], rater=row["rater"],
            share=value,
        )  # fmt: skip
    return GivenMark(
        item=row["item"], arm=row["arm"], criterion=row["criterion"], rater=row["rater"],
        mark=value,
    )  # fmt: skip


def batch_of(pass_id: str, given: Given, known: Known) -> MarkBatch:
    """One judging is what one person said of one output, or of one comparison."""
    raters = tuple(sorted({key.rater for key in given}))
    # What is no longer in the run, or in this rubric, was marked all the same.
    arms = _and_more(known.arms, (arm for key in given for arm in (key.arm, key.other) if arm))
    items = _and_more(known.items, (key.item for key in given))
    criteria = _and_more((*known.criteria, OVERALL, PREFERENCE), (key.criterion for key in given))
    arm_at, item_at, criterion_at, rater_at = map(_places, (arms, items, criteria, raters))
    rows: list[tuple[int, ...]] = []
    marks: list[float] = []
    units: dict[tuple[str, ...], int] = {}
    for key in sorted(given):
        one = given[key]
        unit = units.setdefault((key.item, key.arm, key.other, key.rater), len(units))
        if isinstance(one, GivenMark):
            sides = [(one.arm, 0, one.mark)]
        else:
            sides = [(one.first, 1, one.share), (one.second, 2, 1 - one.share)]
        rater, item = rater_at[key.rater], item_at[key.item]
        for arm, side, mark in sides:
            rows.append(
                (rater, arm_at[arm], item, criterion_at[key.criterion], side, rater + 1, unit)
            )
            marks.append(mark)
    names = ("rater", "arm", "item", "criterion", "side", "repeat", "unit")
    codes = np.array(rows, dtype=np.int64).reshape(-1, len(names)).T.copy()
    return MarkBatch(
        passes=(pass_id,), raters=raters, arms=arms, items=items, criteria=criteria,
        sides=_SIDES,
        columns=dict(zip(names, codes, strict=True)) | {
            "pass": np.zeros(len(marks), dtype=np.int64),
            "mark": np.ma.masked_invalid(np.array(marks, dtype=np.float64)),
            "off_scale": np.zeros(len(marks), dtype=bool),
        },
    )  # fmt: skip


def _and_more(known: Sequence[str], there: Iterable[str]) -> tuple[str, ...]:
    return (*known, *sorted(set(there) - set(known)))


def _places(names: Sequence[str]) -> dict[str, int]:
    return {name: at for at, name in enumerate(names)}
