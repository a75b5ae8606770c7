"""The plan of a pass: stable keys, shuffled blocks, balanced lists, noise that is promoted."""

from collections import Counter
from itertools import groupby

from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.model.nouns import Blinding, Judge, Mode, Purpose, Request
from judgebench.model.rubric import Rubric, Scale
from judgebench.pipeline.planning.plan import (
    Again,
    Cell,
    Identity,
    make_pass,
    plan,
    requests_an_item,
)

JUDGE = Judge(name="j", model="m", provider="endpoint", sha256="a" * 64)
RUBRIC = Rubric(name="r", version="1", scale=Scale(low=1, high=5), criteria=(), ask_sha256="b" * 64)


def identity(mode: Mode = Mode.POINTWISE, *, split: bool = False) -> Identity:
    """An identity that differs only as the test needs."""
    return Identity(
        run="run",
        ask_sha256=RUBRIC.ask_sha256,
        judge_sha256=JUDGE.sha256,
        prompt_version="v",
        mode=mode,
        blinding=Blinding.MASK,
        split_criteria=split,
    )


def cells(items: int, arms: int, *, changed: str = "") -> list[Cell]:
    """Items × arms, item by item; the text of `changed` differs."""
    return [
        Cell(
            item=f"i{item}",
            item_sha256=f"item{item}",
            arm=f"a{arm}",
            output_sha256=f"out{item}{arm}",
            sent_sha256=f"sent{item}{arm}" + ("x" if f"i{item}a{arm}" == changed else ""),
        )
        for item in range(items)
        for arm in range(arms)
    ]


def requests(
    found: list[Cell],
    *,
    mode: Mode = Mode.POINTWISE,
    repeats: int = 1,
    seed: int | None = 7,
    noise: frozenset[tuple[str, str]] = frozenset(),
    criteria: tuple[str, ...] = (),
) -> list[Request]:
    """The plan of these cells in the order of its queue."""
    judging = make_pass(
        identity(mode, split=bool(criteria)), JUDGE, RUBRIC, seed=seed, repeats=repeats,
        route="live",
    )  # fmt: skip
    made = list(
        plan(judging, found, again=Again(noise=noise), criteria=lambda _: criteria or ("task",))
    )
    return sorted(made, key=lambda request: (request.position, request.key))


def test_the_same_pass_plans_the_same_keys_in_the_same_order() -> None:
    """A second start finds every request under its old key."""
    assert requests(cells(4, 3)) == requests(cells(4, 3))


def test_a_pass_without_a_seed_derives_one_from_its_identity() -> None:
    """No seed given: the same identity gives the same seed, another mode another one."""
    one, same = (make_pass(identity(), JUDGE, RUBRIC, seed=None, repeats=1, route="live")
                 for _ in range(2))  # fmt: skip
    other = make_pass(identity(Mode.LISTWISE), JUDGE, RUBRIC, seed=None, repeats=1, route="live")
    second = make_pass(
        identity(), JUDGE, RUBRIC, seed=None, repeats=1, route="live", ordinal=2
    )  # fmt: skip
    assert one == same
    assert len({one.seed, other.seed, second.seed}) == 3
    assert len({one.id, other.id, second.id}) == 3


@given(st.integers(1, 6), st.integers(1, 5), st.integers(1, 3), st.integers(0, 2**48 - 1))
@settings(max_examples=40)
def test_pointwise_asks_each_cell_once_a_repeat(
    items: int, arms: int, repeats: int, seed: int
) -> None:
    """Every cell and repeat exactly once, all keys different."""
    made = requests(cells(items, arms), repeats=repeats, seed=seed)
    asked = Counter((r.item, r.parts[0].arm, r.repeat) for r in made)
    assert set(asked.values()) == {1}
    assert len(asked) == items * arms * repeats
    assert len({r.key for r in made}) == len(made)


def test_an_early_stop_leaves_complete_items() -> None:
    """The arms of one item stand together in the queue, in an order of their own."""
    made = requests(cells(12, 4))
    blocks = [[r.parts[0].arm for r in group] for _, group in groupby(made, lambda r: r.item)]
    assert all(sorted(block) == ["a0", "a1", "a2", "a3"] for block in blocks)
    assert len({tuple(block) for block in blocks}) > 1
    assert [r.item for r in made] != sorted(r.item for r in made)


def test_a_changed_text_changes_its_own_key_only() -> None:
    """Pointwise: one new key. Listwise: the item's request."""
    for mode, expected in ((Mode.POINTWISE, 1), (Mode.LISTWISE, 1)):
        old = {r.key for r in requests(cells(3, 3), mode=mode)}
        new = {r.key for r in requests(cells(3, 3, changed="i1a2"), mode=mode)}
        assert len(new - old) == expected
        assert len(old - new) == expected


