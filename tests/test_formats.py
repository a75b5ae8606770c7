"""Strict YAML and TOML: what is kept, what is refused, and in which words."""

import math
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from judgebench.errors import FileFault, RunError
from judgebench.formats.check import all_keys, validate
from judgebench.formats.located import MAX_BYTES, Located, Word, decode, dotted, refuse_word
from judgebench.formats.yaml_text import MAX_DEPTH, parse_yaml
from judgebench.toml import parse_toml

PATH = Path("f.yaml")


def read(text: str) -> Any:  # noqa: ANN401 - plain values
    """The plain values of a YAML text."""
    return parse_yaml(text, PATH, RunError).data


def yaml_fault(text: str, **options: Any) -> str:  # noqa: ANN401 - options of parse_yaml
    """The message with which a YAML text is refused."""
    with pytest.raises(RunError) as caught:
        parse_yaml(text, PATH, RunError, **options)
    return str(caught.value)


def toml_fault(text: str) -> str:
    """The message with which a TOML text is refused."""
    with pytest.raises(RunError) as caught:
        parse_toml(text, Path("f.toml"), RunError)
    return str(caught.value)


# ---- bytes


def test_decode_takes_utf_8_with_or_without_mark() -> None:
    """A byte order mark is dropped, everything else is kept."""
    assert decode(b"\xef\xbb\xbfa: \xc3\xa9\r\n", PATH, RunError) == "a: é\r\n"
    assert decode("a: é".encode(), PATH, RunError) == "a: é"


def test_decode_names_the_first_bad_byte_and_its_line() -> None:
    """Another encoding is told by byte and line."""
    with pytest.raises(RunError) as caught:
        decode(b"a: 1\nb: \xff\n", PATH, RunError)
    assert str(caught.value) == "f.yaml:2: has a byte 0xff that is not UTF-8; save it as UTF-8"


def test_decode_refuses_what_no_person_wrote() -> None:
    """Over 4 MiB nothing is read on."""
    with pytest.raises(RunError, match=r"is 4,194,305 bytes long; keep it under 4,194,304 bytes"):
        decode(b"x" * (MAX_BYTES + 1), PATH, RunError)


# ---- YAML values


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("5", 5),
        ("+5", 5),
        ("-0", 0),
        ("0.5", 0.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("-1.5e3", -1500.0),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("word", "word"),
        ("y", "y"),
        ("1.2.3", "1.2.3"),
        ("12abc", "12abc"),
        ("1e5x", "1e5x"),
        ("'no'", "no"),
        ('"01"', "01"),
        ('"true"', "true"),
        ("'5'", "5"),
        ("|\n  two\n  lines\n", "two\nlines\n"),
        (">-\n  folded\n  line\n", "folded line"),
        ("[1, a, null]", [1, "a", None]),
        ("{b: {c: 1}}", {"b": {"c": 1}}),
        ("&anchor x", "x"),
    ],
)
def test_yaml_values_are_plain(written: str, value: object) -> None:
    """Scalars follow the YAML 1.2 core rules; quotes make text of anything."""
    got = read(f"a: {written}")["a"]
    assert got == value
    assert type(got) is type(value)


AMBIGUOUS = ["no", "Yes", "on", "OFF", "01", "-007", "2026-11-29", "12:30", "0x1F", "1_000"]


@pytest.mark.parametrize("word", [*AMBIGUOUS, "2026-11-29 10:00:00", "0b11", "=", "<<", "00.5"])
def test_ambiguous_words_are_refused_with_the_hint_to_quote(word: str) -> None:
    """What another reader would turn into something else needs quotes."""
    message = yaml_fault(f"a:\n  - {word}\n")
    assert message == (
        f"f.yaml:2: a.1 is {word}, which YAML readers do not take as text; "
        f'write "{word}" in quotes, or another value'
    )


@pytest.mark.parametrize("word", ["no", "01", "2026-11-29", "12:30", "0x1F"])
def test_ambiguous_words_are_kept_as_words_on_request(word: str) -> None:
    """A caller that knows where text is meant gets the letters, marked as doubtful."""
    got = parse_yaml(f"a: {word}\nb: '{word}'", PATH, RunError, keep_words=True).data
    assert got == {"a": word, "b": word}
    assert isinstance(got["a"], Word)
    assert not isinstance(got["b"], Word)


