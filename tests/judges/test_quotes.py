"""Whether a quote stands in the text that it claims to come from, and where."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from judgebench.judges import quotes
from judgebench.model.nouns import Mark, Quote
from judgebench.model.reasons import Reason

TEXT = "The pool – yes, the big one – “closes” at 15:00…\n\n  Why?\u00a0 The  pump's \ufb01lter."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("closes", "closes"),
        ('"closes" at', "“closes” at"),
        ("«closes» at 15:00...", "“closes” at 15:00…"),
        ("pool - yes", "pool – yes"),
        ("pool — yes", "pool – yes"),
        ("15:00… Why? The pump’s filter", "15:00…\n\n  Why?\u00a0 The  pump's \ufb01lter"),
        ("  the big one\n", "the big one"),
        ("THE POOL", "The pool"),
        ("the po\u00adol", "The pool"),
        ("The pool ... closes” at", "The pool – yes, the big one – “closes” at"),
        ("The pool […] Why?", "The pool – yes, the big one – “closes” at 15:00…\n\n  Why?"),
        ("…the big one…", "the big one"),
        ("closes … pool", None),
        ("the small one", None),
        ("The pool closes", None),
        ("th", None),
        (" a \u200b ", None),
        ("...", None),
        ("", None),
        ("Why? The lter", None),
    ],
)  # fmt: skip
def test_a_quote_is_found_at_its_place_or_not_at_all(quote: str, found: str | None) -> None:
    """White space and typography are forgiven, words are not."""
    where = quotes.find(quote, TEXT)
    assert (None if where is None else TEXT[slice(*where)]) == found


def test_equal_letter_case_is_preferred() -> None:
    """The place with the same case wins over an earlier one without."""
    assert quotes.find("the end", "The end. So, the end.") == (13, 20)
    assert quotes.find("the  END", "A start. The end.") == (9, 16)


def test_an_accent_may_be_written_in_one_character_or_two() -> None:
    """Composed and decomposed letters are the same letters."""
    assert quotes.find("cafe\u0301 noir", "un caf\u00e9 noir") == (3, 12)
    assert quotes.find("caf\u00e9 noir", "un cafe\u0301 noir") == (3, 13)


VARIANTS = {"'": "’", '"': "”", "-": "—", " ": "\u00a0\n ", "...": "…"}
words = st.text(alphabet="abcxyzÄß .,'\"-()\n…“–é😀", min_size=3, max_size=120)


@given(words, st.data())
@settings(max_examples=60, deadline=None)
def test_any_part_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    """The place found holds the same characters."""
    start = data.draw(st.integers(0, len(text) - 3))
    part = text[start : data.draw(st.integers(start + 3, len(text)))]
    assume(sum(char.isalnum() for char in part) >= 3)
    where = quotes.find(part, text)
    assert where is not None
    assert text[slice(*where)] == part.strip()


@given(words, st.data())
@settings(max_examples=60, deadline=None)
def test_any_part_in_other_typography_is_found(text: str, data: st.DataObject) -> None:
    """Other quotation marks, dashes and blanks: the place found folds to the same."""
    start = data.draw(st.integers(0, len(text) - 3))
    part = text[start : data.draw(st.integers(start + 3, len(text)))]
    assume(sum(char.isalnum() for char in part) >= 3)
    for plain, variant in VARIANTS.items():
        part = part.replace(plain, variant)
    where = quotes.find(part, text)
    assert where is not None
    again = quotes.find(part, text[slice(*where)])
    assert again is not None


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=60, deadline=None)
def test_no_text_breaks_the_search(quote: str, text: str) -> None:
    """Whatever is quoted from whatever: a place inside the text, or none."""
    where = quotes.find(quote, text)
    assert where is None or 0 <= where[0] < where[1] <= len(text)


def test_a_quote_that_is_nowhere_is_not_found_in_any_text() -> None:
    """Typographic variants of other words are no match."""
    for number in range(100):
        text = f"{number} " + "lorem ipsum “dolor” – sit  amet " * 300
        assert quotes.find("lorem ipsum color", text) is None


def mark(*cited: tuple[str, str], points: float | None = 4.0) -> Mark:
    """A mark with quotes given as (text, source)."""
    return Mark(
        criterion="clarity",
        mark=points,
        quotes=tuple(Quote(text=text, source=source) for text, source in cited),
        blocked=None if points is not None else Reason.CANNOT_JUDGE,
    )


SOURCES = {"answer": "The pool closes at 15:00.", "prompt": "Say when the pool closes."}


@pytest.mark.parametrize(
    ("given_mark", "required", "unsupported"),
    [
        (mark(("pool closes", "answer")), 1, False),
        (mark(("pool closes", "answer"), ("invented", "answer")), 1, False),
        (mark(("pool closes", "answer"), ("invented", "answer")), 2, True),
        (mark(("pool closes", "answer"), ("Pool Closes", "answer")), 2, True),
        (mark(("pool closes", "answer"), ("pool closes", "prompt")), 2, False),
        (mark(("Say when", "answer")), 1, True),
        (mark(("Say when", "evidence")), 1, True),
        (mark(), 1, True),
        (mark(), 0, False),
        (mark(("invented", "answer")), 0, True),
        (mark(("of", "answer")), 1, True),
        (mark(points=None), 1, False),
    ],
)
def test_a_mark_is_unsupported_where_its_quotes_are_not_found(
    given_mark: Mark,
    required: int,
    unsupported: bool,  # noqa: FBT001 - a table
) -> None:
    """Only different quotes that stand in the source they name count."""
    checked = quotes.check(given_mark, SOURCES, required=required)
    assert checked.unsupported is unsupported
    assert checked.mark == given_mark.mark
    assert [quote.text for quote in checked.quotes] == [quote.text for quote in given_mark.quotes]


def test_places_are_those_of_the_text_as_sent() -> None:
    """The offsets cut the quoted words out of their source."""
    checked = quotes.check(mark(("POOL  closes", "answer")), SOURCES, required=1)
    (quote,) = checked.quotes
    assert quote.found
    assert SOURCES["answer"][quote.start : quote.end] == "pool closes"


def test_a_quote_from_another_source_is_told_apart_from_an_invented_one() -> None:
    """It does not count, but it can be said where it stands."""
    checked = quotes.check(mark(("Say when", "answer"), ("pool", "answer")), SOURCES, required=1)
    assert quotes.elsewhere(checked.quotes[0], SOURCES) == "prompt"
    assert quotes.elsewhere(checked.quotes[1], SOURCES) is None
    assert quotes.elsewhere(Quote(text="invented", source="answer"), SOURCES) is None
