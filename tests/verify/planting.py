"""Slips put into copies of a table that adds up, each with what must be found."""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from judgebench.model.published import SlipKind

Scores = dict[str, Any]
Record = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Plant:
    """One slip in one copy."""

    kind: SlipKind
    name: str
    """The project, or the class of findings, that must be named."""
    data: Scores


def with_deductions(data: Scores, caps: dict[str, list[Record]]) -> Scores:
    """The same scores with every lost point as a find of its own, and with caps that hold.

    All marks must be whole, so that each find costs one point everywhere.
    """
    data = copy.deepcopy(data)
    for name, limits in caps.items():
        data["rubrics"][name]["caps"] = limits
    for record in data["records"]:
        maxima = data["rubrics"][record["rubric"]]["dims"]
        if len(record["dims"]) == len(maxima):
            record["deductions"] = [
                {"criterion": one, "finding": f"{one}-fault", "points": 1, "place": f"find {n}"}
                for one, top in maxima.items()
                for n in range(int(top - record["dims"][one]))
            ]
    return data


def label(record: Record) -> str:
    """The name that a slip gives to a record."""
    return f"{record['slug']} ({record['condition']})" if record["condition"] else record["slug"]


def plants(data: Scores) -> Iterator[Plant]:
    """Every slip that can be put into a copy of this table, kind by kind."""
    for kind, make in _MAKERS.items():
        for at in range(len(data["records"])):
            # Only one record is ever changed: the rest is shared between copies.
            changed = {**data, "records": list(data["records"])}
            changed["records"][at] = copy.deepcopy(data["records"][at])
            named = make(changed, changed["records"][at])
            if named:
                yield Plant(kind=kind, name=named, data=changed)


def _whole(data: Scores, record: Record) -> bool:
    return len(record["dims"]) == len(data["rubrics"][record["rubric"]]["dims"])


def _ranked(data: Scores, record: Record) -> list[Record]:
    return [
        other
        for other in data["records"]
        if other["rubric"] == record["rubric"] and other["rank"] is not None
    ]


def _sum(data: Scores, record: Record) -> str:
    if not _whole(data, record):
        return ""
    record["total"] += 1 if record["total"] < 50 else -1
    record["rank"] = None
    return label(record)


def _rank(data: Scores, record: Record) -> str:
    alone = sum(o["total"] == record["total"] for o in _ranked(data, record)) == 1
    if record["rank"] is None or not alone:
        return ""
    record["rank"] += 1
    return label(record)


def _tie(data: Scores, record: Record) -> str:
    shared = sum(o["total"] == record["total"] for o in _ranked(data, record)) > 1
    if record["rank"] is None or not shared:
        return ""
    record["rank"] += 1
    return label(record)


def _tier(data: Scores, record: Record) -> str:
    bars = {name: low for name, (low, _) in data["rubrics"][record["rubric"]]["tiers"].items()}
    for name, low in bars.items():
        worse = [other for other, bar in bars.items() if bar < low]
        if low <= record["total"] <= low + 2 and worse:
            record["tier"] = worse[0]
            return label(record)
        if low - 2 <= record["total"] < low:
            record["tier"] = name
            return label(record)
    return ""


def _cap(data: Scores, record: Record) -> str:
    for cap in data["rubrics"][record["rubric"]].get("caps", []):
        mark = record["dims"].get(cap.get("criterion"))
        if mark is not None and mark < cap["below"]:
            up = int(cap["cap"] + 1 - record["dims"][cap["target"]])
            _move(record, cap["target"], up)
            return label(record)
    return ""


def _move(record: Record, criterion: str, up: int) -> None:
    """Raise a mark, with its finds and the total, so that only one thing is wrong."""
    record["dims"][criterion] += up
    record["total"] += up
    mine = [one for one in record["deductions"] if one["criterion"] == criterion]
    for one in mine[: max(0, up)]:
        record["deductions"].remove(one)


def _twice(_data: Scores, record: Record) -> str:
    for one in record.get("deductions", []):
        if record["dims"][one["criterion"]] >= 1:
            record["deductions"].append(dict(one))
            record["dims"][one["criterion"]] -= 1
            record["total"] -= 1
            return label(record)
    return ""


def _price(_data: Scores, record: Record) -> str:
    finds = record.get("deductions", [])
    for one in finds:
        same = [other for other in finds if other["finding"] == one["finding"]]
        if len(same) > 1:
            one["points"] = 2
            finds.remove(same[-1])
            return str(one["finding"])
    return ""


_MAKERS: dict[SlipKind, Callable[[Scores, Record], str]] = {
    SlipKind.SUM: _sum,
    SlipKind.RANK: _rank,
    SlipKind.TIE: _tie,
    SlipKind.TIER: _tier,
    SlipKind.CAP: _cap,
    SlipKind.TWICE: _twice,
    SlipKind.PRICES: _price,
}
