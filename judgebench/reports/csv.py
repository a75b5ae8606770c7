"""Result → ratings.csv and typed columns: one row an arm, numbers stay numbers.

What is refused is an empty cell with its code in the column beside it. Foreign text
that a spreadsheet would take for a formula is prefixed by an apostrophe in the CSV.
"""

import csv
import io
import math
from collections.abc import Callable, Sequence

from judgebench.model.audits import Fault, Find, ProjectAudit
from judgebench.model.extended import CriterionExtra, CriterionRow, PairExtra
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import ArmResult, PairResult, Result
from judgebench.records import dataclass
from judgebench.reports import audits, comparing, fairness
from judgebench.reports.digits import DASH
from judgebench.reports.strengths import LISTS
from judgebench.reports.tables import blocked_in_full
from judgebench.text import printable

Cell = str | int | float | bool | None

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


@dataclass(frozen=True, kw_only=True, slots=True)
class TypedColumn:
    """One column with one kind of value; None is unknown or refused."""

    name: str
    kind: str
    """``text``, ``integer``, ``real`` or ``boolean``."""
    values: tuple[Cell, ...]


def render(result: Result) -> str:
    """Write ratings.csv: UTF-8, commas, one header, a row an arm in table order."""
    return _written(columns(result))


def _found_by(project: ProjectAudit, _: Fault, find: Find) -> str | None:
    """In how many judgings of each judge of a panel; nothing where there is one judge."""
    return "; ".join(audits.each_judge(project, find.judgings)) or None


def render_findings(result: Result) -> str:
    """Write findings.csv: a row a fault and place, with the judgings that reported it."""
    found = [
        (project, fault, find)
        for project in (result.audit.projects if result.audit else ())
        for fault in project.faults
        for find in fault.finds
    ]

    def column(
        name: str, kind: str, get: Callable[[ProjectAudit, Fault, Find], Cell]
    ) -> TypedColumn:
        return _column(name, kind, [get(*one) for one in found])

    return _written(
        (
            column("pass", "text", lambda *_: result.judging.id),
            column("arm", "text", lambda project, *_: project.arm),
            column("item", "text", lambda project, *_: project.item),
            column("criterion", "text", lambda _, fault, __: fault.criterion),
            column("fault", "text", lambda _, fault, __: fault.entry),
            column("costs_mean", "real", lambda _, fault, __: fault.points),
            column("found_in", "integer", lambda _, __, find: len(find.judgings)),
            column("judgings", "integer", lambda project, *_: len(project.judgings)),
            column("found_by_judge", "text", _found_by),
            column("standing", "text", lambda _, __, find: find.standing.value),
            column("evidence", "text", lambda _, __, find: find.evidence.value),
            column("found_by", "text", lambda _, __, find: find.by),
            column("file", "text", lambda _, __, find: find.path or None),
            column("first_line", "integer", lambda _, __, find: find.first),
            column("last_line", "integer", lambda _, __, find: find.last),
            column("excerpt", "text", lambda _, __, find: find.excerpt or None),
            column("patterns", "text", lambda _, __, find: "; ".join(find.patterns) or None),
            column("paths", "text", lambda _, __, find: "; ".join(find.paths) or None),
            column("why", "text", lambda _, __, find: find.why),
            column("check", "text", lambda _, __, find: find.note),
        )
    )


