"""Published scores in JSON: records, and rules, corrections and second opinions beside them.

Files of others: what is not known is passed over, what is of another type counts as
not there.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgebench.errors import ImportFileError
from judgebench.model.deductions import Limit
from judgebench.model.published import (
    ChangedMark,
    Claim,
    Deduction,
    Published,
    ScoreTable,
    TableRules,
)
from judgebench.model.deductions import Tier
from judgebench.runs.published_words import (
    CONDITIONS,
    DEDUCTIONS,
    GROUPS,
    MAX_ROWS,
    NAMES,
    RANKS,
    TIERS,
    TOTALS,
    Told,
    ruled,
    text_of_file,
    word_of,
)
from judgebench.text import one_line

_TOO_LARGE = 1e15
"""Numbers from here on are no marks."""


def read_json(path: Path, told: Told) -> Published:
    """Read records with the rules, corrections and second opinions beside them.

    Raises:
        ImportFileError: It is no such file.
    """
    try:
        data = json.loads(text_of_file(path), parse_constant=_no_constant)
    except (ValueError, RecursionError) as exc:
        problem = f"is not valid JSON: {one_line(str(exc), 80)}"
        raise ImportFileError(path, problem, "mend or export it again") from None
    records = data.get("records") if isinstance(data, dict) else data
    if not isinstance(records, list):
        raise ImportFileError(path, "holds no list of records", "write them under records")
    if len(records) > MAX_ROWS:
        raise ImportFileError(path, f"holds more than {MAX_ROWS:,} rows", "split it")
    data = data if isinstance(data, dict) else {}
    rubrics = data.get("rubrics")
    rules = {
        one_line(name, 80): _rules(spec, name)
        for name, spec in (rubrics.items() if isinstance(rubrics, dict) else ())
    }
    groups: dict[str, list[Claim]] = {}
    passed_over = 0
    for at, record in enumerate(records, 1):
        claim = _json_claim(at, record)
        if claim is None:
            passed_over += 1
            continue
        groups.setdefault(_text_of(record, GROUPS) or path.stem, []).append(claim)
    notes = (f"records without a name or a total: {passed_over:,}",) if passed_over else ()
    return Published(
        tables=tuple(
            _json_table(name, claims, rules.get(name), told) for name, claims in groups.items()
        ),
        changed=tuple(_changes(data)),
        notes=notes,
    )


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _json_table(
    name: str, claims: Sequence[Claim], own: TableRules | None, told: Told
) -> ScoreTable:
    rules = ruled(own or TableRules(), told)
    criteria = told.criteria or tuple(rules.maxima)
    if not criteria:
        most = max((claim.marks for claim in claims), key=len, default={})
        criteria = tuple(most)
    return ScoreTable(name=name, claims=tuple(claims), criteria=criteria, rules=rules)


def _json_claim(at: int, record: object) -> Claim | None:
    if not isinstance(record, dict):
        return None
    name = _text_of(record, NAMES)
    total = _number_of(record, TOTALS)
    marks = _numbers_of(record, ("dims", "marks", "criteria"))
    if not name or (total is None and not marks):
        return None
    rank = _number_of(record, RANKS)
    return Claim(
        name=name,
        line=at,
        condition=_text_of(record, CONDITIONS),
        marks=marks,
        total=total,
        tier=_text_of(record, TIERS),
        rank=int(rank) if rank is not None and rank.is_integer() else None,
        deductions=tuple(_json_charges(record)),
    )


def _json_charges(record: Mapping[str, Any]) -> Iterator[Deduction]:
    for one in _list_of(record, DEDUCTIONS)[:MAX_ROWS]:
        if not isinstance(one, dict):
            continue
        finding = _text_of(one, ("finding", "id", "class", "entry"))
        points = _number_of(one, ("points", "cost", "deducted"))
        if finding and points:
            yield Deduction(
                finding=finding,
                points=abs(points),
                criterion=_text_of(one, ("criterion", "dimension", "dim")),
                place=_text_of(one, ("place", "where", "at")),
            )


def _text_of(record: Mapping[str, Any], keys: Iterable[str]) -> str:
    return next(
        (word_of(v) for k in keys if isinstance(v := record.get(k), str) and word_of(v)), ""
    )


def _list_of(record: Mapping[str, Any], keys: Iterable[str]) -> list[Any]:
    return next((found for key in keys if isinstance(found := record.get(key), list)), [])


def _numbers_of(record: Mapping[str, Any], keys: Iterable[str]) -> dict[str, float]:
    found = next((one for key in keys if isinstance(one := record.get(key), dict)), {})
    return {one_line(k, 80): float(v) for k, v in found.items() if _is_number(v)}


def _number_of(record: Mapping[str, Any], keys: Iterable[str]) -> float | None:
    return next((float(record[k]) for k in keys if _is_number(record.get(k))), None)


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _TOO_LARGE
    )


def _rules(spec: object, name: str) -> TableRules:
    """Maxima, bars, caps and gates as a JSON file states them beside its records."""
    if not isinstance(spec, dict):
        return TableRules()
    bars = {}
    for tier, bar in spec["tiers"].items() if isinstance(spec.get("tiers"), dict) else ():
        low = bar[0] if isinstance(bar, list) and bar else bar
        if _is_number(low):
            bars[one_line(tier, 40)] = float(low)
    return TableRules(
        maxima=_numbers_of(spec, ("dims", "criteria", "maxima")),
        tiers=tuple(Tier(name=n, at_least=b) for n, b in sorted(bars.items(), key=lambda i: -i[1])),
        caps=tuple(_limits(_list_of(spec, ("caps",)), of_total=False)),
        gates=tuple(_limits(_list_of(spec, ("gates",)), of_total=True)),
        prices=_numbers_of(spec, ("prices",)),
        source=one_line(name, 80),
    )


def _limits(listed: Sequence[Any], *, of_total: bool) -> Iterator[Limit]:
    for one in listed:
        if not isinstance(one, dict):
            continue
        cap, target = _number_of(one, ("cap", "at_most")), _text_of(one, ("target",))
        finding, criterion = _text_of(one, ("finding",)), _text_of(one, ("criterion",))
        below = _number_of(one, ("below",))
        if cap is None or bool(target) == of_total or not (finding or (criterion and below)):
            continue
        yield Limit(
            cap=cap,
            target=target or None,
            finding=finding or None,
            criterion=criterion if not finding else None,
            below=below if not finding else None,
        )


def _changes(data: Mapping[str, Any]) -> Iterator[ChangedMark]:
    for key, kind, before, after in (
        ("corrections", "correction", "before", "after"),
        ("second_opinions", "second opinion", "first", "second"),
    ):
        for one in _list_of(data, (key,)):
            if not isinstance(one, dict):
                continue
            low, high = _number_of(one, (before,)), _number_of(one, (after,))
            if low is not None and high is not None:
                yield ChangedMark(
                    kind=kind,
                    table=_text_of(one, GROUPS),
                    name=_text_of(one, NAMES),
                    before=low,
                    after=high,
                    reason=_text_of(one, ("reason", "second_rater", "note")),
                )
