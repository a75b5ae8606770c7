"""One degenerate run at a time, every figure of it, and what no figure may be."""

import json
from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass

import numpy as np

from judgebench.model.deductions import Tier
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.rubric import Criterion, Rubric, Scale
from judgebench.pipeline.figures.extend import Extending
from judgebench.pipeline.figures.marked import Marks
from judgebench.stats import (
    agreement,
    alt_test,
    arrays,
    bias,
    both_orders,
    ceiling,
    checks,
    circles,
    cluster_flips,
    clusters,
    components,
    corrected,
    drift,
    flips,
    human,
    icc,
    intervals,
    leaning,
    length_control,
    levels,
    listwise,
    observed,
    opponents,
    ordering,
    pairs,
    pairwise,
    planning,
    ranks,
    repeatability,
    scale_use,
    sensitivity,
    shares,
    spreads,
    standing,
    strength_pairs,
    swaps,
)
from judgebench.stats.arrays import FloatArray, counts, lattice_step, settled

CODES = {code.value for code in RefusalCode}
LOW, HIGH = 0.0, 10.0
_LEVELS = ([8.0], [0.1 + 0.2, 0.3], [1.0, 10.0], [6.7, 7.1, 8.2, 9.4], [1.0, 2.0, 3.0])
_TIERS = (Tier(name="A", at_least=8.0), Tier(name="B", at_least=5.0))


def cells(totals: FloatArray) -> FloatArray:
    """As `arrays.cells`."""
    return _kept(arrays.cells(totals))


def degenerate(rng: np.random.Generator) -> FloatArray:
    """Totals (A, I, J, R) of one kind of bad luck: few, constant, blocked, tenths, strangers."""
    shape = tuple(int(v) for v in rng.integers([1, 1, 1, 1], [6, 9, 4, 4]))
    if rng.random() < 0.2:
        shape = (shape[0], int(rng.integers(9, 24)), *shape[2:])
    totals = rng.choice(_LEVELS[rng.integers(len(_LEVELS))], shape)
    totals[rng.random(shape) < rng.choice([0, 0.2, 0.7, 1.0])] = np.nan
    kind = rng.random()
    if kind < 0.2:
        arms, items = np.indices(shape[:2])
        totals[(arms + items) % 2 == 0] = np.nan
    elif kind < 0.3:
        totals[:, 1:] = np.nan
    elif kind < 0.4:
        totals[1:] = np.clip(totals[:1] + 1, LOW, HIGH)
    elif kind < 0.5:
        totals = _alike(rng)
    return _kept(np.asarray(totals, dtype=np.float64))


def _kept(values: FloatArray) -> FloatArray:
    """Values that no figure may change, for others read them too."""
    values.flags.writeable = False
    return values


def _alike(rng: np.random.Generator) -> FloatArray:
    """Raters who say the same of every item, each the opposite of the one before on every arm."""
    arms, items, raters, repeats = (int(v) for v in rng.integers([2, 20, 2, 1], [4, 26, 4, 3]))
    turned = np.add.outer(np.arange(arms) * int(rng.integers(0, 2)), np.arange(raters)) % 2
    marks = rng.choice([(9.0, 2.0), (0.1 + 0.2, 7.7), (3.0, 8.0)])[turned]
    return np.array(np.broadcast_to(marks[:, None, :, None], (arms, items, raters, repeats)))


def figures(totals: FloatArray, rng: np.random.Generator) -> Iterator[tuple[str, object]]:
    """All figures of the room, and the extended report, each with its name."""
    yield from _compared(totals, rng)
    yield from _clustered(totals, rng)
    yield from _one_by_one(totals, rng)
    yield from _raters(totals)
    yield from _designs(totals)
    yield from _by_pairs(totals, rng)
    yield from _leanings(totals, rng)
    yield from _people(totals)
    yield "extended", extended(totals, rng)