def render_pairs(result: Result) -> str:
    """Write pairs.csv of an extended report: a row a pair, every test, every code."""
    found = result.extended
    compared = {(one.first, one.second): one for one in result.pairs}
    rows = [(one, compared.get((one.first, one.second))) for one in found.pairs] if found else []
    why = None if found is None else found.max_t

    def column(name: str, kind: str, get: Callable[[PairExtra, PairResult | None], Cell]) -> None:
        out.append(_column(name, kind, [get(*row) for row in rows]))

    out: list[TypedColumn] = []
    column("pass", "text", lambda *_: result.judging.id)
    column("made_from", "text", lambda *_: result.generated_from)
    column("first", "text", lambda one, _: one.first)
    column("second", "text", lambda one, _: one.second)
    column("shared_items", "integer", lambda _, pair: pair.shared if pair else None)
    out += _figure("difference", [pair.difference if pair else None for _, pair in rows])
    if any(pair.strength is not None for pair in result.pairs):
        strengths = [pair.strength if pair else None for _, pair in rows]
        out += _figure("strength_difference", strengths)
    column("separated", "boolean", lambda _, pair: pair.separated if pair else None)
    column("firm", "boolean", lambda _, pair: pair.firm if pair else None)
    column("p_all_pairs", "real", lambda _, pair: pair.p_all_pairs if pair else None)
    column(
        "p_all_pairs_code", "text", lambda _, pair: _why(pair, pair.p_all_pairs if pair else None)
    )
    column("p_max_t", "real", lambda one, _: one.p_max_t)
    column("p_max_t_code", "text", lambda one, _: _code(why) if one.p_max_t is None else None)
    column("p_holm", "real", lambda one, _: one.p_holm)
    column("p_holm_code", "text", lambda one, pair: _why(pair, one.p_holm))
    column("p_sign_flip", "real", lambda one, _: getattr(one.sign_flip, "p", None))
    column("p_sign_flip_code", "text", lambda one, _: _code(one.sign_flip))
    column("worst_case_low", "real", lambda one, _: one.worst_low)
    column("worst_case_high", "real", lambda one, _: one.worst_high)
    return _written(out)


def _why(pair: PairResult | None, p: float | None) -> str | None:
    """Why two arms have no p; nothing where they have one."""
    if pair is None or p is not None:
        return None
    return _code(pair.strength or pair.difference)


def render_criteria(result: Result) -> str:
    """Write criteria.csv of an extended report: a row a criterion and arm."""
    found = result.extended.criteria if result.extended else ()
    places = {arm.arm.id: arm.place_code for arm in result.arms if not arm.placed}
    rows = [(one, row) for one in found for row in one.rows]

    def column(name: str, kind: str, get: Callable[[CriterionExtra, CriterionRow], Cell]) -> None:
        out.append(_column(name, kind, [get(*row) for row in rows]))

    out: list[TypedColumn] = []
    column("pass", "text", lambda *_: result.judging.id)
    column("made_from", "text", lambda *_: result.generated_from)
    column("criterion", "text", lambda one, _: one.criterion)
    column("arm", "text", lambda _, row: row.arm)
    out += _figure("mean", [row.mean for _, row in rows])
    column("reference", "text", lambda one, _: one.reference)
    out += _figure("difference", [row.difference for _, row in rows])
    column("p", "real", lambda _, row: row.p)
    column("p_code", "text", lambda _, row: _code(row.difference))
    column("separated", "boolean", lambda _, row: row.separated)
    column("may_be_best", "boolean", lambda _, row: row.may_be_best)
    column("rank_low", "integer", lambda _, row: row.rank_low)
    column("rank_high", "integer", lambda _, row: row.rank_high)
    column("best_code", "text", lambda one, row: _code(one.best) or places.get(row.arm))
    return _written(out)


def _column(name: str, kind: str, values: Sequence[Cell]) -> TypedColumn:
    return TypedColumn(name=name, kind=kind, values=tuple(map(_safe, values)))


def _figure(name: str, values: Sequence[Estimate | Refusal | None]) -> list[TypedColumn]:
    """Value, both ends, how the interval was made, and the code where refused."""
    parts = {"": "value", "_low": "low", "_high": "high"}
    return [
        *(
            _column(f"{name}{end}", "real", [getattr(one, field, None) for one in values])
            for end, field in parts.items()
        ),
        _column(f"{name}_interval", "text", [getattr(one, "kind", None) for one in values]),
        _column(f"{name}_code", "text", [_code(one) for one in values]),
    ]


