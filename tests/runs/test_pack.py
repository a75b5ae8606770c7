"""Packing a project: what is shown, what is left out and why, bounds, links, order."""

import os
import socket
from pathlib import Path

import pytest

from judgebench.errors import RunError
from judgebench.model.projects import Project
from judgebench.runs import pack as room
from judgebench.runs import packed
from judgebench.runs.pack import Turn, arrange, pack


def put(root: Path, path: str, content: str | bytes = "one\ntwo\n") -> None:
    """A file below a folder."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def shown(project: Project) -> dict[str, int]:
    """How many lines of each file a judge sees."""
    return {file.path: file.shown for file in project.files}


def reasons(project: Project) -> dict[str, str]:
    """Why what was left out was left out."""
    return {one.path: one.reason for one in project.left_out}


def test_a_small_project_is_shown_whole(tmp_path: Path) -> None:
    """A list of files, what was left out, then numbered lines under headers."""
    put(tmp_path, "README.md", "# Notes\n")
    put(tmp_path, "app/chat.rb", "".join(f"line {n}\n" for n in range(1, 11)))
    put(tmp_path, "app/empty.rb", "")
    put(tmp_path, "logo.png", b"\x89PNG")
    project = pack(tmp_path)
    assert project.text.startswith(
        "FILES OF THE PROJECT\n\nREADME.md: 1 line\napp/chat.rb: 10 lines\napp/empty.rb: empty\n\n"
        "LEFT OUT\n\nlogo.png: binary\n\n===== README.md (lines 1-1 of 1) =====\n1| # Notes\n\n"
        "===== app/chat.rb (lines 1-10 of 10) =====\n 1| line 1\n 2| line 2\n"
    )
    assert project.text.endswith("10| line 10\n")
    assert project.coverage == 1
    assert project.file("app/chat.rb") is project.files[1]
    assert project.file("app") is None


def test_an_empty_project_is_told(tmp_path: Path) -> None:
    """Nothing is shown and nothing was left out."""
    project = pack(tmp_path)
    assert project.text == "FILES OF THE PROJECT\n\n\nLEFT OUT\n\nnothing\n"
    assert project.coverage == 1


@pytest.mark.parametrize(
    ("path", "content", "out", "reason", "could_hold"),
    [
        ("node_modules/a/b.js", "x", "node_modules/", "generated, vendored or a cache", False),
        (".git/config", "x", ".git/", "generated, vendored or a cache", False),
        (".env", "KEY=1", ".env", "may hold secrets", False),
        ("config/master.key", "1", "config/master.key", "may hold secrets", False),
        ("Gemfile.lock", "x", "Gemfile.lock", "generated", False),
        ("a.min.js", "x", "a.min.js", "generated", False),
        ("a.js", "x" * 2_001, "a.js", "generated (very long lines)", False),
        ("a.dat", b"a\0b", "a.dat", "binary", False),
        ("a.rb", b"caf\xe9", "a.rb", "is not UTF-8", True),
        ("big.rb", "a\n" * 200_000, "big.rb", "is 400,000 bytes long", True),
    ],
)
def test_what_is_left_out_is_named_with_its_reason(
    tmp_path: Path, *, path: str, content: str | bytes, out: str, reason: str, could_hold: bool
) -> None:
    """The judge learns of it, and of whether the project's own text could stand there."""
    put(tmp_path, path, content)
    project = pack(tmp_path)
    assert project.files == ()
    (one,) = project.left_out
    assert (one.path, one.could_hold) == (out, could_hold)
    assert one.reason.startswith(reason)
    assert f"{out}: {one.reason}" in project.text


@pytest.mark.parametrize(
    ("path", "out"), [("CLAUDE.md", "CLAUDE.md"), (".cursor/rules", ".cursor/")]
)
def test_files_of_agents_are_on_record_and_not_named(
    tmp_path: Path, *, path: str, out: str
) -> None:
    """Their names would tell the judge as much as their texts."""
    put(tmp_path, path, "x")
    project = pack(tmp_path)
    assert [(one.path, one.reason) for one in project.left_out] == [(out, "names its maker")]
    assert out not in project.text


def test_an_example_of_an_environment_file_is_shown(tmp_path: Path) -> None:
    """Only the filled-in one may hold secrets."""
    put(tmp_path, ".env.example", "KEY=\n")
    put(tmp_path, ".env.production", "KEY=1\n")
    project = pack(tmp_path)
    assert shown(project) == {".env.example": 1}
    assert reasons(project) == {".env.production": "may hold secrets"}


