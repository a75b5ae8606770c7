"""The requests that a pass wants: its cells, those judged again, and the controls among them."""

from collections.abc import Iterable, Iterator, Sequence

from judgebench.blind import order
from judgebench.model.collected import Locator
from judgebench.model.controls import Control, ControlKind
from judgebench.model.nouns import Mode, Purpose, Request
from judgebench.model.rubric import Rubric
from judgebench.pipeline.planning import planting
from judgebench.pipeline.planning.plan import Again, Cell, plan
from judgebench.pipeline.planning.prepare import Preparer
from judgebench.pipeline.setting.recorded import Recorded
from judgebench.pipeline.setting.scene import Scene
from judgebench.rubrics.total import applying
from judgebench.store.passes import PassRow
from judgebench.store.store import Store


def cells(
    store: Store, run_key: str, items: frozenset[str] | None = None
) -> Iterator[Cell]:  # fmt: skip
    """Outputs that may be judged, item by item; only of some items where they are named."""
    for item, item_sha256, arm, output, sent, evidence, reference, ambiguity in store.stream(
        "cells_to_judge", run=run_key
    ):
        if items is not None and item not in items:
            continue
        yield Cell(
            item=item,
            item_sha256=item_sha256,
            arm=arm,
            output_sha256=output,
            sent_sha256=sent,
            evidence=evidence,
            reference=reference,
            ambiguity=ambiguity,
        )


def with_controls(
    store: Store,
    scene: Scene,
    row: PassRow,
    *,
    again: Again,
    before: planting.Before,
    recorded: Recorded | None,
    items: frozenset[str] | None = None,
) -> Iterator[Request]:
    """Every request of a pass, and then those of the controls that are planted among them."""
    count = [0]
    yield from planting.judgings(requests(store, row, scene, again=again, items=items), count)
    field = planting.Field(
        preparer=Preparer(scene.run, scene.rubric, row.judging),
        # A recording holds controls of any item.
        cells=lambda: cells(store, row.judging.run, None if recorded else items),
        criteria=lambda cell: criteria_of(scene.rubric, cell),
        locate=lambda items: locators(store, row.judging.run, items),
        keep=lambda made: store.put_controls(row.judging.id, made),
    )
    if recorded and recorded.planted and not before.controls:
        made = planting.make_again(field, recorded.planted)
    else:
        made = planting.make_controls(field, count[0], wanted=row.controls, before=before)
    yield from planting.control_requests(field, made, again.controls)


def planned_controls(store: Store, pass_id: str) -> list[Control]:
    """The controls that the plan of a pass holds, without their texts."""
    return [
        Control(
            id=row["control"],
            kind=ControlKind(row["kind"]),
            item=row["item"],
            source_arm=row["source_arm"],
            source_sent_sha256=row["source_sent_sha256"],
            donor_item=row["donor_item"],
            donor_arm=row["donor_arm"],
            text="",
            sent_sha256=row["sent_sha256"],
            note=row["note"],
        )
        for row in store.records("control_planned", pass_id=pass_id)
    ]


def criteria_of(rubric: Rubric, cell: Cell) -> Sequence[str]:
    """Ids of the criteria that apply to the item of a cell."""
    return applying(
        rubric, evidence=cell.evidence, reference=cell.reference, ambiguity=cell.ambiguity
    )


def requests(
    store: Store, row: PassRow, scene: Scene, *, again: Again, items: frozenset[str] | None = None
) -> Iterator[Request]:
    """Every request of a pass, those that are asked again included."""
    judging = row.judging
    yield from plan(
        judging,
        cells(store, judging.run, items),
        again=again,
        criteria=lambda cell: criteria_of(scene.rubric, cell),
    )


def noise_of(
    store: Store, row: PassRow, scene: Scene, recorded: Recorded | None
) -> frozenset[tuple[str, str]]:
    """(item, arm) of the cells that are judged a second time: as recorded, else as drawn."""
    if recorded is not None and recorded.noisy is not None:
        return frozenset(recorded.noisy)
    return _noisy(store, row, scene.run.left_out)


def _noisy(store: Store, row: PassRow, left_out: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """(item, arm) of the cells that are judged a second time for the noise."""
    judging, params = row.judging, {"run": row.judging.run, "left_out": list(left_out)}
    n_cells, n_items = store.rows("cell_count", **params)[0]
    # What was paid for stays: an added arm or item draws more, never others.
    before = [(item, arm) for item, arm in store.rows("noise_drawn", pass_id=judging.id, **params)]
    found: Iterator[tuple[str, str]] = store.stream("noise_candidates", **params)
    if judging.mode is Mode.POINTWISE:
        return order.noise_cells(judging.seed, found, n_cells, kept=before)
    names = {item for item, _ in found}
    kept = {item for item, _ in before}
    chosen = order.noise_items(judging.seed, names, n_items, n_cells, kept=kept)
    return frozenset(
        (cell.item, cell.arm) for cell in cells(store, judging.run) if cell.item in chosen
    )


def locators(store: Store, run_key: str, wanted: Iterable[str]) -> dict[str, dict[str, Locator]]:
    """Item → arm → where its output stands."""
    out: dict[str, dict[str, Locator]] = {}
    for item, arm, path, offset in store.rows("locators", run=run_key, items=sorted(set(wanted))):
        out.setdefault(item, {})[arm] = Locator(path=path, offset=offset)
    return out


def planted(store: Store, wanted: Iterable[Request]) -> dict[str, str]:
    """Texts of the controls in some requests of one pass, by their ids."""
    found = [one for one in wanted if one.purpose is Purpose.CONTROL]
    if not found:
        return {}
    ids = sorted({part.arm for one in found for part in one.parts})
    return dict(store.rows("control_texts", pass_id=found[0].pass_id, controls=ids))