def _compared(totals: FloatArray, rng: np.random.Generator) -> Iterator[tuple[str, object]]:
    x, r = cells(totals), counts(totals)
    step = lattice_step(totals, scale_step=0.1)
    table = pairs.all_pairs(x, r, step=step, rng=rng)
    best = ranks.possible_best(x, r, step=step)
    order = ranks.table_order(x)
    scored = [a for a in order.order if np.isfinite(x[a]).any()]
    yield "all_pairs", table
    yield "possible_best", best
    yield "rank_intervals", ranks.rank_intervals(table, n_arms=len(x), best=best)
    yield "relative_tiers", ranks.relative_tiers(table, scored)
    yield "table_order", order
    yield "observed_ranks", observed.observed_ranks(x, order, digits=2)
    by_two = np.arange(x.shape[1]) // 2
    yield "observed_ranks", observed.observed_ranks(x, order, digits=2, clusters=by_two)
    yield "placement", ranks.placement(x, low=LOW, high=HIGH)
    yield "firm_pairs", ranks.firm_pairs(x, low=LOW, high=HIGH).tolist()
    yield "detectable", planning.detectable(x, r, step=step)
    spread = spreads.worst_spread(x, r, step=step)
    yield "worst_spread", spread
    if not isinstance(spread, Refusal):
        yield "items_needed", planning.items_needed(spread.sd, 1.0)
        yield "detectable_difference", planning.detectable_difference(spread.sd, spread.n)
        averaged = spreads.averaged_spread(spread.sd, 0.1, have=1, want=3, step=step)
        yield "averaged_spread", averaged
    both = np.stack([x, x[::-1]], axis=2)
    yield (
        "other_weights",
        sensitivity.other_weights(
            lambda of: sensitivity.weighted_means(both, of, np.ones(both.shape[1:], dtype=bool)),
            np.array([1.0, 2.0]),
            r,
            step=step,
        ),
    )
    yield "least_squares_means", sensitivity.least_squares_means(x)
    yield "length_baseline", checks.length_baseline(x, np.round(x * 7))
    yield "data_level", int(levels.data_level(x.shape[1], totals.shape[3], totals.shape[2]))


