"""run.yaml over answers as they lie, and the schema that editors check it with."""

from pathlib import Path

import pytest
import yaml

from judgebench.errors import RunError
from judgebench.runs import schema
from judgebench.runs.load import iter_outputs, load_item, load_run
from judgebench.runs.write import init_run
from tests.runs.helpers import put


def test_init_over_files_renames_nothing(tmp_path: Path) -> None:
    """Each file is an arm; the run loads at once with the text of each."""
    for name in ("a b.md", "sub/a b.txt", "sub/output.md", "ask.md"):
        put(tmp_path / name, f"text of {name}")
    paths = [tmp_path / "a b.md", tmp_path / "sub/a b.txt", tmp_path / "sub/output.md"]
    before = sorted(tmp_path.rglob("*"))
    made = init_run(paths, tmp_path, prompt=tmp_path / "ask.md", job="Say it: well.")
    assert sorted(tmp_path.rglob("*")) == sorted([*before, made])
    run = load_run(tmp_path)
    assert [arm.id for arm in run.arms] == ["a-b", "a-b-2", "sub"]
    assert run.use_case.job == "Say it: well."
    assert [o.text for o in iter_outputs(run)] == [
        "text of a b.md",
        "text of sub/a b.txt",
        "text of sub/output.md",
    ]
    assert load_item(run, "item").prompt == "text of ask.md"


def test_init_over_one_folder_takes_its_answers(tmp_path: Path) -> None:
    """The same files count as in a bare folder."""
    for name in ("one.md", "two.txt", "README.md", "prompt.md"):
        put(tmp_path / name, "text")
    init_run([tmp_path], tmp_path)
    assert [arm.id for arm in load_run(tmp_path).arms] == ["one", "two"]


def test_init_over_project_folders_names_them(tmp_path: Path) -> None:
    """A project folder is an arm, and is said to be one when it is read."""
    put(tmp_path / "north/main.py", "print()")
    put(tmp_path / "prompt.md", "Write it.")
    init_run([tmp_path / "north"], tmp_path)
    (output,) = iter_outputs(load_run(tmp_path))
    assert output.project is not None
    assert [file.path for file in output.project.files] == ["main.py"]


def test_init_refuses_what_it_cannot_write(tmp_path: Path) -> None:
    """An existing run.yaml, files elsewhere, nothing at all."""
    answer = put(tmp_path / "run/a.md", "x")
    elsewhere = put(tmp_path / "b.md", "x")
    with pytest.raises(RunError, match="is not inside"):
        init_run([answer, elsewhere], tmp_path / "run")
    with pytest.raises(RunError, match="does not exist"):
        init_run([tmp_path / "none.md"], tmp_path / "run")
    with pytest.raises(RunError, match="holds no answers"):
        init_run([], tmp_path / "run")
    put(tmp_path / "run/run.yaml", "kept")
    with pytest.raises(RunError, match="exists already"):
        init_run([answer], tmp_path / "run")
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == ["a.md", "run.yaml"]


def test_schemas_describe_every_key() -> None:
    """Editors complete from these: each key has a sentence, items may be plain ids."""
    for made in (schema.json_schema(), schema.MetaFile.model_json_schema()):
        parts = [made, *made.get("$defs", {}).values()]
        for part in parts:
            for name, value in part.get("properties", {}).items():
                assert value.get("description"), name
    item = schema.json_schema()["properties"]["items"]["anyOf"][0]["items"]
    assert item["anyOf"][0] == {"type": "string"}


def test_written_yaml_needs_no_quotes_by_hand(tmp_path: Path) -> None:
    """Names that YAML would read as numbers or switches come back as names."""
    for name in ("1.md", "on.md", "2026-09-05.md", "prompt.md"):
        put(tmp_path / name, "text")
    init_run([tmp_path], tmp_path)
    assert [arm.id for arm in load_run(tmp_path).arms] == ["1", "2026-09-05", "on"]
    assert yaml.safe_load((tmp_path / "run.yaml").read_text())["arms"][0]["id"] == "1"


def test_init_over_folders_says_what_it_cannot_take(tmp_path: Path) -> None:
    """The run's own folder of folders is no answer; a prompt is found from inside it."""
    run = tmp_path / "run"
    answer = put(run / "north/q1.md", "x")
    with pytest.raises(RunError, match="holds no answer but in folders"):
        init_run([run], run)
    put(run / "ask.md", "Do it.")
    with pytest.raises(RunError, match="is no file; name the prompt's file in"):
        init_run([answer], run, prompt=Path("none.md"))
    init_run([answer], run, prompt=Path("ask.md"))
    assert "prompt: ask.md" in (run / "run.yaml").read_text("utf-8")
