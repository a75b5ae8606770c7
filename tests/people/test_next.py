"""The next command of `judge sample` and `judge calibrate` runs as it is printed."""

import shlex

from tests.marks.space import Space
from tests.people.runs import drawn, sheet


def following(text: str) -> list[str]:
    """Words of the command that a page ends with."""
    last = text[text.rindex("\nNext") :].replace("\\\n", " ")
    return shlex.split(last[last.index("judge ") :])[1:]


def test_from_no_marks_to_a_rubric_that_is_tuned(run: Space) -> None:
    """Draw, mark, compare, tune: each page names the next step, and it works."""
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
    assert following(compared.out) == ["rubric", "tune", "runs/r"]
    tuned = run.judge(*following(compared.out))
    assert tuned.code == 0, tuned.err
    left = run.judge("calibrate", "runs/r")
    assert max(map(len, left.out.splitlines())) <= 80
    assert following(left.out)[0] in {"sample", "report"}
    assert run.judge(*following(left.out)).code == 0


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
