"""`judge rubric tune` on imported marks, and on passes that are not pointwise."""

import json

import pytest

from tests.marks.space import Space
from tests.people.runs import calibrated, drawn, judged, sheet


def rubric_of(run: Space) -> str:
    """The stored rubric of a run, as text."""
    listed = run.judge("rubric", "list", "--stored")
    whole = next(word for word in listed.out.split() if "+" in word)
    return run.judge("rubric", "show", whole).out


def test_imported_marks_are_tuned_by_sums_alone(run: Space) -> None:
    """Differences are shown, other weights compared; other questions are one line."""
    calibrated(run, "--human", sheet(run, drawn(run, 60)))
    before = run.judge("rubric", "tune", "runs/r")
    assert (before.code, before.err.count("\n")) == (2, 1)
    assert "holds marks alone, no answers to judge again" in before.err
    assert "set items apart for good: --tune 0.4" in before.err
    other_words = run.root / "asked.yaml"
    other_words.write_text(rubric_of(run).replace("id: action", "id: acting"), encoding="utf-8")
    other = run.judge("rubric", "tune", "runs/r", "--rubric", "asked.yaml", "--tune", "0.4")
    assert "holds marks alone" in other.err
    assert not run.ask("SELECT * FROM label_splits")
    said = run.judge("rubric", "tune", "runs/r", "--tune", "0.4")
    assert said.code == 0, said.err
    assert len(said.out.splitlines()) <= 24
    assert "These marks were imported: there are no answers to judge again." in said.out
    assert "Next: edit weights, gates or caps in" in said.out
    assert "action" in said.out
    whole = run.judge("rubric", "tune", "runs/r", "--extended")
    assert "action: judge higher on" in whole.out
    text = rubric_of(run)
    path = run.root / "mine.yaml"
    path.write_text(
        text + "gates:\n  - {criterion: grounding, below: 6, cap: 3}\n", encoding="utf-8"
    )
    weighed = run.judge("rubric", "tune", "runs/r", "--rubric", "mine.yaml", "--json")
    assert weighed.code == 0, weighed.err
    rows = {row["criterion"]: row for row in json.loads(weighed.out)["rows"]}
    assert rows["total"]["change"]["n"] >= 10
    assert rows["action"]["change"]["value"] == 0
    path.write_text(text.replace("id: action", "id: acting"), encoding="utf-8")
    for more in ((), ("--export", "open.jsonl"), ("--judge", "a/b"), ("--dry-run",)):
        asked = run.judge("rubric", "tune", "runs/r", "--rubric", "mine.yaml", *more)
        assert asked.code == 2
        assert "holds marks alone: there are no answers to judge" in asked.err
        assert asked.err.count("\n") == 1
    assert not (run.root / "open.jsonl").exists()


@pytest.mark.parametrize("command", [("rubric", "tune"), ("rejudge", "--judge", "a/b"), ("label",)])
def test_pairs_alone_are_told_as_what_they_are(space: Space, command: tuple[str, ...]) -> None:
    """A run of imported pairs has nothing that a command could have judged or marked."""
    rows = [(f"q{at}", "red", "blue", "gpt", 1 - at % 3) for at in range(6)]
    path = space.csv(rows, head=("item", "a", "b", "rater", "mark"))
    taken = space.judge(
        "import", "marks", path, "--to", "runs/r", "--item", "item", "--arm-a", "a", "--arm-b",
        "b", "--rater", "rater", "--mark", "mark",
    )  # fmt: skip
    assert taken.code == 0, taken.err
    said = space.judge(*command, "runs/r")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "runs/r: holds marks alone: there are no answers to " in said.err


def test_a_run_without_answers_in_common_is_one_line(space: Space) -> None:
    """No pass of a judge, or no marks by people: said at once."""
    judged(space, items=12)
    assert "has no marks by people" in space.judge("rubric", "tune", "runs/r").err
