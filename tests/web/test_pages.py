"""Keys of marks, and what a page may send."""

import pytest

from judgebench.errors import RunError
from judgebench.model.labelling import Said
from judgebench.model.rubric import Scale
from judgebench.pipeline.people.label_desk import scale_marks
from judgebench.runs.importers.human_sheet import guarded
from judgebench.web.pages import asset, mark_keys, render
from judgebench.web.server import said_of


@pytest.mark.parametrize(
    ("low", "high", "step", "keys"),
    [
        (1, 5, 1, "12345"),
        (1, 10, 1, "1234567890"),
        (0, 9, 1, "0123456789"),
        (0, 10, 1, "0123456789t"),
        (1, 3, 0.5, "12345"),
        (-1, 1, 1, "123"),
        (0, 100, 10, "1234567890t"),
        (0, 100, 1, ""),
    ],
)
def test_each_mark_has_a_key_of_its_own(low: float, high: float, step: float, keys: str) -> None:
    """A mark of one digit is that digit; a scale that is too long has none."""
    marks = scale_marks(Scale(low=low, high=high, step=step), "r")
    assert "".join(mark_keys(marks).values()) == keys
    assert (marks[0], marks[-1]) == (low, high)


def test_a_scale_without_end_is_refused() -> None:
    """More marks than a page could check are named."""
    with pytest.raises(RunError, match="100,001 marks"):
        scale_marks(Scale(low=0, high=1, step=0.00001), "r")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", " =1", "\t=1", "\r1", "＝1", "|x"])
def test_no_cell_starts_a_formula(text: str) -> None:
    """An apostrophe stands before it, also where blanks come first."""
    assert guarded(text) == f"'{text}"
    assert guarded(f"a{text}") == f"a{text}"


def test_only_what_a_page_sends_is_taken() -> None:
    """The form is exact: no other key, no other type."""
    good = {"item": "i", "label": "L", "criterion": "c", "mark": 2, "cannot_judge": False}
    assert said_of(good) == Said(item="i", label="L", criterion="c", mark=2.0)
    wrong: list[object] = [None, [], "x", {**good, "arm": "a"}, {**good, "mark": "2"}]
    wrong += [{**good, "item": 1}, {**good, "mark": True}, {**good, "cannot_judge": None}]
    wrong += [{name: value for name, value in good.items() if name != "mark"}]
    assert [said_of(one) for one in wrong] == [None] * len(wrong)


def test_names_of_people_are_text() -> None:
    """A name with mark-up, a control sign and a direction sign is shown as what it is."""
    name = "<script>x</script>\x1b[2J\u202e"
    page = render("who.html", base="/t/", title="T", people=[(name, "/t/answer?rater=x")]).decode()
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_no_other_file_is_served() -> None:
    """Templates and paths are no assets."""
    assert asset("answer.html") is None
    assert asset("../server.py") is None
    assert asset("label.css") is not None
