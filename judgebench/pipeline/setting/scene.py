"""What a command works on: workspace, run, rubric and judge, each found and checked."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from judgebench.errors import RunError
from judgebench.judges import config
from judgebench.judges.config import ReplayChoice
from judgebench.judges.judges_file import DEFAULT_MAX_TOKENS
from judgebench.model.collected import Run
from judgebench.model.nouns import Judge
from judgebench.model.rubric import Rubric
from judgebench.pipeline.setting.choices import Choices, Where
from judgebench.pipeline.setting.few import CHOOSE, refuse_many
from judgebench.pipeline.setting.places import named_run, no_answers, run_key, runs_here
from judgebench.records import dataclass
from judgebench.rubrics import load as rubrics
from judgebench.runs import load
from judgebench.runs.workspace import Workspace, find_workspace

DECLARED_RUBRIC = "usecase"
BARE_RUBRIC = "answer"
AUDIT_MAX_TOKENS = 16_384
"""A judge's budget for a reply about a project, where judges.toml sets none."""


@dataclass(frozen=True, kw_only=True)
class World:
    """What a pure order of things is given from outside: clock, environment, ears."""

    env: Mapping[str, str]
    cwd: Path
    now: Callable[[], datetime]
    say: Callable[[str], None]
    detail: Callable[[str], None] | None = None
    """Told of every request that is done; None where nobody asked."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Everything that is known before anything is planned."""

    workspace: Workspace
    run: Run
    run_key: str
    rubric: Rubric


def open_scene(where: Where, rubric: str | Rubric | None, world: World) -> Scene:
    """Find the workspace, load the run and the rubric, where that is not given whole.

    Raises:
        RunError: The run cannot be used, or has more arms than can be compared.
        RubricError: The rubric cannot be scored with.
    """
    # Reports name a run, and what they name can be typed.
    typed = named_run(where.run, world.cwd)
    path = typed if typed.is_absolute() else world.cwd / typed
    if not path.exists():
        # Loads the database, which a run that is there does without until it is read.
        from judgebench.pipeline.setting.stored_run import marks_alone  # noqa: PLC0415

        if marks_alone(path, world.cwd):
            raise no_answers(where.run)
        raise RunError(where.run, "is not there", runs_here(world.cwd))
    run = load.load_run(
        typed if (world.cwd == Path.cwd()) else path,
        arms=where.arms,
        prompt=where.prompt,
        no_prompt=where.no_prompt,
        columns=where.columns,
    )
    refuse_many(where.run, len(run.arms), CHOOSE)
    workspace = find_workspace(path, cwd=world.cwd)
    return Scene(
        workspace=workspace,
        run=run,
        run_key=run_key(path, workspace),
        rubric=(
            rubric
            if isinstance(rubric, Rubric)
            else find_rubric(rubric, run, workspace, overlay=where.overlay)
        ),
    )


def find_rubric(
    name: str | None, run: Run, workspace: Workspace, *, overlay: Path | None = None
) -> Rubric:
    """The rubric that was named, or the one for this form of run, with its parameters filled.

    Args:
        name: As the user named it.
        run: May name an overlay, which is used where it is written for this rubric.
        workspace: Whose rubrics come first.
        overlay: As the user named it.
    """
    folders = [workspace.rubrics] if workspace.rubrics else []
    # Without a job there is no use case to hold an answer against, run.yaml or not.
    wanted = name or (DECLARED_RUBRIC if run.use_case.job else BARE_RUBRIC)
    path = rubrics.find_rubric(wanted, folders=folders)
    if overlay is not None:
        return rubrics.load_rubric(path, overlay=overlay)
    return rubrics.load_fitting(path, run.overlay)


def find_judge(choices: Choices, scene: Scene, world: World) -> Judge | ReplayChoice:
    """Who judges, with what the user set for this pass."""
    found = config.resolve_judge(
        choices.judge, judges_toml=scene.workspace.judges_toml, env=world.env, run=scene.run
    )
    if isinstance(found, ReplayChoice):
        path = found.path if found.path.is_absolute() else _recording(found.path, scene, world)
        return ReplayChoice(path=path, given=found.path)
    if choices.timeout_s is not None:
        found = replace(found, timeout_s=choices.timeout_s)
    if scene.rubric.deductions and found.max_tokens == DEFAULT_MAX_TOKENS:
        # Finds with their passages are longer than marks with their quotes.
        found = replace(found, max_tokens=AUDIT_MAX_TOKENS)
    return found


def _recording(path: Path, scene: Scene, world: World) -> Path:
    """A recording as the user named it, or as run.yaml does (inside the run folder)."""
    here = world.cwd / path
    return here if here.is_file() else scene.run.path / path
