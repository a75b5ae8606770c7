"""Planted controls: how many, of what, and texts that differ from their source as is said."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.blind import controls
from judgebench.blind.controls import Source
from judgebench.blind.mask import NEUTRAL
from judgebench.model.controls import ControlKind
from judgebench.text import has_visible

NOTICE = """\
Dear visitors,

from Monday the reading room at 14 Mill Lane opens 25 minutes later, says the Harbour Board.
The plan is in docs/rooms.md, section 3.2.

1. Come after 10:25.
2. Ring twice.
"""
PROMPT = "Tell visitors that the room at 14 Mill Lane opens 25 minutes later."

texts = st.text(min_size=1, max_size=400).filter(has_visible)
seeds = st.integers(0, 2**48 - 1)


def sources(items: int, arms: int = 3) -> list[Source]:
    """Outputs of a run."""
    return [Source(f"i{i:02}", f"arm{a}", f"{i}-{a}") for i in range(items) for a in range(arms)]


@pytest.mark.parametrize(
    ("judgings", "wanted", "count"),
    [
        (1, None, 3),
        (30, None, 3),
        (31, None, 4),
        (480, None, 48),
        (480, 0, 0),
        (480, 7, 7),
        (0, None, 0),
        (0, 5, 0),
    ],
)
def test_a_tenth_is_planted_and_at_least_three(
    judgings: int, wanted: int | None, count: int
) -> None:
    """The rule, a number of one's own, and nothing where nothing is judged."""
    assert controls.how_many(judgings, wanted) == count


@given(st.integers(0, 200), st.integers(1, 30))
def test_kinds_are_balanced(count: int, items: int) -> None:
    """No kind has two more than another; one item has the three kinds that fit it."""
    found = controls.quotas(count, items=items)
    assert sum(found.values()) == count
    assert max(found.values()) - min(found.values()) <= 1
    assert set(found) == (set(ControlKind) if items > 1 else set(controls.ONE_ITEM))


@given(seeds, st.integers(1, 12), st.integers(1, 4), st.integers(0, 20))
def test_the_same_is_planted_again(seed: int, items: int, arms: int, count: int) -> None:
    """Equal runs and seeds give equal controls, in whatever order outputs are read."""
    all_of = sources(items, arms)

    def planted(given_sources: list[Source]) -> list[tuple[ControlKind, Source]]:
        listed = controls.shortlist(seed, given_sources, count)
        wished = controls.quotas(count, items=items)
        return controls.plant(seed, listed, wished, lambda kind, source: (kind, source))

    first = planted(all_of)
    assert first == planted(all_of[::-1])
    assert len(set(first)) == len(first)
    assert len(first) <= count
    if count <= len(all_of):
        assert len(first) == count
        assert len({source for _, source in first}) == count


def test_what_fits_no_source_is_made_near_empty() -> None:
    """A kind that cannot be made leaves its place to the one that always can."""
    listed = controls.shortlist(7, sources(4), 12)
    wished = controls.quotas(12, items=4)

    def make(kind: ControlKind, source: Source) -> ControlKind | None:
        del source
        return None if kind in {ControlKind.OFF_TASK, ControlKind.DAMAGED} else kind

    found = Counter(controls.plant(7, listed, wished, make))
    assert found[ControlKind.NEAR_EMPTY] == 6
    assert found.total() == 12


def test_more_outputs_leave_most_controls_as_they_are() -> None:
    """A run that grows by a tenth loses few controls that were judged already."""

    def planted(items: int) -> set[tuple[ControlKind, Source]]:
        listed = controls.shortlist(3, sources(items), 18)
        wished = controls.quotas(18, items=items)
        return set(controls.plant(3, listed, wished, lambda kind, source: (kind, source)))

    assert len(planted(60) & planted(66)) >= 12


@given(seeds, texts, texts)
@settings(max_examples=60)
def test_a_damaged_twin_is_another_text_and_never_empty(seed: int, text: str, given_: str) -> None:
    """Whatever the text: a twin that differs, the same each time, or none."""
    made = controls.damaged(seed, text, given=given_)
    assert made == controls.damaged(seed, text, given=given_)
    if made is not None:
        assert made.text != text
        assert has_visible(made.text)
        assert made.note


