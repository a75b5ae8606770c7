"""Which changes of a judge make it another judge."""

import dataclasses

import pytest

from judgebench.judges.identity import judge_sha256
from judgebench.model.nouns import Judge, Price

BASE = Judge(
    name="strict",
    model="stub-1",
    provider="endpoint",
    base_url="http://127.0.0.1:8000/v1",
    api_key_env="SOME_KEY",
    params={"temperature": 0, "seed": 7},
)


@pytest.mark.parametrize(
    "change",
    [
        {"model": "stub-2"},
        {"base_url": "http://127.0.0.1:9000/v1"},
        {"base_url": None},
        {"wire_mode": "tools"},
        {"params": {"temperature": 1, "seed": 7}},
        {"params": {}},
        {"provider": "openai"},
    ],
)
def test_what_can_change_marks_makes_another_judge(change: dict[str, object]) -> None:
    """Model, endpoint, mode and parameters."""
    assert judge_sha256(dataclasses.replace(BASE, **change)) != judge_sha256(BASE)  # type: ignore[arg-type]  # a table


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"api_key_env": "OTHER_KEY"},
        {"base_url": "http://127.0.0.1:8000/v1/"},
        {"base_url": "http://me:secret@127.0.0.1:8000/v1?key=secret"},
        {"price": Price(input_usd=1, output_usd=2)},
        {"rpm": 10},
        {"timeout_s": 5.0},
        {"max_tokens": 9},
        {"max_calls": 1},
        {"params": {"seed": 7, "temperature": 0}},
        {"sha256": "x"},
    ],
)
def test_names_keys_prices_and_limits_do_not(change: dict[str, object]) -> None:
    """The same judge, so nothing is asked anew."""
    assert judge_sha256(dataclasses.replace(BASE, **change)) == judge_sha256(BASE)  # type: ignore[arg-type]  # a table
