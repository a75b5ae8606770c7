"""Published scores in JSON: records, and rules, corrections and second opinions beside them.

Files of others: keys that are not known are passed over. In records, what is of another
type counts as not there; in rules, by which all records are held, it is a fault.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgebench import strict
from judgebench.errors import ImportFileError
from judgebench.model.deductions import Limit, Tier
from judgebench.model.published import (
    ChangedMark,
    Claim,
    Deduction,
    Published,
    ScoreTable,
    TableRules,
)
from judgebench.runs import published_words as words
from judgebench.runs.published_words import Told
from judgebench.text import one_line

_TOO_LARGE = 1e15
"""Numbers from here on are no marks."""


def read_json(path: Path, told: Told) -> Published:
    """Read records with the rules, corrections and second opinions beside them.

    Raises:
        ImportFileError: It is no such file.
    """
    try:
        data = strict.loads(words.text_of_file(path), max_chars=words.MAX_BYTES)
    except strict.StrictFault as exc:
        problem = f"is not valid JSON: {one_line(str(exc), 80)}"
        raise ImportFileError(path, problem, "mend or export it again") from None
    records = data.get("records") if isinstance(data, dict) else data
    if not isinstance(records, list):
        raise ImportFileError(path, "holds no list of records", "write them under records")
    words.check_rows(path, len(records))
    data = data if isinstance(data, dict) else {}
    rubrics = data.get("rubrics")
    if not isinstance(rubrics, dict | None):
        raise _wrong(path, "rubrics", rubrics, "a group of rubrics by their names")
    rules = {
        one_line(name, 80): _Rules(path, f"rubrics.{one_line(name, 40)}", spec).read(name)
        for name, spec in (rubrics or {}).items()
    }
    groups: dict[str, list[Claim]] = {}
    passed_over = 0
    for at, record in enumerate(records, 1):
        claim = _json_claim(at, record)
        if claim is None:
            passed_over += 1
            continue
        groups.setdefault(_text_of(record, words.GROUPS) or path.stem, []).append(claim)
    notes = (f"records without a name or a total: {passed_over:,}",) if passed_over else ()
    return Published(
        tables=tuple(
            _json_table(name, claims, rules.get(name), told) for name, claims in groups.items()
        ),
        changed=tuple(_changes(data)),
        notes=notes,
    )


def _json_table(
    name: str, claims: Sequence[Claim], own: TableRules | None, told: Told
) -> ScoreTable:
    rules = words.ruled(own or TableRules(), told)
    criteria = told.criteria or tuple(rules.maxima)
    if not criteria:
        most = max((claim.marks for claim in claims), key=len, default={})
        criteria = tuple(most)
    return ScoreTable(name=name, claims=tuple(claims), criteria=criteria, rules=rules)


def _json_claim(at: int, record: object) -> Claim | None:
    if not isinstance(record, dict):
        return None
    name = _text_of(record, words.NAMES)
    total = _number_of(record, words.TOTALS)
    marks = _numbers_of(record, ("dims", "marks", "criteria"))
    if not name or (total is None and not marks):
        return None
    rank = _number_of(record, words.RANKS)
    return Claim(
        name=name,
        line=at,
        condition=_text_of(record, words.CONDITIONS),
        marks=marks,
        total=total,
        tier=_text_of(record, words.TIERS),
        rank=int(rank) if rank is not None and rank.is_integer() else None,
        deductions=tuple(_json_charges(record)),
    )


def _json_charges(record: Mapping[str, Any]) -> Iterator[Deduction]:
    for one in _list_of(record, words.DEDUCTIONS)[: words.MAX_ROWS]:
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
        (
            words.word_of(v)
            for k in keys
            if isinstance(v := record.get(k), str) and words.word_of(v)
        ),
        "",
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


def _wrong(path: Path, key: str, value: object, wanted: str) -> ImportFileError:
    shown = "a list" if isinstance(value, list) else "a group of keys"
    if not isinstance(value, list | dict):
        shown = "empty" if value is None else one_line(repr(value), 40)
    return ImportFileError(path, f"is {shown}", f"write {wanted}", key=key)


class _Rules:
    """Maxima, bars, caps and gates as a JSON file states them beside its records."""

    def __init__(self, path: Path, place: str, spec: object) -> None:
        self.path, self.place = path, place
        if not isinstance(spec, dict):
            raise _wrong(path, place, spec, "a group with dims, tiers, caps, gates or prices")
        self.spec = spec

    def read(self, name: str) -> TableRules:
        """All of them.

        Raises:
            ImportFileError: One of them is not of its form.
        """
        bars = self._numbers(("tiers",), least=None, first_of_list=True)
        return TableRules(
            maxima=self._numbers(("dims", "criteria", "maxima")),
            tiers=tuple(
                Tier(name=n, at_least=b) for n, b in sorted(bars.items(), key=lambda i: -i[1])
            ),
            caps=tuple(self._limits("caps", of_total=False)),
            gates=tuple(self._limits("gates", of_total=True)),
            prices=self._numbers(("prices",)),
            source=one_line(name, 80),
        )

    def _numbers(
        self, keys: Sequence[str], *, least: float | None = 0.0, first_of_list: bool = False
    ) -> dict[str, float]:
        key = next((one for one in keys if self.spec.get(one) is not None), None)
        if key is None:
            return {}
        group = self.spec[key]
        if not isinstance(group, dict):
            raise _wrong(self.path, f"{self.place}.{key}", group, "names with numbers")
        found: dict[str, float] = {}
        for name, value in group.items():
            number = value[0] if first_of_list and isinstance(value, list) and value else value
            if not _is_number(number) or (least is not None and number < least):
                where = f"{self.place}.{key}.{one_line(name, 40)}"
                wanted = "a number" if least is None else "a number of 0 or more"
                raise _wrong(self.path, where, value, wanted)
            found[one_line(name, 80)] = float(number)
        return found

    def _limits(self, key: str, *, of_total: bool) -> Iterator[Limit]:
        listed = self.spec.get(key)
        if listed is None:
            return
        if not isinstance(listed, list):
            raise _wrong(self.path, f"{self.place}.{key}", listed, "a list")
        for at, one in enumerate(listed, 1):
            limit = _limit(one, of_total=of_total) if isinstance(one, dict) else None
            if limit is None:
                on = "" if of_total else "target, "
                wanted = f"{on}cap, and finding or criterion with below"
                raise _wrong(self.path, f"{self.place}.{key}.{at}", one, wanted)
            yield limit


def _limit(one: Mapping[str, Any], *, of_total: bool) -> Limit | None:
    cap, target = _number_of(one, ("cap", "at_most")), _text_of(one, ("target",))
    finding, criterion = _text_of(one, ("finding",)), _text_of(one, ("criterion",))
    below = _number_of(one, ("below",))
    if cap is None or bool(target) == of_total or not (finding or (criterion and below)):
        return None
    return Limit(
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
                    table=_text_of(one, words.GROUPS),
                    name=_text_of(one, words.NAMES),
                    before=low,
                    after=high,
                    reason=_text_of(one, ("reason", "second_rater", "note")),
                )