def test_links_and_devices_are_named_and_not_followed(tmp_path: Path) -> None:
    """Nothing outside the folder is read, and nothing inside it twice."""
    outside, root = tmp_path / "outside", tmp_path / "project"
    put(outside, "secret.rb", "the secret\n")
    put(root, "a.rb", "text\n")
    (root / "out").symlink_to(outside)
    (root / "file.rb").symlink_to(outside / "secret.rb")
    (root / "again.rb").symlink_to("a.rb")
    (root / "loop").symlink_to(".")
    os.mkfifo(root / "pipe.rb")
    project = pack(root)
    assert "secret" not in project.text
    assert shown(project) == {"a.rb": 1}
    assert reasons(project) == {
        "again.rb": "a link",
        "file.rb": "a link",
        "loop": "a link",
        "out": "a link",
        "pipe.rb": "a pipe, socket or device",
    }


def test_a_socket_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a server left behind is named."""
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("s.sock")
        assert reasons(pack(tmp_path)) == {"s.sock": "a pipe, socket or device"}


def test_the_same_folder_gives_the_same_text(tmp_path: Path) -> None:
    """The order in which files were written means nothing."""
    names = ["b/x.rb", "a.rb", "b.rb", "a/z/q.rb", "README.md"]
    for folder, order in (("one", names), ("two", names[::-1])):
        for name in order:
            put(tmp_path / folder, name, f"{name}\n")
    one, two = pack(tmp_path / "one"), pack(tmp_path / "two")
    assert one == two
    assert [file.path for file in one.files] == sorted(names)


def test_a_bound_shows_what_matters_first(tmp_path: Path) -> None:
    """Guides and manifests, then code, then data; long files in part; the rest is only listed."""
    for name in ("data/rows.csv", "app/a.rb", "app/b.rb", "README.md", "zoo.rb"):
        put(tmp_path, name, "".join(f"{name} line {n}\n" for n in range(60)))
    for room_for in range(600, 9_000, 173):
        project = pack(tmp_path, max_chars=room_for)
        assert len(project.text) <= room_for
        assert all(n in {0, 60} or n >= 20 for n in shown(project).values())
    project = pack(tmp_path, max_chars=4_000)
    assert shown(project)["README.md"] == shown(project)["app/a.rb"] == 60
    assert 20 <= shown(project)["app/b.rb"] < 60
    assert shown(project)["data/rows.csv"] == 0
    assert f"app/b.rb: 60 lines, 1-{shown(project)['app/b.rb']} shown" in project.text
    assert "data/rows.csv: 60 lines, not shown" in project.text
    assert 0 < project.coverage < 1
    wanted = pack(tmp_path, max_chars=2_000, first=["zoo.rb"])
    assert shown(wanted)["zoo.rb"] == 60


def test_a_list_of_files_alone_can_be_too_long(tmp_path: Path) -> None:
    """That is one line, not half a list."""
    put(tmp_path, "a.rb")
    with pytest.raises(RunError, match="characters for the list of its files; allow more than 20"):
        pack(tmp_path, max_chars=20)
    with pytest.raises(RunError, match="is no folder"):
        pack(tmp_path / "a.rb")


def test_many_left_out_files_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text names the first ones, the record all."""
    monkeypatch.setattr(packed, "LISTED", 2)
    for n in range(5):
        put(tmp_path, f"{n}.png", b"x")
    project = pack(tmp_path)
    assert len(project.left_out) == 5
    assert "1.png: binary\nand 3 more\n" in project.text


@pytest.mark.parametrize(
    ("bound", "reason"),
    [("MAX_FILES", "more than 3 files"), ("MAX_FOLDERS", "more than 3 folders")],
)
def test_a_project_without_end_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, reason: str
) -> None:
    """What was not walked could hold anything, and is said to."""
    monkeypatch.setattr(room, bound, 3)
    for n in range(6):
        put(tmp_path, f"d{n}/a.rb")
    project = pack(tmp_path)
    last = project.left_out[-1]
    assert (last.reason, last.could_hold) == (reason, True)
    assert len(project.files) <= 3


