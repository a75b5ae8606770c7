"""Finds checked against a project: passages, absences, what was not read."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.judges.findings import (
    as_placed,
    check,
    check_all,
    glob_of,
    matches,
    may_hold,
)
from judgebench.model.deductions import DeductionCriterion, Deductions, Entry, Evidence
from judgebench.model.findings import Checked, Finding, Standing
from judgebench.model.projects import LeftOut, Project, ProjectFile

CHAT = (
    "class Chat",
    "  def ask(text)",
    "    client.send(text)",
    "  end",
    "",
    "  def again(text)",
    "    client.send(text)",
    "  end",
    "end",
)


def file(path: str, *lines: str, shown: int | None = None) -> ProjectFile:
    """A file of which the judge saw all, or the first lines."""
    return ProjectFile(path=path, lines=lines, shown=len(lines) if shown is None else shown)


PROJECT = Project(
    files=(
        file("app/chat.rb", *CHAT),
        file("app/page.rb", "puts 'hello'"),
        file("README.md", "# Notes", "Start it with make run."),
        file("test/chat_test.rb", "assert_equal 1, 1"),
    ),
    left_out=(
        LeftOut(path="node_modules/", reason="vendored", could_hold=False),
        LeftOut(path="logo.png", reason="binary", could_hold=False),
    ),
)
CLOSED = replace(
    PROJECT,
    left_out=(
        *PROJECT.left_out,
        LeftOut(path="app/huge.rb", reason="is 900,000 bytes long", could_hold=True),
    ),
)


def present(excerpt: str, path: str = "app/chat.rb", first: int | None = 3) -> Finding:
    """A find that quotes a passage."""
    return Finding(
        criterion="api",
        entry="sent-twice",
        evidence=Evidence.PRESENT,
        path=path,
        first=first,
        excerpt=excerpt,
    )


def absent(patterns: tuple[str, ...] = (), paths: tuple[str, ...] = ()) -> Finding:
    """A find that something stands nowhere."""
    return Finding(
        criterion="api", entry="missing", evidence=Evidence.ABSENT, patterns=patterns, paths=paths
    )


def where(checked: Checked) -> tuple[str, int | None, int | None, bool]:
    """File, first and last line, and whether they differ from what was said."""
    return checked.path, checked.first, checked.last, checked.moved


@pytest.mark.parametrize(
    ("finding", "place"),
    [
        (present("    client.send(text)"), ("app/chat.rb", 3, 3, False)),
        (present("client.send(text)", first=8), ("app/chat.rb", 7, 7, True)),
        (present("client.send(text)", first=None), ("app/chat.rb", 3, 3, False)),
        (present("def ask(text)\n\tclient.send(text)"), ("app/chat.rb", 2, 3, False)),
        (present("2|   def ask(text)\n3|     client.send(text)"), ("app/chat.rb", 2, 3, False)),
        (present("end def again(text)", first=40), ("app/chat.rb", 4, 6, True)),
        (present("client.send(text)", path="./app/chat.rb"), ("app/chat.rb", 3, 3, False)),
        (present("client.send(text)", path="chat.rb"), ("app/chat.rb", 3, 3, False)),
        (present("client.send(text)", path="demo\\app\\chat.rb"), ("app/chat.rb", 3, 3, False)),
    ],
)
def test_a_passage_that_stands_there_supports(
    finding: Finding, place: tuple[str, int, int, bool]
) -> None:
    """White space and copied line numbers are forgiven; the nearest place is taken."""
    checked = check(finding, PROJECT)
    assert checked.standing is Standing.SUPPORTED
    assert where(checked) == place
    assert checked.counts


@pytest.mark.parametrize(
    ("finding", "note"),
    [
        (present("client.Send(text)"), "the passage does not stand in app/chat.rb"),
        (present("puts 'hello'"), "; it stands in app/page.rb, line 1"),
        (present("  a "), "quotes no passage"),
        (present(""), "quotes no passage"),
        (present("class Chat", path="app/other.rb"), "has no file app/other.rb; it stands in"),
        (present("class Chat", path=""), "has no file of that name"),
        (present("class Chat", path="../app/chat.rb"), "has no file ../app/chat.rb"),
    ],
)
def test_a_passage_that_stands_nowhere_is_flagged(finding: Finding, note: str) -> None:
    """The find is kept with the reason, and costs nothing."""
    checked = check(finding, PROJECT)
    assert checked.standing is Standing.UNSUPPORTED
    assert note in checked.note
    assert not checked.counts


def test_a_name_that_fits_two_files_fits_none() -> None:
    """Which of them was meant cannot be known."""
    files = (file("a/x.rb", "same line"), file("b/x.rb", "same line"))
    checked = check(present("same line", path="x.rb"), Project(files=files))
    assert checked.standing is Standing.UNSUPPORTED


def test_a_passage_in_a_file_that_was_left_out_is_unverified() -> None:
    """Code cannot look there, so the find neither holds nor fails."""
    for path in ("app/huge.rb", "node_modules/a/b.js"):
        checked = check(present("class Huge", path=path), CLOSED)
        assert checked.standing is Standing.UNVERIFIED
        assert path in checked.note


def test_a_passage_that_was_not_shown_is_told() -> None:
    """It stands in the project all the same."""
    project = Project(files=(file("app/chat.rb", *CHAT, shown=2),))
    checked = check(present("client.send(text)"), project)
    assert checked.standing is Standing.SUPPORTED
    assert "in a part that was not shown" in checked.note


@pytest.mark.parametrize(
    ("patterns", "paths", "searched"),
    [
        ((), ("Dockerfile",), "Dockerfile"),
        (("rescue",), (), '"rescue"'),
        (("assert_raises", "raise"), ("test/**",), '"assert_raises" or "raise" in test/**'),
        (("client.send",), ("test/**/*.rb", "*.md"), "test/**/*.rb or *.md"),
        ((), ("app/*/chat.rb", "apx/**"), "app/*/chat.rb"),
    ],
)
def test_an_absence_is_searched_again(
    patterns: tuple[str, ...], paths: tuple[str, ...], searched: str
) -> None:
    """Where nothing is found in a project that was read whole, the find holds."""
    checked = check(absent(patterns, paths), PROJECT)
    assert checked.standing is Standing.SUPPORTED
    assert searched in checked.note
    assert "found nowhere in 4 files" in checked.note


@pytest.mark.parametrize(
    ("patterns", "paths", "note"),
    [
        ((), ("readme*",), "README.md is there"),
        ((), ("test/",), "test/chat_test.rb is there"),
        ((), ("**/chat.rb",), "app/chat.rb is there"),
        ((), ("app/**",), "app/chat.rb is there"),
        ((), ("app/ch?t.rb",), "app/chat.rb is there"),
        ((), ("*.png",), "logo.png is there"),
        (("CLIENT.send( text",), (), "found nowhere"),
        (("CLIENT.SEND(text",), (), '"client.send(text" stands in app/chat.rb, line 3'),
        (("make  run",), ("*.md",), "stands in README.md, line 2"),
        ((), (), "names nothing that would show the thing"),
        (("a",), ("*",), "names nothing that would show the thing"),
    ],
)
def test_an_absence_that_is_none_is_flagged(
    patterns: tuple[str, ...], paths: tuple[str, ...], note: str
) -> None:
    """What is said to be missing and stands there costs nothing."""
    checked = check(absent(patterns, paths), PROJECT)
    assert note in checked.note
    assert checked.counts == ("nowhere" in note)


def test_the_patterns_of_the_catalogue_are_searched_too() -> None:
    """A judge that looks in the wrong place is corrected."""
    entry = Entry(
        id="missing", points=1, when="no guide", evidence=Evidence.ABSENT, paths=("readme*",)
    )
    checked = check(absent((), ("guide.md",)), PROJECT, entry)
    assert checked.standing is Standing.UNSUPPORTED
    assert check(absent(), PROJECT, replace(entry, paths=("guide*",))).counts


def test_a_passage_cannot_show_an_absence() -> None:
    """An entry about something missing needs a search."""
    entry = Entry(id="missing", points=1, when="no guide", evidence=Evidence.ABSENT)
    checked = check(present("class Chat"), PROJECT, entry)
    assert checked.standing is Standing.UNSUPPORTED


@pytest.mark.parametrize(
    ("patterns", "paths", "standing"),
    [
        (("rescue",), (), Standing.UNVERIFIED),
        (("rescue",), ("app/**",), Standing.UNVERIFIED),
        (("rescue",), ("test/**",), Standing.SUPPORTED),
        ((), ("Dockerfile",), Standing.SUPPORTED),
        ((), ("app/huge.rb",), Standing.UNSUPPORTED),
    ],
)
def test_what_was_not_read_could_hold_it(
    patterns: tuple[str, ...], paths: tuple[str, ...], standing: Standing
) -> None:
    """A file too large to read leaves a search open where it could stand; its name is known."""
    assert check(absent(patterns, paths), CLOSED).standing is standing


def test_what_the_judge_was_not_shown_could_hold_it() -> None:
    """Another wording than the patterns may stand in the part that it did not see."""
    project = Project(files=(file("app/chat.rb", *CHAT, shown=2), file("a.md", "text")))
    checked = check(absent(("rescue",)), project)
    assert checked.standing is Standing.UNVERIFIED
    assert "was not shown all of app/chat.rb" in checked.note
    assert check(absent(("rescue",), ("*.md",)), project).counts


@pytest.mark.parametrize(
    ("path", "patterns", "paths", "standing"),
    [
        ("closed/", (), ("Dockerfile",), Standing.UNVERIFIED),
        ("closed/", (), ("closed/*/Dockerfile",), Standing.UNVERIFIED),
        ("closed/", (), ("clos*/a/b.rb",), Standing.UNVERIFIED),
        ("a/closed/", (), ("a/**/b.rb",), Standing.UNVERIFIED),
        ("a/closed/", ("rescue",), ("a/**",), Standing.UNVERIFIED),
        ("closed/", ("rescue",), (), Standing.UNVERIFIED),
        ("closed/", (), ("config/routes.rb",), Standing.SUPPORTED),
        ("closed/", ("rescue",), ("lib/**", "config/*.rb"), Standing.SUPPORTED),
        ("a/closed/", (), ("a/Dockerfile",), Standing.SUPPORTED),
        ("a/closed/", (), ("a/*.rb",), Standing.SUPPORTED),
        ("lib/…", (), ("config/routes.rb",), Standing.UNVERIFIED),
        ("deep/a.rb", (), ("Dockerfile",), Standing.SUPPORTED),
        ("deep/a.rb", ("rescue",), (), Standing.UNVERIFIED),
        ("deep/a.rb", ("rescue",), ("*.py",), Standing.SUPPORTED),
    ],
)
def test_an_unread_part_spares_what_could_stand_in_it_alone(
    path: str, patterns: tuple[str, ...], paths: tuple[str, ...], standing: Standing
) -> None:
    """A closed folder is open for paths that lead through it; of a file the name is known."""
    out = LeftOut(path=path, reason="may not be read", could_hold=True)
    project = replace(PROJECT, left_out=(out,))
    found = check(absent(patterns, paths), project)
    assert found.standing is standing
    assert (f"{path} was not read" in found.note) is (standing is Standing.UNVERIFIED)


@pytest.mark.parametrize("path", ["towns.csv", "logo.svg", "notes.jsonl"])
def test_a_table_of_which_the_judge_saw_little_spares_nothing(path: str) -> None:
    """No error path stands in data, so its lines need not all be shown."""
    project = Project(files=(file(path, "1", "2", shown=1), file("a.rb", "puts 1")))
    assert check(absent(("rescue",)), project).counts


@given(
    st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=4),
    st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=3),
    st.lists(st.sampled_from(["a", "b*", "*", "**", "?b", "ab"]), min_size=1, max_size=5),
)
def test_a_folder_is_open_wherever_a_file_in_it_would_fit(
    folder: list[str], inner: list[str], pattern: list[str]
) -> None:
    """What a pattern finds below a folder could stand there while the folder is unread."""
    globs = [glob_of("/".join(pattern))]
    out = LeftOut(path=f"{'/'.join(folder)}/", reason="closed", could_hold=True)
    if matches("/".join(folder + inner), globs):
        assert may_hold(out, globs, text=False)


def test_all_finds_are_kept_in_their_order() -> None:
    """Nothing is dropped; faults outside the catalogue are checked alike."""
    rules = Deductions(
        criteria=(
            DeductionCriterion(
                id="api",
                text="?",
                maximum=5,
                entries=(
                    Entry(id="missing", points=1, when="?", evidence=Evidence.ABSENT),
                    Entry(id="sent-twice", points=1, when="?"),
                ),
            ),
        )
    )
    finds = [present("class Chat"), absent((), ("readme",)), present("no such line"),
             replace(present("class Chat"), entry="other")]  # fmt: skip
    checked = check_all(finds, PROJECT, rules)
    assert [one.finding for one in checked] == finds
    assert [one.counts for one in checked] == [True, True, False, True]


letters = st.text(alphabet="ab*?/", max_size=12)


@settings(max_examples=60, deadline=None)
@given(pattern=letters, excerpt=st.text(max_size=30))
def test_no_find_breaks_the_check(pattern: str, excerpt: str) -> None:
    """Whatever a judge writes, the check has an outcome with a reason."""
    for finding in (absent((excerpt,), (pattern,)), present(excerpt, path=pattern, first=-3)):
        assert check(finding, CLOSED).note


def test_a_hostile_pattern_of_paths_takes_no_time() -> None:
    """Many stars over a long path end at once."""
    path = "/".join(["a" * 60] * 20)
    project = Project(files=(file(path, "text"),))
    hostile = "/".join(["**", "*a" * 20 + "b"] * 12)
    assert check(absent((), (hostile,)), project).counts


@pytest.mark.parametrize(
    ("excerpt", "path", "first"),
    [("class Chat", "app/chat.rb", 1), ("class Chat", "chat.rb", 9), ("end", "app/chat.rb", None)],
)
@pytest.mark.parametrize("shown", [9, 0])
def test_a_placed_find_is_told_again_as_its_first_check_told_it(
    excerpt: str, path: str, first: int | None, shown: int
) -> None:
    """Whatever a later check came to and added, place and note are those of the passage."""
    project = Project(files=(file("app/chat.rb", *CHAT, shown=shown),))
    checked = check(present(excerpt, path, first), project)
    later = replace(checked, standing=Standing.UNVERIFIED, note=f"{checked.note}; who knows")
    assert as_placed(checked) == as_placed(later) == checked
