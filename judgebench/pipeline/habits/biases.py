"""What goes with a judge's marks beside the answers' worth, from the store; sends nothing.

Gathers positions, lengths, dress of the answers and others' marks, and hands them
to the probes of `stats.bias`. Judges nothing by itself.
"""

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np

from judgebench.blind.names import are_kin, family_of, model_name
from judgebench.blind.order import derive_seed
from judgebench.errors import RunError
from judgebench.model.biases import Biases, BiasRow, Flips, LevelsUsed
from judgebench.model.collected import Run
from judgebench.model.nouns import Estimate, Mode, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.gather import read_lengths, read_marks
from judgebench.pipeline.figures.given_elsewhere import reworded
from judgebench.pipeline.figures.stored_pass import no_judge, read_analysis
from judgebench.pipeline.habits.reference_marks import (
    PEOPLE,
    ReferenceMarks,
    first_totals,
    reference_of,
)
from judgebench.pipeline.habits.style import FEATURES, Dress, dress, nothing
from judgebench.pipeline.people import possible_people
from judgebench.pipeline.people.splitting import looks_at, tuned_refusal
from judgebench.pipeline.setting.stored_run import stored_run
from judgebench.pipeline.setting.units import counted
from judgebench.runs import load
from judgebench.stats import bias, checks, scale_use, swaps
from judgebench.stats.arrays import FloatArray
from judgebench.stats.levels import too_few_items
from judgebench.stats.pairwise import Comparisons
from judgebench.stats.probes import Probe
from judgebench.stats.scale_use import Levels
from judgebench.store.store import Store

Found = TypeVar("Found")


def biases_of(run: Path, cwd: Path, *, pass_id: str | None = None) -> tuple[Biases, Path]:
    """All probes of one stored pass.

    Returns:
        The probes, and the report folder of the pass.

    Raises:
        RunError: There is no database, or the pass is of people.
        StoreError: Nothing is stored of this run.
    """
    with stored_run(run, cwd) as (store, key, workspace):
        analysis = read_analysis(store, key, pass_id=pass_id)
        if analysis.shown.facts().by_people:
            raise no_judge(run, analysis.shown, analysis.passes)
        made = probe(store, analysis, folder=run_folder(run if run.is_absolute() else cwd / run))
    return made, workspace.reports / key / made.pass_id


def probe(store: Store, analysis: Analysis, *, folder: Run | None) -> Biases:
    """All probes of a pass whose arrays are read.

    Args:
        store: The open store.
        analysis: The pass.
        folder: The run folder, for the texts; None where it is not there.
    """
    return _Probing(store, analysis, folder).biases()


def run_folder(path: Path) -> Run | None:
    """The run folder where it still is one: style needs texts, all else does not."""
    try:
        return load.load_run(path, no_prompt=True) if path.exists() else None
    except RunError:
        return None


