"""Comparisons that were made twice weigh no more than those that were made once."""

from itertools import combinations

import pytest

from tests.marks.space import Space

FORM = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--order", "order", "--rater", "rater",
        "--scoring", "again", "--mark", "mark")  # fmt: skip
HEAD = ("item", "a", "b", "order", "rater", "again", "mark")
ARMS = "pqrst"


def rows(twice: str, *, people: bool = False) -> list[tuple[object, ...]]:
    """Five arms, every pair in both orders on twelve items; some given twice.

    Args:
        twice: ``none``, ``alike`` (three in ten, with the same mark) or ``turned``.
        people: The second one is of another person.
    """
    out: list[tuple[object, ...]] = []
    for item in range(12):
        for at, (a, b) in enumerate(combinations(ARMS, 2)):
            for place, order in enumerate(("AB", "BA")):
                mark = (1, -1, 0, 1, 1)[(item * 7 + at * 3 + place) % 5]
                one = (f"i{item:02}", a, b, order)
                out.append((*one, "ann", 1, mark))
                if twice != "none" and (item * 11 + at * 5 + place * 3) % 10 < 3:
                    again = mark if twice == "alike" else -mark
                    out.append((*one, "ben" if people else "ann", 2, again))
    return out


def taken(space: Space, given: list[tuple[object, ...]], run: str, *words: str) -> None:
    """Import them as a run."""
    path = space.csv(given, name=f"{run}.csv", head=HEAD)
    said = space.judge("import", "marks", path, "--to", f"runs/{run}", *FORM, *words)
    assert said.code == 0, said.err


@pytest.mark.parametrize("people", [False, True])
def test_repeats_cost_nothing(space: Space, *, people: bool) -> None:
    """The same marks given again change no share and no difference; all pairs are compared."""
    kind = ("--rater-kind", "human") if people else ()
    taken(space, rows("none"), "once", *kind)
    taken(space, rows("alike", people=people), "twice", *kind)
    once, twice = (space.table(run=f"runs/{run}") for run in ("once", "twice"))
    assert [one["mean"] for one in twice["arms"]] == pytest.approx(
        [one["mean"] for one in once["arms"]]
    )
    for one, other in zip(once["pairs"], twice["pairs"], strict=True):
        assert "code" not in other["difference"] or other["difference"]["code"] is None
        assert other["difference"]["value"] == pytest.approx(one["difference"]["value"])
    text = " ".join(space.judge("table", "runs/twice").out.split())
    assert "other opponents" not in text


def test_a_share_is_the_mean_of_pairs_by_their_own_means(space: Space) -> None:
    """A pair that was turned by its repeat counts half, and as much as a pair given once."""
    given = rows("turned")
    taken(space, given, "turned")
    cells: dict[tuple[object, ...], list[float]] = {}
    for item, a, b, order, _, _, mark in given:
        cells.setdefault((item, a, b, order), []).append((float(mark) + 1) / 2)  # type: ignore[arg-type]
    won: dict[str, list[float]] = {arm: [] for arm in ARMS}
    for (_, a, b, _), shares in cells.items():
        mean = sum(shares) / len(shares)
        won[str(a)].append(mean)
        won[str(b)].append(1 - mean)
    found = {one["arm"]["id"]: one["mean"] for one in space.table(run="runs/turned")["arms"]}
    assert found == pytest.approx({arm: sum(one) / len(one) for arm, one in won.items()})
