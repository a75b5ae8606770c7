"""A workspace and a stand-in endpoint for the acceptance tests."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.acceptance.desk import JSON, Desk, bulletin_desk
from tests.stub import StubServer


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """An empty workspace with the rubric `bulletin`."""
    return bulletin_desk(tmp_path, monkeypatch)


@pytest.fixture
def serve(desk: Desk) -> Iterator[Callable[..., StubServer]]:
    """Start a stub with a plan and point the workspace's judge at it."""
    with ExitStack() as stack:

        def started(plan: JSON, *, name: str = "stub", more: str = "") -> StubServer:
            stub = stack.enter_context(StubServer(plan))
            desk.toml(stub.base_url, name=name, more=more)
            return stub

        yield started
