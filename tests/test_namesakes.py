"""Tests of judgebench.namesakes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench import namesakes

ALIKE = st.lists(
    st.tuples(
        st.text(alphabet="ab-4 漢\t", max_size=30),
        st.text(alphabet="ab-4 漢\t", max_size=30),
    ).map(lambda ends: f"the-same-beginning-of-all-names-{ends[0]}-then-the-same-{ends[1]}"),
    min_size=2,
    max_size=12,
    unique=True,
)


@settings(max_examples=60, deadline=None)
@given(names=ALIKE, limit=st.integers(min_value=8, max_value=80))
def test_names_shown_together_are_never_alike(names: list[str], limit: int) -> None:
    """However much they share, each has a short name of its own, on one line."""
    shown = namesakes.apart(names, limit)
    assert set(shown) == set(names)
    assert len(set(shown.values())) == len(names)
    assert all(len(short) <= limit and short.isprintable() for short in shown.values())


def test_names_keep_the_order_in_which_they_came() -> None:
    """A list of them reads as it was given, and the order changes no text."""
    names = ["sol", "kimi", "sol", "arm"]
    assert list(namesakes.apart(names, 24)) == ["sol", "kimi", "arm"]
    assert dict(namesakes.apart(names, 24)) == dict(namesakes.apart(sorted(names), 24))


def test_names_part_in_the_middle_only_where_they_have_to() -> None:
    """A name that is cut at its end as before stays so; others keep what tells them apart."""
    names = ["x" * 40, "claude-4-5-20250929-thinking-high", "claude-4-5-20250929-thinking-low"]
    assert dict(namesakes.apart(names, 24)) == {
        "x" * 40: "x" * 23 + "…",
        "claude-4-5-20250929-thinking-high": "claude-…29-thinking-high",
        "claude-4-5-20250929-thinking-low": "claude-…929-thinking-low",
    }
    middle = [f"one-harness-for-all-of-them-{sign}-and-one-long-end-for-all" for sign in "ab"]
    assert [namesakes.among(name, middle, 24) for name in middle] == [
        "one-har…of-them-a-and-o…",
        "one-har…of-them-b-and-o…",
    ]


def test_names_that_differ_in_white_space_alone_are_numbered() -> None:
    """Nothing else that can be seen tells them apart."""
    assert sorted(namesakes.apart(["a b", "a  b", "a\tb"], 24).values()) == [
        "a b (1)",
        "a b (2)",
        "a b (3)",
    ]
