"""What it would take: items, repeats and judges for a difference, from a pass in the store."""

from pathlib import Path

from judgebench.errors import RunError
from judgebench.model.power import Power
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.stored_pass import read_analysis
from judgebench.pipeline.pages.power_plan import Plan, PowerChoices
from judgebench.pipeline.setting.few import CHOOSE, refuse_many
from judgebench.pipeline.setting.stored_run import stored_run
from judgebench.text import one_line

__all__ = ["PowerChoices", "power_of"]

MARK_ALL = "mark all arms on the same items"


def power_of(run: Path, cwd: Path, choices: PowerChoices) -> Power:
    """Plan from what is stored of a run; nothing is sent.

    Raises:
        RunError: There is no database, no such arm, or the place may have decided for one.
        StoreError: Nothing is stored of this run.
    """
    with stored_run(run, cwd) as (store, key, _):
        analysis = read_analysis(store, key, pass_id=choices.pass_id)
        unknown = [arm for arm in choices.arms if arm not in analysis.ids]
        if unknown:
            have = one_line(", ".join(analysis.ids), 100)
            raise RunError(run, f"has no arm {one_line(unknown[0], 40)}", f"it has: {have}")
        wanted = set(choices.arms)
        if len(wanted) == 1:
            have = one_line(", ".join(analysis.ids), 100)
            raise RunError(run, "is planned by comparing arms, and --arms names one",
                           f"name two or more of {have}")  # fmt: skip
        refuse_many(run, len(wanted or analysis.ids), CHOOSE)
        plan = Plan(store, analysis, choices)
        if (refused := plan.resolving.past_items("items_needed")) is not None:
            why = "what the place gives cannot be told from what an arm is worth"
            how = refused.how
            if refused.code == RefusalCode.DISCONNECTED.value:
                apart = "that never met" if plan.pairs else "that share no item"
                why = f"its arms fall into {refused.have:g} groups {apart}"
                how = f"{how if plan.pairs else MARK_ALL}, or name arms of one group with --arms"
            raise RunError(run, f"cannot be planned: {why}", how)
        return plan.power()
