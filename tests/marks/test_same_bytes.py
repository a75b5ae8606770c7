"""Equal stores give equal bytes: in another process, under another hash seed, from elsewhere.

Of a run of marks a second import of the same file changes the times of taking in and nothing
else. What is drawn (random signs, bounded means) is drawn from the hash of the file.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judgebench.store import opening
from tests.clock import HANG_S
from tests.marks.space import Space

RUN = """
import json, os, sys
from judgebench.cli.main import main
views, reports, away = map(json.loads, sys.argv[1:])
for words in [*views, None, *reports]:
    if words is None:
        os.chdir(away)
        continue
    sys.argv = ["judge", *words]
    try:
        main()
    except SystemExit as exc:
        print(*words[:1], "exit", exc.code)
"""
VIEWS = ("", "--json --extended", "--extended", "--items", "--panel --json", "--pass people --json")
ARMS = ("north", "south", "east", "west")
PAIR = ("item", "first", "second", "order", "rater", "kind", "mark")


def drawn() -> list[tuple[object, ...]]:
    """Two judges and a person on four arms over enough items that sign flips are drawn."""
    rng = np.random.default_rng(20261130)
    return [
        (f"i{item}", arm, criterion, rater, "" if rng.random() < 0.04 else int(rng.integers(3, 10)))
        for rater in ("meter", "gauge", "ana")
        for item in range(24)
        for arm in ARMS
        for criterion in ("true", "clear")
    ]


def pairs() -> list[tuple[object, ...]]:
    """A judge on all pairs in both orders."""
    rng = np.random.default_rng(3)
    return [
        (f"i{item}", a, b, order, "meter", "llm", int(rng.choice((1, 1, 0, -1))))
        for item in range(12)
        for at, a in enumerate(ARMS)
        for b in ARMS[at + 1 :]
        for order in ("AB", "BA")
    ]


def filled(space: Space) -> None:
    """Both kinds of marks as two runs."""
    judges = ("--judge", "meter", "--judge", "gauge")
    assert space.take(space.csv(drawn()), *judges, "--scale", "1-10").code == 0
    path = space.csv(pairs(), name="pairs.csv", head=PAIR)
    said = space.judge(
        "import", "marks", path, "--to", "runs/pairs", "--item", "item", "--arm-a", "first",
        "--arm-b", "second", "--order", "order", "--rater", "rater", "--rater-kind", "kind",
        "--mark", "mark",
    )  # fmt: skip
    assert said.code == 0, said.err


def shown(space: Space, away: Path, seed: str) -> tuple[str, dict[str, bytes]]:
    """What views print in a process of its own, and the report files it writes from elsewhere."""
    shutil.rmtree(space.root / "reports", ignore_errors=True)
    runs = [str(space.root / "runs" / name) for name in ("given", "pairs")]
    views = [["table", run, *view.split()] for run in runs for view in VIEWS]
    views += [["agree", runs[0], "--json"], ["power", runs[0]]]
    reports = [["report", runs[0], "--extended"], ["report", runs[1], "--no-html"]]
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(json.dumps, (views, reports, str(away)))],
        cwd=space.root, capture_output=True, text=True, check=False, timeout=4 * HANG_S,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    files = {
        str(path.relative_to(space.root)): path.read_bytes()
        for path in sorted((space.root / "reports").rglob("*"))
        if path.is_file()
    }
    return done.stdout.partition("report exit")[0] + done.stderr, files


def test_another_process_shows_the_same_bytes(space: Space, tmp_path: Path) -> None:
    """Hash seed and folder change no table, no page and no file."""
    filled(space)
    away = tmp_path / "away"
    away.mkdir()
    first, second = shown(space, space.root, "1"), shown(space, away, "4242")
    tables = [one[0].partition(str(space.root / "reports"))[0] for one in (first, second)]
    assert tables[0].count("table exit 0") >= 2 * len(VIEWS) - 2
    assert first[1] == second[1]
    names = {Path(name).name for name in first[1]}
    assert names >= {"report.md", "report.html", "result.json", "ratings.csv", "ratings.parquet",
                     "pairs.csv", "criteria.csv"}  # fmt: skip


@pytest.mark.parametrize("threads", [1, 4])
def test_threads_of_the_database_change_nothing(
    space: Space, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    """Rows come in another order under four threads; the bytes stay."""
    filled(space)
    views = [("table", "runs/given", "--json", "--extended"), ("table", "runs/pairs", "--json")]
    before = [space.judge(*view).out for view in views]
    monkeypatch.setitem(opening._CONFIG, "threads", threads)  # noqa: SLF001 - no option sets it
    assert [space.judge(*view).out for view in views] == before


TIMES = {"started_at", "finished_at", "generated_from"}
"""Times of taking in, and the hash over them."""
SEEDED = {"p_max_t", "p_holm", "p_all_pairs", "p", "id"}
"""What depends on random signs, and the name of the pass that they are drawn from."""


def without(found: Any, names: set[str], *, ends: bool = True) -> Any:  # noqa: ANN401 - JSON
    """A result without some of its figures; `ends`: those of bounded intervals stay."""
    if isinstance(found, list):
        return [without(one, names, ends=ends) for one in found]
    if not isinstance(found, dict):
        return found
    bounded = not ends and found.get("kind") == "bounded"
    left_out = names | {"low", "high"} if bounded else names
    return {
        name: without(one, names, ends=ends) for name, one in found.items() if name not in left_out
    }


def taken_in(root: Path, rows: list[tuple[object, ...]]) -> Space:
    """A workspace of its own with these marks."""
    root.mkdir()
    (root / "judges.toml").touch()
    space = Space(root)
    said = space.take(
        space.csv(rows), "--judge", "meter", "--judge", "gauge", "--scale", "1-10"
    )  # fmt: skip
    assert said.code == 0, said.err
    return space


def test_the_same_file_taken_in_again_gives_the_same_figures(tmp_path: Path) -> None:
    """In another workspace, at another time: only the times differ."""
    first, second = (taken_in(tmp_path / name, drawn()) for name in ("a", "b"))
    for view in (("--extended",), ("--panel",), ("--pass", "people")):
        one, two = first.table(*view), second.table(*view)
        assert without(one, TIMES) == without(two, TIMES)


def test_the_order_of_rows_changes_nothing_but_what_is_drawn(tmp_path: Path) -> None:
    """Signs are drawn from the hash of the file; means, t intervals, places and sets stay."""
    rows = drawn()
    # Names are numbered as they come: one item of the first rater has them all.
    head = [row for row in rows if row[1:4:2] == (ARMS[0], "meter") or row[0] == "i0"]
    rest = [row for row in rows if row not in head]
    first = taken_in(tmp_path / "a", [*head, *rest])
    shuffled = [rest[at] for at in np.random.default_rng(8).permutation(len(rest))]
    second = taken_in(tmp_path / "b", [*head, *shuffled])
    for view in (("--extended",), ("--pass", "people")):
        one, two = first.table(*view), second.table(*view)
        assert without(one, TIMES) != without(two, TIMES)
        names = TIMES | SEEDED
        assert without(one, names, ends=False) == without(two, names, ends=False)
