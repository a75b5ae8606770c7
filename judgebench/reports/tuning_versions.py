"""Two versions of a rubric beside people → text."""

from collections.abc import Iterator, Sequence

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import TOTAL
from judgebench.model.tuning import Fit, Tuning, VersionFacts, VersionRow
from judgebench.model.versions import short_hash
from judgebench.namesakes import apart
from judgebench.reports import refusals
from judgebench.reports.digits import DASH, decimals, listed, plural, points, share, signed
from judgebench.reports.layout import Column, grid
from judgebench.reports.people_notes import look_note
from judgebench.text import one_line

WHOLE = {TOTAL, "overall"}
"""Rows that are of the answer as a whole; they are never left out."""


def beside(found: Tuning, width: int, *, most: int = 0) -> Iterator[str]:
    """Write the version beside the base, row by row, and what takes from it.

    Args:
        found: What was found.
        width: Columns of the terminal.
        most: Criteria in the table at most; 0 for all.
    """
    digits = decimals(found.scale_low, found.scale_high)
    version = found.version
    if version is None:
        return
    where = "the items for tuning" if found.looked_at == "tune" else "the report split"
    yield (
        f"Version {one_line(version.rubric_version, 16)} of "
        f"{one_line(version.rubric_name, 32)} (pass {version.pass_id}) beside it, on {where}:"
    )
    yield from _same_number(found.base, version)
    if found.sums_only:
        yield (
            "It asks the judge the same: nothing was judged, marks are as they were, and only "
            "totals differ."
        )
    rows = [row for row in found.rows if isinstance(row.before, Fit) or isinstance(row.after, Fit)]
    if rows:
        criteria = [row for row in rows if row.criterion not in WHOLE]
        kept = criteria[: most or None] + [row for row in rows if row.criterion in WHOLE]
        yield from _table(kept, digits, width)
        if left := len(rows) - len(kept):
            yield f" … {plural(left, 'more criterion', 'more criteria')}: --extended"
        if any(row.criterion == TOTAL for row in rows):
            yield "total: each version's own weights, gates and caps, on people's marks too."
    yield from _refused(found)
    yield from _caution(found)


def _same_number(base: VersionFacts, version: VersionFacts) -> Iterator[str]:
    """Two versions under one number, told apart by their hashes."""
    if (base.rubric_name, base.rubric_version) != (version.rubric_name, version.rubric_version):
        return
    old, new = (short_hash(one.ask_sha256, one.sum_sha256) for one in (base, version))
    yield (
        f'Both call themselves version "{one_line(version.rubric_version, 16)}", known apart by '
        f"hash: {old} before, {new} now. Raise version: in the file; it costs no request."
    )


def _table(rows: Sequence[VersionRow], digits: int, width: int) -> Iterator[str]:
    def cells(which: str) -> list[Fit | None]:
        return [fit if isinstance(fit := getattr(row, which), Fit) else None for row in rows]

    names = apart((row.criterion for row in rows), 24)
    columns = [
        Column(head="criterion", cells=tuple(names[row.criterion] for row in rows), least=9),
        *(
            Column(
                head=head,
                cells=tuple(
                    f"{make(a, digits)}→{make(b, digits)}"
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
                words = refusals.why(figure)
                names = reasons.setdefault(words, [])
                if _name(row) not in names:
                    names.append(_name(row))
    for words, names in reasons.items():
        yield f"Not shown for {listed(names, most=6)}: {words}."
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
