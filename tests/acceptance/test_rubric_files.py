"""Rubric files with a mistake are refused before anything is sent; traps are kept as text."""

import time
from collections.abc import Callable

import pytest

import judgebench.cli.run_score  # noqa: F401 - loaded before the clock starts
from tests.acceptance.desk import HARBOUR, Desk, plan
from tests.clock import HANG_S
from tests.stub import StubServer

Serve = Callable[..., StubServer]
HEAD = "name: r\nscale: {min: 1, max: 5}\n"
ONE = "criteria:\n  - {id: clarity, text: Is it clear}\n"
BOMB = "".join(
    f"{key}: &{key} [{', '.join([f'*{before}' if before else 'x'] * 9)}]\n"
    for before, key in zip(["", *"pqrstuv"], "pqrstuvw", strict=True)
)
REFUSED: dict[str, tuple[bytes, str]] = {
    "double-key": (f"{HEAD}{ONE}{ONE}".encode(), "criteria"),
    "double-criterion": (
        f"{HEAD}{ONE}  - {{id: clarity, text: Again}}\n".encode(), "clarity"
    ),
    "weight-negative": (f"{HEAD}criteria: [{{id: a, text: x, weight: -2}}]\n".encode(), "weight"),
    "weight-nan": (f"{HEAD}criteria: [{{id: a, text: x, weight: .nan}}]\n".encode(), "weight"),
    "weights-zero": (
        f"{HEAD}criteria: [{{id: a, text: x, weight: 0}}, {{id: b, text: y, weight: 0}}]".encode(),
        "weight",
    ),
    "weight-word": (f"{HEAD}criteria: [{{id: a, text: x, weight: much}}]\n".encode(), "weight"),
    "scale-reversed": (f"name: r\nscale: {{min: 5, max: 2}}\n{ONE}".encode(), "scale"),
    "scale-one-point": (f"name: r\nscale: {{min: 2, max: 2}}\n{ONE}".encode(), "scale"),
    "anchor-outside": (
        f"{HEAD}criteria: [{{id: a, text: x, anchors: {{1: bad, 8: good}}}}]\n".encode(), "anchors"
    ),
    "unknown-key": (f"{HEAD}criteria: [{{id: a, text: x, weigth: 2}}]\n".encode(), "weigth"),
    "no-criteria": (f"{HEAD}criteria: []\n".encode(), "criteria"),
    "nothing": (b"", ""),
    "alias-bomb": (f"{BOMB}name: *w\nscale: {{min: 1, max: 5}}\n{ONE}".encode(), ""),
    "python-tag": (f"{HEAD}intro: !!python/object/apply:os.getcwd []\n{ONE}".encode(), ""),
    "path-in-id": (f"{HEAD}criteria: [{{id: ../up, text: x}}]\n".encode(), "up"),
    "bad-utf8": (f"{HEAD}{ONE}".encode() + b"intro: caf\xe9\n", ""),
    "two-documents": (f"{HEAD}{ONE}---\nname: s\n".encode(), ""),
    "tabs": (b"name: r\nscale:\n\tmin: 1\n", ""),
    "overflow": (f"name: r\nscale: {{min: 1, max: 1e400}}\n{ONE}".encode(), "scale"),
    "bare-words": (
        f"{HEAD}criteria: [{{id: no, text: x}}, {{id: 01, text: y}}]\n".encode(), "quote"
    ),
}  # fmt: skip
KEPT: dict[str, tuple[bytes, list[str]]] = {
    "byte-order-mark": (b"\xef\xbb\xbf" + f"{HEAD}{ONE}".encode(), ["clarity", "Is it clear"]),
    "quoted-words": (
        f'{HEAD}criteria: [{{id: "no", text: a1}}, {{id: "01", text: b2}}]\n'.encode(),
        ["no", "01"],
    ),
    "template-marks": (
        HEAD.encode() + b'criteria: [{id: a, text: "Uses {{ x }} and {% raw %}; {{ 6*9 }}"}]',
        ["Uses {{ x }} and {% raw %}; {{ 6*9 }}"],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_faulty_rubric_is_refused_in_one_line(desk: Desk, serve: Serve, name: str) -> None:
    """Exit 2 with file and place, without a hang, before any request."""
    desk.make({"north": HARBOUR})
    stub = serve(plan("fours"))
    file = desk.root / "rubrics" / f"{name}.yaml"
    content, word = REFUSED[name]
    file.write_bytes(content)
    begun = time.monotonic()
    first = desk.judge("score", desk.run, "--rubric", file)
    assert time.monotonic() - begun < HANG_S
    assert first.code == 2
    assert first.out == ""
    lines = [line for line in first.err.splitlines() if line.startswith("judge: ")]
    assert len(lines) == 1
    assert f"{name}.yaml" in lines[0]
    assert word in lines[0]
    assert len(lines[0]) < 400
    assert stub.log == []
    assert not desk.database.exists()
    assert desk.judge("rubric", "lint", file).code == 2


@pytest.mark.parametrize("name", KEPT)
def test_a_trap_is_kept_letter_for_letter(desk: Desk, serve: Serve, name: str) -> None:
    """Ids that look like booleans and marks of templates reach the judge as they stand."""
    desk.make({"north": HARBOUR})
    stub = serve(plan("fours"))
    file = desk.root / "rubrics" / f"{name}.yaml"
    content, words = KEPT[name]
    file.write_bytes(content)
    assert desk.judge("score", desk.run, "--rubric", file).code == 0
    system = stub.bodies[0]["messages"][0]["content"]
    for word in words:
        assert word in system
    assert "54" not in system


def test_the_list_of_rubrics_fits_and_survives_a_broken_file(desk: Desk) -> None:
    """One line each, at most 100 columns; a file that cannot be used says so, and the exit too."""
    desk.toml("http://127.0.0.1:9/v1")
    text = (desk.root / "rubrics" / "bulletin.yaml").read_text("utf-8")
    long = text.replace("id: clarity", f"id: {'c' * 40}").replace("id: tone", f"id: {'t' * 40}")
    (desk.root / "rubrics" / f"{'wide-name-' * 2}.yaml").write_text(long, "utf-8")
    said = desk.judge("rubric", "list")
    assert said.code == 0, said.err
    assert max(map(len, said.out.splitlines())) <= 100
    assert "bulletin" in said.out
    assert "rubrics/bulletin.yaml" in said.out
    assert "3: clarity, completeness, tone" in said.out
    (desk.root / "rubrics" / "broken.yaml").write_text("name: [", "utf-8")
    said = desk.judge("rubric", "list")
    assert said.code == 2
    assert "cannot be used" in said.out
    assert "broken.yaml" in said.err
    assert "3: clarity, completeness, tone" in said.out
    assert desk.judge("rubric", "list", "--stored").out == "No rubric was scored with here yet.\n"