@pytest.mark.parametrize("number", [".nan", ".NaN", ".inf", "-.Inf", "+.INF"])
def test_numbers_must_be_finite(number: str) -> None:
    """Not-a-number and infinity are no values, kept words or not."""
    for keep in (True, False):
        message = yaml_fault(f"a: {number}", keep_words=keep)
        assert message == f"f.yaml:1: a is {number}; write a finite number"


def test_numbers_must_fit() -> None:
    """Overflowing doubles and 19-digit integers are refused as written."""
    assert yaml_fault("a: 1e999") == (
        "f.yaml:1: a is 1e999, too large to count with; write a smaller one"
    )
    assert yaml_fault("a: -1.0e999").startswith("f.yaml:1: a is -1.0e999, too large")
    assert yaml_fault(f"a: {'9' * 19}") == f"f.yaml:1: a is {'9' * 19}; write a smaller number"
    assert "…" in yaml_fault(f"a: {'9' * 5000}")
    assert read("a: 999999999999999999") == {"a": 999999999999999999}


plain_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(value=plain_values, flow=st.booleans())
def test_what_yaml_writes_is_read_back(value: object, *, flow: bool) -> None:
    """Every plain value survives, in either style, with a line for each part."""
    text = yaml.safe_dump({"a": value}, default_flow_style=flow, allow_unicode=False)
    located = parse_yaml(text, PATH, RunError)
    assert located.data == {"a": value}
    assert 1 <= located.line(("a",)) <= text.count("\n") + 1


@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet=st.sampled_from(list("ab:-[]{}&*!?|>'\"%@`,#\t\n 01.~<=\x00\u2028"))))
def test_any_text_is_values_or_one_line(text: str) -> None:
    """Whatever stands in the file: plain values, or one line with the file's name."""
    message = ""
    try:
        parse_yaml(text, PATH, RunError)
    except RunError as exc:
        message = str(exc)
    assert message == "" or message.startswith("f.yaml")
    assert len(message.splitlines()) <= 1
    assert len(message) < 400


# ---- YAML structure

YAML_FAULTS = {
    "": "f.yaml: is empty; write its keys (judge explain formats shows them)",
    "# only words\n": "f.yaml: is empty; write its keys (judge explain formats shows them)",
    "---\n": "f.yaml: is empty; write its keys (judge explain formats shows them)",
    "a: 1\n---\nb: 2\n": "f.yaml:3: holds two YAML documents; keep one document a file",
    "a: 1\nb: 2\na: 3\n": "f.yaml:3: a stands twice (first in line 1); keep one of the two",
    "a:\n  1: x\n  '1': y\n": "f.yaml:3: a.1 stands twice (first in line 2); keep one of the two",
    "a: &x [1]\nb: *x\n": "f.yaml:1: b repeats another part by an alias (*); write it out",
    "a: &x 1\nb: *x\n": "f.yaml:1: b repeats another part by an alias (*); write it out",
    "a: &x b\n*x : 1\n": "f.yaml:1: has an alias (*) as a key; write it out",
    "a: &x [*x]\n": "f.yaml:1: a.1 repeats another part by an alias (*); write it out",
    "a: *x\n": "f.yaml:1: is not valid YAML: found undefined alias 'x'; mend this line",
    "a:\n  <<: {b: 1}\n": "f.yaml:2: a uses a merge key (<<); write the keys out",
    "a: !!str 5\n": "f.yaml:1: a carries the tag !!str; leave tags out",
    "a: !!int '5'\n": "f.yaml:1: a carries the tag !!int; leave tags out",
    "a: !mine {b: 1}\n": "f.yaml:1: a carries the tag !mine; leave tags out",
    "a: ! x\n": "f.yaml:1: a carries the tag !; leave tags out",
    "!!python/name:os.system a: 1\n": (
        "f.yaml:1: carries the tag !!python/name:os.system; leave tags out"
    ),
    "a: !!python/object/new:os.system [x]\n": (
        "f.yaml:1: a carries the tag !!python/object/new:os.system; leave tags out"
    ),
    "[1, 2]: 3\n": "f.yaml:1: has a key that is not a word; write a plain word",
    "a:\n\tb: 1\n": "f.yaml:2: has a tab where YAML wants blanks; indent with blanks",
    "a: 1\nb: \x07\n": "f.yaml:2: holds the control character U+0007; take it out",
    "a: b: c\n": (
        "f.yaml:1: is not valid YAML: a colon where no key can stand; "
        "put the text in quotes, or align the key with its neighbours"
    ),
    "a:\n  b: 1\n c: 2\n": (
        "f.yaml:3: is not valid YAML: this line does not stand under the ones above it; "
        "align it with its neighbours"
    ),
    "a: 1\nb\n": "f.yaml:3: is not valid YAML: a key without a colon; write key: value",
    'a: 1\nb: "open\n': (
        "f.yaml:2: is not valid YAML: a quote is opened and never closed; close it"
    ),
    "a: 1\nb: {c: what?}\n": (
        "f.yaml:2: is not valid YAML: a text in { } or [ ] is open or holds a mark that YAML "
        "reads itself; close the bracket, or put the text in quotes"
    ),
    "a: @b\n": (
        "f.yaml:1: is not valid YAML: found character '@' that cannot start any token; "
        "mend this line"
    ),
    "%YAML 9.9\n---\na: 1\n": (
        "f.yaml:1: is not valid YAML: found incompatible YAML document "
        "(version 1.* is required); mend this line"
    ),
}


