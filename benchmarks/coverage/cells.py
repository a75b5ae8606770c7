"""All cells of the tables, each kept in a file as soon as it is measured.

A measurement that was broken off goes on where it stopped. A kept cell counts only for
the code that made it: its key holds a sum over the modules that it rests on.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

from benchmarks.coverage import batched, clustered, decide, measure, power, scenarios, separated
from benchmarks.coverage.clustered import Clustered, ClusterRow, cluster_row
from benchmarks.coverage.decide import Decisions, decisions
from benchmarks.coverage.measure import Shares, mean_coverage, pair_coverage
from benchmarks.coverage.power import OwnPowers, Powers, own_power, power_found
from benchmarks.coverage.scenarios import COLLAPSED, SCENARIOS, SIZES, Scenario
from judgebench.pipeline.figures import possible
from judgebench.stats import arrays, cluster_flips, cr2, intervals, levels, pairs, planning, ranks

RUNS = {"short": 300, "full": 10_000}
"""Runs of each cell."""
OWN_SIZES = (3, 5, 10, 30)
"""Items that tell a spread roughly."""
DECIDED_SIZES = (2, 3, 5, 6, 10, 30, 100)
TAIL_SIZES = (intervals.MAX_BOUNDED, intervals.MAX_BOUNDED + 1)
"""The last size of the bounded interval, and the first of Student's t whatever the skewness."""
Found = Shares | Decisions | Powers | OwnPowers | ClusterRow
_COMMON = (scenarios, arrays, levels)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One table: how a cell of it is measured, and what that rests on."""

    name: str
    compute: Callable[[Any, int, int], Found]
    row: type[Found]
    scenarios: tuple[Scenario | Clustered, ...]
    sizes: tuple[int, ...]
    rests_on: tuple[ModuleType, ...]

    def key(self, scenario: Scenario | Clustered, n: int, runs: int) -> str:
        """Under which a cell is kept."""
        total = 0
        for module in (*_COMMON, *self.rests_on):
            total = crc32(Path(str(module.__file__)).read_bytes(), total)
        return f"{self.name}|{scenario.name}|{n}|{runs}|{total:08x}"


KINDS = (
    Kind(
        name="pairs",
        compute=pair_coverage,
        row=Shares,
        scenarios=SCENARIOS,
        sizes=SIZES,
        rests_on=(batched, measure, pairs),
    ),
    Kind(
        name="means",
        compute=mean_coverage,
        row=Shares,
        scenarios=SCENARIOS,
        sizes=SIZES,
        rests_on=(batched, measure, intervals),
    ),
    Kind(
        name="tail",
        compute=mean_coverage,
        row=Shares,
        scenarios=COLLAPSED,
        sizes=TAIL_SIZES,
        rests_on=(batched, measure, intervals),
    ),
    Kind(
        name="decided",
        compute=decisions,
        row=Decisions,
        scenarios=SCENARIOS,
        sizes=DECIDED_SIZES,
        rests_on=(batched, separated, decide, pairs, ranks),
    ),
    Kind(
        name="powers",
        compute=power_found,
        row=Powers,
        scenarios=tuple(one for one in SCENARIOS if not one.blocks),
        sizes=SIZES,
        rests_on=(batched, power, pairs, planning, possible),
    ),
    Kind(
        name="own",
        compute=own_power,
        row=OwnPowers,
        scenarios=tuple(one for one in SCENARIOS if not one.blocks),
        sizes=OWN_SIZES,
        rests_on=(batched, power, pairs, planning),
    ),
    Kind(
        name="clusters",
        compute=cluster_row,
        row=ClusterRow,
        scenarios=clustered.SCENARIOS,
        sizes=clustered.SIZES,
        rests_on=(batched, clustered, cr2, cluster_flips, pairs, intervals, planning),
    ),
)


def _kept(path: Path) -> dict[str, dict[str, object]]:
    if not path.exists():
        return {}
    found: dict[str, dict[str, object]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _keep(path: Path, cells: dict[str, dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part")
    half.write_text(json.dumps(cells, indent=0), encoding="utf-8")
    half.replace(path)


def measured(kind: Kind, runs: int, path: Path) -> Iterator[Found]:
    """Every cell of a table, from the file or measured now.

    Args:
        kind: The table.
        runs: Runs of each cell.
        path: Where cells are kept.
    """
    for scenario in kind.scenarios:
        for n in kind.sizes:
            key = kind.key(scenario, n, runs)
            cells = _kept(path)
            if key not in cells:
                began = time.process_time()
                cells[key] = asdict(kind.compute(scenario, n, runs))
                _keep(path, cells)
                took = time.process_time() - began
                print(f"{took:.1f} s  {cells[key]}", file=sys.stderr, flush=True)
            yield kind.row(**cells[key])  # type: ignore[arg-type]  # as `asdict` gave them
