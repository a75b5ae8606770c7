"""A degenerate run from a file of marks through the store to result.json, CSV and pages."""

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.fuzz.figures import HIGH, LOW, degenerate
from tests.marks.space import Space

_FAKE = re.compile(r"(?<![A-Za-z])(?:nan|inf|infinity)(?![A-Za-z])", re.IGNORECASE)


def stored_faults(seed: int) -> list[str]:
    """Import one run, make its extended report, and read all of it again."""
    rng = np.random.default_rng([seed, 5000])
    totals = degenerate(rng)
    with tempfile.TemporaryDirectory(prefix="judge-fuzz-") as made:
        root = Path(made)
        (root / "runs").mkdir()
        (root / "judges.toml").touch()
        space = Space(root)
        path = space.csv(_rows(totals))
        taken = space.take(path, "--scale", f"{LOW:g}-{HIGH:g}")
        if taken.code != 0:
            told = "Traceback" not in taken.err and len(taken.err.splitlines()) == 1
            return [] if told else [f"seed {seed}: import: {taken.err[:200]}"]
        said = space.judge("report", "runs/given", "--extended")
        if said.code != 0:
            return [f"seed {seed}: report: {said.err[:200]}"]
        folder = next((root / "reports").rglob("result.json")).parent
        return [f"seed {seed}: {fault}" for fault in _read(folder)]


def _rows(totals: np.ndarray) -> list[tuple[object, ...]]:
    return [
        (f"i{item}", f"arm-{arm}", "quality", "meter", "" if value != value else round(value, 1))  # noqa: PLR0124
        for (arm, item, _, _), value in np.ndenumerate(totals[:, :, :1])
    ]


def _read(folder: Path) -> Iterator[str]:
    constants: list[str] = []
    document = json.loads(
        (folder / "result.json").read_text(encoding="utf-8"), parse_constant=constants.append
    )
    yield from (f"result.json holds {one}" for one in constants)
    yield from _walk(document, "result")
    for name in ("report.md", "ratings.csv", "pairs.csv", "criteria.csv"):
        found = _FAKE.search((folder / name).read_text(encoding="utf-8"))
        if found:
            yield f"{name} shows {found.group()}"


def _walk(value: object, place: str) -> Iterator[str]:
    if isinstance(value, list):
        for at, one in enumerate(value):
            yield from _walk(one, f"{place}[{at}]")
    elif isinstance(value, dict):
        if "low" in value and "high" in value and "value" in value:
            low, high = value["low"], value["high"]
            if (low is None) != (high is None) or (low is not None and high - low <= 1e-9):
                yield f"{place}: an interval without a width: {value}"
        if "value" in value and value["value"] is None and not value.get("code"):
            yield f"{place}: null without a code"
        for key, one in value.items():
            yield from _walk(one, f"{place}.{key}")
