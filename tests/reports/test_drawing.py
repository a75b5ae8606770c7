"""Plots as pictures: words stay words, colours are the page's, equal input gives equal bytes."""

import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from judgebench.errors import PlotError
from judgebench.reports import pictures, plots
from judgebench.reports.drawing import draw
from judgebench.reports.pictures import drawing
from judgebench.reports.plot_shapes import (
    Bar,
    BarPlot,
    GridCell,
    GridPlot,
    IntervalPlot,
    Plot,
    ScatterPlot,
    Spot,
    Whisker,
)
from tests.reports import make
from tests.reports.test_gold import partly_blocked

NAMES = (
    'a<a href="https://example.org">link</a>',
    r"\(x^2\) & _b_ **c**",
    "{d} @e ..f..",
    "1e3",
)
SHAPES = {"line", "path", "circle", "rect", "text"}


def row(name: str = "north", **changes: object) -> Whisker:
    """A row with an interval."""
    made = Whisker(name=name, value=5.0, low=4.0, high=6.0, best=False, words=f"{name} 5")
    return dataclasses.replace(made, **changes)  # type: ignore[arg-type]  # fields of a row


def rows(*found: Whisker, zero: bool = False) -> IntervalPlot:
    """A plot of rows on a scale of 1 to 10."""
    return IntervalPlot(
        key="totals", title="T", desc="D", rows=found, axis="total", low=1.0, high=10.0,
        zero=zero, marked="",
    )  # fmt: skip


def spots(names: Sequence[str] = NAMES) -> ScatterPlot:
    """Arms that all cost the same."""
    found = [Spot(name=name, x=1.0, y=5.0, best=False) for name in names]
    return ScatterPlot(
        key="cost", title="T", desc="D", spots=tuple(found), x_axis="USD", y_axis="total",
        low=1.0, high=10.0, marked="",
    )  # fmt: skip


def bars() -> BarPlot:
    """Marks, one of them never given."""
    found = (Bar(label="1", count=1_200), Bar(label="2", count=0), Bar(label="3", count=600))
    return BarPlot(key="marks-0", title="T", desc="D", bars=found, axis="mark", most=0.8)


def cells() -> GridPlot:
    """One figure, and one reason why there is none."""
    found = (GridCell(words="5.00", look="h3"), GridCell(words="length", look="blocked"))
    return GridPlot(
        key="matrix", title="T", desc="D", rows=("one",), columns=("a", "b"), cells=(found,),
        marked="",
    )  # fmt: skip


def drawn(plot: Plot) -> ET.Element:
    """What is drawn, read again."""
    return ET.fromstring(draw(plot))  # noqa: S314 - our own picture


def texts(picture: ET.Element) -> list[str]:
    """All words of a picture but its title and description."""
    return ["".join(one.itertext()) for one in picture.iter("text")]


def shapes(picture: ET.Element, **looks: str) -> Iterator[ET.Element]:
    """Shapes that look so."""
    return (
        one for one in picture.iter()
        if one.tag in SHAPES and all(one.get(name) == value for name, value in looks.items())
    )  # fmt: skip


@pytest.mark.parametrize("plot", [rows(*map(row, NAMES)), spots()])
def test_words_are_drawn_as_they_are(plot: Plot) -> None:
    """No link, formula, format or number is made of a name."""
    picture = drawn(plot)
    assert set(NAMES) <= set(texts(picture))
    assert {one.tag for one in picture.iter()} <= {"svg", "title", "desc", "g", *SHAPES}


@pytest.mark.parametrize(
    "plot", [rows(row(raw=7.0), row(best=True), zero=True), spots(), bars(), cells()]
)
def test_a_picture_has_no_style_and_no_colour_of_its_own(plot: Plot) -> None:
    """All colours are variables of the page, and its only ids those of title and description."""
    picture = drawn(plot)
    for one in picture.iter():
        assert not {"style", "clip-path", "href"} & set(one.attrib)
        for name in ("fill", "stroke"):
            assert re.fullmatch(r"none|var\(--[a-z]+[0-6]?\)", one.get(name, "none"))
    key = plot.key
    assert [one.get("id") for one in picture.iter() if one.get("id")] == [f"{key}-t", f"{key}-d"]
    assert picture.get("aria-labelledby") == f"{key}-t {key}-d"


def test_signs_say_what_the_caption_names() -> None:
    """The best is a diamond in its colour, what has no interval is hollow, raw is a square."""
    picture = drawn(rows(row(), row("best", best=True), row("bare", low=None, high=None, raw=9.0)))
    (full,) = shapes(picture, fill="var(--accent)")
    (hollow,) = shapes(picture, fill="var(--paper)", stroke="var(--accent)")
    (square,) = shapes(picture, fill="var(--paper)", stroke="var(--ink)")
    (diamond,) = shapes(picture, fill="var(--best)")
    assert [one.tag for one in (full, hollow)] == ["circle", "circle"]
    assert {one.tag for one in (square, diamond)} <= {"path", "rect"}
    assert len(list(shapes(picture, stroke="var(--best)"))) == 4
    assert len(list(shapes(picture, stroke="var(--accent)"))) == 5


