"""The result of one pass: which figures it can carry, and which not.

Calls statistics in turn and puts their answers together; computes none itself
but counts. Reads the store, never the run folder, and sends nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from judgebench.blind.order import derive_seed
from judgebench.model.agreement import Agreement
from judgebench.model.audits import Audit
from judgebench.model.blindness import WithoutFlagged
from judgebench.model.comparing import Comparing
from judgebench.model.extended import Again, Extended
from judgebench.model.nouns import Refusal
from judgebench.model.result import Counts, Result
from judgebench.model.rubric import Criterion
from judgebench.model.sensitivity import GapDrivers, WeightSurvival
from judgebench.pipeline.figures import by_raters, flags, probed, run_flags, sensitive
from judgebench.pipeline.figures.again import again
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.arm_rows import ArmRows
from judgebench.pipeline.figures.comparing import comparing
from judgebench.pipeline.figures.contrasts import read_contrasts
from judgebench.pipeline.figures.extend import Extending
from judgebench.pipeline.figures.gather import read_marks
from judgebench.pipeline.figures.given_elsewhere import reworded
from judgebench.pipeline.figures.judge_checks import Checking, same_family
from judgebench.pipeline.figures.kept import versions
from judgebench.pipeline.figures.marked import Marks, OverallMarks
from judgebench.pipeline.figures.no_totals import no_totals
from judgebench.pipeline.figures.possible import possible
from judgebench.pipeline.figures.spent import costs_of, money_of
from judgebench.pipeline.figures.strengths import strengths_of
from judgebench.pipeline.figures.tradeoff import tradeoff
from judgebench.pipeline.figures.unflagged import flagged_cells, without_flagged
from judgebench.pipeline.figures.unnamed_scale import without_ends
from judgebench.pipeline.setting.facts import MARKS
from judgebench.pipeline.setting.units import counted
from judgebench.stats import ranks


def result_of(
    analysis: Analysis,
    *,
    varied: bool = False,
    extended: bool = False,
    agreement: Agreement | None = None,
) -> Result:
    """Everything that a report may say of a pass.

    Args:
        analysis: Its arrays, or those of a panel.
        varied: Also whether other weights, or one item less, would change it.
        extended: That, and every further figure of the extended report.
        agreement: How far the judges of a panel agree.
    """
    made = _figures(analysis, agreement)
    # What is warned of follows from the figures that every report has.
    warnings = flags.warnings(
        made,
        facts=analysis.facts,
        arms=analysis.arms,
        reading=analysis.reading,
        store=analysis.store,
        within=analysis.within,
        scale_helps=_scale_helps(analysis),
    )
    if varied or extended:
        made = _varied(analysis, made)
    if extended and not analysis.panel:
        made = replace(
            made,
            extended=_extended(analysis, made.counts.noise_cells),
            strengths=strengths_of(analysis),
        )
    made = replace(made, warnings=warnings, generated_from=analysis.source)
    # Ends that were read off the marks cut nothing, and carry nothing.
    return without_ends(made) if analysis.facts.scale_taken else possible(made)


def _scale_helps(analysis: Analysis) -> bool:
    """Whether an arm without a place would have one at the ends of the marks that there are.

    A scale that is named ends there or further out, which places no arm that these do not.
    """
    if not analysis.facts.scale_taken:
        return False
    ratings, scale = analysis.ratings, analysis.rubric.scale
    then = ranks.placement(ratings.deciding, low=scale.low, high=scale.high)
    return any(placed and not now for placed, now in zip(then, ratings.placed, strict=True))


def _figures(analysis: Analysis, agreement: Agreement | None) -> Result:
    """The figures of every report, without warnings."""
    ratings = analysis.ratings
    rows = _arm_rows(analysis)
    arms = tuple(rows.arm(at) for at in ratings.order.order)
    costs = costs_of(analysis.store, analysis.rows)
    money = money_of(costs, analysis.rows)
    counts = _counts(analysis, costs, calls=money.calls)
    unknowns = run_flags.unknowns(analysis.store, run=analysis.shown.judging.run)
    judging = analysis.shown.facts()
    made = Result(
        run_name=analysis.shown.judging.run,
        use_case=analysis.facts.use_case,
        settings=analysis.facts.settings,
        declared=analysis.facts.declared,
        has_prompt=analysis.facts.has_prompt and not judging.marks_only,
        ambiguities=analysis.facts.ambiguities,
        collected_at=analysis.facts.collected_at,
        collector=analysis.facts.collector,
        judging=judging,
        passes=tuple(row.facts() for row in analysis.passes),
        counts=counts,
        level=analysis.level,
        scale_low=analysis.rubric.scale.low,
        scale_high=analysis.rubric.scale.high,
        criteria=tuple((c.id, c.head, c.weight) for c in _shown_criteria(analysis)),
        arms=arms,
        reference=ratings.reference,
        order_differs=ratings.order.differs,
        pairs=ratings.pairs(),
        best=ratings.best,
        detectable=ratings.detectable(),
        detectable_pair=ratings.worst_pair(),
        items_needed=ratings.items_needed(),
        checks=Checking(
            store=analysis.store,
            facts=analysis.facts,
            rows=analysis.rows,
            marks=analysis.marks,
            step=analysis.step,
        ).checks(),
        money=money,
        warnings=(),
        refusals=(*no_totals(analysis.marks), *_no_anchor(analysis)),
        versions=dict(versions()),
        reproducible=not run_flags.missing_settings(analysis.facts, unknowns),
        unknowns=unknowns,
        not_asked=_not_asked(analysis),
        comparing=_comparing(analysis),
        panel=tuple(row.facts() for row in analysis.panel),
        agreement=agreement,
        controls=analysis.controls(),
        blindness=tuple(one for row in analysis.rows if (one := probed.kept(analysis.store, row))),
        probes_unread=tuple(
            path for row in analysis.rows if (path := probed.unread(analysis.store, row))
        ),
        without_flagged=_without_flagged(analysis),
        audit=_audit(analysis),
        contrasts=read_contrasts(analysis.store, analysis.shown.judging.run),
        clusters=counted(analysis.clusters),
        kinds_unsaid=analysis.facts.kinds_unsaid or None,
    )
    if ratings.reference is None:
        return made
    plane = tradeoff(
        arms, pairs=made.pairs, best=ratings.best, reference=ratings.reference,
        bare_marks=made.judging.marks_only,
    )  # fmt: skip
    return replace(made, tradeoff=plane)


def _varied(analysis: Analysis, made: Result) -> Result:
    """With whether other weights, or one item less, would change it."""
    marks = analysis.marks
    # A comparison is decided anew under every weight: means of criteria do not tell.
    whole = isinstance(marks, OverallMarks)
    counted = analysis.rubric.deductions is not None
    weights = None if marks.compared or whole or counted else _weights(analysis)
    return replace(
        made,
        weights=weights,
        drivers=_drivers(analysis),
        again=_again(analysis, made.counts.noise_cells),
    )


def _shown_criteria(analysis: Analysis) -> Sequence[Criterion]:
    """Of people who marked some criteria, or answers as a whole, only what they marked."""
    known = analysis.rubric.criteria
    if not isinstance(analysis.marks, OverallMarks):
        return known
    return [known[at] for at in analysis.marks.marked]


def _without_flagged(analysis: Analysis) -> WithoutFlagged | None:
    flagged = flagged_cells(analysis.store, analysis.rows, shape=analysis.cells.shape)
    if flagged is None:
        return None
    asked, order = analysis.ratings.asked, analysis.ratings.order.order
    return without_flagged(
        analysis.cells[:, asked], flagged[:, asked], ids=analysis.ids, order=order,
        best=analysis.ratings.best, whole_items=analysis.marks.compared is not None,
        rated=analysis.ratings.rated,
    )  # fmt: skip


def _audit(analysis: Analysis) -> Audit | None:
    if analysis.audited is None:
        return None
    planned = sum(row.judging.repeats for row in analysis.rows)
    return analysis.audited.audit(analysis.ratings.order.order, planned=planned)


def _no_anchor(analysis: Analysis) -> tuple[Refusal, ...]:
    return analysis.audited.no_anchor() if analysis.audited else ()


def _comparing(analysis: Analysis) -> Comparing | None:
    if analysis.marks.compared is None:
        return None
    return comparing(
        analysis.marks.compared,
        ids=analysis.ids,
        order=analysis.ratings.order.order,
        reference=analysis.ratings.order.reference,
        rng=analysis.rng("circles"),
        place_shift=analysis.ratings.resolving.place_shift,
        clusters=analysis.clusters,
    )


def _not_asked(analysis: Analysis) -> tuple[str, ...]:
    names = analysis.item_names
    return tuple(names[at] for at in np.flatnonzero(~analysis.ratings.asked))


def _weights(analysis: Analysis) -> WeightSurvival | Refusal | None:
    if analysis.within is not None:
        return by_raters.refuse("other_weights")
    return sensitive.other_weights(
        analysis.marks,
        ids=analysis.ids,
        placed=analysis.ratings.placed,
        firm=analysis.ratings.firm_of,
        step=analysis.step,
        clusters=analysis.clusters,
    )


def _drivers(analysis: Analysis) -> GapDrivers | Refusal | None:
    if analysis.within is not None:
        return by_raters.refuse("leave_one_out")
    return sensitive.gap_drivers(
        analysis.cells,
        analysis.ratings.order.order,
        ids=analysis.ids,
        items=analysis.item_names,
        placed=analysis.ratings.placed,
        opponents=analysis.ratings.opponents,
    )


def _with_noise(analysis: Analysis, cells: int) -> Marks:
    """The marks, with those that were judged for the noise only."""
    if not cells or analysis.marks.compared is not None:
        return analysis.marks
    return read_marks(
        analysis.store, judging=analysis.shown.judging, rubric=analysis.rubric,
        arms=len(analysis.ids), reading=analysis.reading, noise=True,
    )  # fmt: skip


def _again(analysis: Analysis, cells: int) -> Again | None:
    """The judge against itself; None of a panel, of comparisons, and of people."""
    facts = analysis.shown.facts()
    if analysis.panel or analysis.marks.compared or facts.by_people:
        return None
    found = again(_with_noise(analysis, cells), analysis.step)
    return reworded(found) if facts.marks_only else found


def _extended(analysis: Analysis, cells: int) -> Extended:
    """Every further figure of the extended report."""
    judging, facts = analysis.shown.judging, analysis.shown.facts()
    compared = analysis.marks.compared is not None
    made = Extending(
        marks=analysis.marks,
        again=_with_noise(analysis, cells),
        table=analysis.ratings.claims,
        told=analysis.ratings.told,
        firm=analysis.ratings.firm,
        deciding=analysis.ratings.deciding,
        order=analysis.ratings.order.order,
        ids=analysis.ids,
        step=analysis.step,
        seed=derive_seed(judging.id, "extended"),
        ends=analysis.ratings.ends,
        placed=analysis.ratings.placed,
        by_people=facts.by_people,
        beside_people=any(row.facts().by_people for row in analysis.passes),
        clusters=analysis.clusters,
        within=analysis.within,
    )
    found = made.of_pairs() if compared else made.extended()
    return reworded(found) if facts.marks_only else found


def _arm_rows(analysis: Analysis) -> ArmRows:
    return ArmRows(
        arms=analysis.facts.arms,
        found=analysis.arms,
        marks=analysis.marks,
        ratings=analysis.ratings,
        no_totals=bool(no_totals(analysis.marks)),
        marks_only=analysis.shown.facts().marks_only,
        same_family=same_family(analysis.rows, analysis.facts),
        given=analysis.given,
        bare=analysis.facts.form == MARKS,
    )


def _outputs_not_asked(analysis: Analysis) -> int:
    """Outputs that nothing blocks, of items that no criterion applies to."""
    items = _not_asked(analysis)
    if not items:
        return 0
    run = analysis.shown.judging.run
    return int(analysis.store.rows("judgeable_of_items", run=run, items=list(items))[0][0])


def _counts(analysis: Analysis, costs: Sequence[Mapping[str, Any]], *, calls: int) -> Counts:
    blocked = sum(b.count for facts in analysis.arms.values() for b in facts.blocked)
    failed = sum(b.count for facts in analysis.arms.values() for b in facts.judge_blocked)
    value = analysis.marks.verdicts[0]
    noise = sum(
        len(analysis.store.rows("noise", pass_id=row.judging.id, run=row.judging.run))
        for row in analysis.rows
    )
    return Counts(
        arms=len(analysis.ids),
        items=int(analysis.cells.shape[1]),
        criteria=len(_shown_criteria(analysis)),
        judges=len(analysis.rows),
        repeats=max(1, analysis.scorings),
        outputs=int(analysis.cells.size),
        outputs_blocked=blocked,
        outputs_not_asked=_outputs_not_asked(analysis),
        requests_planned=sum(row.planned for row in analysis.rows),
        requests_answered=sum(row.answered for row in analysis.rows),
        judgments_scored=int(np.sum(~np.isnan(value))),
        judgments_blocked=failed,
        noise_cells=noise,
        calls=calls,
        calls_in_doubt=sum(row["calls_in_doubt"] or 0 for row in costs),
        requests_drift=sum(
            analysis.store.rows("drift_count", pass_id=row.judging.id)[0][0]
            for row in analysis.rows
        ),
    )
