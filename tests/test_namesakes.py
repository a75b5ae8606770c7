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
        "claude-4-5-20250929-thinking-high": "claude…high",
        "claude-4-5-20250929-thinking-low": "claude…low",
    }
    middle = [f"one-harness-for-all-of-them-{sign}-and-one-long-end-for-all" for sign in "ab"]
    assert [namesakes.among(name, middle, 24) for name in middle] == ["…a…", "…b…"]


def test_a_name_that_was_made_short_reads_the_same_in_any_room() -> None:
    """What all names share is left out, so no page numbers them and none has a way of its own."""
    start = "meta-llama/Meta-Llama-3.1-"
    names = [
        f"{start}{size}B-Instruct-{kind}-temperature-{heat}"
        for size in (8, 70, 405)
        for kind in ("fp8", "bf16")
        for heat in ("0.0", "0.7")
    ]
    at_24 = namesakes.apart(names, 24)
    assert at_24[f"{start}70B-Instruct-bf16-temperature-0.7"] == "…70B…bf16…0.7"
    assert all(dict(namesakes.apart(names, limit)) == dict(at_24) for limit in (14, 22, 40, 57))
    assert all(whole == shown for whole, shown in namesakes.apart(names, 60).items())


def test_a_stranger_among_names_leaves_a_word_of_their_family() -> None:
    """Where one name shares nothing, the others lose what they share among themselves."""
    names = [f"the-vendor-and-one-model-at-its-{end}" for end in ("highest", "lowest")]
    assert dict(namesakes.apart([*names, "gpt-4"], 12)) == {
        names[0]: "the…highest",
        names[1]: "the…lowest",
        "gpt-4": "gpt-4",
    }


def test_a_name_of_which_nothing_would_be_left_stays_whole() -> None:
    """One that all others go on from has no word of its own."""
    names = ["one-model-of-a-vendor", "one-model-of-a-vendor-mini", "one-model-of-a-vendor-max"]
    assert list(namesakes.apart(names, 22).values()) == ["one-model-of-a-vendor", "…mini", "…max"]


def test_names_that_differ_in_white_space_alone_are_numbered() -> None:
    """Nothing else that can be seen tells them apart."""
    assert sorted(namesakes.apart(["a b", "a  b", "a\tb"], 24).values()) == [
        "a b (1)",
        "a b (2)",
        "a b (3)",
    ]
