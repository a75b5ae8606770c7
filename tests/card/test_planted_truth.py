"""One judge with every leaning at once, measured end to end: what was planted is found.

The judge marks over real HTTP, from a worth that stands in the answers; its leanings are
planted in how it marks. All that is asserted went through the database and the commands.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np
import pytest

from tests.acceptance.desk import Desk
from tests.card.conftest import Judging
from tests.card.planted import Seen, runs
from tests.card.test_biases import probed
from tests.card.test_card import carded

ARMS = ("gpt-arm", "north", "south", "west")
ITEMS = 24
MIDDLE = 3.0
ORDER, LENGTH, FAMILY, LENIENT, SQUEEZED, FIRST = -0.2, 0.2, 0.6, 0.3, 0.7, 0.7
NOISE_SD = (1 / 6) ** 0.5
"""A mark is its thought, rounded up or down by chance in proportion to what is between: the
variance is f (1 − f), over all f one sixth."""
_FLATTERY = re.compile(r"top marks|highest marks|maximum score")


def worth(text: str) -> float:
    """What an answer is worth, hidden from nobody but the product."""
    found = re.search(r"worth (\d\.\d\d)", text)
    return float(found[1]) if found else 1.0


def thought(text: str) -> float:
    """What the leaning judge makes of an answer, before noise."""
    out = MIDDLE - 0.2 + SQUEEZED * (worth(text) - MIDDLE) + LENIENT
    return out + LENGTH * (log2(len(text)) - 8.5) + FAMILY * ("says gpt-arm" in text)


@dataclass(frozen=True)
class _Leaning:
    """The judge's rule; what is no answer of the run is a planted control."""

    answers: frozenset[str]

    def __call__(self, seen: Seen) -> float:
        text = seen.text.strip()
        if "worth" not in text:
            return 1.0
        noise = seen.noise(f"lean {seen.turn}")
        if text in self.answers:
            return thought(text) + ORDER * (seen.place - 1.5) * self.listed + noise
        if _FLATTERY.search(text):
            return 5.0
        return self.twin(text) + noise

    listed: bool = False

    def twin(self, text: str) -> float:
        """A padded answer is known by its beginning; any other twin is damaged."""
        whole = next((one for one in self.answers if text.startswith(one)), None)
        return thought(whole) if whole else 1.0


def _plain(seen: Seen) -> float:
    return (worth(seen.text) if "worth" in seen.text else 1.0) + seen.noise("plain")


def _model(desk: Desk, name: str) -> None:
    toml = desk.root / "judges.toml"
    toml.write_text(toml.read_text().replace("stub-judge", name))


def _last_pass(desk: Desk) -> str:
    found: str = json.loads(desk.table().out)["passes"][-1]["id"]
    return found


def _held(figure: dict[str, Any], truth: float) -> bool:
    return bool(figure["low"] <= truth <= figure["high"])


@pytest.fixture
def texts(desk: Desk) -> dict[str, dict[str, str]]:
    """The answers of a run in which one arm is of the judge's own family."""
    made = runs(ITEMS, ARMS)
    desk.make(made, arms={"gpt-arm": {"provider": "openai", "model": "gpt-5"}})
    return made


def _known(texts: dict[str, dict[str, str]]) -> frozenset[str]:
    return frozenset(text.strip() for row in texts.values() for text in row.values())


def _over(texts: dict[str, dict[str, str]], rule: Callable[[str], float]) -> np.ndarray[Any, Any]:
    return np.array([[rule(text.strip()) for text in row.values()] for row in texts.values()])


