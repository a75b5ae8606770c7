"""`judge report` where people marked: what `judge calibrate` showed, in every file of it."""

import json
import re
from typing import Any

from tests.marks.space import COLUMNS, Space
from tests.people.runs import axis, calibrated, drawn, judged, sheet


def reported(space: Space, *words: object, run: str = "runs/r") -> tuple[str, str, dict[str, Any]]:
    """Text, page and result of the report of a judge's pass."""
    said = space.judge("report", run, *words)
    assert said.code == 0, said.err
    files = {path.rsplit("/", 1)[-1]: space.root / path for path in said.out.split()}
    text, page = (files[name].read_text("utf-8") for name in ("report.md", "report.html"))
    found: dict[str, Any] = json.loads(files["result.json"].read_text("utf-8"))
    return text, page, found


def test_nobody_marked(run: Space) -> None:
    """No section and no figure."""
    text, page, found = reported(run)
    assert "against people" not in text
    assert "people-bias" not in page
    assert found["people"] is None


def test_what_calibrate_showed_stands_in_the_report(run: Space) -> None:
    """Criteria, ceiling, corrected means, plots, and the same figures in result.json."""
    made = calibrated(run, "--human", sheet(run, drawn(run, 40)))
    text, page, found = reported(run)
    assert found["people"]["axes"] == made["axes"]
    bias = axis(made, "action")["beside"]["bias"]
    assert f"{bias['value']:+.2f} ({bias['low']:+.2f} to {bias['high']:+.2f}, t)" in text
    for head in ("The judge against people", "The human ceiling", "Corrected against raw ratings"):
        assert f"## {head}" in text
        assert f">{head}</h2>" in page
    for key in ("people-bias", "people-further", "people-corrected-0", "people-corrected-2"):
        assert f'<title id="{key}-t">' in page
    assert "cyd" not in page  # who marked is a matter of people.md


def test_hand_picked_items_are_refused_in_words(run: Space) -> None:
    """The reason, and no code; the rest of the sections stands."""
    calibrated(run, "--human", sheet(run, [f"q{i}" for i in range(25)]))
    text, page, _ = reported(run)
    assert "the human marks are no random sample" in text
    assert "labels_not_random" not in text.replace("\\", "")
    assert "people-bias" in page
    assert "people-corrected-0" not in page


def test_a_report_never_looks_first(space: Space) -> None:
    """Marks that came in with the judge's: one sentence, until calibrate has shown them."""
    judged(space, name="j", items=12)
    rows = (space.root / "j.csv").read_text("utf-8").splitlines()
    rows += [line.replace(",gpt,", ",ana,") for line in rows[1:]]
    both = space.root / "both.csv"
    both.write_text("\n".join(rows) + "\n", encoding="utf-8")
    said = space.judge("import", "marks", both, "--to", "runs/both", *COLUMNS, "--mark", "mark",
                       "--judge", "gpt", "--scale", "1-10")  # fmt: skip
    assert said.code == 0, said.err
    text, page, found = reported(space, run="runs/both")
    assert found["people"]["code"] == "not_compared"
    assert "have not been shown beside this judge yet" in text
    assert "people-bias" not in page
    assert not space.ask("SELECT * FROM looks")
    assert space.judge("calibrate", "runs/both").code == 0
    _, page, found = reported(space, run="runs/both")
    assert found["people"]["labels"]["items"] == 12
    assert "people-bias" in page


def test_marks_that_came_in_since_wait_for_calibrate(run: Space) -> None:
    """The report shows none of them beside the judge for the first time."""
    items = drawn(run, 20)
    calibrated(run, "--human", sheet(run, items))
    assert reported(run)[2]["people"]["labels"]["items"] == 20
    more = sheet(run, items, people=("dot",), name="more.csv")
    calibrated(run, "--human", more, "--items", items[0])
    text, page, found = reported(run)
    assert found["people"]["code"] == "not_compared"
    assert found["people"]["have"] < found["people"]["need"]
    assert "have not been shown beside this judge yet" in text
    assert "people-bias" not in page
    calibrated(run)
    assert reported(run)[2]["people"]["labels"]["items"] == 20
    assert len(run.ask("SELECT * FROM looks")) == 3


def test_people_by_themselves_are_held_against_nobody(run: Space) -> None:
    """The report of people's own pass has no such section."""
    calibrated(run, "--human", sheet(run, drawn(run, 12)))
    text, _, found = reported(run, "--pass", "people")
    assert "against people" not in text
    assert found["people"] is None


def test_verify_makes_the_same_report_again(run: Space) -> None:
    """Nothing differs; with more marks its figures alone are compared, and hold."""
    order = drawn(run, 40)
    calibrated(run, "--human", sheet(run, order[:20]))
    reported(run)
    said = run.judge("verify", "runs/r")
    assert said.code == 0, said.out
    calibrated(run, "--human", sheet(run, order[20:], name="more.csv"))
    again = run.judge("verify", "runs/r")
    assert again.code == 0, again.out
    told = " ".join(again.out.split())
    assert "of all that is stored now (something was stored or taken back since)" in told
    (made,) = re.findall(r"; judge (report runs/r --pass \w+) makes it anew", told)
    assert run.judge(*made.split()).code == 0
    assert "all that is stored now" not in " ".join(run.judge("verify", "runs/r").out.split())


def test_marks_that_were_all_taken_back_are_gone(run: Space) -> None:
    """The section is absent again."""
    calibrated(run, "--human", sheet(run, drawn(run, 12)))
    assert run.judge("calibrate", "runs/r", "--withdraw", "people.csv").code == 0
    text, _, found = reported(run)
    assert found["people"] is None
    assert "against people" not in text
