"""The next command of `judge sample` and `judge calibrate` runs as it is printed."""

import json
import shlex

import pytest

from tests.marks.space import COLUMNS, Space
from tests.people.runs import drawn, judged, sheet


def following(text: str) -> list[str]:
    """Words of the command that a page ends with."""
    last = text[text.rindex("\nNext") :].replace("\\\n", " ")
    return shlex.split(last[last.index("judge ") :])[1:]


def test_from_no_marks_to_a_report(run: Space) -> None:
    """Draw, mark, compare: each page names the next step, and it works."""
    empty = run.judge("calibrate", "runs/r")
    assert empty.code == 0, empty.err
    sample = following(empty.out)
    assert sample[:3] == ["sample", "runs/r", "--items"]
    made = run.judge(*sample)
    assert made.code == 0, made.err
    human = following(made.out)
    assert human == ["calibrate", "runs/r", "--human", "FILE"]
    path = sheet(run, drawn(run, int(sample[3])))
    compared = run.judge(*human[:-1], path)
    assert compared.code == 0, compared.err
    assert following(compared.out)[0] in {"sample", "report"}
    assert "rubric tune" not in compared.out
    apart = run.judge("rubric", "tune", "runs/r", "--tune", "0.4")
    assert apart.code == 0, apart.err
    left = run.judge("calibrate", "runs/r")
    assert max(map(len, left.out.splitlines())) <= 80
    assert following(left.out)[0] in {"sample", "report"}
    assert run.judge(*following(left.out)).code == 0


@pytest.mark.parametrize(("few", "named"), [(2, True), (0, True), (12, False)])
def test_a_draw_names_the_arms_that_reach_most_items(
    space: Space, few: int, *, named: bool
) -> None:
    """Where one arm has few items the next command leaves it out; the refusal says the same."""
    rows = [
        (f"q{at}", arm, "action", "gpt", 1 + at % 9)
        for arm, many in (("sol", 12), ("kimi", 12), ("terra", few or 1))
        for at in range(many)
    ]
    if not few:
        rows[-1] = ("q99", *rows[-1][1:])  # an item of its own
    path = space.csv(rows, name="r.csv")
    words = (*COLUMNS, "--mark", "mark", "--judge", "gpt", "--scale", "1-10")
    assert space.judge("import", "marks", path, *words).code == 0
    said = following(space.judge("calibrate", "runs/r").out)
    assert said == [
        "sample", "runs/r", "--items", "12", *(["--arms", "sol,kimi"] if named else [])
    ]  # fmt: skip
    assert space.judge(*said).code == 0
    refused = space.judge("sample", "runs/r", "--items", "13")
    assert refused.code == 2
    assert ("take --arms sol,kimi --items 12" in refused.err) is named
    assert ("ask for at most" in refused.err) is bool(few)


def test_items_for_tuning_are_not_counted_as_those_of_the_run(space: Space) -> None:
    """A run of 10 items has fewer for reporting once some are apart; the page says why."""
    judged(space, items=10)
    path = sheet(space, [f"q{at}" for at in range(10)])
    said = space.judge("calibrate", "runs/r", "--human", path, "--tune", "0.3")
    assert said.code == 0, said.err
    left = json.loads(space.judge("calibrate", "runs/r", "--json").out)["labels"]["items_all"]
    assert 0 < left < 10
    assert f"the run has {left} that are not for tuning)" in " ".join(said.out.split())


def test_the_pass_that_was_named_is_named_again(run: Space) -> None:
    """So is a run whose name needs quotes."""
    pass_id = run.ask("SELECT pass_id FROM passes WHERE route <> 'people'")[0][0]
    said = run.judge("sample", "runs/r", "--items", "12", "--pass", pass_id)
    assert following(said.out)[-2:] == ["--pass", pass_id]
    means = run.judge("sample", "runs/r", "--for", "means", "--pass", pass_id)
    assert following(means.out)[-2:] == ["--pass", pass_id]
    beside = run.judge("calibrate", "runs/r", "--pass", pass_id)
    assert following(beside.out)[-2:] == ["--pass", pass_id]
    assert run.judge(*following(beside.out)).code == 0


def test_a_split_that_leaves_a_side_without_figures_is_made_only_when_asked_for(
    space: Space,
) -> None:
    """Neither the next command nor tuning itself splits ten items; --tune does."""
    judged(space, items=20)
    path = sheet(space, [f"q{at}" for at in range(10)], people=("ana", "ben"))
    said = space.judge("calibrate", "runs/r", "--human", path)
    assert said.code == 0, said.err
    assert "judge rubric tune" not in said.out
    before = space.judge("biases", "runs/r", "--json")
    refused = space.judge("rubric", "tune", "runs/r")
    assert refused.code == 2
    assert "holds marks alone" in refused.err
    assert refused.err.count("\n") == 1
    assert not space.ask("SELECT * FROM label_splits")
    assert space.judge("rubric", "tune", "runs/r", "--tune", "0.4").code == 0
    after = space.judge("biases", "runs/r", "--json")
    kinds = [
        {row["probe"]: row["effect"] for row in json.loads(one.out)["rows"]}["leniency"]
        for one in (before, after)
    ]
    apart = space.ask("SELECT item FROM label_splits WHERE split = 'tune'")
    marked = [item for (item,) in apart if int(item[1:]) < 10]
    assert kinds[0]["n"] == 10
    assert (kinds[1]["code"], kinds[1]["have"]) == ("too_few_items", 10 - len(marked))


def test_what_is_refused_has_room_in_one_line(space: Space) -> None:
    """With the reason's code, the marks that would settle it, and how many items there are."""
    judged(space, items=10)
    said = space.judge("calibrate", "runs/r", "--human", sheet(space, ["q1", "q2"]))
    assert said.code == 0, said.err
    (line,) = [line for line in said.out.splitlines() if line.startswith("Not shown")]
    assert line.endswith(" items by 3 people (the run has 10).")
    assert len(line) <= 80
