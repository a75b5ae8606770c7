"""A degenerate run from a file of marks through the store to result.json, CSV and pages."""

import json
import re
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.fuzz.figures import HIGH, LOW, degenerate
from tests.marks.space import Said, Space

_FAKE = re.compile(r"(?<![A-Za-z])(?:nan|inf|infinity)(?![A-Za-z])", re.IGNORECASE)
_PROGRAM = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
FORMS = ("judges", "people", "pairs")
"""Who gave the marks, and of what: seeds take them in turn."""
_ARGS = ("--item", "item", "--rater", "rater", "--scoring", "scoring", "--mark", "mark")
_SAID = (
    ("table",), ("table", "--why"), ("table", "--extended"), ("table", "--panel"), ("power",),
    ("agree", "--extended"), ("biases",),
)  # fmt: skip


def stored_faults(seed: int) -> list[str]:
    """Import one run, make its extended report, say all of it, and read it again."""
    rng = np.random.default_rng([seed, 5000])
    totals = degenerate(rng)
    form = FORMS[seed % len(FORMS)]
    with tempfile.TemporaryDirectory(prefix="judge-fuzz-") as made:
        root = Path(made)
        (root / "runs").mkdir()
        (root / "judges.toml").touch()
        space = Space(root)
        taken = _taken(space, totals, form)
        if taken.code != 0:
            return [f"seed {seed}: import: {fault}" for fault in _refused(taken)]
        found = [f"seed {seed}: {fault}" for fault in _said(space)]
        for folder in {path.parent for path in (root / "reports").rglob("result.json")}:
            found += [f"seed {seed}: {fault}" for fault in _read(folder)]
        return found


def _taken(space: Space, totals: np.ndarray, form: str) -> Said:
    if form == "pairs":
        path = space.csv(_pairs(totals), head=("item", "a", "b", "order", *_ENDS))
        named = ("--arm-a", "a", "--arm-b", "b", "--order", "order", "--scale", "0-1")
    else:
        path = space.csv(_rows(totals), head=("item", "arm", *_ENDS))
        named = ("--arm", "arm", "--scale", f"{LOW:g}-{HIGH:g}")
    people = ("--rater-kind", "human") if form == "people" else ()
    return space.judge("import", "marks", path, "--to", "runs/given", *_ARGS, *named, *people)


_ENDS = ("rater", "scoring", "mark")


def _rows(totals: np.ndarray) -> list[tuple[object, ...]]:
    return [
        (f"i{item}", f"arm-{arm}", f"r{rater}", turn, "" if np.isnan(value) else round(value, 1))
        for (arm, item, rater, turn), value in np.ndenumerate(totals)
    ]


def _pairs(totals: np.ndarray) -> list[tuple[object, ...]]:
    """Who has the higher total, a tie or nothing where one has none; in both orders."""
    return [
        (f"i{item}", f"arm-{a}", f"arm-{b}", order, f"r{rater}", turn,
         "" if np.isnan(gap) else (np.sign(np.round(gap, 9)) + 1) / 2)
        for a, b in combinations(range(len(totals)), 2)
        for (item, rater, turn), gap in np.ndenumerate(totals[a] - totals[b])
        for order in ("ab", "ba")[: 1 + (item + a) % 2]
    ]  # fmt: skip


def _refused(said: Said) -> Iterator[str]:
    """What is wrong with a refusal: it is one line, and no traceback."""
    if "Traceback" in said.err or len(said.err.splitlines()) != 1:
        yield said.err[-300:]


def _said(space: Space) -> Iterator[str]:
    """Every page of the run, printed or refused in one line."""
    made = space.judge("report", "runs/given", "--extended")
    if made.code != 0:
        yield f"report: {made.err[-300:]}"
    for command, *words in _SAID:
        said = space.judge(command, "runs/given", *words)
        if said.code not in {0, 1}:
            yield from (f"{command}: {fault}" for fault in _refused(said))
        if _FAKE.search(said.out):
            yield f"{command} shows {_FAKE.findall(said.out)[0]}"


def _read(folder: Path) -> Iterator[str]:
    constants: list[str] = []
    document = json.loads(
        (folder / "result.json").read_text(encoding="utf-8"), parse_constant=constants.append
    )
    yield from (f"result.json holds {one}" for one in constants)
    yield from _walk(document, "result")
    for path in sorted(path for end in ("md", "csv", "html") for path in folder.glob(f"*.{end}")):
        name = path.name
        # Words of the page and every number of its plots; its program holds names of numbers.
        found = _FAKE.search(_PROGRAM.sub("", path.read_text(encoding="utf-8")))
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