def test_intervals_that_are_not_for_comparing_are_thin_and_pale() -> None:
    """No caps invite a look at where they end, and the note stands in the picture itself."""
    usual = rows(row())
    faint = dataclasses.replace(usual, faint=True, note="of one arm by itself")
    caps = [len(list(shapes(drawn(one), stroke="var(--accent)"))) for one in (usual, faint)]
    assert caps[1] < caps[0]
    assert any(one.get("stroke-opacity") == "0.4" for one in drawn(faint).iter())
    assert "of one arm by itself" in texts(drawn(faint))
    assert "of one arm by itself" not in texts(drawn(usual))


@pytest.mark.parametrize("count", [1, 2, 3, 12])
def test_the_title_of_an_axis_stands_inside_of_the_picture(count: int) -> None:
    """With few rows too, the descenders of its letters are not cut."""
    picture = drawn(rows(*(row(f"arm {n}") for n in range(count)), zero=True))
    (place,) = (one for one in picture.iter("g") if [*one] and one[0].text == "total")
    foot = float(re.findall(r"[0-9.]+", place.get("transform", ""))[1])
    assert foot + 5 <= float(picture.get("height", 0))


def test_signs_are_the_same_in_both_kinds_of_plot() -> None:
    """A triangle and a hollow sign mean in a scatter plot what they mean in rows."""
    (usual,) = spots(["a"]).spots
    changed = (
        dataclasses.replace(usual, best=True),
        dataclasses.replace(usual, unplaced=True),
        dataclasses.replace(usual, open=True),
    )
    found = drawn(dataclasses.replace(spots(), spots=changed))
    (triangle,) = shapes(found, fill="var(--accent)")
    (hollow,) = shapes(found, fill="var(--paper)", stroke="var(--accent)")
    (diamond,) = shapes(found, fill="var(--best)")
    assert (triangle.tag, hollow.tag) == ("path", "circle")
    assert diamond.tag in {"path", "rect"}


def test_rows_without_a_figure_and_rows_of_one_name_keep_their_place() -> None:
    """Two arms cut to the same name are two rows; one without a point has its words."""
    same = row("long name")
    bare = row("none", value=None, low=None, high=None, words="no marks")
    found = texts(drawn(rows(same, same, bare)))
    assert found.count("long name") == 2
    assert {"none", "no marks"} <= set(found)
    assert "no marks" in texts(drawn(rows(bare)))


def test_what_lies_beyond_the_axis_stands_at_its_end() -> None:
    """A point or an end beyond the scale is drawn, not dropped."""
    picture = drawn(rows(row(low=-3.0, value=11.0, high=99.0)))
    assert len(list(shapes(picture, stroke="var(--accent)"))) == 4


def test_names_of_few_arms_all_stand_and_of_many_those_with_room() -> None:
    """None of a dozen is lost; of fifty on one spot the first is named, the others described."""
    few = [f"arm {n}" for n in range(12)]
    assert set(few) <= set(texts(drawn(spots(few))))
    many = texts(drawn(spots([f"arm {n}" for n in range(50)])))
    assert "arm 0" in many
    assert "arm 1" not in many


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (0.014, {"$0.00", "$0.01"}),
        (0.4, {"$0.00", "$0.10", "$0.40"}),
        (12.0, {"$0.00", "$5.00", "$10.00"}),
        (4_100.0, {"$0.00", "$1,000.00", "$4,000.00"}),
    ],
)
def test_an_axis_of_money_is_written_as_amounts_are(most: float, said: set[str]) -> None:
    """To the cent and never in finer steps."""
    plot = spots(["a", "b"])
    cheap, dear = plot.spots
    both = (dataclasses.replace(cheap, x=most / 2), dataclasses.replace(dear, x=most))
    found = texts(drawn(dataclasses.replace(plot, spots=both, money=True)))
    assert said <= set(found)
    assert len(found) == len(set(found))


def test_words_beside_an_axis_are_drawn_as_they_are() -> None:
    """The name of the reference stands below the differences, whatever it is."""
    name = NAMES[0]
    assert name in texts(drawn(dataclasses.replace(rows(row()), axis=name)))
    assert name in texts(drawn(dataclasses.replace(bars(), axis=name)))
    assert name in texts(drawn(dataclasses.replace(spots(["a"]), x_axis=name)))


