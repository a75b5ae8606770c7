"""The pages of `judge rubric tune`: short by default, whole with --extended, never broken."""

from dataclasses import replace

import pytest

from judgebench.model.nouns import Estimate, Quote, Refusal
from judgebench.model.tuning import (
    Fit,
    LabelSplit,
    ShownBefore,
    TuneGroup,
    TuneMark,
    Tuning,
    VersionFacts,
    VersionRow,
)
from judgebench.reports import tuning

HOSTILE = "\x1b[2J\u202e {{ 7*7 }} <b> " + "a very long name of a thing " * 4
BASE = VersionFacts(
    pass_id="0123456789ab",  # noqa: S106 - an id of a pass
    rubric_name="usecase", rubric_version="1", ask_sha256="a", sum_sha256="s",
    judge_name="anthropic/claude",
)  # fmt: skip


def looks(n: int) -> tuple[ShownBefore, ...]:
    """Looks beside as many passes."""
    return tuple(
        ShownBefore(
            pass_id=f"pass{at}", rubric_name=HOSTILE, split="all", labels=400,
            shown_at="2026-01-01T00:00:00",
        )
        for at in range(n)
    )  # fmt: skip


def group(name: str, *, higher: bool) -> TuneGroup:
    """Three answers on one criterion."""
    gap = 3.0 if higher else -3.0
    mark = TuneMark(
        item=HOSTILE, arm=None, label="A1B2", people=((HOSTILE, 5.0), ("ben", 5.0)),
        people_mean=5.0, judge=5.0 + gap, gap=gap, rationale=HOSTILE * 5, unsupported=True,
        quotes=(Quote(text=HOSTILE * 3, source="answer", start=None, end=None),) * 3,
    )  # fmt: skip
    return TuneGroup(
        criterion=name, text="?", higher=higher, cells=12, of=300, mean_gap=gap, shown=(mark,) * 3
    )


def row(name: str) -> VersionRow:
    """A criterion that came closer to people."""
    fit = Fit(
        bias=Estimate(value=-1.25, n=20), mae=Estimate(value=12.5, n=20), within=0.5,
        alpha=Refusal(statistic="alpha", code="no_variation", have=0, need=1),
    )  # fmt: skip
    return VersionRow(
        criterion=name, was=name, before=fit, after=fit, answers=40,
        change=Estimate(value=-1.0, n=20, low=-2.25, high=-0.25, kind="t"),
    )  # fmt: skip


def turn(groups: int = 0, rows: int = 0, seen: int = 1) -> Tuning:
    """One turn with so much to say."""
    names = [f"criterion-{at}" for at in range(max(groups, rows))]
    return Tuning(
        run_name="2026-09-05",
        split=LabelSplit(
            share=0.4, split_at="2026-01-02T00:00:00", tune=1_200, report=1_800, tune_marked=1_100,
            report_marked=1_700, made_now=False, shown=looks(seen), need=10,
        ),
        looked_at="tune", base=BASE, version=replace(BASE, rubric_version="2") if rows else None,
        groups=tuple(
            group(name, higher=higher) for name in names[:groups] for higher in (True, False)
        ),
        rows=(*map(row, names[:rows]), *(row(name) for name in ("total", "overall") if rows)),
        tried=3, look=0, earlier=(), sums_only=False, scale_low=1, scale_high=10,
    )  # fmt: skip


def page(found: Tuning, **how: object) -> list[str]:
    """Lines of a page; none is wider than the terminal or holds what moves its cursor."""
    typed = "--rubric usecase" if found.version else ""
    text = tuning.render(found, run="runs/2026-09-05", typed=typed, **how)  # type: ignore[arg-type] # keywords of the test
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert not {"\x1b", "\u202e"} & set(text)
    return lines


@pytest.mark.parametrize("groups", [1, 3, 8, 20])
@pytest.mark.parametrize("replayed", [False, True])
def test_differences_fit_a_terminal(groups: int, *, replayed: bool) -> None:
    """24 lines: the table, what was said of the furthest answer, the next commands."""
    found = turn(groups=groups, seen=3)
    found = replace(found, base=replace(BASE, replayed=replayed))
    lines = page(found, file="rubrics/usecase.yaml")
    assert len(lines) <= 24
    assert any(line.startswith(" criterion-0, ") for line in lines)
    assert 'Next: edit rubrics/usecase.yaml, raise its version (now "1"), then' in lines
    assert "  judge rubric tune runs/2026-09-05 --rubric usecase" in lines
    left = [line for line in lines if "more group" in line]
    assert len(left) == (groups > 2 + (not replayed) * 2)
    rows = sum(" of 300 " in line for line in lines)
    assert not left or left == [f" … {2 * groups - rows} more groups: --extended"]
    whole = page(found, extended=True)
    assert len(whole) > 24
    assert sum(": judge higher on 12 of 300 answers" in line for line in whole) == groups
    assert "  judge rubric tune runs/2026-09-05 --rubric FILE" in whole


@pytest.mark.parametrize("rows", [1, 6, 16])
def test_versions_fit_a_terminal(rows: int) -> None:
    """The total and marks for the whole stay; criteria give way and are counted."""
    lines = page(turn(rows=rows))
    assert len(lines) <= 24
    for name in ("total ", "overall "):
        assert any(line.startswith(f" {name}") and "[-2.25, -0.25]" in line for line in lines)
    assert any("more criteria: --extended" in line for line in lines) == (rows > 8)
    whole = page(turn(rows=rows), extended=True)
    assert sum(line.startswith(" criterion-") for line in whole) == rows


def test_two_versions_of_one_number_are_told_apart_by_their_hashes() -> None:
    """Both hashes stand there as they are stored; where the numbers differ nothing is said."""
    found = turn(rows=16)
    assert found.version is not None
    same = replace(found, version=replace(found.version, rubric_version="1", ask_sha256="b" * 64))
    lines = page(same)
    assert len(lines) <= 24
    text = " ".join(lines)
    assert 'Both call themselves version "1", known apart by hash: a+s before,' in text
    assert f"{'b' * 12}+s now. Raise version: in the file" in text
    assert "known apart" not in " ".join(page(found))


def test_nothing_to_show_is_one_sentence() -> None:
    """No answer is far off, or none was marked; the next command stands all the same."""
    lines = page(turn(groups=0))
    assert any(line.startswith("No answer for tuning on which") for line in lines)
    assert not any("--extended" in line for line in lines)
    found = turn(groups=0, seen=0)
    found = replace(found, split=replace(found.split, tune_marked=0))
    assert any("Nobody marked an item for tuning yet" in line for line in page(found))
    imported = page(replace(found, base=replace(BASE, marks_only=True)))
    assert any(line.startswith("Next: edit weights, gates or caps in") for line in imported)


@pytest.mark.parametrize(
    ("tune", "report", "said", "silent"),
    [
        (3, 7, ("no version can be compared", "no figure for the judge"), ()),
        (9, 10, ("no version can be compared",), ("no figure for the judge",)),
        (10, 9, ("no figure for the judge",), ("no version can be compared",)),
        (10, 10, (), ("Figures need",)),
    ],
)
def test_too_few_marked_items_are_said_before_the_rubric_is_edited(
    tune: int, report: int, said: tuple[str, ...], silent: tuple[str, ...]
) -> None:
    """Which side has no figures, and how many marked items in all would give both."""
    found = turn(groups=2)
    few = replace(found, split=replace(found.split, tune_marked=tune, report_marked=report))
    text = " ".join(page(few))
    assert all(words in text for words in said)
    assert not any(words in text for words in silent)
    assert ("about 25 in all at 0.4" in text) == bool(said)
