"""Small run folders, made in a temporary place."""

from pathlib import Path

import pytest

from tests.runs.helpers import RUN_YAML, put


@pytest.fixture
def notice(tmp_path: Path) -> Path:
    """Two items, two arms, all four outputs whole and on record."""
    run = tmp_path / "notice"
    put(run / "run.yaml", RUN_YAML)
    for item in ("n1", "n2"):
        put(run / "items" / item / "prompt.md", f"Write notice {item}.\n")
        for arm in ("north", "south"):
            put(run / arm / item / "output.md", f"The room of {arm} closes at two ({item}).\n")
            put(
                run / arm / item / "meta.json",
                {"finish_reason": "stop", "usage": {"prompt_tokens": 60, "completion_tokens": 70}},
            )
    put(run / "items/n1/evidence/hours.txt", "Friday: closes at 14:00.")
    put(run / "items/n1/reference.md", "We close at two.")
    return run
