"""A judge against people, from the store: marks taken in, the judge held against them.

That people's marks were shown is noted in the store, because a rubric that is changed
afterwards may rest on them. A report shows only what was noted before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from judgebench.errors import RunError
from judgebench.model.people import Calibration
from judgebench.pipeline.figures.stored_pass import no_judge, read_analysis
from judgebench.pipeline.people.against_people import AgainstChoices, against_people, marks_shown
from judgebench.pipeline.people.giving import TakenIn, Taking, take_people, withdraw
from judgebench.pipeline.people.mark_files import Withdrawn
from judgebench.pipeline.people.noting import open_to_note
from judgebench.pipeline.people.splitting import note_look, split_labels
from judgebench.pipeline.setting.scene import World
from judgebench.pipeline.setting.stored_run import LOCK_WAIT_S, must_be_known, stored_place
from judgebench.records import dataclass
from judgebench.runs.importers.human_sheet import Blind, SheetChoices
from judgebench.runs.workspace import Workspace
from judgebench.store.store import Store

NOT_NOTED = "that these marks were shown is not noted, and no report is written"


@dataclass(frozen=True, kw_only=True, slots=True)
class CalibrateChoices:
    """What the user asks for."""

    pass_id: str | None = None
    file: Path | None = None
    sheet: SheetChoices = field(default_factory=SheetChoices)
    blind: Blind = Blind.UNKNOWN
    against: AgainstChoices = field(default_factory=AgainstChoices)
    tune: float | None = None
    """Share of the items that is set apart for tuning the rubric."""
    replaces: str | None = None
    """The file of marks that this one takes the place of."""
    withdraw: str | None = None
    """The file of marks that is taken back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibrated:
    """What was found, and what was done to the marks before."""

    made: Calibration
    taken: TakenIn | None
    withdrawn: Withdrawn | None
    folder: Path | None
    """Reports of the pass; None where nothing can be written."""


def calibrate(run: Path, choices: CalibrateChoices, world: World) -> Calibrated:
    """Hold the judge of a stored pass against people, taking their file in first.

    Raises:
        RunError: There is no database, the pass is of people, or no such file of marks.
        ImportFileError: The file cannot be taken in; nothing is written then.
        StoreError: Nothing is stored of this run.
    """
    workspace, key = stored_place(run, world.cwd)
    with _open(workspace, choices, world) as (store, kept):
        must_be_known(store, key, run, world.cwd)
        analysis = read_analysis(store, key, pass_id=choices.pass_id)
        if analysis.shown.facts().by_people:
            raise no_judge(run, analysis.shown, analysis.passes)
        if analysis.marks.decided:
            raise RunError(
                run,
                "has a pass that compares pairs and gives no marks",
                "name another --pass, or judge pointwise",
            )
        taken, gone = None, None
        if choices.withdraw is not None:
            gone = withdraw(store, key, choices.withdraw, rubric=analysis.rubric, world=world)
        if choices.file is not None:
            taking = Taking(sheet=choices.sheet, blind=choices.blind, replaces=choices.replaces)
            taken = take_people(
                store, key, choices.file, rubric=analysis.rubric, choices=taking, world=world
            )  # fmt: skip
        if choices.tune is not None:
            split_labels(store, key, choices.tune, world)
        made = against_people(store, analysis, choices.against)
        if made.labels.items:
            note_look(
                store, analysis.shown, split=made.labels.split, labels=marks_shown(made),
                world=world,
            )  # fmt: skip
    folder = workspace.reports / key / made.pass_id if kept else None
    return Calibrated(made=made, taken=taken, withdrawn=gone, folder=folder)


@contextmanager
def _open(
    workspace: Workspace, choices: CalibrateChoices, world: World
) -> Iterator[tuple[Store, bool]]:
    """Marks are taken in or back, and labels split, in the file itself; else a copy may do."""
    if choices.file is None and choices.withdraw is None and choices.tune is None:
        with open_to_note(workspace.database, world, lost=NOT_NOTED) as opened:
            yield opened
        return
    with Store.open(workspace.database, create=False, wait_s=LOCK_WAIT_S) as store:
        yield store, True