def test_a_judge_of_answers_is_measured_with_all_its_leanings_at_once(
    desk: Desk,
    judging: Judging,
    texts: dict[str, dict[str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Noise, length, family, leniency, compression within their intervals; flattery is named."""
    judging(_plain, name="mistral-large")
    _model(desk, "mistral-large")
    assert desk.score("--blind", "flag").code == 0
    monkeypatch.setenv("JUDGE_CONTROLS", "36")
    stub = judging(_Leaning(_known(texts)), name="gpt-4o")
    _model(desk, "gpt-4o")
    said = desk.score("--blind", "flag", "--seed", "11", "--concurrency", "1")
    assert said.code == 0, said.err
    assert len(stub.log) >= 4 * ITEMS + 12 + 36
    mine, theirs = _over(texts, thought), _over(texts, worth)

    card = carded(desk, "gpt-4o")
    assert card["repeats"][0]["sd"]["n"] == 12
    assert _held(card["repeats"][0]["sd"], NOISE_SD)
    (beside,) = card["beside"]
    assert beside["name"] == "mistral-large"
    assert _held(beside["gap"], float((mine - theirs).mean()))

    found = probed(desk, "--pass", card["passes"][0]["pass_id"])
    assert found["own_arms"] == ["gpt-arm"]
    assert found["reference"] == "judges"
    for name, truth in (
        ("length", LENGTH),
        ("family", FAMILY),
        ("leniency", float((mine - theirs).mean())),
    ):
        assert _held(found[name]["effect"], truth), (name, truth, found[name])
        assert found[name]["p_holm"] < 0.05, name
    spread = ((mine.var() + NOISE_SD**2) / (theirs.var() + NOISE_SD**2)) ** 0.5
    assert _held(found["compression"]["effect"], spread)
    assert found["headings"]["p_holm"] > 0.05
    assert {row["probe"]: row for row in card["biases"]["rows"]}["length"] == found["length"]

    kinds = {one["kind"]: one for one in card["controls"]["classes"]}
    assert {name for name, one in kinds.items() if one["failed"]} == {"talks_to_judge"}
    for name in ("near_empty", "damaged", "duplicate", "padded"):
        assert kinds[name]["passed"] == kinds[name]["decided"] > 0, name
    out = " ".join(desk.judge("card", "gpt-4o").out.split())
    assert "FAILS" in out
    failed = kinds["talks_to_judge"]
    assert f"talks to the judge {failed['passed']} of {failed['decided']}" in out, out


def test_a_judge_of_lists_is_measured_beside_its_other_leanings(
    desk: Desk, judging: Judging, texts: dict[str, dict[str, str]]
) -> None:
    """A place further down costs what was planted; the length effect is not taken for it."""
    judging(_Leaning(_known(texts), listed=True), name="gpt-4o")
    said = desk.score(
        "--mode",
        "listwise",
        "--repeats",
        "2",
        "--blind",
        "flag",
        "--seed",
        "3",
        "--concurrency",
        "1",
    )
    assert said.code == 0, said.err
    found = probed(desk)
    assert _held(found["order"]["effect"], ORDER)
    assert found["order"]["p_holm"] < 0.05
    assert _held(found["length"]["effect"], LENGTH)


def _gaps(texts: dict[str, dict[str, str]]) -> np.ndarray[Any, Any]:
    values = _over(texts, worth)
    return np.array([a - b for at, a in enumerate(values) for b in values[at + 1 :]])


def test_a_judge_of_pairs_favours_what_stands_first_by_as_much_as_was_planted(
    desk: Desk, judging: Judging, texts: dict[str, dict[str, str]]
) -> None:
    """A bonus on a logistic scale for the first place: the share won holds what it makes of it."""
    rule = f"worth {FIRST} 0.5 0"
    judging(
        lambda seen: seen.worth,
        plan={"rules": [{"replies": [{"verdict": {"prefer": rule, "quotes": "real"}}]}]},
    )
    assert desk.score("--mode", "pairwise", "--seed", "5").code == 0
    gaps = _gaps(texts)
    wins = [1 / (1 + np.exp(-(sign * gaps + FIRST) / 0.5)) for sign in (1, -1)]
    found = probed(desk)
    assert found["both_orders"] == 6 * ITEMS
    assert _held(found["first_place"]["effect"], float(np.mean(wins)) - 0.5)
    assert found["first_place"]["p_holm"] < 0.05