def test_a_damaged_twin_traces_no_more() -> None:
    """Numbers, names and paths are others, the same ones everywhere; list numbers stay."""
    made = controls.damaged(11, NOTICE, given=PROMPT)
    assert made is not None
    facts = set(re.findall(r"\d+(?:[.:]\d+)*", re.sub(r"(?m)^\d\. ", "", NOTICE)))
    left = set(re.findall(r"\d+(?:[.:]\d+)*", re.sub(r"(?m)^\d\. ", "", made.text)))
    assert not facts & left
    assert "docs/rooms.md" not in made.text
    assert "Harbour" not in made.text
    assert "1. Come" in made.text
    assert "2. Ring" in made.text
    assert len(made.text) < len(NOTICE)
    assert "facts altered" in made.note
    assert "longest part" in made.note
    one = controls.damaged(11, "Come at 9 to us.\n\nStay.\n\nGo.", given=PROMPT)
    assert one is not None
    assert one.note.startswith("1 fact altered, ")


def test_altered_facts_are_no_facts_of_the_item() -> None:
    """What is put in place of a fact does not stand in prompt or evidence either."""
    numbers = " ".join(map(str, range(9)))
    made = controls.damaged(1, "It takes 4 minutes and costs more.", given=numbers)
    assert made is not None
    assert "9 minutes" in made.text


def test_a_text_without_facts_loses_a_part() -> None:
    """Sentences, else words: something is gone; what is too short for that is no twin."""
    two = controls.damaged(5, "Please come later. The door will be shut until then.", given="")
    assert two is not None
    assert two.text == "Please come later."
    one = controls.damaged(5, "please come much later than you did before", given="")
    assert one is not None
    assert one.text == "please come much later"
    assert controls.damaged(5, "come later", given="") is None


def test_masks_are_left_as_they_are() -> None:
    """The neutral mark is no fact."""
    made = controls.damaged(5, f"Signed by {NEUTRAL} on the 3rd of March.", given="")
    assert made is not None
    assert NEUTRAL in made.text


@given(seeds, texts)
def test_padding_and_asking_keep_every_word(seed: int, text: str) -> None:
    """The source stands in the twin whole; what is added is longer, and holds no number."""
    for made in (controls.padded(seed, text), controls.talks_to_judge(seed, text)):
        assert made.text.startswith(text.rstrip())
        added = made.text.removeprefix(text.rstrip())
        assert len(added.strip()) > 20
        assert not re.search(r"\d", added)


def test_a_long_text_is_padded_in_proportion() -> None:
    """Filler is some two fifths of the text, as long as there is filler."""
    made = controls.padded(2, "It is open. " * 150)
    assert 1.3 < len(made.text) / len("It is open. " * 150) < 1.5


@given(seeds)
def test_a_near_empty_answer_announces_and_ends(seed: int) -> None:
    """A colon, or a sentence that ends with one."""
    for source in sources(3):
        made = controls.near_empty(seed, source)
        assert made.text.endswith(":")
        assert len(made.text) < 40


def test_an_answer_to_another_item_is_the_least_alike() -> None:
    """Of several the one with the fewest common words; none where all are near."""
    own = "The tram stop at the market moves on Monday because of works."
    near = "The tram stop at the harbour moves on Tuesday because of works."
    far = "Boil two eggs for six minutes, then cool them under cold water."
    found = controls.off_task(own, [near, own, far])
    assert found is not None
    assert found[0] == 2
    assert found[1].text == far
    assert controls.off_task(own, [near, own]) is None
    assert controls.off_task(own, []) is None


@given(seeds)
def test_donors_are_of_other_items(seed: int) -> None:
    """An answer to the same item is on task."""
    listed = sources(4)
    for source in listed:
        found = controls.donors(seed, source, listed)
        assert len(found) == controls.DONORS
        assert all(one.item != source.item for one in found)