class _Probing:
    """One pass on its way to its probes."""

    def __init__(self, store: Store, analysis: Analysis, folder: Run | None) -> None:
        self.store, self.analysis, self.folder = store, analysis, folder
        self.judging = analysis.shown.judging
        self.run = self.judging.run
        self.items = [name for (name,) in store.rows("items", run=self.run)]
        self.compared = analysis.marks.compared
        self.family = family_of(self.judging.judge_model, None)
        arms = [(model_name(arm, alone=self.bare), arm.provider) for arm in analysis.facts.arms]
        self.own = [are_kin(self.judging.judge_model, *arm) for arm in arms]
        self.nameless = sum(family_of(*arm) is None for arm in arms)

    def biases(self) -> Biases:
        """Every probe that this way of judging has, corrected for their number."""
        judging, analysis = self.judging, self.analysis
        tested = bias.together([*self._places(), *self._looks(), *self._against()])
        rows = [_row(one) for one in tested]
        levels: LevelsUsed | None = None
        if self.compared is None:
            squeezed, levels = self._compression()
            rows += [squeezed, self._halo()]
        rows = [self._in_clusters(one) for one in rows]
        kept, both = (0, 0) if self.compared is None else swaps.swap_consistency(self._pairs())
        made = Biases(
            run_name=self.run,
            pass_id=judging.id,
            judge_name=judging.judge_name,
            judge_model=judging.judge_model,
            rubric_name=judging.rubric_name,
            rubric_version=analysis.shown.rubric_version,
            mode=judging.mode,
            clusters=counted(analysis.clusters),
            scale_low=analysis.rubric.scale.low,
            scale_high=analysis.rubric.scale.high,
            arms=len(analysis.ids),
            items=int(np.isfinite(analysis.cells).any(axis=0).sum()),
            reference=self.reference.kind,
            references=self.reference.names,
            people_compared=self.reference.people_compared,
            people_marked=self.reference.people_marked,
            family=self.family,
            own_arms=tuple(n for n, own in zip(analysis.ids, self.own, strict=True) if own),
            styled=self.dress.read,
            rows=tuple(rows),
            levels=levels if self._few_clusters("compression") is None else None,
            both_orders=both,
            kept=kept,
            length_baseline=None
            if self.compared is not None
            else checks.length_baseline(analysis.cells, self.lengths),
            flips=self._flips(),
        )
        made = possible_people.biases(made)
        return reworded(made) if self.bare else made

    @property
    def bare(self) -> bool:
        """Whether marks were given elsewhere: nothing is judged again, and there are no texts."""
        return self.analysis.shown.facts().marks_only

    def _few_clusters(self, statistic: str) -> Refusal | None:
        """Items of one cluster or two say nothing of other items, however many they are."""
        found = counted(self.analysis.clusters)
        if found is None:
            return None
        few = too_few_items("bias", found.count, clustered=True)
        return None if few is None else replace(few, statistic=statistic)

    def _in_clusters(self, row: BiasRow) -> BiasRow:
        few = self._few_clusters(row.probe)
        if few is None or isinstance(row.effect, Refusal):
            return row
        return BiasRow(probe=row.probe, unit="", effect=few, null=row.null)

    # ---- what is gathered

    @cached_property
    def lengths(self) -> FloatArray:
        """Characters of every output, shape (A, I)."""
        return read_lengths(self.store, self.run, self.analysis.cells.shape)

    @cached_property
    def dress(self) -> Dress:
        """Headings, lists, bold words, code; unknown where no text is left."""
        ids = self.analysis.ids
        if self.folder is None:
            return nothing(len(ids), len(self.items))
        known = self.store.known_outputs(self.run)
        return dress(self.folder, known, arms=ids, items=self.items)

    @cached_property
    def reference(self) -> ReferenceMarks:
        """Others' marks of the same outputs."""
        return reference_of(self.store, self.analysis, self.items)

    # ---- the probes

    def _places(self) -> list[Probe | Refusal]:
        if self.compared is not None:
            rng = np.random.default_rng(derive_seed(self.judging.id, "first_place"))
            return [self._swapped(bias.first_place(self._pairs(), rng))]
        again = read_marks(
            self.store, judging=self.judging, rubric=self.analysis.rubric,
            arms=len(self.analysis.ids), reading=self.analysis.reading, noise=True,
        )  # fmt: skip
        totals = again.verdicts[0]
        places = np.full(totals.shape, np.nan)
        found = self.store.columns("places", pass_id=self.judging.id, run=self.run)
        arm, item, repeat, place = (
            np.asarray(found[name], dtype=np.int64) for name in ("arm", "item", "repeat", "place")
        )
        kept = repeat <= totals.shape[2]
        places[arm[kept], item[kept], repeat[kept] - 1] = place[kept]
        made = bias.order_slope(totals, places)
        if isinstance(made, Refusal) and made.code == RefusalCode.ORDER_NOT_RECORDED.value:
            made = replace(made, how=self._with_order())
        return [made]

    def _with_order(self) -> str:
        """Where the order is on record: another pass of this judge, else one yet to be made."""
        mine = [
            row.judging
            for row in self.store.find_passes(self.run)
            if row.state == "complete" and row.judging.judge_sha256 == self.judging.judge_sha256
        ]
        # Places in a list are nearer to what was asked for than who was shown first.
        for mode in (Mode.LISTWISE, Mode.PAIRWISE):
            for other in mine:
                if other.mode is mode:
                    return f"its {mode.value} pass has it: --pass {other.id}"
        return "" if self.bare else "judge with --mode listwise or pairwise"

    def _pairs(self) -> Comparisons:
        if self.compared is None or not self.compared.ordered.all():
            nobody = np.zeros(0, dtype=np.int64)
            return Comparisons(
                item=nobody, first=nobody, second=nobody, outcome=np.zeros(0),
                n_arms=len(self.analysis.ids),
            )  # fmt: skip
        return self.compared.decided(len(self.analysis.ids))

    def _flips(self) -> tuple[Flips, ...] | Refusal | None:
        """Verdicts that turn with the order, by how near the two arms are."""
        if self.compared is None:
            return None
        made = self._swapped(swaps.flips_by_closeness(self._pairs()))
        if isinstance(made, Refusal) and made.code == RefusalCode.NOT_IDENTIFIED.value:
            how = made.how or "no two arms were compared in both orders on four items"
            return replace(made, how=how)
        return made

    def _swapped(self, made: Found) -> Found | Refusal:
        """The figure; where the order is on record its refusal says what is not there."""
        if not isinstance(made, Refusal) or made.code != RefusalCode.ORDER_NOT_RECORDED.value:
            return made
        if self.compared is None:
            return made
        if not self._pairs().item.size:
            return replace(made, how=self.compared.no_order)
        code = RefusalCode.NOT_IDENTIFIED.value
        return replace(made, code=code, how="no item has a pair that was judged in both orders")

    def _looks(self) -> list[Probe | Refusal]:
        cells = self.analysis.cells
        sloped = bias.length_slope(cells, self.lengths)
        if isinstance(sloped, Refusal) and not np.isfinite(self.lengths).any():
            sloped = replace(sloped, how="the lengths of the answers are not on record")
        out: list[Probe | Refusal] = [sloped]
        if not self.dress.read:
            gone = "there any more"
            return out + [
                Refusal(
                    statistic=name, code=RefusalCode.NOT_IDENTIFIED.value, have=0, need=1,
                    how=f"the answers' texts are not {'on record' if self.bare else gone}",
                )
                for name in FEATURES
            ]  # fmt: skip
        # Length stands in the model, so that a longer answer's headings are not its headings.
        logs = np.log2(np.where(self.lengths >= 1, self.lengths, np.nan))
        features = np.concatenate([self.dress.features, logs[None]])
        return [*out, *bias.style_slopes(cells, features, (*FEATURES, "length"))[:-1]]

    def _tuned(self, statistic: str) -> Refusal | None:
        """Marks that the rubric was tuned on say nothing of its judge, here as in calibrate."""
        if self.reference.kind != PEOPLE or not looks_at(self.store, self.analysis.shown).tuned:
            return None
        return tuned_refusal(statistic)

    def _against(self) -> list[Probe | Refusal]:
        cells, reference = self.analysis.cells, self.reference
        family = bias.family_lean(cells, reference.strangers, self.own)
        if isinstance(family, Refusal) and family.code == RefusalCode.ONE_FAMILY.value:
            family = replace(family, how=self._no_family())
        elif isinstance(family, Refusal) and not family.have:
            family = replace(family, how=self._one_side())
        if self.compared is not None:
            return [family]
        leniency = self._tuned("leniency") or bias.leniency(cells, reference.totals)
        return [self._tuned("family") or family, leniency]

    def _one_side(self) -> str:
        """Which arms lack marks by the reference, where no item has both kinds."""
        theirs = np.asarray(np.isfinite(self.reference.strangers).any(axis=1), dtype=bool)
        by = "people" if self.reference.kind == PEOPLE else "judges of other families"
        for own, which in ((False, "another family"), (True, "the judge's family")):
            if not theirs[np.asarray(self.own, dtype=bool) == own].any():
                return f"no marks by {by} on an arm of {which}"
        return f"no item has marks by {by} on arms of both kinds"

    def _no_family(self) -> str:
        if self.family is None:
            return "the judge's name tells no family"
        if not any(self.own) and self.nameless:
            return f"no arm is known to be of the judge's family, of {self.nameless} it is unknown"
        if not any(self.own):
            return "no arm is of the judge's family"
        if all(self.own):
            return "every arm is of the judge's family"
        return "marks by people, or by a judge of another family"

    def _compression(self) -> tuple[BiasRow, LevelsUsed | None]:
        scale = self.analysis.rubric.scale
        made = scale_use.compression(
            first_totals(self.analysis.marks.verdicts[0]), self.reference.single, low=scale.low,
            high=scale.high, step=scale.step,
        )  # fmt: skip
        if not self.reference.kind:
            made = Refusal(
                statistic="compression", code=RefusalCode.TOO_FEW_JUDGES.value, have=1, need=2
            )
        made = self._tuned("compression") or made
        if not isinstance(made, Levels):
            return BiasRow(probe="compression", unit="", effect=made, null=1.0), None
        used = LevelsUsed(
            top_share=made.top_share,
            top_share_reference=made.top_share_reference,
            levels=made.levels,
            levels_reference=made.levels_reference,
        )
        return BiasRow(probe="compression", unit="ratio", effect=made.ratio, null=1.0), used

    def _halo(self) -> BiasRow:
        made = _row(scale_use.halo(self.analysis.marks.criteria))
        if not self.reference.kind:
            return made
        theirs = self._tuned("halo") or scale_use.halo(self.reference.criteria)
        return replace(made, reference=theirs if isinstance(theirs, Refusal) else theirs.effect)


def _row(found: Probe | Refusal) -> BiasRow:
    if isinstance(found, Refusal):
        return BiasRow(probe=found.statistic, unit="", effect=found)
    effect: Estimate = found.effect
    return BiasRow(
        probe=found.name,
        unit=found.unit,
        effect=effect,
        null=found.null,
        detectable=found.detectable,
        p_holm=found.p_holm,
    )
