"""One output's judgments, whole: request, reply, marks, quotes; hidden names stay hidden."""

import shlex
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from judgebench.errors import StoreError
from judgebench.model.controls import ControlCheck
from judgebench.model.drifting import CHECK_REPEATS
from judgebench.model.findings import Checked
from judgebench.model.nouns import Mode
from judgebench.model.rubric import Rubric
from judgebench.model.shown import Listed, Shown, ShownCall, ShownControl, ShownMark
from judgebench.pipeline.audits.costs import costs_of
from judgebench.pipeline.figures.controlled import Names, control_checks
from judgebench.pipeline.figures.stored_marks import marks_of
from judgebench.pipeline.figures.stored_pass import choose, read_analysis
from judgebench.pipeline.setting.places import never_judged
from judgebench.pipeline.setting.stored_run import stored_run
from judgebench.rubrics.load import parse_rubric
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import one_line

_MOST_NAMED = 8
"""Commands that a message holds."""


def _chosen(store: Store, key: str, pass_id: str | None) -> PassRow:
    """The pass that is shown; one that holds a bridge only where it is named."""
    return choose(store.find_passes(key) + (store.find_bridges(key) if pass_id else []), pass_id)


def _with_name(store: Store, key: str, shown: PassRow, blind: str) -> PassRow:
    """The pass that a blind name is of: the one that tables show, else the only other one."""
    named = [
        row
        for row in (shown, *store.find_passes(key), *store.find_bridges(key))
        if store.rows("judgment_by_key", pass_id=row.judging.id, start=blind.partition(":")[0])
    ]
    others = {row.judging.id for row in named}
    return named[0] if named and (named[0] is shown or len(others) == 1) else shown


def _told(row: PassRow, repeat: int) -> int:
    """The number of a judging as people read it: a bridge's anchors are judged once, by it."""
    return repeat - CHECK_REPEATS if row.judging.route == "bridge" else repeat


def list_judgments(run: Path, cwd: Path, *, pass_id: str | None) -> tuple[str, list[Listed], bool]:
    """All judgments of a pass in the order of the shuffled queue, and whether any was asked for.

    Marks given elsewhere were not: they stand by item.

    Raises:
        RunError: The run was never judged here.
    """
    with _judged(run, cwd) as (store, key):
        row = _chosen(store, key, pass_id)
        found = store.rows("judgment_list", pass_id=row.judging.id)
        answers = Counter(request for request, *_ in found)
        listed = [
            Listed(
                blind=_name(request, label if answers[request] > 1 else None), arm=arm, item=item,
                repeat=_told(row, repeat), status=status, total=total, reason=reason,
                other_arm=other,
            )
            for request, label, arm, item, repeat, status, total, reason, other in found
        ]  # fmt: skip
        return row.judging.id, listed, not row.facts().marks_only


def show_output(
    run: Path, cwd: Path, *, arm: str | None, item: str | None, blind: str | None,
    pass_id: str | None,
) -> list[Shown]:  # fmt: skip
    """The judgments of one output, named by arm and item or by its blind name.

    Raises:
        RunError: The run was never judged here.
        StoreError: There is no such judgment.
    """
    with _judged(run, cwd) as (store, key):
        row = _chosen(store, key, pass_id)
        if blind is not None and pass_id is None:
            row = _with_name(store, key, row, blind)
        pass_key = row.judging.id
        if blind is not None:
            arm, item = _named(store, pass_key, blind, run=run, chosen=pass_id)
        calls = store.records("show", pass_id=pass_key, arm=arm, item=item)
        marks = store.records("show_marks", pass_id=pass_key, arm=arm, item=item)
        if not calls:
            why = _why_none(store, key, arm or "", item or "")
            raise StoreError(f"no judgment of {arm} on {item} in pass {pass_key}: {why}")
        shown = _shown(calls, marks, arm or "", item or "")
        if rubric := _rubric(store, row):
            shown = [_in_order(one, rubric) for one in shown]
            if rubric.deductions is not None:
                shown = _with_findings(shown, store.findings_of(pass_key), rubric)
        control = _control(store, pass_key, arm or "")
        check = _check(store, row, {one.key for one in shown}) if control else None
        turns = store.turns(pass_key, arm=arm, item=item)
        shown = [
            replace(
                one,
                control=replace(control, check=check) if control and one.repeat == 1 else control,
                repeat=_told(row, one.repeat),
                turns=tuple(turn.turn for turn in turns if turn.key == one.key),
            )
            for one in shown
        ]
        if blind is not None:
            # The name is of one judging, and the output may have others.
            return [one for one in shown if one.key.startswith(blind.partition(":")[0])]
        return shown


