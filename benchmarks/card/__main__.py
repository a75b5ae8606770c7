"""Measure, print, and write the tables into docs/judge.md."""

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from zlib import crc32

from benchmarks.card import figures, judges, measure, truths
from benchmarks.card.judges import JUDGES, Planted
from benchmarks.card.measure import SIZES, Row, rows
from benchmarks.card.tables import markdown, put
from judgebench.stats import bias, checks, effects, intervals, ordering, repeatability

RUNS = {"short": 40, "full": 250}
_RESTS_ON: tuple[ModuleType, ...] = (
    figures, judges, measure, truths, bias, checks, effects, intervals, ordering, repeatability,
)  # fmt: skip


def _kept_rows(judge: Planted, items: int, runs: int, path: Path) -> list[Row]:
    """Rows of a cell, from the file where the code that made them is still the same."""
    total = 0
    for module in _RESTS_ON:
        total = crc32(Path(str(module.__file__)).read_bytes(), total)
    key = f"{judge.name}|{items}|{runs}|{total:08x}"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if key not in kept:
        kept[key] = [asdict(row) for row in rows(judge, items, runs)]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(kept), encoding="utf-8")
    return [Row(**row) for row in kept[key]]


def main() -> int:
    """Parse, measure, write; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.card", description=__doc__)
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--full", action="store_const", const="full", dest="form")
    form.add_argument("--short", action="store_const", const="short", dest="form")
    parser.add_argument("--docs", type=Path, default=Path("docs/judge.md"))
    parser.add_argument("--kept", type=Path, default=Path("build/card.json"))
    chosen = parser.parse_args()
    began, found = time.process_time(), []
    for judge in JUDGES:
        for items in SIZES:
            found += _kept_rows(judge, items, RUNS[chosen.form], chosen.kept)
            print(f"{judge.name}, {items} items", file=sys.stderr, flush=True)
    text = markdown(found, chosen.form)
    chosen.docs.write_text(put(chosen.docs.read_text(encoding="utf-8"), text), encoding="utf-8")
    print(text)
    print(f"{time.process_time() - began:.0f} s of processor time", file=sys.stderr)
    return 0 if all(row.met for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