def _written(typed: Sequence[TypedColumn]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_cell(column.name) for column in typed])
    for row in zip(*(column.values for column in typed), strict=True):
        writer.writerow([_cell(value) for value in row])
    return out.getvalue()


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    # Blanks in front do not keep every spreadsheet from seeing a formula.
    return f"'{value}" if value.lstrip().startswith(_FORMULA) else value


def _clusters(result: Result) -> list[tuple[str, str, Callable[[ArmResult], Cell]]]:
    """How many clusters the items come in, where they do."""
    found = result.clusters
    return [] if found is None else [("clusters", "integer", lambda _: found.count)]


def columns(result: Result) -> tuple[TypedColumn, ...]:
    """The same table as typed columns, for Parquet; texts are safe to show."""
    facts, arms = result.judging, result.arms
    shown = result.panel or (facts,)
    fixed: list[tuple[str, str, Callable[[ArmResult], Cell]]] = [
        ("run", "text", lambda _: result.run_name),
        ("pass", "text", lambda _: " + ".join(one.id for one in shown)),
        ("judge", "text", lambda _: _judges(result)),
        ("rubric", "text", lambda _: facts.rubric_name),
        ("data_level", "text", lambda _: f"E{int(result.level)}"),
        *_clusters(result),
        ("replay", "boolean", lambda _: any(one.route == "replay" for one in shown)),
        ("arm", "text", lambda arm: arm.arm.id),
        ("provider", "text", lambda arm: arm.arm.provider),
        ("model", "text", lambda arm: arm.arm.model),
        ("harness", "text", lambda arm: arm.arm.harness),
        ("kind", "text", lambda arm: fairness.said_kind(result, arm)),
        ("planned", "integer", lambda arm: arm.planned),
        ("answered", "integer", lambda arm: arm.answered),
        ("blocked", "integer", lambda arm: sum(one.count for one in arm.blocked)),
        ("judge_blocked", "integer", lambda arm: sum(one.count for one in arm.judge_blocked)),
        ("blocked_reasons", "text", blocked_in_full),
        ("looks_cut", "integer", lambda arm: arm.suspects),
        ("placed", "boolean", lambda arm: arm.placed),
        ("mean", "real", lambda arm: arm.mean),
        ("median", "real", lambda arm: arm.median),
        *_estimate("total", lambda arm: arm.total),
        *_estimate("answered_rate", lambda arm: arm.answered_rate),
        ("reference", "text", lambda _: result.reference),
        ("shared_items", "integer", lambda arm: arm.shared),
        *_estimate("difference", lambda arm: arm.difference),
        ("may_be_best", "boolean", lambda arm: arm.may_be_best),
        ("rank_low", "integer", lambda arm: arm.rank_low),
        ("rank_high", "integer", lambda arm: arm.rank_high),
        ("observed_rank", "integer", lambda arm: getattr(arm.observed_rank, "value", None)),
        ("observed_rank_tied", "boolean", lambda arm: getattr(arm.observed_rank, "tied", None)),
        ("observed_rank_code", "text", lambda arm: _code(arm.observed_rank)),
        ("best_code", "text", lambda arm: arm.place_code or _code(result.best)),
        ("worst_case_low", "real", lambda arm: arm.worst_low),
        ("worst_case_high", "real", lambda arm: arm.worst_high),
        ("gated_share", "real", lambda arm: arm.gated_share),
        ("uncapped_mean", "real", lambda arm: arm.uncapped),
        ("tier", "text", lambda arm: _tier(result, arm)),
        ("tier_borderline", "boolean", lambda arm: arm.tier_borderline),
        ("masked", "integer", lambda arm: arm.masked),
        ("same_family", "boolean", lambda arm: arm.same_family),
        ("wall_s", "real", lambda arm: arm.context.wall_s),
        ("completion_tokens", "real", lambda arm: arm.context.completion_tokens),
        ("characters", "real", lambda arm: arm.context.chars),
        ("cost_usd", "real", lambda arm: arm.context.cost_usd),
        ("reasoning_ratio", "real", lambda arm: arm.context.reasoning_ratio),
    ]
    out = [
        TypedColumn(name=name, kind=kind, values=tuple(_safe(get(arm)) for arm in arms))
        for name, kind, get in fixed
    ]
    return (*out, *_comparing(result), *_criteria(result), *_extended(result), *_strengths(result))