def _rubric(store: Store, row: PassRow) -> Rubric | None:
    """The rubric that the marks of a pass are counted by; None where they were given."""
    if row.facts().marks_only:
        return None
    found = store.rows("rubric", ask=row.judging.ask_sha256, sum=row.sum_sha256)
    return parse_rubric(found[0][1], Path(f"{row.judging.rubric_name}.yaml")) if found else None


def _in_order(one: Shown, rubric: Rubric) -> Shown:
    """The judgment with its marks in the rubric's order, as the table has them."""
    place = {criterion.id: at for at, criterion in enumerate(rubric.criteria)}
    marks = sorted(one.marks, key=lambda mark: place.get(mark.criterion, len(place)))
    return replace(one, marks=tuple(marks))


def _name(key: str, label: str | None) -> str:
    return key[:8] if label is None else f"{key[:8]}:{label}"


def _named(
    store: Store, pass_key: str, blind: str, *, run: Path, chosen: str | None
) -> tuple[str, str]:
    """Arm and item of the one judged output that a blind name means.

    Raises:
        StoreError: It means none, or several: each of them has its command.
    """
    start, colon, label = blind.partition(":")
    every = store.rows("judgment_by_key", pass_id=pass_key, start=start)
    match = [one for one in every if not colon or one[1] == label]
    if len({(arm, item) for *_, arm, item in match}) == 1:
        return match[0][2], match[0][3]
    shown = one_line(blind, 60)
    if not match:
        typed = shlex.quote(str(run))
        raise StoreError(
            f"{shown} names no judgment; judge show {typed} lists them, "
            f"judge show {typed} ARM ITEM shows one"
        )
    several = Counter(key for key, *_ in every)
    more = "" if chosen is None else f" --pass {shlex.quote(chosen)}"
    commands = [
        f"judge show {shlex.quote(str(run))} "
        f"{shlex.quote(_name(key, label if several[key] > 1 else None))}{more}"
        for key, label, *_ in match
    ]
    named = ", ".join(commands[:_MOST_NAMED])
    rest = len(commands) - _MOST_NAMED
    raise StoreError(
        f"{shown} names {len(match)} judgments; write one of: {named}"
        + (f" and {rest} more, which judge show lists" if rest > 0 else "")
    )


def _control(store: Store, pass_key: str, arm: str) -> ShownControl | None:
    rows = store.records("control_by_id", pass_id=pass_key, control=arm)
    if not rows:
        return None
    row = rows[0]
    donor = f"{row['donor_arm']} on {row['donor_item']}" if row["donor_item"] else None
    return ShownControl(
        kind=row["kind"],
        treatment=row["treatment"],
        source_arm=row["source_arm"],
        donor=donor,
        note=row["note"],
    )


def _check(store: Store, row: PassRow, keys: set[str]) -> ControlCheck | None:
    """What became of a control of a pass that gives marks, as its report has it."""
    judging = row.judging
    bridge = all(one.judging.id != judging.id for one in store.find_passes(judging.run))
    if bridge or judging.mode is Mode.PAIRWISE:
        return None
    analysis = read_analysis(store, judging.run, pass_id=judging.id)
    items = [name for (name,) in store.rows("items", run=judging.run)]
    names = Names(arms=analysis.ids, items=items)
    checks, _ = control_checks(
        store, judging, marks=analysis.marks, names=names, reading=analysis.reading
    )
    return next((one for one in checks if one.key in keys), None)


