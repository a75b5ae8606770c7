"""The rubrics of deductions that come with the product, and the examples of their page."""

import re
from pathlib import Path

import pytest

from judgebench.model.deductions import Evidence
from judgebench.model.findings import Checked, Finding, Standing
from judgebench.rubrics.counting import count
from judgebench.rubrics.lint import lint
from judgebench.rubrics.load import find_rubric, load_rubric, parse_rubric
from judgebench.rubrics.overlay import parse_overlay

DOCS = Path(__file__).parent.parent.parent / "docs" / "deductions.md"

EIGHT = {
    "deliverables": 25, "api": 20, "tests": 15, "errors": 10, "persistence": 10,
    "frontend": 10, "architecture": 5, "production": 5,
}  # fmt: skip
TEN = {
    "gates": 15, "streaming": 10, "payload": 10, "concurrency": 10, "tools": 10, "schema": 5,
    "budget": 5, "robustness": 10, "tests": 10, "fidelity": 15,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "maxima", "bars"),
    [("code-8d", EIGHT, (80, 60, 40, 0)), ("hardening-10d", TEN, (83, 73, 51, 0))],
)
def test_packaged_deductions_are_sound(
    name: str, maxima: dict[str, float], bars: tuple[float, ...]
) -> None:
    """They load under their name without lint, with 100 points and absolute bars."""
    rubric = load_rubric(find_rubric(name, folders=[]))
    rules = rubric.deductions
    assert rules is not None
    assert rubric.name == name
    assert lint(rubric) == ()
    assert {c.id: c.maximum for c in rules.criteria} == maxima
    assert rules.maximum == 100
    assert [(t.name, t.at_least) for t in rubric.tiers] == list(zip("ABCD", bars, strict=True))
    assert all("${" not in e.when for c in rules.criteria for e in c.entries)
    assert count(rubric, []).tier == "A"


@pytest.mark.parametrize("name", ["code-8d", "hardening-10d"])
def test_every_dimension_can_be_lost(name: str) -> None:
    """A project in which everything is found ends in the lowest tier."""
    rubric = load_rubric(find_rubric(name, folders=[]))
    assert rubric.deductions is not None
    finds = [
        _find(c.id, e.id, place)
        for c in rubric.deductions.criteria
        for e in c.entries
        for place in range(5)
    ]
    tally = count(rubric, finds)
    assert tally.total is not None
    assert tally.total < 20
    assert tally.tier == "D"


@pytest.mark.parametrize("name", ["code-8d", "hardening-10d"])
def test_a_key_in_the_project_is_a_fault_that_code_reports(name: str) -> None:
    """Keys that were masked are a find of their own in every packaged rubric of deductions."""
    rules = load_rubric(find_rubric(name, folders=[])).deductions
    assert rules is not None
    (entry,) = (e for c in rules.criteria for e in c.entries if e.detect)
    assert (entry.id, entry.detect, entry.points) == ("secret-in-project", "secrets", 3)


def test_mocking_what_does_not_exist_caps_the_tests() -> None:
    """Five of fifteen points are the most that such tests earn."""
    rubric = load_rubric(find_rubric("code-8d", folders=[]))
    tally = count(rubric, [_find("tests", "mocks-missing-api", 1)])
    assert tally.mark("tests").counted == 10
    assert tally.mark("tests").mark == 5
    assert tally.fired == ("mocks-missing-api holds tests at 5",)
    assert (tally.total, tally.tier) == (90, "A")


def test_a_use_case_fills_the_eight_dimensions(tmp_path: Path) -> None:
    """Deliverables and facts about the library come from the overlay."""
    overlay = tmp_path / "notes.yaml"
    overlay.write_text(
        "rubric: code-8d\nparameters:\n  library: Quill 3\n  deliverables: {pages: three pages}\n",
        encoding="utf-8",
    )
    rubric = load_rubric(find_rubric("code-8d", folders=[]), overlay=overlay)
    assert rubric.deductions is not None
    assert "must use this library: Quill 3." in rubric.intro
    assert rubric.deductions.criterion("deliverables").entries[0].when == (
        "The brief asks for this, and the project has not got it: three pages."
    )


def test_the_examples_of_the_page_work() -> None:
    """The format's example is a rubric, and the overlay's example fills it."""
    blocks = re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    parts = ("checks:", "reading:", "anchored_tiers:")
    rubric_text, overlay_text = (one for one in blocks if not one.startswith(parts))
    (order,) = (one for one in blocks if one.startswith("reading:"))
    folder = Path("docs")
    assert lint(parse_rubric(rubric_text, folder / "service.yaml")) == (
        "deliverables: only the catalogue counts; faults outside it cost nothing",
    )
    ordered = parse_rubric(rubric_text + order, folder / "service.yaml")
    assert ordered.deductions is not None
    assert [group.lines for group in ordered.deductions.reading] == [None, 200, None]
    overlay = parse_overlay(overlay_text, folder / "case.yaml")
    rubric = parse_rubric(rubric_text, folder / "service.yaml", overlay=overlay)
    assert rubric.deductions is not None
    assert [e.id for e in rubric.deductions.criterion("deliverables").entries] == [
        "missing-readme",
        "missing-compose",
    ]


def _find(criterion: str, entry: str, place: int) -> Checked:
    finding = Finding(criterion=criterion, entry=entry, evidence=Evidence.PRESENT, path="a.rb")
    line = 10 * place + 1
    return Checked(finding=finding, standing=Standing.SUPPORTED, path="a.rb", first=line, last=line)


def test_a_rubric_laid_over_a_packaged_one_may_anchor_its_tiers() -> None:
    """Absolute tiers are taken out; what is stored reads back as the same rubric."""
    text = (
        "kind: deductions\nname: mine\nextends: code-8d\ntiers: []\n"
        "anchored_tiers:\n  - {name: ahead, from_anchor: 5}\n  - {name: rest, from_anchor: -100}\n"
        'reading:\n  - {paths: ["app/**"]}\n  - {paths: ["*.css"], place: last, lines: 40}\n'
    )
    mine = parse_rubric(text, Path("docs") / "mine.yaml")
    again = parse_rubric(mine.source, Path("stored.yaml"))
    assert mine.tiers == ()
    assert mine.deductions is not None
    assert again.deductions is not None
    assert [t.name for t in again.deductions.anchored] == ["ahead", "rest"]
    assert again.deductions.reading == mine.deductions.reading
    assert (again.ask_sha256, again.sum_sha256) == (mine.ask_sha256, mine.sum_sha256)