def _tier(result: Result, arm: ArmResult) -> str | None:
    if result.audit is None:
        return arm.tier
    found = audits.arm_tier(result, arm)
    return None if found == DASH else found.removesuffix(" (borderline)")


def _comparing(result: Result) -> list[TypedColumn]:
    """What only comparisons have; no column where outputs were marked."""
    if result.comparing is None:
        return []
    own = [comparing.of(result, arm.arm.id) for arm in result.arms]
    out = [
        TypedColumn(
            name=name, kind="integer", values=tuple(getattr(one, name, None) for one in own)
        )
        for name in ("won", "tied", "lost")
    ]
    for name in ("strength", "against_reference"):
        found = [getattr(one, name, None) for one in own]
        for part, kind in (("value", "real"), ("low", "real"), ("high", "real")):
            values = tuple(_safe(getattr(value, part, None)) for value in found)
            label = name if part == "value" else f"{name}_{part}"
            out.append(TypedColumn(name=label, kind=kind, values=values))
        out.append(
            TypedColumn(name=f"{name}_code", kind="text", values=tuple(map(_code, found)))
        )  # fmt: skip
    return out


def _estimate(
    name: str, get: Callable[[ArmResult], Estimate | Refusal]
) -> list[tuple[str, str, Callable[[ArmResult], Cell]]]:
    """Value, both ends, how the interval was made, and the code where refused."""

    def part(field: str) -> Callable[[ArmResult], Cell]:
        return lambda arm: getattr(get(arm), field, None)

    return [
        (name, "real", part("value")),
        (f"{name}_low", "real", part("low")),
        (f"{name}_high", "real", part("high")),
        (f"{name}_interval", "text", part("kind")),
        (f"{name}_code", "text", lambda arm: _code(get(arm))),
    ]


def _code(value: object) -> str | None:
    """Why there is no figure, or no interval to it."""
    if isinstance(value, Estimate):
        return value.no_interval
    return value.code if isinstance(value, Refusal) else None


def _judges(result: Result) -> str:
    return " + ".join(one.judge_name for one in result.panel or (result.judging,))


def _criteria(result: Result) -> list[TypedColumn]:
    out = []
    for criterion, _, _ in result.criteria:
        name = printable(criterion)
        found = [
            next((one for one in arm.criteria if one.criterion == criterion), None)
            for arm in result.arms
        ]
        means = tuple(_safe(one.mean) if one else None for one in found)
        counts = tuple(one.n if one else 0 for one in found)
        out.append(TypedColumn(name=f"mark_{name}", kind="real", values=means))
        out.append(TypedColumn(name=f"n_{name}", kind="integer", values=counts))
    return out


def _extended(result: Result) -> list[TypedColumn]:
    if result.extended is None or result.comparing is not None:
        return []
    found = {one.arm: one for one in result.extended.arms}
    rows = [found.get(arm.arm.id) for arm in result.arms]
    return [
        *_figure("median_of_items", [one.median if one else None for one in rows]),
        *_figure("least_squares", [one.least_squares if one else None for one in rows]),
    ]


def _strengths(result: Result) -> list[TypedColumn]:
    """Strengths of lists, or of pairs at equal length; `strength` is that of the pairs as is."""
    if result.strengths is None:
        return []
    found = {one.arm: one for one in result.strengths.arms}
    rows = [found.get(arm.arm.id) for arm in result.arms]
    if result.strengths.model == LISTS:
        return _figure("list_strength", [one.strength if one else None for one in rows])
    return _figure("equal_length_strength", [one.equal_length if one else None for one in rows])


def _safe(value: Cell) -> Cell:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
