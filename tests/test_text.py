"""Tests of judgebench.text."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench import text

NOTHING_VISIBLE = [
    "",
    "   ",
    "\n\r\n",
    "\t\v\f",
    "\u200b\u200c",  # zero-width blank and non-joiner
    "\ufeff",  # byte order mark
    "\u00a0\u2003\u3000",  # blanks of other widths
    "\u2060\u200d",  # word joiner, zero-width joiner
    "\u3164\u115f\uffa0",  # Hangul fillers
    "\x00\x01",
    "\u2028\u2029",
    "\u202e\u2066",  # bidi marks
    "\u2800",  # blank Braille cell
    "\ufe0f\u034f",  # variation selector, grapheme joiner
    "\U000e0041\U000e0100",  # tags and supplementary selectors
    "\ue000",  # private use
]


@pytest.mark.parametrize("blank", NOTHING_VISIBLE)
def test_has_visible_is_false_where_a_reader_sees_nothing(blank: str) -> None:
    """Blank, invisible and control characters are an empty answer."""
    assert not text.has_visible(blank)


@pytest.mark.parametrize("some", [":", ".", "…", "5", "{}", "``", "は", "\u200bx", "🙂", "\u0301a"])
def test_has_visible_is_true_for_one_sign(some: str) -> None:
    """A colon is little, but it is an answer."""
    assert text.has_visible(some)


def test_printable_shows_what_would_hide() -> None:
    """Control, bidi and zero-width characters become visible stand-ins."""
    assert text.printable("a\x1b[2Jb\u202ec\n\td") == "a<U+001B>[2Jb<U+202E>c  d"
    assert text.printable("a\nb", keep_newlines=True) == "a\nb"


@settings(max_examples=60)
@given(st.text())
def test_printable_leaves_nothing_to_hide(sample: str) -> None:
    """Whatever comes in, nothing invisible goes out, and twice is as good as once."""
    shown = text.printable(sample)
    assert text.printable(shown) == shown
    assert "\n" not in shown


def test_one_line_is_one_short_line() -> None:
    """White space is folded and the end is cut with an ellipsis."""
    assert text.one_line("a\n\n b\tc") == "a b c"
    assert text.one_line("x" * 300, 10) == "x" * 9 + "…"
    assert text.shorten("abc", 3) == "abc"
    assert len(text.shorten("abc", 0)) <= 1


def test_hashes_are_stable_and_take_any_text() -> None:
    """A lone surrogate is hashed, not refused; key order does not matter."""
    assert text.sha256_text("") == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    assert len(text.sha256_text("\ud800")) == 64
    assert text.digest({"b": 1, "a": [2]}) == text.digest({"a": [2], "b": 1})
    assert json.loads(text.canonical_json({"ä": 1.5})) == {"ä": 1.5}
    with pytest.raises(ValueError, match="not JSON compliant"):
        text.canonical_json(float("nan"))
