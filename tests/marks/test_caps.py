"""What is kept or shown of many is never given as their number."""

from tests.marks.space import Space


def split_cells(space: Space, items: int = 25) -> None:
    """Two judges who differ on each of 2 × `items` cells; on one of five by a point alone."""
    space.take(
        space.csv(
            [
                (f"i{n}", arm, "c", rater, 9 if (arm == "a") == (rater == "r1") else 8 - 6 * far)
                for n in range(items)
                for far in [n % 5 > 0]
                for arm in "ab"
                for rater in ("r1", "r2")
            ]
        ),
        "--scale",
        "1-10",
    )


def test_the_split_of_a_panel_counts_all_cells(space: Space) -> None:
    """More cells are split on than a result keeps: the table counts them all."""
    split_cells(space, 60)
    said = " ".join(space.judge("table", "runs/given", "--panel").out.split())
    assert "the judges lie more than 1 point apart on 96 cells" in said
    found = space.json("agree")
    assert (found["cells_split"], found["cells_far"], len(found["splits"])) == (120, 96, 40)


def test_cells_that_are_not_shown_are_counted(space: Space) -> None:
    """The rest of the list is what is split on, and JSON is not said to hold all of it."""
    split_cells(space)
    said = space.judge("agree", "runs/given", "--split").out
    assert "… 40 more cells; --json has the widest 40" in said


def test_marks_alone_are_not_sent_to_texts_that_are_not_there(space: Space) -> None:
    """The list counts by the words of the table's warning; no command shows a text."""
    split_cells(space)
    said = " ".join(space.judge("agree", "runs/given", "--split").out.split())
    assert "Marks differ on 50 cells, 40 by more than 1 point." in said
    assert "judge show" not in said
    assert "read both" not in said
    step = space.judge("table", "runs/given", "--panel").out
    assert "cells to read" not in step
