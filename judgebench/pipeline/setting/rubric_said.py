"""Which rubric is taken and why, before anything is paid, and what it cannot ask of a run."""

from collections.abc import Iterator, Sequence

from judgebench.model.rubric import Applies
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.conflicts import ITEM_FACTS
from judgebench.pipeline.setting.scene import BARE_RUBRIC, DECLARED_RUBRIC, Scene
from judgebench.rubrics.total import applying
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import one_line, plural

_NEEDS = {
    Applies.EVIDENCE: "evidence, as items/ID/evidence/",
    Applies.REFERENCE: "a reference, as items/ID/reference.md",
    Applies.AMBIGUITY: "ambiguities in run.yaml",
}


_BY_JOB = (
    f"rubric {DECLARED_RUBRIC}, as run.yaml names a job (else {BARE_RUBRIC}; --rubric NAME decides)"
)


def rubric_notes(
    store: Store, scene: Scene, choices: Choices, passes: Sequence[PassRow]
) -> tuple[str, ...]:
    """Say of a rubric what its user would otherwise learn from a table that is paid for.

    Args:
        store: Holds the items of the run.
        scene: Run and rubric.
        choices: Whether the rubric was named.
        passes: Those on this run so far.

    Returns:
        Why it is taken, where nobody named it and the rest is of consequence; criteria that
        apply to no item; that the run was judged under another rubric, and not under this one.
    """
    by_job = choices.rubric is None and bool(scene.run.use_case.job)
    notes = tuple(_notes(store, scene, passes, by_job=by_job))
    return (_BY_JOB, *notes) if by_job and notes else notes


def _notes(store: Store, scene: Scene, passes: Sequence[PassRow], *, by_job: bool) -> Iterator[str]:
    """What the rubric leaves out here, and what it costs that was paid before."""
    rubric = scene.rubric
    name = one_line(rubric.name, 60)
    if lacking := _never_asked(store, scene):
        needs = {c.applies: _NEEDS[c.applies] for c in rubric.criteria if c.id in lacking}
        yield (
            f"rubric {name}: {plural(len(lacking), 'criterion', 'criteria')} of "
            f"{len(rubric.criteria)} will not be asked, as they apply to no item: "
            f"{', '.join(one_line(one, 40) for one in lacking)} (need {'; '.join(needs.values())})"
        )
    judged = [row for row in passes if row.judging.route not in {"people", "marks"}]
    if judged and all(row.judging.ask_sha256 != rubric.ask_sha256 for row in judged):
        others = dict.fromkeys(one_line(row.judging.rubric_name, 60) for row in judged)
        if name in others:
            return
        same = f"--rubric {next(iter(others))} goes on with that" if by_job else "a pass anew"
        yield (
            f"this run was judged under rubric {', '.join(others)} and will be judged anew under "
            f"{name}, every request of it ({same})"
        )


def _never_asked(store: Store, scene: Scene) -> tuple[str, ...]:
    """Criteria that apply to no item of the run."""
    facts = store.columns("item_facts", run=scene.run_key)
    asked: set[str] = set()
    for evidence, reference, ambiguity in set(
        zip(*(facts[name].tolist() for name in ITEM_FACTS), strict=True)
    ):
        asked.update(
            applying(scene.rubric, evidence=evidence, reference=reference, ambiguity=ambiguity)
        )
    return tuple(c.id for c in scene.rubric.criteria if c.id not in asked)
