"""What is said where a judge failed more often than is allowed."""

from typing import Any

import pytest

from judgebench.pipeline.sending.failures import Failed, check_failures


def failed(reasons: dict[str, int], **more: Any) -> Failed:  # noqa: ANN401 - any field
    """What the judge near failed at."""
    return Failed(judge="near", noun="judgment", reasons=reasons, **more)


def test_what_failed_why_and_how_to_go_on() -> None:
    """Counts by reason, the most frequent first; controls are counted apart."""
    reasons = {"judge_timeout": 1, "judge_invalid": 3}
    said = check_failures(failed(reasons, asked=12, beside=1), allowed=0)
    assert str(said) == (
        "blocked on the side of judge near: 3 of 12 judgments and 1 control or repeat "
        "(judge_invalid 3, judge_timeout 1), allowed: 0 (--max-judge-failures); the same "
        "command with --retry-blocked asks them again (judge explain blocked)"
    )


@pytest.mark.parametrize(
    ("reasons", "replayed", "how"),
    [
        ({"judge_timeout": 2}, False, "the same command asks them again"),
        ({"judge_length": 2}, False, "once max_tokens in judges.toml is raised"),
        ({"cannot_judge": 2}, False, "asking again changes nothing"),
        ({"cannot_judge": 1, "judge_refused": 1}, False, "asks those of judge_refused again"),
        ({"judge_invalid": 2}, True, "--judge PROVIDER/MODEL asks anew"),
    ],
)
def test_the_way_on_is_one_that_helps(
    reasons: dict[str, int],
    replayed: bool,  # noqa: FBT001 - a case of the table
    how: str,
) -> None:
    """No answer is asked again by itself; a recording never changes."""
    said = check_failures(failed(reasons, replayed=replayed), allowed=1)
    assert how in str(said)
    assert check_failures(failed(reasons), allowed=2) is None


def test_one_failure_is_told_in_its_own_words() -> None:
    """Where no page shows the reply, the line says what was wrong with it."""
    said = check_failures(
        failed({"judge_invalid": 2}, asked=6, example="no JSON\nin it"), allowed=0
    )
    assert "(judge_invalid 2; the first: no JSON in it)" in str(said)
