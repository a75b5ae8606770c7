"""A workspace with a judged run."""

import shutil
from pathlib import Path

import pytest

from tests.marks.space import Space
from tests.people.runs import judged


def _empty(root: Path) -> Space:
    (root / "runs").mkdir()
    (root / "judges.toml").touch()
    return Space(root)


@pytest.fixture
def space(tmp_path: Path) -> Space:
    """An empty workspace."""
    return _empty(tmp_path)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with run ``r``: three arms, 60 items, two criteria, one judge."""
    space = _empty(tmp_path_factory.mktemp("people"))
    judged(space)
    return space.root


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Space:
    """A copy of that workspace."""
    return Space(Path(shutil.copytree(made, tmp_path / "w")))