def standing(plot: BarPlot) -> list[float]:
    """Widths of the bars that have a height."""
    found = shapes(drawn(plot), fill="var(--accent)")
    return [float(one.get("width", 0)) for one in found if float(one.get("height", 0)) > 0]


def test_bars_far_apart_are_as_wide_as_others() -> None:
    """A bar covers its own mark only, also where the marks between were never given."""
    near, far = (
        BarPlot(
            key="k", title="T", desc="D", axis="mark", most=0.5,
            bars=tuple(Bar(label=str(n), count=int(n in {2, other})) for n in range(12)),
        )
        for other in (3, 9)
    )  # fmt: skip
    assert standing(far) == pytest.approx(standing(near))
    assert len(standing(far)) == 2


def test_bars_have_their_counts_where_there_is_room() -> None:
    """Few bars have their share of all in words; of many every third is named."""
    assert {"67", "33", "1", "2", "3", "mark", "%"} <= set(texts(drawn(bars())))
    assert len(standing(bars())) == 2
    many = tuple(Bar(label=f"m{n}", count=n + 1) for n in range(20))
    found = texts(drawn(dataclasses.replace(bars(), bars=many)))
    assert found[:7] == ["m0", "m3", "m6", "m9", "m12", "m15", "m18"]


def test_plots_of_marks_have_one_scale() -> None:
    """Half of forty marks and half of four are bars of one height; a third is lower by a third."""

    def tallest(*counts: int) -> float:
        made = tuple(Bar(label=str(n), count=count) for n, count in enumerate(counts))
        plot = dataclasses.replace(bars(), bars=made)
        return max(float(one.get("height", 0)) for one in shapes(drawn(plot), fill="var(--accent)"))

    assert tallest(20, 20) == pytest.approx(tallest(2, 2))
    assert tallest(10, 10, 10) == pytest.approx(tallest(2, 2) * 2 / 3, rel=0.01)


def test_another_process_draws_the_same_bytes() -> None:
    """What is drawn beside the page equals what is drawn here."""
    result = partly_blocked()
    total = plots.totals(result)
    assert total
    found: list[Plot] = [total, *plots.context(result)]
    with drawing(found) as made:
        assert [made.of(one) for one in found] == list(map(draw, found))
        assert made.of(total) == draw(total)


def test_a_picture_that_nobody_looks_at_holds_nothing_up() -> None:
    """What fails beside the drawing is what is told."""
    total = plots.totals(make.result(items=5))
    assert total
    with pytest.raises(KeyError, match="other"), drawing([total]):
        raise KeyError("other")


NO_LIBRARY = (sys.executable, "-c", "import sys; sys.exit('ImportError: no\x1bsuch thing')")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (NO_LIBRARY, r"ImportError: no<U\+001B>such thing"),
        (("no-such-python",), "No such file"),
        ((sys.executable, "-c", ""), "gave no plots"),
        ((sys.executable, "-c", "print('[]')"), "gave no plots"),
        ((sys.executable, "-c", "print('{')"), "gave no plots"),
    ],
)
def test_plots_that_cannot_be_drawn_are_one_line(
    monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], told: str
) -> None:
    """The last words of the drawing process, and what to do."""
    monkeypatch.setattr(pictures, "_COMMAND", command)
    words = rf"^report\.html is not written: no plots \(.*{told}.*\); .* --no-html"
    with pytest.raises(PlotError, match=words), drawing([bars()]) as made:
        made.of(bars())


def test_what_a_library_prints_is_no_plot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words before the plots are passed over."""
    with drawing([bars()]) as made:
        wanted = made.of(bars())
    words = "import runpy; print('welcome'); runpy.run_module(*_, run_name='__main__')"
    code = words.replace("*_", "'judgebench.reports.drawing'")
    monkeypatch.setattr(pictures, "_COMMAND", (sys.executable, "-c", code))
    with drawing([bars()]) as made:
        assert made.of(bars()) == wanted


def test_nothing_is_imported_from_where_one_stands(tmp_path: Path) -> None:
    """A module in the folder of a run is not run by drawing a page there."""
    for name in ("json.py", "lets_plot.py", "judgebench.py"):
        (tmp_path / name).write_text("open('ran', 'w').close()\n", encoding="utf-8")
    code = (
        "import sys; sys.path = [one for one in sys.path if one]\n"
        "from judgebench.reports.pictures import drawing\n"
        "from judgebench.reports.plot_shapes import Bar, BarPlot\n"
        "plot = BarPlot(key='k', title='T', desc='D', axis='', most=1,"
        " bars=(Bar(label='1', count=1),))\n"
        "with drawing([plot]) as made: print(made.of(plot)[:4])\n"
    )
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, env=env, capture_output=True,
        text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stdout == "<svg\n", done.stderr
    assert not (tmp_path / "ran").exists()
