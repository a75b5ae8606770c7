"""A fresh store for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judgebench.model.collected import Arm
from judgebench.store.rows import ItemRow
from judgebench.store.store import Store
from tests.store import build


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database stands."""
    return tmp_path / "judgments" / "judgments.duckdb"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An open store with one pass on a run of two arms and four items."""
    with Store.open(path) as opened:
        opened.put_pass(build.pass_row())
        opened.put_arms(build.RUN, [Arm(id="south"), Arm(id="north")])
        opened.put_items(
            build.RUN,
            [
                ItemRow(
                    item=f"i{n}",
                    sha256=build.sha(f"item {n}"),
                    has_evidence=False,
                    has_reference=True,
                    chars=80,
                )
                for n in range(4)
            ],
        )
        yield opened
