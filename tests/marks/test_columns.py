"""Columns that nobody named: none that may tell marks apart is passed over in silence."""

import pytest

from tests.marks.space import Said, Space

ONCE = [(f"q{at}", arm, f"p{at}", 3 + at % 3) for at in range(6) for arm in "ab"]
TWICE = [(f"q{at}", arm, f"p{at % 2}", 3 + at % 3) for at in range(6) for arm in "ab"]
NAMED = ("--mark", "score", "--arm", "model", "--rater", "annotator")
BOTH_WAYS = [
    (f"q{at}", "red", "blue", order, "meter", won)
    for at in range(6)
    for order, won in (("AB", 1), ("BA", at % 2))
]
PAIRS = ("prompt", "model_a", "model_b", "order", "judge", "winner")
OF_PAIRS = ("--item", "prompt", "--arm-a", "model_a", "--arm-b", "model_b", "--rater", "judge",
            "--mark", "winner", "--scale", "-1..1")  # fmt: skip


def _take(space: Space, *words: str) -> Said:
    return space.judge("import", "marks", "marks.csv", "--to", "runs/x", *words)


@pytest.mark.parametrize("name", ["question", "prompt", "Task ID", "example", "instruction", "doc"])
def test_usual_names_of_items_are_offered(space: Space, name: str) -> None:
    """The command that is offered tells items apart."""
    space.csv(ONCE, head=(name, "model", "annotator", "score"))
    said = _take(space)
    quoted = f"'{name}'" if " " in name else name
    assert f"--mark score --item {quoted} --arm model --rater annotator" in said.err


@pytest.mark.parametrize(
    ("head", "left"),
    [
        (("frage", "model", "annotator", "score"), "frage"),
        (("case", "model", "turn_id", "score"), "turn_id"),
        (("task", "model", "judge", "annotator", "score"), "annotator"),
    ],
)
def test_no_command_leaves_out_what_may_tell_marks_apart(
    space: Space, head: tuple[str, ...], left: str
) -> None:
    """Where a column is left that may be the item, or has the name of an identifier, it is said."""
    rows = [(*row[:3], *([row[2]] * (len(head) - 4)), row[3]) for row in ONCE]
    space.csv(rows, head=head)
    said = _take(space)
    assert "judge import marks" not in said.err
    assert said.err.endswith(f"name each by its option, the item with --item; not clear: {left}\n")


def test_an_item_and_its_text_are_one_thing(space: Space) -> None:
    """`question` beside `question_id`, and what is no identifier, hold no command back."""
    rows = [(item, f"What is {item}?", arm, "x", mark) for item, arm, _, mark in ONCE]
    space.csv(rows, head=("question_id", "question", "model", "language", "score"))
    assert "--mark score --item question_id --arm model\n" in _take(space).err


def test_an_import_without_an_item_says_what_was_not_read(space: Space) -> None:
    """Rows of six questions that become one item are no surprise."""
    space.csv(ONCE, head=("question", "model", "annotator", "score"))
    said = _take(space, *NAMED)
    assert "1 item, 12 marks" in said.out
    assert "not read: question; all rows are one item, --item COLUMN tells items apart" in said.out


def test_an_item_that_was_named_needs_no_word(space: Space) -> None:
    """Texts and notes beside it are left alone."""
    space.csv(ONCE, head=("question", "model", "annotator", "score"))
    said = _take(space, *NAMED, "--item", "question")
    assert (said.code, "one item" in said.out) == (0, False)


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("question", "add --item question"),
        ("frage", "name the item with --item: not read is frage"),
    ],
)
def test_a_second_mark_does_not_ask_for_data_to_be_deleted(
    space: Space, name: str, fix: str
) -> None:
    """Two marks of one person on one arm: what is not read tells them apart."""
    space.csv(TWICE, head=(name, "model", "annotator", "score"))
    said = _take(space, *NAMED)
    assert (said.code, "keep one" in said.err) == (2, False)
    assert said.err.endswith(f"{fix}\n")


