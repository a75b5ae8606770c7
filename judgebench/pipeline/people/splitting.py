"""Labels split for tuning and reporting, once, and what was shown of them so far."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.tuning import ShownBefore
from judgebench.pipeline.setting.scene import World
from judgebench.records import dataclass
from judgebench.stats.human import LEAST_BESIDE
from judgebench.store.passes import PassRow
from judgebench.store.people import LookRow
from judgebench.store.store import Store
from judgebench.text import digest

SHARE = 0.4
"""Of the items, that serves for tuning where no other is asked for."""
_SHARES = (SHARE, 0.45, 0.35, 0.5, 0.55, 0.6)
TUNE, REPORT, ALL = "tune", "report", "all"


def split_labels(store: Store, run: str, share: float, world: World) -> bool:
    """Assign every item by its hash, whatever was marked on it; what is assigned stays.

    What had been shown beside a judge by then is kept with it.

    Returns:
        Whether this was the first time.
    """
    first = not store.rows("tuning", run=run)
    stamp = world.now().isoformat(timespec="seconds")
    tune = would_tune(store, run, share)
    splits = {name: TUNE if name in tune else REPORT for (name,) in store.rows("items", run=run)}
    shown = json.dumps(store.records("looks", run=run))
    with store.together():
        store.put_splits(run, splits, assigned_at=stamp)
        store.put_tuning(run, share=share, split_at=stamp, shown=shown)
    return first


def would_tune(store: Store, run: str, share: float) -> frozenset[str]:
    """Items that a share sets apart, by the hash of their names alone."""
    bar = int(share * 2**32)
    return frozenset(
        name
        for (name,) in store.rows("items", run=run)
        if int(digest(["split", run, name])[:8], 16) < bar
    )


def fitting_share(store: Store, run: str, marked: Iterable[str]) -> float | None:
    """The first usual share that leaves each side as many marked items as figures need.

    Chosen by what was marked, never by the marks.
    """
    known = set(marked)
    for share in _SHARES:
        tune = would_tune(store, run, share)
        if min(len(known & tune), len(known - tune)) >= LEAST_BESIDE:
            return share
    return None


def tune_items(store: Store, run: str) -> frozenset[str]:
    """Items that serve for tuning."""
    found = store.records("label_splits", run=run)
    return frozenset(row["item"] for row in found if row["split"] == TUNE)


def tuned_refusal(statistic: str) -> Refusal:
    """No figure of a judge from marks that its rubric was tuned on."""
    return Refusal(
        statistic=statistic, code=RefusalCode.TUNED_ON_THESE_LABELS.value, have=0, need=1,
        how="mark other items, or split the marks with --tune before the rubric is changed",
    )  # fmt: skip


def shown_before(rows: Sequence[Mapping[str, Any]]) -> tuple[ShownBefore, ...]:
    """Rows of looks in the model's words."""
    return tuple(
        ShownBefore(
            pass_id=row["pass_id"], rubric_name=row["rubric_name"], split=row["split"],
            labels=row["labels"], shown_at=row["shown_at"],
        )
        for row in rows
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Looks:
    """What was shown of a run's labels beside other versions of a rubric, and when."""

    tuned: bool
    """The rubric may rest on these very labels."""
    seen_at: str | None
    """When all labels were shown beside an earlier version, before they were split."""
    earlier: tuple[str, ...]
    """When the report split was shown beside other versions, before this one."""
    others: int
    """Other passes beside which these labels were shown before."""


def looks_at(store: Store, row: PassRow) -> Looks:
    """What was shown before of the labels that a pass is held against.

    Args:
        store: The open store.
        row: The pass.
    """
    judging = row.judging
    every = store.records("looks", run=judging.run)
    # Later looks beside the same pass come after what is asked for here: the first decides.
    first = {(one["pass_id"], one["split"]): one for one in reversed(every)}
    at_mine = first.get((judging.id, REPORT), {"shown_at": "~"})["shown_at"]
    others = [one for one in every if one["pass_id"] != judging.id and one["split"] != TUNE]
    family = _family(store, row)
    versions = [
        one
        for one in others
        if one["ask_sha256"] != judging.ask_sha256
        and (one["rubric_name"] == judging.rubric_name or one["ask_sha256"] in family)
    ]
    tuning = store.rows("tuning", run=judging.run)
    if not tuning:
        return Looks(tuned=bool(versions), seen_at=None, earlier=(), others=_passes(others))
    split_at = tuning[0][1]
    whole = [one for one in versions if one["split"] == ALL]
    # A version that was begun before the split may rest on any of the labels.
    early = bool(whole) and row.started_at < split_at
    beside = {
        one["base_pass"]
        for one in store.records("tune_looks", run=judging.run)
        if one["pass_id"] == judging.id and one["split"] == REPORT
    }
    later = {
        one["shown_at"]
        for one in first.values()
        if one["pass_id"] in {version["pass_id"] for version in versions}
        and one["split"] == REPORT
        and one["shown_at"] <= at_mine
        # Shown at once with this version, which cannot rest on it.
        and not (one["pass_id"] in beside and one["shown_at"] == at_mine)
    }
    return Looks(
        tuned=early,
        seen_at=max((one["shown_at"] for one in whole), default=None),
        earlier=tuple(sorted(later)),
        others=_passes(others),
    )


def _passes(looks: Sequence[Mapping[str, Any]]) -> int:
    return len({one["pass_id"] for one in looks})


def _family(store: Store, row: PassRow) -> frozenset[str]:
    """What judges were asked under versions that were tuned from one another."""
    asks = {one.judging.id: one.judging.ask_sha256 for one in store.find_passes(row.judging.run)}
    family = {row.judging.ask_sha256}
    pairs = [
        {asks.get(one["base_pass"]), one["ask_sha256"]}
        for one in store.records("tune_looks", run=row.judging.run)
    ]
    for _ in pairs:
        for pair in pairs:
            if pair & family:
                family |= {ask for ask in pair if ask is not None}
    return frozenset(family)


def note_look(store: Store, row: PassRow, *, split: str, labels: int, world: World) -> None:
    """Note that labels were shown beside a pass, whether or not they were before."""
    judging = row.judging
    store.put_look(
        LookRow(
            run=judging.run, pass_id=judging.id, rubric_name=judging.rubric_name,
            ask_sha256=judging.ask_sha256, split=split, labels=labels,
            shown_at=world.now().isoformat(timespec="seconds"),
        )
    )  # fmt: skip
