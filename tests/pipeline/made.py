"""A workspace with a run, a stub judge, and the main job over it, inside this process."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from judgebench.pipeline.scoring.score import Outcome, score
from judgebench.pipeline.setting.choices import Choices, Where
from judgebench.pipeline.setting.scene import World
from judgebench.store.store import Store

NOW = datetime(2026, 9, 5, 12, 0, tzinfo=UTC)
META = {
    "finish_reason": "stop",
    "usage": {"prompt_tokens": 50, "completion_tokens": 40},
    "max_tokens": 400,
    "timeout_s": 60,
}
RUN = """\
use_case: {key: notice, project: library, job: A notice that visitors understand.}
settings: {max_tokens: 400, timeout_s: 60, cli_cwd: empty, cache: off, fallback: off}
"""


def answer(arm: str, item: str) -> str:
    """An answer that a stub can tell apart."""
    return f"The reading room closes at four on Friday for {item}. Sign {arm}{item} says so.\n"


def make_workspace(folder: Path, base_url: str, **table: object) -> Path:
    """Write judges.toml with one judge at a stub endpoint."""
    rows = {"model": '"stub-model"', "base_url": f'"{base_url}"'}
    rows |= {name: json.dumps(value) for name, value in table.items()}
    lines = "\n".join(f"{name} = {value}" for name, value in rows.items())
    (folder / "judges.toml").write_text(f'default = "stub"\n[judges.stub]\n{lines}\n')
    return folder


def make_run(
    folder: Path,
    *,
    items: tuple[str, ...] = ("i1", "i2", "i3"),
    arms: tuple[str, ...] = ("north", "south"),
    texts: Mapping[tuple[str, str], str] | None = None,
    metas: Mapping[tuple[str, str], Mapping[str, Any]] | None = None,
    head: str = RUN,
) -> Path:
    """Write a run of item folders."""
    run = folder / "runs" / "made"
    run.mkdir(parents=True, exist_ok=True)
    (run / "run.yaml").write_text(head)
    for item in items:
        (run / "items" / item).mkdir(parents=True, exist_ok=True)
        (run / "items" / item / "prompt.md").write_text(f"Write a notice about {item}.\n")
        for arm in arms:
            place = run / arm / item
            place.mkdir(parents=True, exist_ok=True)
            (place / "output.md").write_text((texts or {}).get((arm, item), answer(arm, item)))
            meta = (metas or {}).get((arm, item), META)
            (place / "meta.json").write_text(json.dumps(meta))
    return run


def world(folder: Path, said: list[str] | None = None) -> World:
    """A world with a fixed clock."""
    heard = said if said is not None else []
    return World(env={}, cwd=folder, now=lambda: NOW, say=heard.append)


def judge(run: Path, *, said: list[str] | None = None, **changes: Any) -> Outcome:  # noqa: ANN401
    """Score a run with the rubric `answer` and without controls unless told otherwise."""
    choices = Choices(where=Where(run=run), rubric="answer", concurrency=4, controls=0)
    return score(
        replace(choices, **changes), world(run.parents[1], said), progress=lambda _found: None
    )


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """Ask the workspace's database a question in SQL, as a user would."""
    with Store.open(folder / "judgments" / "judgments.duckdb", create=False) as store:
        return store.cursor().execute(query).fetchall()
