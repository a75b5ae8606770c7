"""Two versions of a rubric: every change once, renames found, and what is asked alike."""

from pathlib import Path

from judgebench.model.rubric import Rubric
from judgebench.model.versions import Part, RubricChange
from judgebench.rubrics.diff import changes, renamed, same_questions
from judgebench.rubrics.load import load_rubric, packaged_rubrics, parse_rubric

BASE = """\
name: letter
version: "1"
intro: You mark a reply.
scale: {min: 1, max: 10}
criteria:
  - id: facts
    text: Do dates and sums agree with the evidence that lies beside them?
    anchors: {2: most do not, 9: all do}
  - id: tone
    text: Is the customer treated as a grown-up with a real concern of their own?
    anchors: {2: stock phrases only, 9: the concern is named once}
gates:
  - {criterion: facts, below: 5, cap: 5}
tiers:
  - {name: send, at_least: 7}
  - {name: discard, at_least: 1}
"""


def made(*swaps: tuple[str, str], text: str = BASE) -> Rubric:
    """The rubric with some words exchanged."""
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new)
    return parse_rubric(text, Path("letter.yaml"))


def found(*swaps: tuple[str, str]) -> dict[str, RubricChange]:
    """Changes by their place."""
    return {one.place: one for one in changes(made(), made(*swaps))}


def test_a_rubric_does_not_differ_from_itself() -> None:
    """Nor by comments and layout."""
    assert changes(made(), made(("version:", "# a comment\nversion:"))) == ()
    assert same_questions(made(), made()) == ("facts", "tone")


def test_weights_gates_and_tiers_are_sums() -> None:
    """The judge sees none of them; a changed rule is one that went and one that came."""
    one = found(
        ("below: 5, cap: 5", "below: 4, cap: 5"), ('"1"', '"2"'),
        ("    anchors: {2: most", "    weight: 2\n    anchors: {2: most"),
    )  # fmt: skip
    assert {change.part for change in one.values()} == {Part.SUMS}
    assert not any(change.asks for change in one.values())
    assert (one["facts.weight"].before, one["facts.weight"].after) == ("1", "2")
    gone = one["gate: facts below 5 holds the total at 5"]
    come = one["gate: facts below 4 holds the total at 5"]
    assert gone.after is None
    assert come.before is None


def test_words_are_asked_and_only_their_criterion_changes() -> None:
    """An anchor of one criterion leaves the question of the other as it was."""
    one = found(("9: all do", "9: every one does"), ("You mark a reply.", "You mark a letter."))
    assert set(one) == {"facts.anchors.9", "intro"}
    assert all(change.asks and change.text for change in one.values())
    assert same_questions(made(), made(("9: all do", "9: every one does"))) == ("tone",)


def test_another_scale_leaves_no_question_alike() -> None:
    """Marks of another scale are other marks."""
    new = made(("max: 10", "max: 9"))
    assert [one.part for one in changes(made(), new)] == [Part.SCALE]
    assert same_questions(made(), new) == ()


def test_a_new_name_for_the_same_words_is_a_rename() -> None:
    """Rules that named it follow; its words are not said to be new."""
    new = made(("id: facts", "id: truth"), ("criterion: facts", "criterion: truth"))
    assert renamed(made(), new) == (("facts", "truth"),)
    assert [one.place for one in changes(made(), new)] == ["facts → truth"]


def test_other_words_under_a_new_name_are_one_gone_and_one_come() -> None:
    """Each is one change: its text, anchors and weight are not listed beside it."""
    new = made(
        ("id: tone", "id: length"),
        ("Is the customer treated as a grown-up with a real concern of their own?", "Is it short?"),
        ("2: stock phrases only, 9: the concern is named once", "2: pages, 9: a line"),
    )
    one = {change.place: change for change in changes(made(), new)}
    assert set(one) == {"tone", "length", "order of criteria"}
    assert one["tone"].after is None
    assert one["length"].before is None


def test_prices_of_a_catalogue_are_sums_and_its_conditions_are_asked() -> None:
    """A packaged rubric of deductions with one price and one condition changed."""
    path = packaged_rubrics() / "code-8d.yaml"
    old = load_rubric(path)
    assert old.deductions is not None
    entry = old.deductions.criteria[0].entries[0]
    start = " ".join(entry.when.split()[:3])
    text = old.source.replace(start, f"{start} really", 1)
    new = parse_rubric(text, path)
    words = changes(old, new)
    assert any(one.place.endswith(f"{entry.id}.when") for one in words)
    assert {(one.part, one.asks) for one in words} == {(Part.WORDS, True)}
    dearer = parse_rubric(old.source.replace("points: 5", "points: 4", 1), path)
    assert {(one.part, one.asks) for one in changes(old, dearer)} == {(Part.SUMS, False)}
