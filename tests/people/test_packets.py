"""`judge sample --for means`: single answers with their chances, and what they may say."""

from collections import Counter
from typing import Any

import numpy as np

from tests.marks.space import Space
from tests.people.runs import ARMS, TRUTH, axis, calibrated


def drawn(run: Space, *words: object) -> list[tuple[str, str, float, int, bool]]:
    """Rows of the newest draw in the store."""
    said = run.judge("sample", "runs/r", "--for", "means", *words)
    assert said.code == 0, said.err
    return run.ask(
        "SELECT item, arm, probability, stratum, chosen FROM packet_draws ORDER BY position"
    )


def true_mark(item: str, arm: str) -> int:
    """What a person without noise would give."""
    return int(np.clip(np.round(TRUTH[ARMS.index(arm), int(item[1:])]), 1, 10))


def marked(run: Space, cells: list[tuple[str, str]]) -> dict[str, Any]:
    """People who mark the truth, on grounding, of these answers alone."""
    lines = [
        f"{item},{arm},{who},grounding,{true_mark(item, arm)}"
        for item, arm in cells
        for who in ("ana", "ben")
    ]
    path = run.root / "packets.csv"
    path.write_text("item,arm,rater,criterion,score\n" + "\n".join(lines), encoding="utf-8")
    return calibrated(run, "--human", path)


def test_answers_are_drawn_by_thirds_with_their_chances(run: Space) -> None:
    """Thirty of sixty an arm, ten in each third, half a chance each; the frame is kept whole."""
    rows = drawn(run)
    assert len(rows) == 180
    chosen = [row for row in rows if row[4]]
    assert Counter(row[1] for row in chosen) == dict.fromkeys(ARMS, 30)
    assert set(Counter((row[1], row[3]) for row in chosen).values()) == {10}
    assert {row[2] for row in rows} == {0.5}
    assert [row[4] for row in rows] == [True] * 90 + [False] * 90
    again = run.judge("sample", "runs/r", "--for", "means")
    assert "drawn before, the newest again" in " ".join(again.out.split())
    assert run.ask("SELECT count(*) FROM packet_draws") == [(180,)]
    assert "sol " not in again.out.split("Answers, in the order")[1]
    assert max(map(len, again.out.splitlines())) <= 80


def test_means_are_corrected_and_differences_refused(run: Space) -> None:
    """Each arm's mean holds the truth; no pair has a figure, by its code."""
    found = marked(run, [(row[0], row[1]) for row in drawn(run) if row[4]])
    assert found["labels"]["sampling"] == "packets"
    one = axis(found, "grounding")
    for arm in one["arms"]:
        truth = float(TRUTH[ARMS.index(arm["arm"])].mean())
        estimate = arm["figure"]["estimate"]
        assert estimate["low"] < truth < estimate["high"]
        assert arm["figure"]["labels"] == 30
    assert {pair["alone"]["code"] for pair in one["pairs"]} == {"unequal_items"}
    assert {pair["corrected"]["code"] for pair in one["pairs"]} == {"unequal_items"}
    assert one["best"]["code"] == "unequal_items"
    shown = " ".join(run.judge("calibrate", "runs/r").out.split())
    assert "judge sample without --for means" in shown


def test_a_gap_ends_its_own_stratum_alone(run: Space) -> None:
    """A skipped answer of one third leaves the others, and the arm's mean is refused."""
    cells = [(row[0], row[1], row[3]) for row in drawn(run) if row[4]]
    gone = next(cell for cell in cells if cell[1:] == ("sol", 0))
    found = marked(run, [cell[:2] for cell in cells if cell != gone])
    arms = {arm["arm"]: arm["figure"] for arm in axis(found, "grounding")["arms"]}
    assert arms["sol"]["code"] == "too_few_items"
    assert arms["kimi"]["labels"] == 30


def test_few_answers_are_one_stratum_and_faults_one_line(run: Space) -> None:
    """Below thirty an arm there are no thirds; impossible wishes are refused."""
    assert {row[3] for row in drawn(run, "--answers", "36")} == {0}
    for words, why in (
        (("--answers", "900"), "at most 60 of each arm"),
        (("--answers", "2"), "at least one"),
        (("--items", "5"), "--for means draws answers"),
        (("--arms", "nobody"), "has no arm nobody"),
    ):
        said = run.judge("sample", "runs/r", "--for", "means", *words)
        assert said.code == 2
        assert why in said.err
    assert "--answers needs --for means" in run.judge("sample", "runs/r", "--answers", "5").err
