"""The line that says how far a pass is."""

import io
import sys

import pytest

from judgebench.cli.progress import Line
from judgebench.pipeline.sending.sent import Progress


class Screen(io.StringIO):
    """A terminal that keeps what was drawn."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def drawn(monkeypatch: pytest.MonkeyPatch, *, sent: int, wanted: int | None, seconds: float) -> str:
    """The line at one moment."""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    line = Line(quiet=False)
    line.show(
        Progress(
            sent=sent,
            scored=sent,
            blocked=0,
            calls=sent,
            in_flight=4,
            cost_usd=0.25,
            elapsed_s=seconds,
            wanted=wanted,
        )
    )
    return screen.getvalue()


@pytest.mark.parametrize(
    ("sent", "wanted", "seconds", "words"),
    [
        (10, 40, 5.0, "about 15 s left"),
        (10, 40, 100.0, "about 5 min left"),
        (10, 4_010, 100.0, "about 11.1 h left"),
    ],
)
def test_the_line_says_how_much_is_left(
    monkeypatch: pytest.MonkeyPatch, sent: int, wanted: int, seconds: float, words: str
) -> None:
    """How many of how many, the rate, the cost so far and the time left at this rate."""
    shown = drawn(monkeypatch, sent=sent, wanted=wanted, seconds=seconds)
    assert f"{sent} of {wanted:,} answered" in shown
    assert "0.250 USD so far" in shown
    assert shown.endswith(words)


@pytest.mark.parametrize(("sent", "wanted"), [(0, 40), (40, 40), (5, None)])
def test_no_time_is_guessed(monkeypatch: pytest.MonkeyPatch, sent: int, wanted: int | None) -> None:
    """Before the first answer, after the last one, and where the end is unknown."""
    assert "left" not in drawn(monkeypatch, sent=sent, wanted=wanted, seconds=2.0)
