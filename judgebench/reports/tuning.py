"""One turn of tuning → text: answers side by side, or versions side by side."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from judgebench.model import Estimate, Quote, Refusal
from judgebench.model.people import TOTAL
from judgebench.model.tuning import (
    Fit,
    LabelSplit,
    ShownBefore,
    TuneGroup,
    TuneMark,
    Tuning,
    VersionRow,
)
from judgebench.reports import refusals
from judgebench.reports.cells import wrap
from judgebench.reports.digits import DASH, decimals, plural, points, share, signed
from judgebench.reports.layout import Column, grid
from judgebench.reports.people import look_note
from judgebench.text import one_line, printable

_WRAP = 80
_SAID = 600
"""Signs of a rationale or quote that are shown."""
_SHOWN = 4


def render(
    found: Tuning, *, run: str = "RUN", typed: str = "", file: str = "FILE", width: int = _WRAP
) -> str:  # fmt: skip
    """Write one turn, and what comes next.

    Args:
        found: What was found.
        run: The run as the user named it, for the next command.
        typed: Rubric, judge and what else says how is judged, as the user typed it.
        file: The rubric's file where it is at hand, for the first command.
        width: Columns of the terminal.
    """
    name = shlex.quote(run)
    lines = [_head(found), *_split(found)]
    lines += _versions(found, width) if found.version else _differences(found, width)
    lines += ["", *_next(found, name, typed, file)]
    return "\n".join(part for line in lines for part in _fit(line, width)) + "\n"


def _fit(line: str, width: int) -> list[str]:
    return [line] if line.startswith(" ") or len(line) <= width else wrap(line, width)


def _head(found: Tuning) -> str:
    base = found.base
    return (
        f"{one_line(found.run_name, 40)} · rubric {one_line(base.rubric_name, 32)} "
        f"{one_line(base.rubric_version, 16)} · judge {one_line(base.judge_name, 32)} · pass "
        f"{base.pass_id}"
    )


def _split(found: Tuning) -> Iterator[str]:
    split = found.split
    when = "split now" if split.made_now else f"split on {split.split_at[:10]}"
    yield (
        f"Items for tuning: {split.tune:,}, {split.tune_marked:,} of them marked by people; for "
        f"reporting: {split.report:,}, {split.report_marked:,} marked ({when} by the hash of "
        "their names)."
    )
    yield from _seen(split)


def _seen(split: LabelSplit) -> Iterator[str]:
    """What calibrate had shown before the labels were split."""
    if not split.shown:
        yield "Before the split, no marks had been shown beside a judge."
        return
    beside: dict[tuple[str, str], list[ShownBefore]] = {}
    for one in split.shown:
        beside.setdefault((one.pass_id, one.rubric_name), []).append(one)
    listed = "; ".join(_seen_beside(looks) for looks in list(beside.values())[:_SHOWN])
    more = len(beside) - _SHOWN
    rest = f"; beside {plural(more, 'more pass', 'more passes')}" if more > 0 else ""
    yield f"Shown before the split, those for reporting among them: {listed}{rest}."


def _seen_beside(looks: list[ShownBefore]) -> str:
    """Every look beside one pass, with the most marks that one of them showed."""
    first, last = looks[0], looks[-1]
    days = list(dict.fromkeys((first.shown_at[:10], last.shown_at[:10])))
    times = "" if len(looks) == 1 else f", {len(looks):,} times"
    return (
        f"{plural(max(one.labels for one in looks), 'mark')} beside pass {first.pass_id} "
        f"({one_line(first.rubric_name, 24)}) on {' to '.join(days)}{times}"
    )


# ---- differences


def _differences(found: Tuning, width: int) -> Iterator[str]:
    digits = decimals(found.scale_low, found.scale_high)
    yield ""
    if not found.groups:
        yield (
            "No answer for tuning on which judge and people differ by a point of ten or more."
            if found.split.tune_marked
            else "Nobody marked an item for tuning yet: there is nothing to show."
        )
        return
    for place, group in enumerate(found.groups):
        if place:
            yield ""
        yield from _group(group, digits, width)


def _group(group: TuneGroup, digits: int, width: int) -> Iterator[str]:
    way = "higher" if group.higher else "lower"
    yield (
        f"{one_line(group.criterion, 40)}: judge {way} on {group.cells:,} of "
        f"{plural(group.of, 'answer')} (mean {signed(group.mean_gap, digits)})"
    )
    for mark in group.shown:
        yield from _mark(mark, digits, width)


def _mark(mark: TuneMark, digits: int, width: int) -> Iterator[str]:
    arm = f" = {one_line(mark.arm, 30)}" if mark.arm is not None else ""
    people = ", ".join(f"{one_line(who, 20)} {points(given, digits)}" for who, given in mark.people)
    yield from wrap(
        f" {one_line(mark.item, 40)}, answer {mark.label}{arm}: judge "
        f"{points(mark.judge, digits)}, people {points(mark.people_mean, digits)} ({people})",
        width, indent="   ",
    )  # fmt: skip
    if said := one_line(mark.rationale, _SAID):
        yield from wrap(f"   judge: {said}", width, indent="     ")
    for quote in mark.quotes:
        yield from wrap(f"     {_quote(quote)}", width, indent="     ")
    if mark.unsupported:
        yield "     (not all quotes that the mark needs were found)"


def _quote(quote: Quote) -> str:
    state = quote.source if quote.found else f"{quote.source}, NOT FOUND"
    return f"“{one_line(quote.text, _SAID)}” [{printable(state)}]"


# ---- versions


def _versions(found: Tuning, width: int) -> Iterator[str]:
    digits = decimals(found.scale_low, found.scale_high)
    version = found.version
    if version is None:
        return
    where = "the items for tuning" if found.looked_at == "tune" else "the report split"
    yield (
        f"Version {one_line(version.rubric_version, 16)} of "
        f"{one_line(version.rubric_name, 32)} (pass {version.pass_id}) beside it, on {where}:"
    )
    if found.sums_only:
        yield (
            "It asks the judge the same: nothing was judged, marks are as they were, and only "
            "totals differ."
        )
    rows = [row for row in found.rows if isinstance(row.before, Fit) or isinstance(row.after, Fit)]
    if rows:
        yield from _table(rows, digits, width)
        if any(row.criterion == TOTAL for row in rows):
            yield "total: each version's own weights, gates and caps, on people's marks too."
    yield from _refused(found)
    yield from _caution(found)


def _table(rows: list[VersionRow], digits: int, width: int) -> Iterator[str]:
    def cells(which: str) -> list[Fit | None]:
        return [fit if isinstance(fit := getattr(row, which), Fit) else None for row in rows]

    columns = [
        Column(head="criterion", cells=tuple(_name(row) for row in rows), least=9),
        *(
            Column(
                head=head,
                cells=tuple(
                    f"{make(a, digits)} → {make(b, digits)}"
                    for a, b in zip(cells("before"), cells("after"), strict=True)
                ),
            )
            for head, make in (("bias", _bias), ("off by", _off), ("near", _near), ("α", _alpha))
        ),
        Column(head="change of off by", cells=tuple(_moved(row.change, digits) for row in rows)),
    ]
    table = grid(columns, width - 1)
    yield from (f" {line}".rstrip() for line in (table.head, *table.lines))


def _name(row: VersionRow) -> str:
    return one_line(row.criterion, 24)


def _bias(fit: Fit | None, digits: int) -> str:
    return DASH if fit is None else signed(fit.bias.value, digits)


def _off(fit: Fit | None, digits: int) -> str:
    return DASH if fit is None else points(fit.mae.value, digits)


def _near(fit: Fit | None, digits: int) -> str:
    del digits
    return DASH if fit is None else share(fit.within)


def _alpha(fit: Fit | None, digits: int) -> str:
    del digits
    if fit is None or isinstance(fit.alpha, Refusal):
        return DASH
    return points(fit.alpha.value, 2)


def _moved(change: Estimate | Refusal, digits: int) -> str:
    if isinstance(change, Refusal):
        return DASH
    if change.low is None or change.high is None:
        return f"{signed(change.value, digits)} (n = {change.n:,})"
    ends = f"{signed(change.low, digits)}, {signed(change.high, digits)}"
    return f"{signed(change.value, digits)} [{ends}]"


def _refused(found: Tuning) -> Iterator[str]:
    """Why a criterion has no figure, each reason once, with its code."""
    reasons: dict[str, list[str]] = {}
    for row in found.rows:
        told: set[str] = set()
        for figure in (row.change, row.before, row.after):
            # What refuses the change for the same reason is said once.
            if isinstance(figure, Refusal) and figure.code not in told:
                told.add(figure.code)
                words = f"{refusals.why(figure)} ({figure.code})"
                names = reasons.setdefault(words, [])
                if _name(row) not in names:
                    names.append(_name(row))
    for words, names in reasons.items():
        yield f"Not shown for {', '.join(names)}: {words}."
    if not found.rows:
        yield "No criterion of this version was marked by people: there is nothing to compare."


def _caution(found: Tuning) -> Iterator[str]:
    if found.looked_at == "tune":
        yield (
            f"The version was made on these items, and {plural(found.tried, 'version')} "
            f"{'was' if found.tried == 1 else 'were'} compared on them: they flatter it. Only "
            "the report split can say whether it is better."
        )
    elif found.look > 1:
        yield look_note(found.look, found.earlier)
    else:
        yield "First look at the report split: noted. Later looks are said."


# ---- what comes next


def _next(found: Tuning, run: str, typed: str, file: str) -> Iterator[str]:
    if found.version is None:
        yield from _first(found, run, file)
        if any(group.shown for group in found.groups) and all(
            mark.arm is None for group in found.groups for mark in group.shown
        ):
            yield "Names of the arms are hidden (--reveal)."
        return
    if found.looked_at == "tune":
        yield f"Next: judge rubric tune {run} --pass {found.version.pass_id} shows what is left;"
        yield "the report split is looked at, once, by"
        yield f"  judge rubric tune {run} --pass {found.base.pass_id} {typed} --report"
        return
    yield f"Next: judge calibrate {run} --pass {found.version.pass_id}"


def _first(found: Tuning, run: str, file: str) -> Iterator[str]:
    """What can be done with a changed rubric, which depends on who can be asked again."""
    named = Path(file).stem if Path(file).parent.name == "rubrics" else file
    what = "the rubric" if file == "FILE" else file
    again = f"judge rubric tune {run} --rubric {shlex.quote(named)}"
    if found.base.marks_only:
        yield (
            "These marks were imported: there are no answers to judge again. Other weights, gates "
            "and caps can be tried."
        )
        yield f"Next: change weights, gates or caps in {what}, then"
        yield f"  {again}"
        return
    if not found.base.replayed:
        yield f"Next: edit {what}, then"
        yield f"  {again}"
        return
    judge = one_line(found.base.judge_name, 32)
    yield (
        "This pass is a replay. Other weights, gates and caps are compared at once; to other "
        f"questions it holds no replies: {judge} must answer them, live (--judge) or through files."
    )
    yield f"Next: edit {what}, then"
    yield f"  {again}"
    yield f"  {again} --export open.jsonl"
    yield f"  judge batch import {run} ANSWERED.jsonl --rubric {shlex.quote(named)}"
    yield "Or judge the run with a judge of your own first, and tune that pass:"
    yield f"  judge score {run} --judge PROVIDER/MODEL"