def test_pairs_in_both_orders_are_told_the_column_of_the_order(space: Space) -> None:
    """It is named where it is there, and taken for no number of a repeat."""
    space.csv(BOTH_WAYS, head=PAIRS)
    said = _take(space, *OF_PAIRS)
    assert (said.code, "add --order order\n" in said.err) == (2, True)
    said = _take(space, *OF_PAIRS, "--scoring", "order")
    assert said.code == 2
    assert ":2: scoring is AB, which is no number" in said.err
    assert said.err.endswith("what was shown first with --order\n")
    assert _take(space, *OF_PAIRS, "--order", "order").code == 0


def test_orders_that_look_like_numbers_number_no_repeats(space: Space) -> None:
    """12 and 21 say who was shown first."""
    space.csv([(*row[:3], {"AB": 12, "BA": 21}[row[3]], *row[4:]) for row in BOTH_WAYS], head=PAIRS)
    said = _take(space, *OF_PAIRS, "--scoring", "order")
    assert (said.code, "name it with --order order in place of" in said.err) == (2, True)


def test_a_column_of_other_values_is_no_order(space: Space) -> None:
    """Where it counts the rows, pairs are not told to name it."""
    rows = [(*row[:3], 10 + at, *row[4:]) for at, row in enumerate(BOTH_WAYS)]
    space.csv(rows, head=PAIRS)
    assert "--order order" not in _take(space).err
    assert "--order order" not in _take(space, *OF_PAIRS).err


def test_a_table_of_totals_is_told_what_takes_it(space: Space) -> None:
    """One line a project with its criteria and total is no file to be rewritten."""
    space.csv([("a", 3, 4, 7), ("b", 2, 4, 6)], head=("slug", "clear", "true", "total"))
    said = _take(space)
    assert (said.code, "judge import scores marks.csv takes a table of totals" in said.err) == (
        2,
        True,
    )
    assert space.judge("import", "scores", "marks.csv").code == 0


def test_a_decimal_comma_is_named(space: Space) -> None:
    """What is wrong with 4,5 is said, and how it is written."""
    path = space.root / "marks.csv"
    path.write_text("item;arm;mark\n1;a;4,5\n1;b;3\n")
    said = _take(space, "--item", "item", "--arm", "arm", "--mark", "mark")
    assert ":2: mark is 4,5, with a comma; write decimals with a point" in said.err


@pytest.mark.parametrize(
    ("arms", "signs"),
    [
        (("model", "mod\u0435l"), "U+0065 in one, U+0435 in the other"),
        (("gpt-4", "gpt\u20114"), "U+002D in one, U+2011 in the other"),
    ],
)
def test_arms_that_look_alike_are_warned_of(
    space: Space, arms: tuple[str, str], signs: str
) -> None:
    """A letter of another script or an odd dash makes another arm: both are named, and taken."""
    space.csv([(f"q{at}", arm, "x", 3 + at % 3) for at in range(6) for arm in arms],
              head=("question", "model", "annotator", "score"))  # fmt: skip
    said = _take(space, *NAMED, "--item", "question")
    assert (said.code, "2 arms" in said.out) == (0, True)
    assert f"look alike and are two arms: {signs}" in " ".join(said.err.split())


def test_arms_that_differ_in_plain_signs_are_not_warned_of(space: Space) -> None:
    """Capitals, digits and accents are seen."""
    arms = ("gpt-4", "GPT-4", "l1", "ll", "gpt_4", "e1", "\u00e91", "\u00f81", "o1")
    space.csv([(f"q{at}", arm, "x", 3 + at % 3) for at in range(6) for arm in arms],
              head=("question", "model", "annotator", "score"))  # fmt: skip
    assert "look alike" not in _take(space, *NAMED, "--item", "question").err


