"""Marks go from the database to arrays: none of them becomes a Python object on its way.

Twenty times as many marks of the same answers must make no more calls, and hold no more objects
at once. Both are counted by the interpreter itself, so a loop over marks, a list of them or
a row fetched for each is seen wherever it stands. The page report.html is left out: it shows
single judgments, of 500 answers at most.
"""

import gc
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

from judgebench.store.store import Store
from tests.marks.space import COLUMNS, Space

ARMS, ITEMS, CRITERIA = 3, 20, 2
FEW, MANY = 5, 100
"""Scorings of each answer."""
MORE = ARMS * ITEMS * CRITERIA * (MANY - FEW)
"""Marks that the larger run has more."""


@dataclass(frozen=True, kw_only=True)
class Work:
    """What a command did inside the interpreter."""

    calls: int
    """Calls of functions, of C too, and of steps of generators."""
    blocks: int
    """Small objects alive at once beyond those at the start."""


STORE = str(Path("judgebench") / "store")
"""What comes from the database comes out of a function there: objects are counted then."""
NOW_AND_THEN = 500


class Watch:
    """Counts calls, and the most blocks of small objects."""

    def __init__(self) -> None:
        # What earlier work left to be collected would be freed meanwhile, and hide what is made.
        gc.collect()
        self.calls = 0
        self.before = self.most = sys.getallocatedblocks()

    def __call__(self, frame: FrameType, event: str, what: object) -> None:
        """What the interpreter tells of each call and return."""
        if event in {"call", "c_call"}:
            self.calls += 1
            if self.calls % NOW_AND_THEN:
                return
        elif event == "c_return":
            if getattr(what, "__name__", "") != "tolist":
                return
        elif STORE not in frame.f_code.co_filename:
            return
        # Counting them takes long.
        self.most = max(self.most, sys.getallocatedblocks())

    def work(self) -> Work:
        """What was counted."""
        return Work(calls=self.calls, blocks=self.most - self.before)


def work(space: Space, run: str, words: tuple[str, ...]) -> Work:
    """Do a command under watch."""
    watch = Watch()
    sys.setprofile(watch)
    try:
        said = space.judge(words[0], run, *words[1:])
    finally:
        sys.setprofile(None)
    assert said.code == 0, said.err
    return watch.work()


def filled(space: Space, scorings: int, *, paired: bool) -> str:
    """A run in which every answer, or every pair, was marked so often."""
    rng = np.random.default_rng(11)
    run = f"runs/of{scorings}{'p' * paired}"
    names = [f"a{at}" for at in range(ARMS)]
    arms = [f"{a}|{b}" for a in names for b in names if a < b] if paired else names
    marks = (-1, 0, 1) if paired else tuple(range(1, 11))
    rows = [
        (f"i{item}", arm, f"c{criterion}", "meter", marks[rng.integers(len(marks))], again)
        for item in range(ITEMS)
        for arm in arms
        for criterion in range(CRITERIA)
        for again in range(scorings)
    ]
    path = space.csv(rows, head=("item", "arm", "criterion", "rater", "mark", "again"))
    form = tuple("--pair" if word == "--arm" else word for word in COLUMNS) if paired else COLUMNS
    said = space.judge(
        "import", "marks", path, "--to", run, *form, "--mark", "mark", "--scoring", "again",
        *(() if paired else ("--scale", "1-10")),
    )  # fmt: skip
    assert said.code == 0, said.err
    return run


@pytest.mark.parametrize("paired", [False, True])
def test_twenty_times_the_marks_make_no_more_objects(space: Space, *, paired: bool) -> None:
    """Table, its pages and the files of a report: as many calls, as many objects."""
    few, many = (filled(space, scorings, paired=paired) for scorings in (FEW, MANY))
    views = [("table",), ("report", "--no-html", "--extended"), ("table", "--json", "--items")]
    for words in views:
        # The first time modules are imported.
        assert space.judge(words[0], few, *words[1:]).code == 0
        less, more = work(space, few, words), work(space, many, words)
        assert more.calls - less.calls < MORE / 10, words
        # How many are alive when they are counted is chance by some hundreds.
        assert more.blocks - less.blocks < MORE / 4, words


def test_the_watch_sees_a_list_a_loop_and_rows(space: Space) -> None:
    """What must not happen is counted where it does."""
    filled(space, FEW, paired=False)
    n = 5_000
    with Store.open(space.root / "judgments" / "judgments.duckdb", create=False) as store:
        (shown,) = store.find_passes(None)
        asked = {"pass_id": shown.judging.id, "run": shown.judging.run, "criteria": ["c0", "c1"]}
        found = []
        for bad in (
            lambda: len(np.arange(n).astype(float).tolist()),
            lambda: sum(float(one) for one in np.arange(n)),
            lambda: len(store.rows("mark_codes", **asked)),
            lambda: len(store.columns("mark_codes", **asked)),
        ):
            watch = Watch()
            sys.setprofile(watch)
            try:
                bad()
            finally:
                sys.setprofile(None)
            found.append(watch.work())
    assert found[0].blocks > n / 2
    assert found[1].calls > n / 2
    marks = ARMS * ITEMS * CRITERIA * FEW
    assert found[2].blocks > marks / 2
    assert found[3].blocks < marks / 2
