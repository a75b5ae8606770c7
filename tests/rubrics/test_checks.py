"""Declared checks of a rubric: read, refused, extended, filled, linted, hashed."""

import re
from pathlib import Path

import pytest

from judgebench.errors import RubricError
from judgebench.model.facts import CheckKind
from judgebench.model.libraries import LibraryPlace
from judgebench.model.rubric import Rubric
from judgebench.rubrics.checks import pattern_fault
from judgebench.rubrics.lint import lint
from judgebench.rubrics.load import load_rubric, parse_rubric
from judgebench.rubrics.overlay import Overlay, parse_overlay

DOCS = Path(__file__).parents[2] / "docs" / "deductions.md"
BASE = """\
kind: deductions
name: shed
version: "1"
parameters:
  library: {text: The library., default: nails}
criteria:
  - id: walls
    text: Do the walls stand as they were drawn?
    max: 10
    deductions:
      - {id: crooked, points: 2, when: A wall is not upright at all.}
tiers: [{name: fine, at_least: 5}, {name: poor, at_least: 0}]
"""
CHECKS = """\
checks:
  - {id: readme, text: "Is there a README file?", kind: files, paths: ["README*"]}
  - {id: lib, text: "Is ${library} named by a manifest?", kind: dependency, names: ["${library}"]}
"""


def read(text: str, overlay: Overlay | None = None) -> Rubric:
    """A rubric of this text."""
    return parse_rubric(text, Path("shed.yaml"), overlay=overlay)


def fault(check: str) -> str:
    """What is said of this one check."""
    with pytest.raises(RubricError) as caught:
        read(BASE + f"checks:\n  - {check}\n")
    return str(caught.value)


def test_checks_are_read_and_filled_from_parameters() -> None:
    """Texts and names take the parameter's words; the source reads back as the same."""
    rubric = read(BASE + CHECKS)
    assert rubric.deductions is not None
    readme, lib = rubric.deductions.checks
    assert (readme.id, readme.kind, readme.paths) == ("readme", CheckKind.FILES, ("README*",))
    assert (lib.text, lib.names) == ("Is nails named by a manifest?", ("nails",))
    again = read(rubric.source)
    assert again.deductions is not None
    assert again.deductions.checks == rubric.deductions.checks
    assert (again.ask_sha256, again.sum_sha256) == (rubric.ask_sha256, rubric.sum_sha256)


def test_checks_are_part_of_what_is_asked() -> None:
    """Facts reach the judge: another check is another question, and no other sum."""
    bare, more = read(BASE), read(BASE + CHECKS)
    assert bare.ask_sha256 != more.ask_sha256
    assert bare.sum_sha256 == more.sum_sha256


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("{id: a, text: t t t, kind: files}", "checks.1.paths is missing; a check of files needs"),
        ("{id: a, text: t t t, kind: pattern}", "checks.1.patterns is missing"),
        ("{id: a, text: t t t, kind: dependency}", "checks.1.names is missing"),
        ("{id: a, text: t t t, kind: tests, names: [xyz]}", "names is for checks of dependency"),
        ("{id: a, text: t t t, kind: vibes}", "kind"),
        ("{id: walls, text: t t t, kind: tests}", "stands elsewhere too"),
        ("{id: crooked, text: t t t, kind: tests}", "stands elsewhere too"),
        ("{id: a, text: 'x ${no}', kind: tests}", "which is no parameter"),
        ("{id: a, text: t t t, kind: pattern, patterns: ['(a+)+b']}", "repeats a group"),
        ("{id: a, text: t t t, kind: pattern, patterns: ['(abc']}", "is no regular expression"),
    ],
)  # fmt: skip
def test_a_check_that_cannot_be_run_is_a_fault_with_its_key(check: str, said: str) -> None:
    """What is missing, what belongs elsewhere, what would never end."""
    assert said in fault(check)


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", "(a*)*b", "((ab)*c)*", "(a|aa)+", "(?:x|y+){2,}", "(a+){50}",
     r"(a)\1", "(?P<q>a)(?P=q)", "a.*b.*c.*d.*e",
     "[", "(" * 500 + "a" + ")" * 500, "x{1000}y{1000}(z{5,})*"],
)  # fmt: skip
def test_patterns_that_may_take_forever_are_refused(pattern: str) -> None:
    """Repeats in repeats, alternatives in repeats, references back, too many repeats."""
    assert pattern_fault(pattern)


