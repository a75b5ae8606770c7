"""Try degenerate runs and tell what was wrong; exit 1 where anything was."""

import argparse
import sys
import warnings

from benchmarks.fuzz.figures import run
from benchmarks.fuzz.stored import stored_faults

RUNS, STORED = 5_000, 100


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="through the statistics")
    parser.add_argument("--stored", type=int, default=STORED, help="from a file through the store")
    chosen = parser.parse_args()
    warnings.simplefilter("error")
    figures = refused = 0
    wrong: list[str] = []
    for seed in range(chosen.runs):
        some, more, faults = run(seed)
        figures, refused = figures + some, refused + more
        wrong += faults
    for seed in range(chosen.stored):
        wrong += stored_faults(seed)
    for fault in wrong[:40]:
        print(fault, file=sys.stderr)
    print(
        f"{chosen.runs:,} degenerate runs, {figures:,} figures, {refused:,} refusals with a code; "
        f"{chosen.stored:,} runs through the store; {len(wrong):,} faults"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
