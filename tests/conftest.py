"""What holds for all tests: the same generated examples, untimed; controls only where asked for."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "judgebench",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("judgebench")


@pytest.fixture(autouse=True)
def _no_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant none: most tests count requests; tests/controls and --controls plant them."""
    monkeypatch.setenv("JUDGE_CONTROLS", "0")
