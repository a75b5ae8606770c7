"""`judge rubric diff`, `show` and `list --stored`: names, files, hashes, and what stays."""

from pathlib import Path

import pytest

from tests.marks.space import Space

TEXT = """\
name: marks-of-a-kind
version: "{version}"
scale: {{min: 1, max: 10}}
criteria:
  - id: grounding
    text: {words}
    anchors: {{2: it is not, 9: it is}}
"""


def rubric(space: Space, name: str, words: str = "Is it so?", version: str = "1") -> Path:
    """A rubric file beside the workspace's."""
    path = space.root / name
    path.write_text(TEXT.format(words=words, version=version), encoding="utf-8")
    return path


def test_text_differs_by_line_and_marks_are_not_pooled(run: Space) -> None:
    """What went and what came stand under their place."""
    rubric(run, "a.yaml")
    rubric(run, "b.yaml", words="Is it so, and is it shown?")
    said = run.judge("rubric", "diff", "a.yaml", "b.yaml")
    assert said.code == 0, said.err
    assert "grounding.text" in said.out
    assert "   - Is it so?\n" in said.out
    assert "   + Is it so, and is it shown?\n" in said.out
    assert "Not comparable" in said.out
    assert "No stored pass was asked either." in said.out
    assert max(map(len, said.out.splitlines())) <= 80


def test_only_sums_differ_and_stored_passes_are_named(run: Space) -> None:
    """A stored version by its hash, beside a file that asks alike."""
    listed = run.judge("rubric", "list", "--stored")
    assert listed.code == 0
    whole = next(word for word in listed.out.split() if "+" in word)
    text = run.judge("rubric", "show", whole)
    assert text.code == 0
    path = run.root / "mine.yaml"
    path.write_text(f"# mine\n{text.out}", encoding="utf-8")
    said = run.judge("rubric", "diff", whole[:8], "mine.yaml")
    assert said.code == 0, said.err
    assert "They ask and sum alike" in said.out
    assert "serves both" in said.out
    path.write_text(text.out.replace("version: ", "version: 9"), encoding="utf-8")
    sums = run.judge("rubric", "diff", whole, "mine.yaml")
    assert "totals are made anew without a request" in " ".join(sums.out.split())


def test_a_hash_that_names_several_is_one_line(run: Space) -> None:
    """So is a rubric that is not there, and hostile names."""
    for name in ("abcdef0", "no\x1b[2J.yaml"):
        said = run.judge("rubric", "diff", name, name)
        assert said.code == 2
        assert len(said.err.strip().splitlines()) == 1
        assert "\x1b" not in said.err


@pytest.mark.parametrize("words", ['"evil \\e[31m {{ x }}"', '"a \\u202E b"'])
def test_hostile_words_reach_no_terminal(run: Space, words: str) -> None:
    """Control and direction signs of a rubric are shown as signs."""
    rubric(run, "a.yaml")
    rubric(run, "b.yaml", words=words)
    shown = run.judge("rubric", "diff", "a.yaml", "b.yaml")
    said = run.judge("rubric", "diff", "a.yaml", "b.yaml", "--json")
    assert shown.code == said.code == 0
    assert not {"\x1b", "\u202e"} & set(shown.out + shown.err + said.out)
