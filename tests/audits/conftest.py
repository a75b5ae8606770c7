"""A workspace with two projects and a judge that is a stub."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.desk import Desk, empty_space
from tests.audits.space import PLAN, RUBRIC, write_run
from tests.stub import StubServer

Judging = Callable[..., StubServer]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A workspace with the rubric `service` and the run `runs/code`."""
    root = empty_space(tmp_path, monkeypatch)
    (root / "rubrics" / "service.yaml").write_text(RUBRIC, encoding="utf-8")
    write_run(root)
    return Desk(root)


@pytest.fixture
def judging(desk: Desk) -> Iterator[Judging]:
    """Start a judge with a plan and make it the workspace's."""
    with ExitStack() as stack:

        def started(plan: dict[str, Any] = PLAN) -> StubServer:
            stub = stack.enter_context(StubServer(plan))
            desk.toml(stub.base_url)
            return stub

        yield started
