"""Which answers people are to mark, in which order and under which names: the draw of a run."""

import json
from collections.abc import Iterator, Sequence

from judgebench.model.collected import Locator
from judgebench.model.draws import Sample
from judgebench.model.rubric import Rubric
from judgebench.pipeline.people.people_marks import arm_labels
from judgebench.pipeline.planning.wanted import locators
from judgebench.pipeline.setting.choices import Where
from judgebench.pipeline.setting.scene import World
from judgebench.records import dataclass
from judgebench.rubrics import total
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelChoices:
    """What the user asks for."""

    where: Where
    items: int | None = None
    """How many to draw; None for the newest draw, or all items."""
    pass_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """One answer: where it stands, and the name under which it is shown."""

    item: str
    arm: str
    label: str
    locator: Locator
    output_sha256: str
    criteria: tuple[str, ...]
    """Ids of the criteria that apply to the item."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelDraw:
    """What people are to mark."""

    items: tuple[str, ...]
    arms: tuple[str, ...]
    single: tuple[tuple[str, str], ...] = ()
    """Item and arm of single answers, in their order; empty where all arms are marked."""
    made: Sample | None = None
    """The draw, where it was made just now."""


def newest_draw(store: Store, key: str, wanted: Sequence[str]) -> LabelDraw | None:
    """The newest draw that has the wanted arms, in its order."""
    rows = store.records("draws", run=key)
    fitting = [row for row in rows if set(wanted) <= set(json.loads(row["arms"]))]
    single = [row for row in store.records("packet_draws", run=key) if row["chosen"]]
    last = fitting[-1] if fitting else None
    if single and (last is None or single[-1]["drawn_at"] > last["drawn_at"]):
        own = [row for row in single if row["draw"] == single[-1]["draw"]]
        cells = tuple((row["item"], row["arm"]) for row in own)
        cells = tuple(cell for cell in cells if not wanted or cell[1] in wanted)
        return LabelDraw(
            items=tuple(dict.fromkeys(item for item, _ in cells)),
            arms=tuple(dict.fromkeys(arm for _, arm in cells)),
            single=cells,
        )
    if last is None:
        return None
    items = tuple(row["item"] for row in fitting if row["draw"] == last["draw"])
    return LabelDraw(items=items, arms=tuple(json.loads(last["arms"])))


def new_draw(choices: LabelChoices, world: World) -> LabelDraw:
    """Items drawn now, and stored as drawn.

    Raises:
        JudgebenchError: As `draw_sample`.
    """
    # Imported here: a stored draw needs no drawing.
    from judgebench.pipeline.people.sample import SampleChoices, draw_sample  # noqa: PLC0415

    made = draw_sample(
        choices.where.run,
        SampleChoices(items=choices.items, arms=choices.where.arms, pass_id=choices.pass_id),
        world,
    )
    return LabelDraw(items=made.items, arms=made.arms, made=made)


def places_of(
    store: Store, key: str, items: Sequence[str], arms: Sequence[str], rubric: Rubric
) -> Iterator[Place]:
    """Every answer that may be marked, item by item."""
    every = [row["arm"] for row in store.records("arms", run=key)]
    where = locators(store, key, items)
    wanted = set(items)
    cells = {
        (row["item"], row["arm"]): row
        for row in store.records("cells_to_judge", run=key)
        if row["item"] in wanted
    }
    for item in items:
        labels = arm_labels(key, item, every)
        for arm in arms:
            if cell := cells.get((item, arm)):
                yield Place(
                    item=item,
                    arm=arm,
                    label=labels[arm],
                    locator=where[item][arm],
                    output_sha256=cell["output_sha256"],
                    criteria=total.applying(
                        rubric,
                        evidence=cell["has_evidence"],
                        reference=cell["has_reference"],
                        ambiguity=cell["ambiguous"],
                    ),
                )
