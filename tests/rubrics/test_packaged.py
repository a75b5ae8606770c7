"""The rubrics that come with the product, and the examples of its page on rubrics."""

import re
from pathlib import Path

import pytest

from judgebench.model.nouns import Mark
from judgebench.model.rubric import Applies
from judgebench.rubrics.lint import lint
from judgebench.rubrics.load import find_rubric, load_rubric, parse_rubric
from judgebench.rubrics.schema import RubricFile
from judgebench.rubrics.total import total

DOCS = Path(__file__).parent.parent.parent / "docs" / "rubrics.md"


@pytest.mark.parametrize("name", ["usecase", "answer"])
def test_packaged_rubrics_are_sound(name: str) -> None:
    """They load under their own name, have no lint, and anchor 2, 5 and 9 on 1 to 10."""
    rubric = load_rubric(find_rubric(name, folders=[]))
    assert rubric.name == name
    assert lint(rubric) == ()
    assert (rubric.scale.low, rubric.scale.high, rubric.scale.step) == (1, 10, 1)
    for criterion in rubric.criteria:
        assert [anchor.mark for anchor in criterion.anchors] == [2, 5, 9]
        assert criterion.quotes == 1
        assert criterion.weight == 1
        assert len(criterion.head or criterion.id) <= 9
        assert all(60 < len(anchor.text) < 500 for anchor in criterion.anchors)
        assert "\n" not in criterion.text


def test_usecase_has_the_four_axes_and_their_conditions() -> None:
    """Grounding needs evidence, legible assumptions need an ambiguity."""
    rubric = load_rubric(find_rubric("usecase", folders=[]))
    assert [(c.id, c.applies) for c in rubric.criteria] == [
        ("grounding", Applies.EVIDENCE),
        ("calibration", Applies.ALWAYS),
        ("actionability", Applies.ALWAYS),
        ("assumptions", Applies.AMBIGUITY),
    ]
    assert rubric.criterion("assumptions").head == "assump"


def test_answer_asks_four_things_of_every_item() -> None:
    """A folder without a use case has no conditions to settle."""
    rubric = load_rubric(find_rubric("answer", folders=[]))
    assert [c.id for c in rubric.criteria] == ["task", "correctness", "usefulness", "clarity"]
    assert {c.applies for c in rubric.criteria} == {Applies.ALWAYS}


def test_the_page_on_rubrics_names_every_key() -> None:
    """No key of the format is undocumented."""
    page = DOCS.read_text(encoding="utf-8")
    schema = RubricFile.model_json_schema()
    for part in (schema, *schema["$defs"].values()):
        for key in part["properties"]:
            assert f"`{key}`" in page or f".{key}`" in page, key


def test_the_worked_example_comes_out_as_written() -> None:
    """The page's rubric loads and its totals are the ones that the code makes."""
    page = DOCS.read_text(encoding="utf-8")
    example = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert example is not None
    rubric = parse_rubric(example.group(1), Path("docs/rubrics.md"))
    assert lint(rubric) == ()
    row = r"^\| (\d+|–) \| (\d+) \| (\d+) \| .* \| ([\d.]+) \| (\w+) \|$"
    rows = re.findall(row, page, re.MULTILINE)
    assert len(rows) == 4
    for *given, wanted, tier in rows:
        marks = {
            c.id: Mark(criterion=c.id, mark=float(m))
            for c, m in zip(rubric.criteria, given, strict=True)
            if m != "–"
        }
        got = total(rubric, marks, applicable=tuple(marks))
        assert got.value == pytest.approx(float(wanted))
        assert got.tier == tier
