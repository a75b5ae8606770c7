"""Measure, print, and write the table into docs/statistics.md."""

import argparse
import sys
import time
from pathlib import Path

from benchmarks.coverage.cells import KINDS, RUNS, measured
from benchmarks.coverage.tables import Measured, put


def measure(form: str, kept: Path) -> Measured:
    """Measure all cells of all scenarios that are not kept yet."""
    found = {kind.name: list(measured(kind, RUNS[form], kept)) for kind in KINDS}
    return Measured(**found)  # type: ignore[arg-type]  # each kind makes rows of its own type


def main() -> int:
    """Parse, measure, write; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--full", action="store_const", const="full", dest="form")
    form.add_argument("--short", action="store_const", const="short", dest="form")
    parser.add_argument("--docs", type=Path, default=Path("docs/statistics.md"))
    parser.add_argument(
        "--kept",
        type=Path,
        default=Path("build/coverage.json"),
        help="cells measured so far; delete it to measure all anew",
    )
    chosen = parser.parse_args()
    began = time.process_time()
    found = measure(chosen.form, chosen.kept)
    text = found.markdown(chosen.form)
    chosen.docs.write_text(put(chosen.docs.read_text(encoding="utf-8"), text), encoding="utf-8")
    print(text)
    print(f"{time.process_time() - began:.0f} s of processor time", file=sys.stderr)
    return 0 if all(one.met for one in found.goals()) else 1


if __name__ == "__main__":
    sys.exit(main())
