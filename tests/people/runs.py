"""Runs and sheets of marks with a known truth."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.marks.space import COLUMNS, Space

ARMS = ("sol", "kimi", "terra")
CRITERIA = ("grounding", "action")
ITEMS = 60
TRUTH = np.random.default_rng(11).normal(6, 1.2, (1, ITEMS)) + np.random.default_rng(12).normal(
    0, 0.7, (3, ITEMS)
) + np.array([[0.5], [0.0], [-0.5]])  # fmt: skip


def _mark(value: float) -> int:
    return int(np.clip(round(value), 1, 10))


def judged(space: Space, *, name: str = "r", items: int = ITEMS, kimi: float = 1.0) -> None:
    """Import a judge that is two points too kind on action, and kinder still to kimi."""
    rng = np.random.default_rng(13)
    rows = [
        (f"q{i}", arm, c, "gpt",
         _mark(TRUTH[a, i] + rng.normal(0, 0.5) + (2.0 + kimi * (a == 1)) * (c == "action")))
        for i in range(items) for a, arm in enumerate(ARMS) for c in CRITERIA
    ]  # fmt: skip
    path = space.csv(rows, name=f"{name}.csv")
    said = space.judge(
        "import", "marks", path, *COLUMNS, "--mark", "mark", "--judge", "gpt", "--scale", "1-10"
    )
    assert said.code == 0, said.err


def sheet(
    space: Space, items: Sequence[str], *, people: Sequence[str] = ("ana", "ben", "cyd"),
    criteria: Sequence[str] = CRITERIA, name: str = "people.csv", seed: int = 14,
) -> Path:  # fmt: skip
    """People who mark the truth with noise of their own."""
    rng = np.random.default_rng(seed)
    rows = [
        (q, arm, c, who, _mark(TRUTH[a, int(q[1:])] + rng.normal(0, 0.8)))
        for q in items for a, arm in enumerate(ARMS) for c in criteria for who in people
    ]  # fmt: skip
    return space.csv(rows, name=name)


def drawn(space: Space, n: int, *more: object) -> list[str]:
    """Items of a draw, in its order."""
    said = space.judge("sample", "runs/r", "--items", n, "--json", *more)
    assert said.code == 0, said.err
    items: list[str] = json.loads(said.out)["items"]
    return items


def calibrated(space: Space, *words: object, run: str = "runs/r") -> dict[str, Any]:
    """The JSON of a calibration; it holds nothing that is no number."""
    said = space.judge("calibrate", run, "--json", *words)
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out, parse_constant=_none)
    return found


def _none(word: str) -> None:
    raise AssertionError(word)


def axis(found: dict[str, Any], name: str) -> dict[str, Any]:
    """One criterion of a calibration."""
    one: dict[str, Any] = next(a for a in found["axes"] if a["id"] == name)
    return one
