"""A workspace for every test."""

from pathlib import Path

import pytest

from tests.marks.space import Space


@pytest.fixture
def space(tmp_path: Path) -> Space:
    """An empty workspace."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "judges.toml").touch()
    return Space(tmp_path)