@pytest.mark.parametrize(
    "pattern",
    [r"timeout\s*[:=]", "(foo|bar)baz", "(abc)+", r"[*+(]+x", r"\(a\)+", "(?i)rescue\\b",
     "a{2,5}b?", "^import .*requests", "[]+*]x", "[^]|]+", r"(?:https?)://\S+"],
)  # fmt: skip
def test_patterns_that_end_are_taken(pattern: str) -> None:
    """Classes, escapes, bounded repeats and plain alternatives are no danger."""
    assert not pattern_fault(pattern)


def test_a_rubric_that_extends_another_changes_its_checks(tmp_path: Path) -> None:
    """Matched by id, replaced key by key, appended, dropped."""
    (tmp_path / "shed.yaml").write_text(BASE + CHECKS)
    (tmp_path / "barn.yaml").write_text(
        "kind: deductions\nname: barn\nextends: shed\ndrop: [lib]\nchecks:\n"
        "  - {id: readme, paths: ['docs/*.md']}\n"
        "  - {id: count, text: 'How many tests are there?', kind: tests}\n"
    )
    found = load_rubric(tmp_path / "barn.yaml").deductions
    assert found is not None
    assert [(one.id, one.paths) for one in found.checks] == [
        ("readme", ("docs/*.md",)), ("count", ()),
    ]  # fmt: skip


def test_unwise_checks_are_linted() -> None:
    """Short texts, short patterns, patterns without paths."""
    said = lint(
        read(BASE + "checks:\n  - {id: a, text: 'Is it?', kind: pattern, patterns: [xyz]}\n")
    )
    assert [line.split(":")[0] for line in said if line.startswith("a:")] == ["a", "a", "a"]
    assert not [line for line in lint(read(BASE + CHECKS)) if line.startswith(("readme", "lib"))]


def test_the_example_of_the_page_is_read() -> None:
    """All six kinds."""
    (block,) = (
        one for one in re.findall(r"```yaml\n(.*?)```", DOCS.read_text(), re.DOTALL)
        if one.startswith("checks:")
    )  # fmt: skip
    found = read(BASE + block).deductions
    assert found is not None
    assert {check.kind for check in found.checks} == set(CheckKind)


def test_an_overlay_says_where_the_librarys_source_lies() -> None:
    """A folder or a package, not both and not neither."""
    text = "rubric: shed\nparameters: {library: nails}\nlibrary_source: {package: click}\n"
    found = parse_overlay(text, Path("case.yaml")).file.library_source
    assert found is not None
    assert (found.package, found.folder) == ("click", None)
    for bad in ("{}", "{package: click, folder: x}"):
        with pytest.raises(RubricError, match="write either folder or package"):
            parse_overlay(text.replace("{package: click}", bad), Path("case.yaml"))


def test_entries_about_a_library_are_marked_for_the_judge() -> None:
    """The judge is asked for names under them, so that they are a part of the question."""
    plain = read(BASE)
    flagged = read(BASE.replace("points: 2,", "points: 2, about_library: true,"))
    assert flagged.deductions is not None
    assert flagged.deductions.criteria[0].entries[0].about_library
    assert plain.ask_sha256 != flagged.ask_sha256
    assert plain.sum_sha256 == flagged.sum_sha256


def test_an_overlay_adds_checks_and_the_librarys_place() -> None:
    """Checks of the use case come after the rubric's own; a folder is one beside the overlay."""
    text = (
        "rubric: shed\nparameters: {library: nails}\nlibrary_source: {folder: nails}\n"
        "checks:\n  - {id: nailed, text: Nails there, kind: dependency, names: [nails]}\n"
    )
    rules = read(BASE, overlay=parse_overlay(text, Path("cases/case.yaml"))).deductions
    assert rules is not None
    assert rules.checks[-1].names == ("nails",)
    assert rules.library == LibraryPlace(folder=Path("cases/nails"))
    twice = text + "  - {id: nailed, text: Again, kind: tests}\n"
    with pytest.raises(RubricError, match="give it an id of its own"):
        read(BASE, overlay=parse_overlay(twice, Path("case.yaml")))
    odd = text.replace("names: [nails]", "patterns: ['(']")
    with pytest.raises(RubricError, match="checks"):
        parse_overlay(odd, Path("case.yaml"))
