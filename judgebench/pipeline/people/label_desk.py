"""Answers for a person to mark: blinded, in the order of a draw, each mark stored at once.

The database is opened for each question and each mark and let go of again: several
people may mark beside each other, and a table may be read in between.
"""

import math
import shlex
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from judgebench.blind import order
from judgebench.blind.mask import Masker
from judgebench.errors import RunError
from judgebench.model.collected import Item
from judgebench.model.draws import Sample
from judgebench.model.labelling import LabelProgress, Packet, Question, Said
from judgebench.model.nouns import Blinding
from judgebench.model.rubric import Rubric, Scale
from judgebench.pipeline.figures.stored_pass import no_judge, stored_pass
from judgebench.pipeline.people.giving import give_mark
from judgebench.pipeline.people.label_places import (
    LabelChoices,
    Place,
    new_draw,
    newest_draw,
    places_of,
)
from judgebench.pipeline.people.people_marks import given_by
from judgebench.pipeline.setting.places import no_answers
from judgebench.pipeline.setting.projects import spared_text
from judgebench.pipeline.setting.scene import Scene, World, open_scene
from judgebench.pipeline.setting.stored_run import LOCK_WAIT_S, imported_alone, stored_place
from judgebench.rubrics.load import parse_rubric
from judgebench.runs import load
from judgebench.runs.importers.human_sheet import GivenMark
from judgebench.store.store import Store
from judgebench.text import has_visible, one_line

MOST_MARKS = 1_001
"""Of a scale; more cannot be listed."""
NAME_CHARS = 60


class LabelDesk:
    """The answers that people are to mark, and what they said of them.

    One of these serves several people and several threads.

    Args:
        scene: The run and the rubric of its pass.
        places: Every answer, item by item in the order of the draw.
        world: Clock.
        single: Single answers were drawn, and stand in the order of the draw for everybody.
        made: The draw of items, where it was made just now.
    """

    def __init__(
        self,
        scene: Scene,
        places: Sequence[Place],
        world: World,
        *,
        single: bool = False,
        made: Sample | None = None,
    ) -> None:
        self.made = made
        self._places, self._single = tuple(places), single
        self.scene, self.rubric, self._world = scene, scene.rubric, world
        self.items = tuple(dict.fromkeys(place.item for place in places))
        self._blocks = {
            item: [place for place in places if place.item == item] for item in self.items
        }
        self._by_label = {(place.item, place.label): place for place in places}
        self._masker = Masker(scene.run, Blinding.MASK)
        self._marks = scale_marks(scene.rubric.scale, scene.rubric.name)
        self._lock = threading.Lock()

    def item(self, item_id: str) -> Item:
        """An item of the run, whole."""
        return load.load_item(self.scene.run, item_id)

    @contextmanager
    def _store(self) -> Iterator[Store]:
        """The database, for one thread at a time and for writing: a process opens it one way."""
        database = self.scene.workspace.database
        with self._lock, Store.open(database, create=False, wait_s=LOCK_WAIT_S) as store:
            yield store

    # ---- who

    def people(self) -> tuple[str, ...]:
        """Everybody who marked something of this run."""
        with self._store() as store:
            return tuple(sorted({one.rater for one in given_by(store, self.scene.run_key)}))

    def rater(self, name: str) -> str | None:
        """A person's name as it is stored, however it is typed; None where it is none."""
        wanted = one_line(name.strip(), NAME_CHARS)
        if not has_visible(wanted):
            return None
        known = {other.casefold(): other for other in self.people()}
        return known.get(wanted.casefold(), wanted)

    # ---- what

    def order(self, rater: str) -> list[Place]:
        """Items in the order of the draw, the answers of each in an order of this person's."""
        if self._single:
            return list(self._places)
        seed = order.derive_seed(self.scene.run_key, "label", rater)
        out: list[Place] = []
        for item, block in self._blocks.items():
            by_arm = {place.arm: place for place in block}
            out += [by_arm[arm] for arm in order.positions(seed, item, sorted(by_arm), 1)]
        return out

    def packet(self, rater: str, number: int) -> Packet | None:
        """One answer of a person's order, counted from 1.

        Raises:
            RunError: The answer has changed since it was judged.
        """
        places = self.order(rater)
        if not 1 <= number <= len(places):
            return None
        place, said = places[number - 1], self._said(rater)
        item = self.item(place.item)
        return Packet(
            number=number,
            of=len(places),
            item=place.item,
            label=place.label,
            intro=self.rubric.intro,
            prompt=item.prompt,
            evidence=item.evidence,
            reference=item.reference,
            output=self.text(place, item),
            questions=tuple(
                self._question(name, said.get((place.item, place.arm, name)))
                for name in place.criteria
            ),
            marks=self._marks,
        )

    def text(self, place: Place, item: Item) -> str:
        """An answer as a judge is sent it: identity strings are masked.

        Raises:
            RunError: It has changed since it was judged.
        """
        run = self.scene.run
        output = load.read_output(run, arm=place.arm, item=place.item, locator=place.locator)
        if output.sha256 != place.output_sha256 or output.text is None:
            raise RunError(
                run.path / place.locator.path, "has changed since it was judged",
                "judge score takes it in again",
            )  # fmt: skip
        return self._masker.mask(output.text, spared=spared_text(item)).text

    def _question(self, name: str, said: float | None) -> Question:
        criterion = self.rubric.criterion(name)
        cannot = said is not None and math.isnan(said)
        return Question(
            id=name,
            text=criterion.text,
            anchors=criterion.anchors,
            mark=None if cannot else said,
            cannot_judge=cannot,
        )

    # ---- how far

    def _said(self, rater: str) -> dict[tuple[str, str, str], float]:
        with self._store() as store:
            return self._read(store, rater)

    def _read(self, store: Store, rater: str) -> dict[tuple[str, str, str], float]:
        found = given_by(store, self.scene.run_key)
        return {(one.item, one.arm, one.criterion): one.mark for one in found if one.rater == rater}

    def first_open(self, rater: str, *, after: int = 0) -> int | None:
        """Number of the first answer after this one with an open question, or of any."""
        said = self._said(rater)
        numbers = [
            number
            for number, place in enumerate(self.order(rater), 1)
            if not self._whole(place, said)
        ]
        return next((number for number in numbers if number > after), next(iter(numbers), None))

    def progress(self, rater: str) -> LabelProgress:
        """How far one person is."""
        return self._progress(self._said(rater))

    def _whole(self, place: Place, said: dict[tuple[str, str, str], float]) -> bool:
        return all((place.item, place.arm, name) in said for name in place.criteria)

    def _progress(self, said: dict[tuple[str, str, str], float]) -> LabelProgress:
        whole = [[self._whole(one, said) for one in block] for block in self._blocks.values()]
        return LabelProgress(
            answers=sum(map(sum, whole)),
            answers_all=sum(map(len, whole)),
            items=sum(map(all, whole)),
            items_all=len(whole),
        )

    # ---- in

    def save(self, rater: str, said: Said) -> LabelProgress | None:
        """Store what a person says; None where it fits no question.

        Raises:
            StoreError: Another process held the database too long: nothing was stored.
        """
        place = self._by_label.get((said.item, said.label))
        if place is None or said.criterion not in place.criteria:
            return None
        if said.mark is not None and (said.cannot_judge or said.mark not in self._marks):
            return None
        value = math.nan if said.mark is None else said.mark
        given = GivenMark(
            item=place.item, arm=place.arm, criterion=said.criterion, rater=rater, mark=value
        )
        back = said.mark is None and not said.cannot_judge
        with self._store() as store:
            give_mark(
                store, self.scene.run_key, given, rubric=self.rubric, world=self._world, back=back
            )
            return self._progress(self._read(store, rater))


