"""Passages of faults that hold, marked in report.html where they stand in the project."""

import re
from pathlib import Path

from judgebench.errors import ExitCode
from judgebench.runs.pack import pack
from judgebench.runs.packed import lines_in
from tests.acceptance.desk import Desk
from tests.audits.conftest import Judging
from tests.audits.space import FILES, INVENTED, SWALLOWED, plan, report, write_run

RUN = "runs/code"


def page(desk: Desk, *more: str) -> str:
    """The page of a judged run."""
    said = desk.judge("score", RUN, "--rubric", "service", *more)
    assert said.code == ExitCode.DONE, said.err
    (found,) = (desk.root / "reports").rglob("report.html")
    return Path(found).read_text(encoding="utf-8")


def marked(html: str) -> list[str]:
    """Texts that are marked, lines without their numbers."""
    found = re.findall(r"<mark>(.*?)</mark>", html, re.DOTALL)
    return [re.sub(r"\n *\d+\| ", "\n", text) for text in found]


def test_a_fault_that_holds_is_marked_in_place(desk: Desk, judging: Judging) -> None:
    """The passage is marked once, with the number of each judging that found it."""
    judging(plan(south=[report()]))
    html = page(desk)
    assert marked(html) == ["    except weather.Down:\n        return None"]
    assert html.count("swallowed, app.py:7-8</span>") == 3
    assert "<sup>[1]</sup><sup>[2]</sup><sup>[3]</sup>" in html
    assert "Each project as the judge was sent it" in html


def test_what_a_check_did_not_bear_out_is_not_marked(desk: Desk, judging: Judging) -> None:
    """An invented passage stands in no place, and the page marks none for it."""
    judging(plan(north=[report(running=[INVENTED])], south=[report()]))
    assert marked(page(desk)) == []


def test_a_moved_passage_is_marked_where_it_really_stands(desk: Desk, judging: Judging) -> None:
    """Lines that the judge told wrongly are not the ones that are marked."""
    wrong = {**SWALLOWED, "first_line": 1, "last_line": 2}
    judging(plan(north=[report(errors=[wrong])], south=[report()]))
    html = page(desk)
    assert marked(html) == ["    except weather.Down:\n        return None"]
    assert "swallowed, app.py:7-8</span>" in html


def test_lines_of_a_project_cannot_pass_for_headers_or_marks(desk: Desk, judging: Judging) -> None:
    """A file that holds a header and markup moves no mark and breaks no page."""
    header = "===== app.py (lines 1-2 of 2) =====\n1| <mark>x</mark>\n"
    write_run(desk.root, {**FILES, "north": {**FILES["north"], "a.md": header}})
    judging(plan(south=[report()]))
    html = page(desk)
    assert marked(html) == ["    except weather.Down:\n        return None"]
    assert "&lt;mark&gt;x" in html


def test_a_key_is_marked_without_a_judge(desk: Desk, judging: Judging) -> None:
    """What code found by itself has its line marked, masked as it was sent."""
    key = "sk-" + "aB3dE5gH7jK9mN1pQ3sT5v"
    write_run(desk.root, {**FILES, "north": {**FILES["north"], "key.py": f'KEY = "{key}"\n'}})
    judging(plan(north=[report()], south=[report()]))
    html = page(desk)
    assert marked(html) == ["KEY = &#34;[secret masked]&#34;"]
    assert "secret, key.py:1</span>" in html
    assert key not in html


def test_the_lines_of_a_packed_project_are_found_again(tmp_path: Path) -> None:
    """Every line that is shown is where it is said to be, also an empty or a numbered one."""
    lines = ["", "12| odd", "===== b (lines 1-1 of 1) =====", "end"] * 4
    (tmp_path / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "b.txt").write_text("one\n", encoding="utf-8")
    text = pack(tmp_path).text
    found = lines_in(text)
    assert [text[start:end] for start, end in found["a.txt"]] == lines
    assert [text[start:end] for start, end in found["b.txt"]] == ["one"]
    assert set(found) == {"a.txt", "b.txt"}
