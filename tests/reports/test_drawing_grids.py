"""Grids as pictures: every figure is drawn, what is blocked is hatched, names stay words."""

from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from judgebench.reports import grids
from judgebench.reports.drawing import draw
from judgebench.reports.pictures import drawing
from judgebench.reports.plot_shapes import GridCell, GridPlot
from tests.reports.make_exhibits import exhibits
from tests.reports.test_drawing import NAMES, drawn, shapes, texts
from tests.reports.test_gold import partly_blocked


def table(*rows: tuple[GridCell, ...], names: tuple[str, ...] = ()) -> GridPlot:
    """A grid of cells."""
    columns = names or tuple(f"arm {n}" for n in range(len(rows[0])))
    return GridPlot(
        key="matrix", title="T", desc="D", rows=tuple(f"item {n}" for n in range(len(rows))),
        columns=columns, cells=rows, marked="",
    )  # fmt: skip


def matrix() -> GridPlot:
    """Items and arms, four cells blocked."""
    result = partly_blocked()
    plot = grids.items(result, exhibits(result).cells)
    assert plot is not None
    return plot


BLOCKED = GridCell(words="provider_window", short="window", look="blocked")


def hatching(picture: ET.Element) -> int:
    """How many lines are hatched."""
    return len(list(shapes(picture, stroke="var(--hatch)")))


def test_every_figure_stands_in_the_picture() -> None:
    """Each cell, each row and each column has its words, and each shade its tiles."""
    plot = matrix()
    picture = drawn(plot)
    every = [one for row in plot.cells for one in row]
    words = [*(one.words for one in every), *plot.rows, *plot.columns]
    assert Counter(texts(picture)) == Counter(words)
    for look, count in Counter(one.look for one in every).items():
        if look != "blocked":
            assert len(list(shapes(picture, fill=f"var(--{look})"))) == count


def test_what_is_blocked_is_hatched_with_its_reason() -> None:
    """Lines on paper for each, none elsewhere; the reason stands on a ground of its own."""
    fine = GridCell(words="5.00", look="h3")
    assert hatching(drawn(table((fine, fine)))) == 0
    one = hatching(drawn(table((BLOCKED, fine))))
    assert one > 4
    both = drawn(table((BLOCKED, BLOCKED)))
    assert hatching(both) == 2 * one
    assert texts(both).count("provider_window") == 2
    assert len(list(shapes(both, fill="var(--paper)"))) == 4


def test_a_narrow_column_has_short_reasons_and_whole_figures() -> None:
    """A reason becomes a word; a figure that is too long is written smaller, never cut."""
    figure = GridCell(words="1234567.89?", look="h6")
    picture = drawn(table((figure, *[BLOCKED] * 11)))
    assert texts(picture).count("window") == 11
    assert "1234567.89?" in texts(picture)
    (written,) = (one for one in picture.iter("text") if "".join(one.itertext()) == figure.words)
    assert float(written.attrib["font-size"].removesuffix("px")) < 13


def test_equal_input_gives_equal_bytes() -> None:
    """Twice here, and in a process of its own."""
    plot = matrix()
    assert draw(plot) == draw(plot)
    with drawing([plot]) as made:
        assert made.of(plot) == draw(plot)


@pytest.mark.parametrize("count", [1, 12])
def test_names_are_drawn_as_they_are(count: int) -> None:
    """No link, formula, format or number is made of a name, turned or not."""
    names = (NAMES * 3)[:count]
    picture = drawn(table(tuple(GridCell(words=f"{n}.00", look="h1") for n in range(count)),
                          names=names))  # fmt: skip
    assert set(names) <= set(texts(picture))


def test_columns_of_one_name_are_two_columns() -> None:
    """Names that are cut to the same words keep their places."""
    cells = (GridCell(words="1.00", look="h0"), GridCell(words="9.00", look="h6"))
    found = texts(drawn(table(cells, names=("same", "same"))))
    assert found.count("same") == 2


def test_a_picture_of_nothing_known_is_drawn() -> None:
    """One cell with a dash has no shade."""
    picture = drawn(table((GridCell(words="-"),)))
    assert "-" in texts(picture)
    assert not any("--h" in one.get("fill", "") for one in picture.iter())