def _clustered(totals: FloatArray, rng: np.random.Generator) -> Iterator[tuple[str, object]]:
    """The same where items come in clusters of two, or of one and all others."""
    x, r = cells(totals), counts(totals)
    step = lattice_step(totals, scale_step=0.1)
    at = np.arange(x.shape[1])
    for codes in (at // 2, np.minimum(at, 1)):
        table = pairs.all_pairs(x, r, step=step, rng=rng, clusters=codes)
        best = ranks.possible_best(x, r, step=step, clusters=codes)
        yield "all_pairs by cluster", table
        yield "possible_best by cluster", best
        yield "rank_intervals", ranks.rank_intervals(table, n_arms=len(x), best=best)
        yield "detectable by cluster", planning.detectable(x, r, step=step, clusters=codes)
        for arm in x:
            yield (
                "mean_interval by cluster",
                intervals.mean_interval(arm, low=LOW, high=HIGH, rng=rng, clusters=codes),
            )
            yield "median_interval", intervals.median_interval(arm, clusters=codes)
            yield "sign_flip", cluster_flips.clustered_sign_flip(arm - 5, codes, rng)


def _one_by_one(totals: FloatArray, rng: np.random.Generator) -> Iterator[tuple[str, object]]:
    x, r = cells(totals), counts(totals)
    step = lattice_step(totals, scale_step=0.1)
    for at, arm in enumerate(x):
        mean = intervals.mean_interval(arm, low=LOW, high=HIGH, rng=rng)
        yield "mean_interval", mean
        if isinstance(mean, Estimate):
            yield "tier", checks.tier(mean.value, _TIERS, interval=mean)
        yield "median_interval", intervals.median_interval(arm)
        answered = int(np.isfinite(arm).sum())
        yield "clopper_pearson", intervals.clopper_pearson(answered, arm.size)
        yield "worst_case_bounds", ranks.worst_case_bounds(arm, low=LOW, high=HIGH)
        yield "worst_case_difference", ranks.worst_case_difference(arm, x[0], low=LOW, high=HIGH)
        yield "sign_flip", flips.sign_flip(arm - 5, rng)
        if at:
            yield (
                "paired_difference",
                pairs.paired_difference(
                    arm, x[0], np.maximum(r[at], 1), np.maximum(r[0], 1), step=step
                ),
            )
        yield "clustered_mean", clusters.clustered_mean(arm - 5, np.arange(arm.size) // 2)
        yield "leave_one_out", sensitivity.leave_one_out(arm, x[0])
        yield "quadratic_kappa", agreement.quadratic_kappa(arm, x[0])
        yield (
            "limits_of_agreement",
            agreement.limits_of_agreement(totals[at, :, 0], totals[0, :, -1]),
        )


def _raters(totals: FloatArray) -> Iterator[tuple[str, object]]:
    units = totals[:, :, :, 0].reshape(-1, totals.shape[2])
    items = np.tile(np.arange(totals.shape[1]), len(totals))
    x = cells(totals)
    step = lattice_step(totals, scale_step=0.1)
    yield "modal_share", checks.modal_share(totals)
    yield "rescoring_sd", repeatability.rescoring_sd(totals, step=step)
    yield "swap_share", repeatability.swap_share(totals)
    for metric in ("nominal", "ordinal", "interval", "ratio"):
        yield "alpha", agreement.alpha(units, metric=metric)
        yield "alpha", agreement.alpha(units, metric=metric, items=items)
        by_rater = _kept(np.asfortranarray(units))
        yield "alpha", agreement.alpha(by_rater, metric=metric, items=items)
    yield "closeness", agreement.closeness(units)
    units = settled(units)
    levels_used = np.unique(units[np.isfinite(units)])
    if units.shape[1] > 1 and levels_used.size:
        yield (
            "cohen_kappa",
            agreement.cohen_kappa(units[:, 0], units[:, 1], categories=levels_used),
        )
        whole = units[np.isfinite(units).all(axis=1)]
        if whole.size:
            chosen = np.stack([(whole == v).sum(axis=1) for v in levels_used], axis=1)
            yield "fleiss_kappa", agreement.fleiss_kappa(chosen.astype(np.float64))
    yield "effective_judges", agreement.effective_judges(units - 5)
    yield "icc", icc.icc(units)
    yield "icc", icc.icc(units, identified=False)
    yield "kendall_w", ordering.kendall_w(x)
    judged = np.moveaxis(totals[..., 0], 2, 0)
    yield "kendall_w_within_items", ordering.kendall_w_within_items(judged)
    yield "tau_within_items", ordering.tau_within_items(x, x[::-1])
    yield "ordering_accuracy", ordering.ordering_accuracy(x, x[::-1])


def _designs(totals: FloatArray) -> Iterator[tuple[str, object]]:
    found = components.variance_components(totals)
    yield "variance_components", found
    grid = {"items": [5, 30], "judges": [1, 3], "repeats": [1, 2]}
    if not isinstance(found, Refusal):
        designs = components.d_study(found, **grid)
        yield "d_study", designs
        yield "cheapest", components.cheapest(designs, sd=0.3)
    yield "d_study_ranges", components.d_study_ranges(totals, **grid)
    gaps = totals[0, :, :, 0] - totals[-1, :, :, -1]
    yield "difference_over_judges", components.difference_over_judges(gaps)


def _by_pairs(totals: FloatArray, rng: np.random.Generator) -> Iterator[tuple[str, object]]:
    """Who scored higher on an item, as comparisons in an order of chance."""
    x = cells(totals)
    rows = [
        (item, a, b, float(np.sign(x[a, item] - x[b, item]) + 1) / 2)
        for item in range(x.shape[1])
        for a in range(len(x))
        for b in range(len(x))
        if a != b and rng.random() < 0.6 and np.isfinite(x[[a, b], item]).all()
    ]
    found = np.array(rows, dtype=np.float64).reshape(-1, 4)
    data = pairwise.Comparisons(
        item=found[:, 0].astype(np.int64),
        first=found[:, 1].astype(np.int64),
        second=found[:, 2].astype(np.int64),
        outcome=found[:, 3],
        n_arms=len(x),
    )
    yield "unlinked", pairwise.unlinked(data)
    yield from _won(data, rng)
    yield "unshared", opponents.unshared(x, "detectable")
    for order in (False, True):
        found_strengths = pairwise.bradley_terry(data, order=order)
        yield "bradley_terry", found_strengths
        if not isinstance(found_strengths, Refusal):
            chance = circles.circular_expected(data, found_strengths, rng=rng, draws=20)
            yield "circular_expected", chance
    turned = pairwise.Comparisons(
        item=np.tile(data.item, 2),
        first=np.concatenate([data.first, data.second]),
        second=np.concatenate([data.second, data.first]),
        outcome=np.concatenate([data.outcome, 1 - data.outcome]),
        n_arms=len(x),
    )
    without, with_order = (pairwise.bradley_terry(turned, order=order) for order in (False, True))
    yield "bradley_terry in both orders", with_order
    # The order means nothing here: it can cost no strength.
    yield "bradley_terry in both orders", _same_refusal(without, with_order)
    z = rng.normal(size=(data.item.size, 1))
    yield "bradley_terry", pairwise.bradley_terry(data, order=False, covariates=z)
    lengths = np.where(np.isfinite(x), np.round(np.nan_to_num(x) * 100) + 1, 100.0)
    controlled = length_control.length_controlled(data, lengths, order=False)
    yield "length_controlled", controlled
    if isinstance(without, pairwise.Strengths):
        yield "strength_pairs", strength_pairs.strength_pairs(without)
        yield "strongest", strength_pairs.strongest(without)
    yield "win_rate", pairwise.win_rate(data, arm=0)
    yield "first_share", pairwise.first_share(data)
    yield "order_counts", both_orders.order_counts(data)
    yield "repeat_changes", both_orders.repeat_changes(data)
    yield "first_place", bias.first_place(data, rng)
    yield "swap_consistency", swaps.swap_consistency(data)
    yield "swapped", swaps.swapped(data)
    yield "in_both_orders", swaps.in_both_orders(data)
    lean = swaps.place_lean(data, x.shape[1])
    yield "place_lean", np.nan_to_num(lean).tolist()
    yield "place_shift", leaning.place_shift(lean[0], lean[-1])
    met = opponents.opponents(data)
    yield "opponents", met.unlike.tolist()
    shifts = leaning.all_shifts(lean, met.unlike)
    yield "all_shifts", shifts.tolist()
    table = pairs.all_pairs(x, np.ones(x.shape), step=0.1, rng=rng)
    yield "allowing", leaning.allowing(table, shifts)
    for pair in table.pairs:
        yield "jointly", pairs.jointly(pair.difference, table.comparisons)
    yield "flips_by_closeness", swaps.flips_by_closeness(data)
    yield "circular_share", circles.circular_share(data)
    yield "unlinked_arms", listwise.unlinked_arms(-x.T)
    yield "plackett_luce", listwise.plackett_luce(-x.T, np.arange(x.shape[1]))


def _won(data: pairwise.Comparisons, rng: np.random.Generator) -> Iterator[tuple[str, object]]:
    """Shares won, as they are compared."""
    if not data.item.size:
        return
    cells = np.full((data.n_arms, int(data.item.max()) + 1), np.nan)
    reps = np.ones(cells.shape, dtype=np.int64)
    points = np.concatenate([data.outcome, 1 - data.outcome])
    arm = np.concatenate([data.first, data.second])
    item = np.tile(data.item, 2)
    for at in set(zip(arm.tolist(), item.tolist(), strict=True)):
        mine = points[(arm == at[0]) & (item == at[1])]
        cells[at], reps[at] = mine.mean(), mine.size
    yield "by_shares", shares.by_shares(pairs.all_pairs(cells, reps, step=0.5, rng=rng))
    yield "possible_best of shares", ranks.possible_best(cells, reps, step=0.5, shares=True)


def _same_refusal(one: object, other: object) -> object:
    """Not a number, which is a fault, where one is refused and the other is not."""
    return float("nan") if isinstance(one, Refusal) != isinstance(other, Refusal) else 0.0


def _leanings(totals: FloatArray, rng: np.random.Generator) -> Iterator[tuple[str, object]]:
    """Probes of the judge's leanings, and of its drift."""
    x, other = cells(totals[:, :, :1]), cells(totals[:, :, -1:])
    step = lattice_step(totals, scale_step=0.1)
    yield "compression", scale_use.compression(x, other, low=LOW, high=HIGH, step=step)
    yield "leniency", bias.leniency(x, other)
    own = [at % 2 == 0 for at in range(len(x))]
    probes = [bias.family_lean(x, other, own), scale_use.halo(np.stack([x, other], axis=2))]
    lengths = np.where(np.isfinite(x), np.round(np.nan_to_num(x) * 100) + 1, np.nan)
    probes.append(bias.length_slope(x, lengths))
    places = rng.integers(0, 3, totals[:, :, 0].shape).astype(np.float64)
    probes.append(bias.order_slope(totals[:, :, 0], places))
    probes += bias.style_slopes(x, np.stack([np.log2(lengths), x]), ["length", "lists"])
    yield "probes", tuple(probes)
    yield "together", bias.together(probes)
    reps = np.ones(x.shape, dtype=np.int64)
    yield "shift", drift.shift(x, other, (reps, reps), step=step)
    yield "points", drift.points(x, other)


def _people(totals: FloatArray) -> Iterator[tuple[str, object]]:
    """The last rater against the others, as a judge against people."""
    units = totals[:, :, :, 0].reshape(-1, totals.shape[2])
    people, judge = units[:, :-1].T, units[:, -1]
    if len(people):
        yield "alt_test", alt_test.alt_test(people, judge, epsilon=0.2)
    x, other = cells(totals[:, :, :1]), cells(totals[:, :, -1:])
    drawn = np.arange(x.shape[1]) % 2 == 0
    two = np.where(drawn, other[[0, -1]], np.nan)
    yield "corrected_difference", corrected.corrected_difference(two, x[[0, -1]], drawn)
    marks = totals[:, :, :, 0]
    yield "beside", human.beside(marks[:, :, :-1], marks[:, :, -1], span=9)
    yield "ceiling", ceiling.ceiling(marks[:, :, :-1], marks[:, :, -1])
    names = [f"arm {at}" for at in range(len(x))]
    yield "leanings", standing.leanings(marks[:, :, :-1], marks[:, :, -1], names)


def extended(totals: FloatArray, rng: np.random.Generator) -> object:
    """The extended report of one judge over two criteria, the second a little off."""
    marks = np.moveaxis(totals[:, :, :1], 2, 2)
    again = np.clip(marks + rng.integers(-1, 2, marks.shape), LOW, HIGH)
    rubric = Rubric(
        name="two",
        version="1",
        scale=Scale(low=LOW, high=HIGH, step=0.1),
        criteria=tuple(Criterion(id=name, head=name, text=name) for name in ("clear", "true")),
    )
    made = Marks(
        marks=np.concatenate([marks, again], axis=2),
        rubric=rubric,
        applies=np.ones((marks.shape[1], 2), dtype=bool),
        minimum=np.zeros(marks.shape[:2], dtype=bool),
    )
    step = lattice_step(made.marks, scale_step=0.1)
    table = pairs.all_pairs(made.cells, made.repeats, step=step, rng=rng)
    return Extending(
        marks=made,
        again=made,
        table=table,
        told=table,
        firm=ranks.firm_pairs(made.cells, low=LOW, high=HIGH),
        deciding=made.cells,
        order=ranks.table_order(made.cells).order,
        ids=[f"arm {at}" for at in range(len(totals))],
        step=step,
        seed=7,
        ends=(LOW, HIGH),
        placed=ranks.placement(made.cells, low=LOW, high=HIGH),
        by_people=False,
    ).extended()


def parts(found: object) -> Iterator[object]:
    """A figure and everything inside of it."""
    yield found
    if isinstance(found, tuple):
        for one in found:
            yield from parts(one)
    elif is_dataclass(found):
        for field in fields(found):
            yield from parts(getattr(found, field.name))


AGREEING = {"alpha", "quadratic_kappa", "cohen_kappa", "fleiss_kappa", "icc", "kendall_w"}
"""Figures that a judge who gives one constant mark must never reach."""


def faults(name: str, found: object, totals: FloatArray) -> Iterator[str]:
    """What is wrong with a figure: nothing, or a sentence for each fault."""
    for part in parts(found):
        for fault in _of(part):
            yield f"{name}: {fault}: {part!r}"
    given = totals[np.isfinite(totals)]
    constant = not given.size or np.ptp(given) < 1e-9
    if name in AGREEING and constant and not isinstance(found, Refusal):
        yield f"{name}: agreement out of constant marks: {found!r}"
    if is_dataclass(found) and not isinstance(found, type):
        try:
            json.dumps(asdict(found), allow_nan=False, default=str)
        except ValueError:
            yield f"{name}: does not go into JSON: {found!r}"


def _of(part: object) -> Iterator[str]:
    if isinstance(part, float) and not np.isfinite(part):
        yield "not finite"
    if isinstance(part, Refusal):
        if part.code not in CODES:
            yield "unknown code"
        if part.code == "too_few_items" and part.have >= part.need:
            yield "refused though there are enough"
    if isinstance(part, Estimate):
        yield from _of_estimate(part)


def _of_estimate(part: Estimate) -> Iterator[str]:
    if (part.low is None) != (part.high is None):
        yield "an interval with one end"
    if part.p is not None and not 0 < part.p <= 1:
        yield "p outside of (0, 1]"
    if part.low is not None and part.high is not None:
        if part.high - part.low <= 1e-9:
            yield "an interval without a width"
        if not part.low - 1e-9 <= part.value <= part.high + 1e-9:
            yield "a value outside of its interval"


def run(seed: int) -> tuple[int, int, list[str]]:
    """One degenerate run: its figures, its refusals, its faults."""
    rng = np.random.default_rng([seed, 5000])
    totals = degenerate(rng)
    figured = refused = 0
    wrong: list[str] = []
    for name, found in figures(totals, rng):
        wrong += [f"seed {seed}: {fault}" for fault in faults(name, found, totals)]
        for part in parts(found):
            figured += isinstance(part, Estimate)
            refused += isinstance(part, Refusal)
    return figured, refused, wrong