def test_folders_that_hold_nothing_or_go_too_deep_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty folder is a fact about a project."""
    monkeypatch.setattr(room, "MAX_DEPTH", 2)
    monkeypatch.setattr(room, "DEEPEST", 4)
    (tmp_path / "public").mkdir()
    for path in ("a/b/c/d.rb", "a/b/c/towns.csv", "a/b/c/d/e/f.rb"):
        put(tmp_path, path)
    project = pack(tmp_path)
    assert reasons(project) == {
        "a/b/c/d.rb": "deeper than 2 folders",
        "a/b/c/towns.csv": "deeper than 2 folders",
        "a/b/c/d/e/": "deeper than 4 folders",
        "public/": "empty",
    }
    assert {one.path for one in project.left_out if one.could_hold} == {
        "a/b/c/d.rb", "a/b/c/d/e/",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "could_hold"), [("big.rb", True), ("big.csv", False), ("big.json", True)]
)
def test_a_table_of_data_is_no_place_for_a_program(
    tmp_path: Path, name: str, *, could_hold: bool
) -> None:
    """A file that is too large is open where somebody could have written code in it."""
    put(tmp_path, name, b"1,2\n" * 80_000)
    (out,) = pack(tmp_path).left_out
    assert "bytes long" in out.reason
    assert out.could_hold is could_hold


def test_odd_names_and_characters_do_no_harm(tmp_path: Path) -> None:
    """Names with control characters are not shown as they are; code keeps its lines."""
    put(tmp_path, "a\nb.rb")
    put(tmp_path, "c.rb", "x\ty\r\n\x1b[31mred\x0c\n===== d.rb (lines 1-1 of 1) =====\n")
    project = pack(tmp_path)
    assert "a\nb.rb" not in project.text
    assert project.left_out[0].reason == "its name is no text"
    (only,) = project.files
    assert len(only.lines) == 3
    assert only.lines[0] == "x   y"
    assert "\x1b" not in project.text
    assert "\n3| ===== d.rb" in project.text


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closed files and folders could hold anything."""
    put(tmp_path, "a.rb")
    put(tmp_path, "d/b.rb")
    monkeypatch.setattr("judgebench.runs.pack.os.access", lambda *_: False)
    monkeypatch.setattr("judgebench.runs.pack.Tree.read", lambda *_, **__: None)
    project = pack(tmp_path)
    assert reasons(project) == {
        "a.rb": "was taken away while the folder was read",
        "d/": "may not be read (its permissions)",
    }
    assert all(one.could_hold for one in project.left_out)


def test_keys_are_masked_and_counted(tmp_path: Path) -> None:
    """What opens an account never reaches a judge; a placeholder stays as it is."""
    key = "sk" + "-proj-" + "aB3dE5fG7hJ9kL1mN2pQ4"
    block = [f"-----{edge} RSA PRIVATE" + " KEY-----" for edge in ("BEGIN", "END")]
    put(tmp_path, "a.rb", f'key = "{key}"\nother = "sk-{"x" * 30}"\nrisk-{"ab" * 12}\n')
    put(tmp_path, "b.txt", f"x\n{block[0]}\nMIIEow\n{block[1]}\ny\n")
    project = pack(tmp_path)
    assert project.secrets == (("a.rb", 1), ("b.txt", 2), ("b.txt", 3), ("b.txt", 4))
    assert key not in project.text
    assert "MIIEow" not in project.text
    assert '1| key = "[secret masked]"' in project.text
    assert "x" * 30 in project.text
    assert "5| y" in project.text


def test_files_can_be_shown_in_another_order(tmp_path: Path) -> None:
    """Lower ranks take the room first; a stated range bounds a file even where room is left."""
    for path in ("README.md", "app/a.py", "test/t.py", "style.css"):
        put(tmp_path, path, "".join(f"{path} line {n:>3}\n" for n in range(100)))
    turns = {"test/t.py": Turn(rank=-1, lines=5), "app/a.py": Turn(rank=-2)}
    project = pack(tmp_path)
    got = arrange(project, lambda path: turns.get(path, Turn()), max_chars=4_500)
    assert shown(got) == {"README.md": 69, "app/a.py": 100, "style.css": 0, "test/t.py": 5}
    assert len(got.text) <= 4_500
    assert "test/t.py: 100 lines, 1-5 shown" in got.text
    assert "===== test/t.py (lines 1-5 of 100) =====" in got.text


def test_the_usual_turn_changes_nothing(tmp_path: Path) -> None:
    """A project that is arranged without a wish is the project that was packed."""
    for n in range(30):
        put(tmp_path, f"app/file{n}.py", "value = 1\n" * 40)
    project = pack(tmp_path, max_chars=9_000)
    assert project.coverage < 1
    assert arrange(project, lambda _: Turn(), max_chars=9_000) == project