@pytest.mark.parametrize("text", YAML_FAULTS)
def test_each_yaml_fault_has_its_line_and_words(text: str) -> None:
    """Place, fault and remedy in one short line."""
    assert yaml_fault(text) == YAML_FAULTS[text]


def test_depth_and_number_of_values_are_bounded() -> None:
    """Before memory or Python's stack gives way, the file is refused with its line."""
    deep = "a:\n  " + "[" * 100_000
    assert yaml_fault(deep) == (
        f"f.yaml:2: is nested too deeply here; use at most {MAX_DEPTH} levels"
    )
    assert yaml_fault("a: [" + "x," * 50 + "]", max_nodes=40) == (
        "f.yaml:1: holds too many values; make the file smaller"
    )
    inner = "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    assert isinstance(read(f"a: {inner}")["a"], list)


def test_lines_are_those_of_keys_with_parents_as_a_fallback() -> None:
    """A key that is missing is shown where its parent begins."""
    located = parse_yaml("a:\n  - b: 1\n    c: 2\n  - d\n", PATH, RunError)
    assert located.line(("a", 0, "c")) == 3
    assert located.line(("a", 1)) == 4
    assert located.line(("a", 0, "none")) == 2
    assert located.line(("none",)) == 1
    assert Located(path=PATH, data={}).line(("a",)) == 0


def test_dotted_counts_lists_from_one_and_tames_keys() -> None:
    """Keys are shown as people count, whatever they hold."""
    assert dotted(("criteria", 1, "weight")) == "criteria.2.weight"
    assert dotted(("\x1b[31m\n" + "x" * 100,)).startswith("<U+001B>[31m xxx")
    assert len(dotted(("x" * 100,))) == 60


# ---- TOML

TOML = """\
# judges
default = "near"

[judges.near]
model = "m"
params = { temperature = 0.5 }
"quoted key" = 1

[[models]]
name = "one"
[models.price]
input = 1
[[models]]
name = "two"
price.input = 2
list = [
  ["a"],
  ["judges"]
]
text = '''
default = "not a key"
'''
last = "]["  # [models]
"""


def test_toml_keys_have_their_lines() -> None:
    """Tables, arrays of tables, dotted and quoted keys are found where they stand."""
    located = parse_toml(TOML, Path("f.toml"), RunError)
    lines = {dotted(key): line for key, line in located.lines.items()}
    assert lines["default"] == 2
    assert lines["judges.near"] == 4
    assert lines["judges.near.model"] == 5
    assert lines["judges.near.quoted key"] == 7
    assert lines["models.1"] == 9
    assert lines["models.1.price"] == 11
    assert lines["models.1.price.input"] == 12
    assert lines["models.2"] == 13
    assert lines["models.2.price.input"] == 15
    assert lines["models.2.text"] == 20
    assert lines["models.2.last"] == 23
    assert located.line(("judges", "near", "params", "temperature")) == 6


