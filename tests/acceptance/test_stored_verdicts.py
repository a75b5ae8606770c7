"""A stored verdict stands for what was asked, and for nothing else."""

from collections.abc import Callable

from tests.acceptance.desk import HARBOUR, THREE, Desk, plan
from tests.stub import StubServer

Serve = Callable[..., StubServer]


def test_nothing_stored_stands_in_for_another_question(desk: Desk, serve: Serve) -> None:
    """Same: no request, same bytes. Other judge, rubric, text or temperature: asked again."""
    run = desk.make(THREE)
    fours = serve(plan("fours"))
    first = desk.score()
    assert (first.code, len(fours.log)) == (0, 3)
    table = desk.judge("table", run).out

    again = desk.score()
    assert (again.code, len(fours.log)) == (0, 3)
    assert (again.out, desk.judge("table", run).out) == (first.out, table)

    twos = serve(plan("twos"), name="other")
    other = desk.score()
    assert (other.code, len(twos.log)) == (0, 3)
    assert "judge other" in other.out
    assert "a new pass, beside" in other.err
    assert "judge other in place of stub" in " ".join(other.err.split())
    assert {arm["mean"] for arm in desk.table().json["arms"]} == {4}
    passes = [one["id"] for one in desk.table().json["passes"]]
    assert len(passes) == 2
    second = next(one["id"] for one in desk.table().json["passes"] if one["judge_name"] == "other")
    shown = desk.judge("table", run, "--pass", second).out
    assert "judge other" in shown
    assert "2.00" in shown
    assert "4.00" not in shown
    assert desk.rows("SELECT count(*) FROM marks WHERE mark = 4") == [(9,)]

    rubric = desk.root / "rubrics" / "bulletin.yaml"
    old = rubric.read_text(encoding="utf-8")
    rubric.write_text(old.replace("clear at a glance", "clear in one glance"), encoding="utf-8")
    twos = serve(plan("twos"))
    changed = desk.score()
    assert (changed.code, len(twos.log)) == (0, 3)
    assert "other words for the judge in rubric bulletin" in " ".join(changed.err.split())
    assert desk.rows("SELECT count(DISTINCT pass_id) FROM marks") == [(3,)]
    rubric.write_text(old, encoding="utf-8")

    desk.toml(twos.base_url, more="params = {temperature = 0.5}")
    before = len(twos.log)
    warmer = desk.score()
    assert len(twos.log) == before + 3
    assert "other parameters of judge stub" in " ".join(warmer.err.split())

    # Four passes, three of a judge called stub, two of them by its first parameters or rubric.
    listed = desk.judge("table", run, "--passes").out.splitlines()[3:]
    assert len({line.split(maxsplit=1)[1] for line in listed}) == 4


def test_only_a_changed_text_is_asked_again(desk: Desk, serve: Serve) -> None:
    """One word of one output: one request in the same pass; the old judgment is kept, left out."""
    run = desk.make(THREE)
    stub = serve(plan("fours"))
    desk.score()
    output = run / "south" / "m1" / "output.md"
    output.write_text(
        output.read_text(encoding="utf-8").replace("corner", "square"), encoding="utf-8"
    )
    second = desk.score()
    assert second.code == 0
    assert len(stub.log) == 4
    assert "superseded" in second.err
    assert len(desk.table().json["passes"]) == 1
    assert desk.rows("SELECT count(*) FROM marks") == [(9,)]
    rubric = desk.root / "rubrics" / "bulletin.yaml"
    text = rubric.read_text(encoding="utf-8")
    rubric.write_text(f"# a remark\n{text}", encoding="utf-8")
    desk.score()
    assert len(stub.log) == 4


def test_the_table_names_what_it_rests_on(desk: Desk, serve: Serve) -> None:
    """Judge, rubric, its version and the parameters sent stand in every table and result."""
    run = desk.make(THREE)
    serve(plan("fours"), more="params = {temperature = 0.25}")
    desk.score()
    shown = desk.judge("table", run).out
    assert "judge stub (stub-judge)" in shown
    assert "rubric bulletin 1" in shown
    assert "0.25" in desk.table().json["judging"]["params_sent"]
    report = next((desk.root / "reports").rglob("report.md")).read_text(encoding="utf-8")
    assert "temperature" in report


def test_equal_prompts_and_equal_answers_are_requests_of_their_own(
    desk: Desk, serve: Serve
) -> None:
    """Two items of one wording, two arms of one text: four cells, four requests."""
    desk.make({arm: {"m1": HARBOUR, "m2": HARBOUR} for arm in ("north", "south")})
    stub = serve(plan("fours"))
    assert desk.score().code == 0
    assert len(stub.log) == 4
    assert desk.rows("SELECT count(DISTINCT (arm, item)) FROM marks") == [(4,)]
