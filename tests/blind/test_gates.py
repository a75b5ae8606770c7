"""The quick looks before the rules leave nothing out that the rules would find."""

import re
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.blind import disguise, rules
from judgebench.blind.fold import fold
from judgebench.blind.lexicon import Lexicon

PIECES = (
    *(
        "claude",
        "c l a u d e",
        "c-l-a-u-d-e",
        "g_p_t",
        "k\u212ai",
        "Q2xhdWRl",
        "Y2xhdWRlIDM=",
        "R1B",
    ),
    *("Hello", "NASA", "=", "==", "a=b", "iPhone", "x" * 300, "deadBEEF", "646d5b9e", "1 2 3", "_"),
    *(
        "<think>",
        "</s>",
        "[INST]",
        "<<SYS>>",
        "<<<f:a",
        "<",
        "[",
        "【analysis】",
        "【3†a】",
        "◁think▷",
    ),
    *("turn5search2", "turn0news1", "return 3", "TURN\u0661view1", "to=functions.run", "turn9"),
    *(
        "to=function\u017f.x",
        "to=FUNCTIONS.y",
        "<tool_call name='x'>",
        "unused1",
        "\u0130",
        "é",
        "ß",
    ),
    *("edualc", "ch4tgpt", "c.h.a.t.g.p.t", "\n", "\t", " ", "\u00b7", ".", "/", "+", "\u200b"),
)
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(alphabet="aBc1 _-.<[=+/\n·é", max_size=6)),
    max_size=12,
).map("".join)
LEXICON = Lexicon(["zeta one"], ["plain"])
MANY = settings(max_examples=60)


def _spans(matches: Iterator[re.Match[str]]) -> list[tuple[int, int]]:
    return [match.span() for match in matches]


@MANY
@given(TEXTS)
def test_style_marks_are_those_of_the_whole_pattern(text: str) -> None:
    """Beginning only where a mark can open finds what trying every place finds."""
    plain = fold(text).text
    signs = any(sign in plain for sign in rules.STYLE_SIGNS)
    assert _spans(rules.style_marks(plain)) == (
        _spans(rules.STYLE.finditer(plain)) if signs else []
    )


@MANY
@given(TEXTS)
def test_a_spelled_word_stands_as_single_signs_in_a_row(text: str) -> None:
    """Where the pattern of spelled words matches letters alone, the look before it lets it."""
    plain = fold(text).text
    spelled = [m.group() for m in rules.SPELLED.finditer(plain)]
    letters = any(
        len(re.findall(r"[a-z]", word)) == len(re.findall(r"[a-z0-9]", word)) for word in spelled
    )
    assert not letters or disguise.Tokens(plain).has_single_letters()


@MANY
@given(TEXTS)
def test_a_text_without_encoded_words_is_let_by_alone(text: str) -> None:
    """Only a word that no rule would decode keeps a text from being decoded."""
    found = list(disguise.encoded(LEXICON, text, fold(text)))
    assert not found or disguise.maybe_encoded(text)
