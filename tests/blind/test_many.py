"""Texts with very many names and keys are masked by the same rule as short ones."""

from hypothesis import given
from hypothesis import strategies as st

from judgebench.blind.leaks import Hit
from judgebench.blind.mask import _clear

spans = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 8)).map(
        lambda one: Hit(kind="name", start=one[0], end=one[0] + one[1], shown="x")
    ),
    max_size=12,
)


@given(spans, spans)
def test_hits_that_stand_clear_are_those_that_share_no_character(
    hits: list[Hit], others: list[Hit]
) -> None:
    """As each hit held against each of the others; spans that only touch share none."""
    pairwise = tuple(
        hit
        for hit in hits
        if not any(hit.start < one.end and one.start < hit.end for one in others)
    )
    assert _clear(hits, others) == pairwise