def test_equal_texts_of_two_arms_are_two_requests() -> None:
    """Each cell has marks of its own."""
    same = [
        Cell(item="i", item_sha256="s", arm=arm, output_sha256="o", sent_sha256="t")
        for arm in ("a", "b")
    ]
    assert len({r.key for r in requests(same)}) == 2


def test_lists_balance_positions_over_repeats_and_draw_labels_anew() -> None:
    """Over as many repeats as arms, each arm stands once in each place."""
    made = requests(cells(2, 4), mode=Mode.LISTWISE, repeats=4)
    for item in ("i0", "i1"):
        places = [[p.arm for p in r.parts] for r in made if r.item == item]
        for arm in ("a0", "a1", "a2", "a3"):
            assert sorted(row.index(arm) for row in places) == [0, 1, 2, 3]
    labels = {(r.item, r.repeat): {p.arm: p.label for p in r.parts} for r in made}
    assert len({tuple(sorted(found.values())) for found in labels.values()}) == len(labels)
    assert all("a0" not in found.values() for found in labels.values())


def test_a_noise_judging_keeps_its_key_when_it_is_promoted() -> None:
    """--repeats 2 asks a cell not again that was judged twice for the noise."""
    noisy = frozenset({("i1", "a1")})
    first = requests(cells(3, 2), noise=noisy)
    (extra,) = [r for r in first if r.purpose is Purpose.NOISE]
    assert (extra.item, extra.parts[0].arm, extra.repeat) == ("i1", "a1", 2)
    second = requests(cells(3, 2), repeats=2)
    assert extra.key in {r.key for r in second if r.purpose is Purpose.MAIN}


def test_split_criteria_asks_for_each_by_itself() -> None:
    """One request a cell and criterion."""
    made = requests(cells(2, 2), criteria=("x", "y", "z"))
    assert Counter(r.criterion for r in made) == {"x": 4, "y": 4, "z": 4}


@given(st.integers(1, 4), st.integers(0, 5), st.integers(1, 3), st.integers(0, 2**48 - 1))
@settings(max_examples=40)
def test_pairwise_asks_each_pair_in_both_orders(
    items: int, arms: int, repeats: int, seed: int
) -> None:
    """Every ordered pair of an item once a repeat, under keys and neutral labels of its own."""
    made = requests(cells(items, arms), mode=Mode.PAIRWISE, repeats=repeats, seed=seed)
    asked = Counter((r.item, *(part.arm for part in r.parts), r.repeat) for r in made)
    assert set(asked.values()) <= {1}
    assert len(asked) == items * repeats * requests_an_item(Mode.PAIRWISE, arms)
    assert {(i, b, a, n) for i, a, b, n in asked} == set(asked)
    assert len({r.key for r in made}) == len(made)
    assert all(r.parts[0].label != r.parts[1].label for r in made)


def test_a_pairwise_queue_that_ends_early_leaves_whole_items() -> None:
    """All pairs of an item in one repeat stand together, shuffled within."""
    made = requests(cells(6, 4), mode=Mode.PAIRWISE, repeats=2)
    blocks = [key for key, _ in groupby(made, key=lambda r: (r.item, r.repeat))]
    assert len(blocks) == len(set(blocks)) == 12
    orders = {tuple(p.arm for r in made[at : at + 12] for p in r.parts) for at in (0, 12, 24)}
    assert len(orders) == 3


def test_no_label_follows_an_arm_over_its_pairs() -> None:
    """A judge that saw every request could not tell which answers are of one arm."""
    made = requests(cells(1, 4), mode=Mode.PAIRWISE)
    labels = {part.label for r in made for part in r.parts if part.arm == "a0"}
    assert len(labels) > 3


def test_an_added_arm_leaves_the_old_pairs_as_they_were() -> None:
    """Only its own pairs are asked: the keys of the others do not depend on it."""
    old = {r.key for r in requests(cells(3, 3), mode=Mode.PAIRWISE)}
    new = {r.key for r in requests(cells(3, 4), mode=Mode.PAIRWISE)}
    assert old < new
    assert len(new - old) == 3 * 6


def test_pairwise_noise_repeats_whole_items_in_both_orders() -> None:
    """A second judging of an item is of all its pairs, and is promoted by --repeats."""
    noise = frozenset({("i1", f"a{arm}") for arm in range(3)})
    made = requests(cells(3, 3), mode=Mode.PAIRWISE, noise=noise)
    again = [r for r in made if r.purpose is Purpose.NOISE]
    assert {r.item for r in again} == {"i1"}
    assert len(again) == 6
    promoted = requests(cells(3, 3), mode=Mode.PAIRWISE, repeats=2)
    assert {r.key for r in again} < {r.key for r in promoted}


def test_requests_an_item_counts_what_is_planned() -> None:
    """The number that a check names is the number that is asked."""
    for mode in Mode:
        assert len(requests(cells(1, 4), mode=mode)) == requests_an_item(mode, 4)
