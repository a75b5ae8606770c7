"""An empty workspace for a judge whose leanings are known."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.acceptance.desk import Desk, bulletin_desk
from tests.card.planted import Seen, planted
from tests.stub import JSON, StubServer

Judging = Callable[..., StubServer]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """An empty workspace with the rubric `bulletin`."""
    return bulletin_desk(tmp_path, monkeypatch)


@pytest.fixture
def judging(desk: Desk) -> Iterator[Judging]:
    """Start a judge with a rule and make it the workspace's."""
    with ExitStack() as stack:

        def started(
            rule: Callable[[Seen], float], *, name: str = "stub", more: str = "",
            plan: JSON | None = None,
        ) -> StubServer:  # fmt: skip
            stub = stack.enter_context(planted(rule, plan))
            desk.toml(stub.base_url, name=name, more=more)
            return stub

        yield started