TOML_FAULTS = {
    "a = 1\na = 2\n": "f.toml:2: is not valid TOML: cannot overwrite a value; mend this line",
    "a = \n": "f.toml:1: is not valid TOML: invalid value; mend this line",
    "a = [1,\n": "f.toml:2: is not valid TOML: invalid value; mend this line",
    "[t]\na = nan\n": "f.toml:2: t.a is nan; write a finite number",
    "a = [1.0, -inf]\n": "f.toml:1: a.2 is -inf; write a finite number",
    "a = 2026-11-29\n": 'f.toml:1: a is a date or time; write "2026-11-29" in quotes',
    "a = 99999999999999999999\n": "f.toml:1: a is too large a number; write a smaller one",
    f"a = {'9' * 5000}\n": "f.toml: holds a number of thousands of digits; write a smaller one",
    f"a = {'[' * 5000}\n": f"f.toml: is nested too deeply; use at most {MAX_DEPTH} levels",
}


@pytest.mark.parametrize("text", TOML_FAULTS, ids=range(len(TOML_FAULTS)))
def test_each_toml_fault_has_its_line_and_words(text: str) -> None:
    """Place, fault and remedy in one short line."""
    assert toml_fault(text) == TOML_FAULTS[text]


def test_toml_depth_by_dotted_keys_is_bounded() -> None:
    """A key of ten thousand parts is no way around the bound."""
    message = toml_fault(".".join("a" * 10_000) + " = 1\n")
    assert "is nested too deeply" in message
    assert len(message) < 250


@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet=st.sampled_from(list("ab=.[]{}'\"#\n 01,-\\\x00\r"))))
def test_any_toml_text_is_values_or_one_line(text: str) -> None:
    """Whatever stands in the file: plain values with lines, or one line."""
    message = ""
    try:
        parse_toml(text, Path("f.toml"), RunError)
    except RunError as exc:
        message = str(exc)
    assert message == "" or message.startswith("f.toml")
    assert len(message.splitlines()) <= 1


# ---- models


class Inner(BaseModel):
    """A part with bounds of every kind."""

    model_config = ConfigDict(extra="forbid", strict=True)
    text: str = "x"
    name: Annotated[str, BeforeValidator(refuse_word), Field(max_length=3, min_length=1)] = "x"
    count: Annotated[int, Field(ge=1, le=9)] = 1
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5
    flag: bool = False
    kind: Literal["api", "cli"] = "api"
    limit: int | None = None


class Outer(BaseModel):
    """A file of inner parts."""

    model_config = ConfigDict(extra="forbid", strict=True)
    inner: Inner = Inner()
    many: Annotated[list[Inner], Field(max_length=2)] = []
    few: Annotated[list[int], Field(min_length=1)] = [1]
    table: dict[str, int] = {}


def check(text: str) -> Outer:
    """Read a text as the model above."""
    return validate(Outer, parse_yaml(text, PATH, RunError, keep_words=True), RunError)