@pytest.mark.parametrize("name", ["kind", "rater_type", "who it was"])
def test_the_kind_of_rater_is_found_by_what_it_holds(space: Space, name: str) -> None:
    """Without it people would be taken for judges."""
    rows = [(*row[:3], "human" if at % 2 else "llm", row[3]) for at, row in enumerate(ONCE)]
    space.csv(rows, head=("prompt", "model", "annotator", name, "score"))
    quoted = f"'{name}'" if " " in name else name
    assert f"--rater annotator --rater-kind {quoted}\n" in _take(space).err
    other = [(*row[:3], "essay" if at % 2 else "code", row[3]) for at, row in enumerate(ONCE)]
    space.csv(other, head=("prompt", "model", "annotator", name, "score"))
    assert "--rater-kind" not in _take(space).err


@pytest.mark.parametrize("name", ["kind", "who it was"])
def test_people_are_not_taken_for_judges(space: Space, name: str) -> None:
    """Where a column says of every rater, each always alike, that some of them are people."""
    kinds = {f"p{at}": "human" if at % 2 else "llm" for at in range(6)}
    space.csv([(*row[:3], kinds[row[2]], row[3]) for row in ONCE],
              head=("prompt", "model", "annotator", name, "score"))  # fmt: skip
    words = (*NAMED, "--item", "prompt")
    said = _take(space, *words)
    quoted = f"'{name}'" if " " in name else name
    assert (said.code, f"add --rater-kind {quoted}, or name" in said.err) == (2, True)
    assert _take(space, *words, "--rater-kind", name).code == 0


def test_a_column_of_who_wrote_the_answers_is_no_kind_of_rater(space: Space) -> None:
    """Each rater saw both, or the user said which raters are models: nothing is refused."""
    rows = [(*row[:3], "human" if row[1] == "a" else "model", row[3]) for row in ONCE]
    space.csv(rows, head=("prompt", "model", "annotator", "source", "score"))
    assert _take(space, *NAMED, "--item", "prompt").code == 0
    kinds = [(*row[:3], "human", row[3]) for row in ONCE]
    space.csv(kinds, head=("prompt", "model", "annotator", "source", "score"))
    judges = [word for at in range(6) for word in ("--judge", f"p{at}")]
    said = space.judge("import", "marks", "marks.csv", "--to", "runs/y", *NAMED, "--item",
                       "prompt", *judges)  # fmt: skip
    assert said.code == 0, said.err


@pytest.mark.parametrize("seen", [("0", "1"), ("left", "right"), ("False", "True")])
def test_an_order_in_other_words_numbers_no_repeats(space: Space, seen: tuple[str, str]) -> None:
    """Its name says what it is; where it has another, the order is offered before the repeats."""
    rows = [(*row[:3], seen[row[3] == "BA"], *row[4:]) for row in BOTH_WAYS]
    space.csv(rows, head=("prompt", "model_a", "model_b", "shown", "judge", "winner"))
    said = _take(space, *OF_PAIRS, "--scoring", "shown")
    assert (said.code, "--order" in said.err) == (2, True)
    space.csv(rows, head=("prompt", "model_a", "model_b", "zz", "judge", "winner"))
    said = _take(space, *OF_PAIRS)
    assert (said.code, "zz, which is not read: name it with --order, " in said.err) == (2, True)


def test_blank_orders_are_counted_and_named(space: Space) -> None:
    """One blank makes the order of its rater unknown: the import and each reason say so."""
    rows = [(*row[:3], "" if at == 3 else row[3], *row[4:]) for at, row in enumerate(BOTH_WAYS)]
    space.csv(rows, head=PAIRS)
    said = _take(space, *OF_PAIRS, "--order", "order")
    assert said.code == 0
    assert "no order in 1 row: who was shown first counts as unknown" in said.out
    why = "the column of --order is empty for 1 of 12 comparisons: fill it in"
    for words in (("table", "runs/x", "--why"), ("biases", "runs/x")):
        assert why in " ".join(space.judge(*words).out.split()), words
    said = space.judge("import", "marks", "marks.csv", "--to", "runs/y", *OF_PAIRS, "--keep",
                       "prompt=q0", "--order", "order")  # fmt: skip
    assert (said.code, "no order" in said.out) == (0, False)