def _why_none(store: Store, run: str, arm: str, item: str) -> str:
    """Why an output has no judgment: blocked, not asked yet, or none of this run."""
    found = store.rows("output_state", run=run, arm=arm, item=item)
    if not found:
        known = {name for (name,) in store.rows("items", run=run)}
        return (
            f"it has no arm {one_line(arm, 60)}"
            if item in known
            else f"it has no item {one_line(item, 60)}; judge show lists what was judged"
        )
    blocked, message = found[0]
    if blocked is None:
        return "nothing blocks it, and it was not asked about; judge score goes on"
    return f"the answer is blocked: {blocked}: {one_line(message or '', 300)}"


@contextmanager
def _judged(run: Path, cwd: Path) -> Iterator[tuple[Store, str]]:
    """The store of a run with a pass on it, and the run's name in it."""
    with stored_run(run, cwd) as (store, key, _):
        if not store.find_passes(key):
            raise never_judged(run)
        yield store, key


def _shown(
    calls: list[dict[str, object]], marks: list[dict[str, object]], arm: str, item: str
) -> list[Shown]:
    out: list[Shown] = []
    for key in dict.fromkeys(str(row["key"]) for row in calls):
        own = [row for row in calls if row["key"] == key]
        head = own[0]
        out.append(
            Shown(
                key=key,
                label=str(head["label"]),
                arm=arm,
                item=item,
                repeat=int(str(head["repeat"])),
                purpose=str(head["purpose"]),
                status=str(head["status"]),
                reason=_text(head["reason"]),
                message=_text(head["message"]),
                total=_number(head["total"]),
                fired=str(head["fired"]),
                marks=tuple(marks_of([row for row in marks if row["key"] == key], ShownMark)),
                calls=tuple(_call(row) for row in own if row["attempt"] is not None),
                place=_int(head["place"]),
                other_label=_text(head["other_label"]),
                other_arm=_text(head["other_arm"]),
            )
        )
    return out


def _call(row: dict[str, object]) -> ShownCall:
    return ShownCall(
        attempt=int(str(row["attempt"])),
        system=_text(row["system"]) or "",
        user=_text(row["user_text"]) or "",
        outcome=_text(row["outcome"]) or "no answer on record",
        http_status=_int(row["http_status"]),
        body=_text(row["body"]) or "",
        error=_text(row["error"]) or "",
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))


def _int(value: object) -> int | None:
    return None if value is None else int(str(value))


def _with_findings(
    shown: list[Shown], found: dict[tuple[str, str], list[Checked]], rubric: Rubric
) -> list[Shown]:
    """The judgments with the faults reported under each criterion, and what they come to."""
    return [
        _added_up(one, found.get((one.key, one.label), []), rubric) if one.marks else one
        for one in shown
    ]


def _added_up(one: Shown, own: list[Checked], rubric: Rubric) -> Shown:
    blocked = {mark.criterion: mark.blocked for mark in one.marks if mark.blocked is not None}
    costs = costs_of(rubric, own, blocked)
    marks = []
    for mark in one.marks:
        places = [at for at, find in enumerate(own) if find.finding.criterion == mark.criterion]
        each = [costs.finds[at] for at in places]
        marks.append(
            replace(
                mark,
                findings=tuple(own[at] for at in places),
                cost=costs.marks.get(mark.criterion),
                costs=tuple(
                    cost
                    if cost.counted_with is None
                    else replace(cost, counted_with=places.index(cost.counted_with))
                    for cost in each
                ),
            )
        )
    return replace(one, marks=tuple(marks), sum=costs.sum, held=costs.held)