MODEL_FAULTS = {
    "inner: {txt: a}": "inner.txt is not a known key; did you mean text?",
    "text: a": "text is not a known key; take it out (judge explain formats lists the keys)",
    "inner: {zzzzz: a}": (
        "inner.zzzzz is not a known key; take it out (judge explain formats lists the keys)"
    ),
    "inner: {text: 5}": 'inner.text is 5; write "5" in quotes',
    "inner: {text: 1.10}": "inner.text is a number where text is wanted; write it in quotes",
    "inner: {text: true}": 'inner.text is true; write "true" in quotes',
    "inner: {text: [a]}": "inner.text is a list; write text",
    "inner: {text: }": "inner.text is empty; write text",
    "inner: {name: no}": (
        'inner.name is no, which YAML readers do not take as text; write "no" in quotes'
    ),
    "inner: {name: long}": 'inner.name is "long"; write at most 3 characters',
    "inner: {name: ''}": 'inner.name is ""; write at least 1 character',
    "inner: {count: 0}": "inner.count is 0; write a number of 1 or more",
    "inner: {count: 10}": "inner.count is 10; write a number of 9 or less",
    "inner: {count: 1.5}": "inner.count is 1.5; write a whole number",
    "inner: {count: many}": 'inner.count is "many"; write a whole number',
    "inner: {count: true}": "inner.count is true; write a whole number",
    "inner: {limit: none}": 'inner.limit is "none"; write a whole number',
    "inner: {share: 0}": "inner.share is 0; write a number above 0",
    "inner: {share: 1}": "inner.share is 1; write a number below 1",
    "inner: {share: half}": 'inner.share is "half"; write a number',
    "inner: {flag: yes}": 'inner.flag is "yes"; write true or false',
    "inner: {kind: web}": 'inner.kind is "web"; write api or cli',
    "inner: []": "inner is empty; write keys with values",
    "inner: [1]": "inner is a list; write keys with values",
    "many: {a: 1}": "many is a group of keys; write a list, one entry a line after a dash",
    "many: [{}, {}, {}]": "many has 3 entries; write at most 2 entries",
    "many: [{}, {count: 0}]": "many.2.count is 0; write a number of 1 or more",
    "few: []": "few is empty; write 1 or more entries",
    "table: [1]": "table is a list; write keys with values",
    "table: {a: b}": 'table.a is "b"; write a whole number',
    "just words": 'is "just words"; write keys with values',
}


@pytest.mark.parametrize("text", MODEL_FAULTS)
def test_each_model_fault_is_said_in_human_words(text: str) -> None:
    """No message of the validation library reaches the user."""
    with pytest.raises(FileFault) as caught:
        check(text)
    assert str(caught.value) == f"f.yaml:1: {MODEL_FAULTS[text]}"


def test_the_first_fault_of_the_file_comes_first() -> None:
    """Line order decides, not the order of fields."""
    with pytest.raises(RunError) as caught:
        check("table: {a: 1}\nfew: [x]\ninner:\n  count: 0\n")
    assert (caught.value.line, caught.value.key) == (2, "few.1")


def test_a_missing_key_is_named_at_its_parent() -> None:
    """The line is that of the part that lacks it."""

    class Needy(BaseModel):
        """A part with a key that must be there."""

        must: int

    class Holder(BaseModel):
        """A list of such parts."""

        parts: list[Needy]

    located = parse_yaml("parts:\n  - must: 1\n  - {}\n", PATH, RunError)
    with pytest.raises(RunError) as caught:
        validate(Holder, located, RunError)
    assert str(caught.value) == "f.yaml:3: parts.2.must is missing; write it"


def test_a_fault_of_another_kind_keeps_the_library_words() -> None:
    """What has no words of ours is still one line with its place."""

    class Patterned(BaseModel):
        """A text with a pattern."""

        word: Annotated[str, Field(pattern="^a")]

    with pytest.raises(RunError) as caught:
        validate(Patterned, parse_yaml("word: b", PATH, RunError), RunError)
    assert str(caught.value) == "f.yaml:1: word is \"b\"; write string should match pattern '^a'"


def test_a_validator_without_a_remedy_gets_one() -> None:
    """A bare complaint of a validator still ends with what to do."""

    def complain(_: object) -> object:
        raise ValueError("looks\nodd")

    class Odd(BaseModel):
        """A key whose validator says little."""

        odd: Annotated[str, BeforeValidator(complain)]

    with pytest.raises(RunError) as caught:
        validate(Odd, parse_yaml("odd: x", PATH, RunError), RunError)
    assert str(caught.value) == "f.yaml:1: odd looks odd; mend it"


def test_good_values_become_the_model() -> None:
    """Kept words pass where text is meant; whole numbers serve as numbers."""
    got = check("inner: {text: no, share: 0.25, limit: 3}\nmany: [{count: 2}]\n")
    assert got.inner.text == "no"
    assert type(got.inner.text) is str
    assert math.isclose(got.inner.share, 0.25)
    assert got.many[0].count == 2


def test_all_keys_reaches_every_depth() -> None:
    """Keys of inner parts are known for the hint at a misspelt one."""
    assert {"inner", "table", "kind", "limit"} <= all_keys(Outer)