def scale_marks(scale: Scale, rubric: str) -> tuple[float, ...]:
    """Every mark of a scale, lowest first.

    Raises:
        RunError: There are too many to choose from.
    """
    steps = math.floor((scale.high - scale.low) / scale.step + 1e-9)
    if steps >= MOST_MARKS:
        raise RunError(rubric, f"has {steps + 1:,} marks", "a page can show 1,001 at most")
    return tuple(round(scale.low + at * scale.step, 9) for at in range(steps + 1))


def open_desk(choices: LabelChoices, world: World) -> LabelDesk:
    """The answers of a judged run that people are to mark.

    Raises:
        RunError: The run was not judged here, has no answer to mark, or is not there.
        StoreError: Nothing is stored of this run.
    """
    where = choices.where
    workspace, key = stored_place(where.run, world.cwd)
    drawn = None
    with Store.open(workspace.database, create=False, wait_s=LOCK_WAIT_S) as store:
        rubric = _rubric(store, where.run, key, choices.pass_id)
        if rubric.deductions:
            what = "counts faults in projects, and the page asks for marks"
            run = shlex.quote(one_line(str(where.run), 60))
            do = (
                f"judge calibrate {run} --human FILE takes people's marks from a table (item, arm, "
                "rater, a column a criterion); or name a pass under a rubric of marks with --pass"
            )
            raise RunError(rubric.name, what, do)
        if choices.items is None:
            drawn = newest_draw(store, key, where.arms)
    drawn = drawn or new_draw(choices, world)
    with Store.open(workspace.database, create=False, wait_s=LOCK_WAIT_S) as store:
        if imported_alone(store.find_passes(key)):
            raise no_answers(where.run, to="mark")
        places = list(places_of(store, key, drawn.items, where.arms or drawn.arms, rubric))
    if drawn.single:
        by_cell = {(place.item, place.arm): place for place in places}
        places = [by_cell[cell] for cell in drawn.single if cell in by_cell]
    if not places:
        raise RunError(where.run, "has no answer that may be marked", "judge check says why")
    # All arms are loaded: the names of those that are not shown are masked too.
    scene = open_scene(replace(where, arms=()), rubric, world)
    return LabelDesk(scene, places, world, single=bool(drawn.single), made=drawn.made)


def _rubric(store: Store, run: Path, key: str, pass_id: str | None) -> Rubric:
    found = stored_pass(store, key, pass_id=pass_id)
    if found.shown.facts().by_people:
        raise no_judge(run, found.shown, found.passes)
    return parse_rubric(found.rubric, Path(f"{found.shown.judging.rubric_name}.yaml"))
