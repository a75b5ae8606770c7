"""The controls of a pass from the store to what they say of its judge."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from judgebench.model.agreement import Noise
from judgebench.model.controls import ControlCheck, ControlKind, Controls
from judgebench.model.nouns import Mode, Pass, Refusal
from judgebench.pipeline.figures.gather import read_marks
from judgebench.pipeline.figures.marked import Marks
from judgebench.pipeline.planning.carried import OWN
from judgebench.pipeline.setting.choices import Reading
from judgebench.records import dataclass
from judgebench.rubrics.total import decide, totals
from judgebench.stats import controls
from judgebench.stats.arrays import FloatArray, item_codes, lattice_step
from judgebench.stats.repeatability import rescoring_sd
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True, slots=True)
class _Planted:
    """A control of the plan."""

    key: str
    kind: ControlKind
    item: str
    source: str
    answered: bool


@dataclass(frozen=True, kw_only=True)
class Names:
    """Ids behind the codes of an array of marks."""

    arms: Sequence[str]
    items: Sequence[str]


def read_controls(
    store: Store, judging: Pass, *, marks: Marks, names: Names, reading: Reading
) -> Controls | None:
    """Hold every control of a pass against its right treatment; None where it has none.

    Args:
        store: The open store.
        judging: The pass.
        marks: What the outputs themselves were marked.
        names: Ids behind the codes of `marks`.
        reading: How stored judgments are read.
    """
    if not _planted(store, judging):
        return None
    checks, noise = control_checks(store, judging, marks=marks, names=names, reading=reading)
    return controls.summary(checks, noise)


def control_checks(
    store: Store,
    judging: Pass,
    *,
    marks: Marks,
    names: Names,
    reading: Reading,
    number: int = OWN,
    moved: float = 0.0,
) -> tuple[list[ControlCheck], Noise | Refusal]:
    """Each control of a pass, or of a later check of it, and the noise that limits are made of.

    Args:
        store: The open store.
        judging: The pass.
        marks: What the outputs themselves were marked.
        names: Ids behind the codes of `marks`.
        reading: How stored judgments are read.
        number: Of the check.
        moved: Points by which the judge marks all answers otherwise than it did; a source
            that is not judged beside its control is held to stand so much further.
    """
    planted = _planted(store, judging, number)
    rubric = marks.rubric
    item_at = {name: at for at, name in enumerate(names.items)}
    arm_at = {name: at for at, name in enumerate(names.arms)}
    given = read_marks(
        store, judging=judging, rubric=rubric, arms=len(names.arms), reading=reading, noise=True,
    )  # fmt: skip
    step = given.total_step(lattice_step(given.marks, scale_step=rubric.scale.step))
    scored = given.verdicts[0]
    noise = rescoring_sd(scored, step=step, items=item_codes(scored))
    rows = [item_at[one.item] for one in planted.values()]
    own, beside = _totals(store, judging, list(planted), applies=marks.applies[rows], marks=marks,
                          reading=reading, number=number)  # fmt: skip
    checks = []
    for at, one in enumerate(planted.values()):
        source, judgings = float(beside[at]), 1
        if judging.mode is not Mode.LISTWISE:
            # An arm that another pass left out (--arms) is in no table, and neither is its total.
            there = one.source in arm_at
            cell = marks.verdicts[0][arm_at[one.source], item_at[one.item]] if there else source
            judgings = int(np.sum(~np.isnan(cell))) if there else 0
            source = float(np.nanmean(cell)) if judgings else np.nan
            if moved:
                source = float(np.clip(source + moved, rubric.scale.low, rubric.scale.high))
        marked = controls.Marked(
            key=one.key,
            kind=one.kind,
            item=one.item,
            source=one.source,
            answered=one.answered,
            total=_known(float(own[at])),
            source_total=_known(source),
            source_judgings=max(1, judgings),
        )
        checks.append(controls.check(marked, noise, low=rubric.scale.low, high=rubric.scale.high))
    return checks, noise


def read_pair_controls(
    store: Store, judging: Pass, *, marks: Marks, names: Names, reading: Reading
) -> Controls | None:
    """The same of a pass that compares: every control against its source, in both orders.

    Args:
        store: The open store.
        judging: The pass.
        marks: What the outputs themselves made of each other.
        names: Ids behind the codes of `marks`.
        reading: How stored judgments are read.
    """
    planted = _planted(store, judging)
    if not planted:
        return None
    item_at = {name: at for at, name in enumerate(names.items)}
    applies = marks.applies[[item_at[one.item] for one in planted.values()]]
    column = {criterion.id: place for place, criterion in enumerate(marks.rubric.criteria)}
    at = {name: place for place, name in enumerate(planted)}
    given = np.full((2, len(at), len(column)), np.nan)
    keys: dict[tuple[str, int], str] = {}
    for control, place, key, criterion, mark, unsupported in store.rows(
        "control_verdicts", pass_id=judging.id
    ):
        keys.setdefault((control, place), key)
        if control in at and criterion in column and not (unsupported and reading.require_quotes):
            given[place, at[control], column[criterion]] = mark
    shares = [_decided(marks, values, applies) for values in given]
    checks = [
        controls.check_pair(
            controls.Met(
                keys=tuple(keys.get((name, place), one.key) for place in (0, 1)),
                kind=one.kind,
                item=one.item,
                source=one.source,
                answered=one.answered,
                shares=(_known(float(shares[0][row])), _known(float(shares[1][row]))),
            )
        )
        for row, (name, one) in enumerate(planted.items())
    ]
    return controls.summary(checks)


def _decided(marks: Marks, values: FloatArray, applies: NDArray[np.bool_]) -> FloatArray:
    """Who won each comparison of one order, from the verdicts of its criteria."""
    asked = np.isfinite(values).any(axis=1)
    return np.where(asked, decide(totals(marks.rubric, values, applies).value), np.nan)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


def _planted(store: Store, judging: Pass, number: int = OWN) -> dict[str, _Planted]:
    """Controls by their ids; one whose criteria were asked for by themselves is one."""
    out: dict[str, _Planted] = {}
    for control, kind, item, source, key, status in store.rows(
        "control_requests", pass_id=judging.id, number=number
    ):
        before = out.get(control)
        out[control] = _Planted(
            key=before.key if before else key,
            kind=ControlKind(kind),
            item=item,
            source=source,
            answered=status is not None and (before is None or before.answered),
        )
    return out


def _totals(
    store: Store,
    judging: Pass,
    ids: Sequence[str],
    *,
    applies: NDArray[np.bool_],
    marks: Marks,
    reading: Reading,
    number: int,
) -> tuple[FloatArray, FloatArray]:
    """Totals of controls and of the sources beside them; NaN where there is none."""
    at = {name: place for place, name in enumerate(ids)}
    column = {criterion.id: place for place, criterion in enumerate(marks.rubric.criteria)}
    given = np.full((2, len(ids), len(column)), np.nan)
    for control, own, criterion, mark, unsupported in store.rows(
        "control_marks", pass_id=judging.id, number=number
    ):
        if control in at and criterion in column and not (unsupported and reading.require_quotes):
            given[0 if own else 1, at[control], column[criterion]] = mark
    asked = np.isfinite(given).any(axis=2)
    made = [
        np.where(there, totals(marks.rubric, values, applies).value, np.nan)
        for values, there in zip(given, asked, strict=True)
    ]
    return made[0], made[1]