def test_the_order_of_pairs_is_found_by_what_it_holds(space: Space) -> None:
    """In the command that is offered, and where marks contradict each other."""
    space.csv(BOTH_WAYS, head=("prompt", "model_a", "model_b", "seen", "judge", "winner"))
    assert "--arm-b model_b --order seen --rater judge" in _take(space).err
    assert _take(space, *OF_PAIRS).err.endswith("add --order seen\n")


def test_rows_counted_once_name_what_was_not_read(space: Space) -> None:
    """The same verdict in both orders is one mark to who does not name the order."""
    rows = [(*row[:5], 1) for row in BOTH_WAYS]
    space.csv(rows, head=("prompt", "model_a", "model_b", "seen", "judge", "winner"))
    said = _take(space, *OF_PAIRS)
    assert said.code == 0
    assert "counted once: 6 rows that add no other mark (not read: seen)" in said.out
    assert "add --order seen, where it tells them apart" in " ".join(said.err.split())


def test_what_differs_between_two_marks_of_one_thing_is_named(space: Space) -> None:
    """A column of whatever name: the reader knows what it is."""
    rows = [
        (f"q{at}", arm, "meter", axis, 3 + place)
        for at in range(6)
        for arm in "ab"
        for place, axis in enumerate(("help", "style"))
    ]
    space.csv(rows, head=("prompt", "model", "judge", "axe", "score"))
    said = _take(space, "--mark", "score", "--item", "prompt", "--arm", "model", "--rater", "judge")
    assert said.code == 2
    assert "they differ in axe, which is not read: name it with --criterion" in said.err


def test_a_panel_of_one_names_what_can_be_done(space: Space) -> None:
    """Nobody can be asked of a run of marks alone, and people are no judges."""
    space.csv(ONCE, head=("prompt", "model", "annotator", "score"))
    words = ("--mark", "score", "--item", "prompt", "--arm", "model")
    assert _take(space, *words).code == 0
    said = space.judge("table", "runs/x", "--panel")
    assert (said.code, "judge import marks takes a file" in said.err) == (2, True)
    people = ("--rater", "annotator", "--rater-kind", "human")
    assert space.judge("import", "marks", "marks.csv", "--to", "runs/y", *words, *people).code == 0
    said = space.judge("table", "runs/y", "--panel")
    assert (said.code, "people are none; judge agree compares them" in said.err) == (2, True)


def test_a_file_that_is_no_utf8_is_told_so(space: Space) -> None:
    """What a spreadsheet saves in Latin-1 has no invisible characters."""
    text = "item,arm,mark\nq1,älpha,3\nq2,beta,4\n"
    (space.root / "marks.csv").write_bytes(text.encode("latin-1"))
    said = _take(space, "--item", "item", "--arm", "arm", "--mark", "mark")
    assert (said.code, "invisible" in said.err) == (2, False)
    assert said.err.endswith("arm holds bytes that are no UTF-8; save the file as UTF-8\n")


def test_two_values_of_one_column_are_not_kept(space: Space) -> None:
    """A row has one of them: the file would look empty."""
    space.csv(ONCE, head=("prompt", "model", "annotator", "score"))
    said = _take(space, *NAMED, "--keep", "prompt=q1", "--keep", "prompt=q2")
    assert (said.code, "a row has one" in said.err) == (2, True)


def test_options_that_are_named_are_not_offered(space: Space) -> None:
    """Of two marks of one place, only what is not said yet may tell them apart."""
    rows = [(f"q{at // 2}", "a", f"x{at}", 3, at % 5) for at in range(12)]
    space.csv(rows, head=("prompt", "model", "other", "annotator", "score"))
    said = _take(space, *NAMED, "--item", "prompt")
    assert said.err.endswith(
        "they differ in other, which is not read: name it with --criterion or --scoring\n"
    )
