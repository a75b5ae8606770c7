"""People beside a judge in a report: what `judge calibrate` showed before, and no more."""

from dataclasses import replace

from judgebench.model.nouns import Refusal
from judgebench.model.people import Calibration
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import Result
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.result import result_of
from judgebench.pipeline.figures.stored_pass import stored_pass
from judgebench.store.store import Store
from judgebench.text import digest


def reported(
    store: Store, run_key: str, *, pass_id: str | None = None, extended: bool = False
) -> Result:
    """The result of a pass as a report has it, with people beside its judge where they marked.

    Raises:
        StoreError: The run was never judged here, or has no such pass.
    """
    analysis = stored_pass(store, run_key, pass_id=pass_id).analysis(store)
    return reported_of(store, analysis, extended=extended)


def reported_of(store: Store, analysis: Analysis, *, extended: bool = False) -> Result:
    """The same of a pass whose arrays are read."""
    result = result_of(analysis, varied=True, extended=extended)
    people = noted_people(store, analysis)
    if people is None:
        return result
    # What was made with people's marks is made of more than the pass.
    source = digest([result.generated_from, repr(people)])
    return replace(result, people=people, generated_from=source)


def noted_people(store: Store, analysis: Analysis) -> Calibration | Refusal | None:
    """People beside the judge of a pass; never shown for the first time.

    Returns:
        The figures, once they were shown beside this pass. `Refusal` with
        ``not_compared`` before, so that a report spends no look at marks that a rubric
        may be tuned on. None without marks of people, and for a pass that has no marks
        of a judge.
    """
    by_people = any(row.facts().by_people for row in analysis.passes)
    if not by_people or analysis.shown.facts().by_people or analysis.marks.decided:
        return None
    # All statistics of people: a run without them loads none.
    from judgebench.pipeline.people.against_people import (  # noqa: PLC0415
        AgainstChoices,
        against_people,
        marks_shown,
    )
    from judgebench.pipeline.people.splitting import TUNE  # noqa: PLC0415

    mine = analysis.shown.judging.id
    looks = store.records("looks", run=analysis.shown.judging.run)
    noted = [
        one["labels"] for one in looks if one["pass_id"] == mine and one["split"] != TUNE
    ]  # fmt: skip
    if not noted:
        return _not_compared(0, 1)
    made = against_people(store, analysis, AgainstChoices())
    # What came in since, or was left out of the looks, is not shown for the first time here.
    if max(noted) < marks_shown(made):
        return _not_compared(max(noted), marks_shown(made))
    return made if made.labels.items else None


def _not_compared(have: int, need: int) -> Refusal:
    code = RefusalCode.NOT_COMPARED.value
    return Refusal(statistic="judge_against_people", code=code, have=have, need=need)
