"""Rubric files: what is refused with which words, what is kept, what is hashed."""

import csv
import random
import time
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.errors import RubricError
from judgebench.model.rubric import Applies, Rubric
from judgebench.rubrics import load
from judgebench.rubrics.load import find_rubric, list_rubrics, load_rubric, parse_rubric
from judgebench.rubrics.schema import json_schema
from tests.clock import HANG_S

DATA = Path(__file__).parent.parent / "data" / "rubrics"
MALFORMED = DATA / "malformed"
PATH = Path("mine.yaml")

with (MALFORMED / "expected.csv").open(encoding="utf-8", newline="") as _file:
    EXPECTED = list(csv.DictReader(_file))


def plain() -> dict[str, Any]:
    """A rubric that uses every key, as plain values."""
    return {
        "name": "letter",
        "version": "2",
        "intro": "A letter to a customer.",
        "scale": {"min": 1, "max": 10, "step": 1},
        "criteria": [
            {
                "id": "tone",
                "head": "tone",
                "text": "Is the letter polite?",
                "anchors": {"2": "insults", "9": "thanks"},
                "weight": 2,
                "quotes": 1,
                "applies": "always",
            },
            {"id": "facts", "head": "facts", "text": "Are the dates right?", "weight": 1},
        ],
        "gates": [{"criterion": "facts", "below": 4, "cap": 5}],
        "caps": [{"criterion": "facts", "below": 3, "target": "tone", "cap": 6}],
        "tiers": [{"name": "good", "at_least": 7}, {"name": "rest", "at_least": 1}],
    }


def read(data: dict[str, Any], **layout: Any) -> Rubric:  # noqa: ANN401 - options of yaml.dump
    """Write plain values as YAML and read them as a rubric."""
    return parse_rubric(yaml.safe_dump(data, **layout), PATH)


def refusal(data: dict[str, Any]) -> str:
    """The message with which these values are refused."""
    with pytest.raises(RubricError) as caught:
        read(data)
    return str(caught.value)


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: row["file"])
def test_each_malformed_file_meets_its_exact_message(row: dict[str, str]) -> None:
    """Refused files name line, key, fault and remedy in one line, fast; sound ones load."""
    path = MALFORMED / row["file"]
    started = time.perf_counter()
    try:
        load_rubric(path)
        verdict, message = "accept", ""
    except RubricError as exc:
        verdict, message = "refuse", str(exc)
    assert time.perf_counter() - started < HANG_S
    assert "\n" not in message
    assert verdict == row["verdict"]
    assert message.removeprefix(f"{path}:").strip() == row["message"]


def test_every_malformed_file_is_expected() -> None:
    """No file of the folder is left out of the table, and no row lacks its file."""
    assert sorted(row["file"] for row in EXPECTED) == sorted(
        path.name for path in MALFORMED.glob("*.yaml")
    )


def test_quoted_words_stay_ids_letter_for_letter() -> None:
    """No, 007 and a date are ids when they stand in quotes."""
    rubric = load_rubric(MALFORMED / "s02-words-in-quotes.yaml")
    assert [c.id for c in rubric.criteria] == ["No", "007", "2026-09-05"]


def test_template_marks_stay_letters() -> None:
    """Braces in a question are text and are never evaluated."""
    rubric = load_rubric(MALFORMED / "s03-template-marks.yaml")
    assert rubric.criteria[0].text == "Is {{ name }} greeted, {% if x %} and is 6*7 {{ 6*7 }}?"


def test_unquoted_words_stay_text_in_anchors() -> None:
    """Where text is meant and nothing can be confused, no and yes need no quotes."""
    anchors = load_rubric(MALFORMED / "s04-words-in-anchors.yaml").criteria[0].anchors
    assert [(anchor.mark, anchor.text) for anchor in anchors] == [(1, "no"), (7, "yes")]


def test_every_key_arrives_in_the_rubric() -> None:
    """Scale, criterion, gate, cap and tier carry what the file says."""
    rubric = load_rubric(MALFORMED / "s05-every-key.yaml")
    assert (rubric.name, rubric.version, rubric.intro) == (
        "letter",
        "2.1",
        "A letter to a customer.",
    )
    assert (rubric.scale.low, rubric.scale.high, rubric.scale.step) == (0, 1, 0.1)
    tone, facts = rubric.criteria
    assert (tone.head, tone.weight, tone.quotes) == ("tone", 2, 2)
    assert tone.applies is Applies.REFERENCE
    assert [anchor.mark for anchor in tone.anchors] == [0, 0.3, 1]
    assert (facts.weight, facts.quotes, facts.applies) == (10, 1, Applies.ALWAYS)
    assert (rubric.gates[0].criterion, rubric.gates[0].cap) == ("facts", 0.25)
    assert (rubric.caps[0].target, rubric.caps[0].cap) == ("tone", 0.5)
    assert [(t.name, t.at_least) for t in rubric.tiers] == [("good", 0.7), ("rest", 0)]
    assert rubric.source.startswith("# all keys")


def test_a_rubric_of_few_keys_takes_the_defaults() -> None:
    """Name, scale and questions suffice; version is then 1."""
    rubric = read(
        {"name": "a", "scale": {"min": 1, "max": 5}, "criteria": [{"id": "c", "text": "x"}]}
    )
    assert rubric.version == "1"
    assert (rubric.criteria[0].weight, rubric.criteria[0].quotes) == (1, 1)
    assert rubric.scale.step == 1


def test_the_first_fault_in_line_order_is_named() -> None:
    """Of two faults the upper one is shown, whichever rule finds it."""
    text = (
        "name: a\nscale: {min: 1, max: 5}\ntiers: [{name: x, at_least: 9}]\n"
        "criteria:\n  - {id: c, text: x, anchors: {7: far}}\n"
    )
    with pytest.raises(RubricError) as caught:
        parse_rubric(text, PATH)
    assert (caught.value.line, caught.value.key) == (3, "tiers.1.at_least")


@pytest.mark.parametrize("name", ["", "a b", "a/b", ".a", "-a", "a" * 41, "ä", "a\n"])
def test_names_that_are_no_file_names_are_refused(name: str) -> None:
    """Rubric names and ids stay within letters, digits, - and _."""
    assert "mine.yaml:" in refusal({**plain(), "name": name})


def test_reserved_ids_are_refused_in_any_case() -> None:
    """Words of the reply cannot be criteria, however they are written."""
    data = plain()
    data["criteria"][1]["id"] = "Cannot_Judge"
    assert "a word of the reply itself" in refusal(data)


@pytest.mark.parametrize("name", ["two\nlines", "a  b", "\u202egood", " good"])
def test_names_for_tables_stay_in_one_visible_line(name: str) -> None:
    """Line breaks, double blanks and invisible characters would break a table."""
    message = refusal(plain() | {"tiers": [{"name": name, "at_least": 1}]})
    assert "tiers.1.name holds a line break, a double blank or an invisible" in message


def test_a_hostile_value_is_shown_in_one_line() -> None:
    """Control characters and length of a value never reach the message."""
    data = plain()
    data["gates"][0]["criterion"] = "\x1b[31m\n" + "x" * 500
    message = refusal(data)
    assert "\x1b" not in message
    assert "\n" not in message
    assert len(message) < 300


def test_scale_step_of_a_tenth_is_exact() -> None:
    """0.1 divides 0 to 1 and 0.7 is a mark, although doubles say otherwise."""
    data = plain() | {"scale": {"min": 0, "max": 1, "step": 0.1}}
    data["criteria"][0]["anchors"] = {"0.7": "fine"}
    data["gates"], data["caps"], data["tiers"] = [], [], []
    assert read(data).criteria[0].anchors[0].mark == pytest.approx(0.7)


def test_at_most_forty_criteria() -> None:
    """Forty are fine, one more is not."""
    data = plain() | {"gates": [], "caps": []}
    data["criteria"] = [{"id": f"c{i}", "text": "Is it there?"} for i in range(40)]
    assert len(read(data).criteria) == 40
    data["criteria"].append({"id": "more", "text": "Is it there?"})
    assert "has 41 entries" in refusal(data)


def _shuffled(value: Any, rng: random.Random) -> Any:  # noqa: ANN401 - plain values
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: _shuffled(value[key], rng) for key in keys}
    if isinstance(value, list):
        return [_shuffled(one, rng) for one in value]
    return value


@settings(max_examples=40, deadline=None)
@given(rng=st.randoms(use_true_random=False), flow=st.booleans(), indent=st.integers(2, 6))
def test_layout_changes_neither_hash(rng: random.Random, *, flow: bool, indent: int) -> None:
    """Key order, flow or block style, indentation and comments are no content."""
    want = read(plain())
    text = yaml.safe_dump(
        _shuffled(plain(), rng),
        sort_keys=False,
        default_flow_style=flow,
        indent=indent,
        width=rng.choice([40, 1000]),
    )
    text = "# a comment\n\n" + text.rstrip("\n") + "  # the end\n\n"
    got = parse_rubric(text, Path("elsewhere.yaml"))
    assert (got.ask_sha256, got.sum_sha256) == (want.ask_sha256, want.sum_sha256)


def test_two_spellings_of_a_number_are_one_content() -> None:
    """1 and 1.0, 0 and -0 mean the same mark."""
    data = plain()
    data["scale"] = {"min": 1.0, "max": 10.0, "step": 1.0}
    data["criteria"][0]["weight"] = 2.0
    data["criteria"][0]["anchors"] = {"2.0": "insults", "9.0": "thanks"}
    one, other = read(plain()), read(data)
    assert (one.ask_sha256, one.sum_sha256) == (other.ask_sha256, other.sum_sha256)


SUM_CHANGES: list[tuple[tuple[str | int, ...], Any]] = [
    (("name",), "other"),
    (("version",), "3"),
    (("criteria", 0, "weight"), 3),
    (("criteria", 0, "head"), "polite"),
    (("gates", 0, "cap"), 4),
    (("gates", 0, "below"), 3),
    (("gates",), []),
    (("caps", 0, "cap"), 5),
    (("caps",), []),
    (("tiers", 0, "name"), "fine"),
    (("tiers", 0, "at_least"), 8),
]
ASK_CHANGES: list[tuple[tuple[str | int, ...], Any]] = [
    (("intro",), "A letter."),
    (("scale", "max"), 11),
    (("scale", "step"), 0.5),
    (("criteria", 0, "text"), "Is the letter  polite?"),
    (("criteria", 0, "anchors", "2"), "scolds"),
    (("criteria", 0, "anchors"), {"3": "insults", "9": "thanks"}),
    (("criteria", 0, "quotes"), 0),
    (("criteria", 0, "applies"), "evidence"),
]


def _changed(key: tuple[str | int, ...], value: Any) -> Rubric:  # noqa: ANN401 - plain values
    data: Any = plain()
    here = data
    for part in key[:-1]:
        here = here[part]
    here[key[-1]] = value
    return read(data)


@settings(max_examples=40, deadline=None)
@given(change=st.sampled_from(SUM_CHANGES))
def test_what_code_does_with_marks_changes_only_sum(
    change: tuple[tuple[str | int, ...], Any],
) -> None:
    """Weights, heads, gates, caps, tiers and names cost no request."""
    before, after = read(plain()), _changed(*change)
    assert after.ask_sha256 == before.ask_sha256
    assert after.sum_sha256 != before.sum_sha256


@settings(max_examples=40, deadline=None)
@given(change=st.sampled_from(ASK_CHANGES))
def test_what_the_judge_is_shown_changes_ask(
    change: tuple[tuple[str | int, ...], Any],
) -> None:
    """Texts, anchors, scale, quotes and conditions ask anew; the sum stays."""
    before, after = read(plain()), _changed(*change)
    assert after.ask_sha256 != before.ask_sha256
    assert after.sum_sha256 == before.sum_sha256


def test_the_order_of_criteria_changes_ask() -> None:
    """A judge that reads questions in another order is asked something else."""
    data = plain()
    data["criteria"].reverse()
    assert read(data).ask_sha256 != read(plain()).ask_sha256


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_is_a_rubric_or_one_line(text: str) -> None:
    """Whatever stands in the file, the answer is a rubric or one line."""
    message = ""
    try:
        parse_rubric(text, PATH)
    except RubricError as exc:
        message = str(exc)
    assert "\n" not in message
    assert message == "" or message.startswith("mine.yaml")


def test_a_folder_or_nothing_is_no_rubric(tmp_path: Path) -> None:
    """A folder and a missing file are named for what they are."""
    with pytest.raises(RubricError, match="is a folder; name a rubric file"):
        load_rubric(tmp_path)
    with pytest.raises(RubricError, match="is not there; name a rubric file"):
        load_rubric(tmp_path / "none.yaml")
    with pytest.raises(RubricError, match="is no ordinary file"):
        load_rubric(Path("/dev/zero"))


def test_an_unreadable_file_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's own reason stands in the message."""
    path = tmp_path / "a.yaml"
    path.write_text("name: a\n", encoding="utf-8")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    # The suite may run as root, whom no file mode stops.
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(RubricError, match="cannot be read: permission denied; make it readable"):
        load_rubric(path)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    """Over 128 KiB nothing is parsed; many values within it are refused fast."""
    big = tmp_path / "big.yaml"
    big.write_text("# " + "x" * 140_000, encoding="utf-8")
    with pytest.raises(RubricError, match="is over 128 KiB"):
        load_rubric(big)
    many = tmp_path / "many.yaml"
    many.write_text("a: [" + "x," * 60_000 + "]", encoding="utf-8")
    started = time.perf_counter()
    with pytest.raises(RubricError, match="holds too many values"):
        load_rubric(many)
    assert time.perf_counter() - started < HANG_S


def test_find_rubric_takes_name_file_name_and_path(tmp_path: Path) -> None:
    """All three spellings lead to the file; the workspace wins over the package."""
    own = tmp_path / "usecase.yaml"
    own.write_text("name: own\n", encoding="utf-8")
    other = tmp_path / "other.yml"
    other.write_text("name: other\n", encoding="utf-8")
    assert find_rubric("usecase", folders=[tmp_path]) == own
    assert find_rubric("usecase.yaml", folders=[tmp_path]) == own
    assert find_rubric(str(own), folders=[]) == own
    assert find_rubric("other", folders=[tmp_path]) == other
    assert find_rubric("answer", folders=[tmp_path]).parent == load.packaged_rubrics()
    assert find_rubric("usecase", folders=[tmp_path / "none"]).is_file()


def test_find_rubric_takes_a_file_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the current folder needs no path; a bare known name is the rubric."""
    (tmp_path / "mine.txt").write_text("name: a\n", encoding="utf-8")
    (tmp_path / "answer").write_text("notes\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert find_rubric("mine.txt", folders=[]) == Path("mine.txt")
    assert find_rubric("answer", folders=[]).name == "answer.yaml"


@pytest.mark.parametrize("name", ["usecas", "../usecase", "no\0pe", "x" * 5000])
def test_an_unknown_name_lists_what_is_there(name: str) -> None:
    """The message names the rubrics that exist and nothing hostile."""
    with pytest.raises(RubricError, match="answer, code-8d, hardening-10d, usecase") as caught:
        find_rubric(name, folders=[])
    assert "\0" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_near_name_is_proposed() -> None:
    """A slip of one letter is answered with the name that was meant."""
    with pytest.raises(RubricError, match=r"did you mean usecase\?"):
        find_rubric("usecas", folders=[])


def test_without_any_rubric_a_file_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With nothing to list, the message asks for a file."""
    monkeypatch.setattr(resources, "files", lambda _: tmp_path / "package")
    with pytest.raises(RubricError, match=r"; name a file$"):
        find_rubric("usecase", folders=[])


def test_an_installed_package_brings_its_rubrics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a wheel the rubrics lie inside the package."""
    inside = tmp_path / "data" / "rubrics"
    inside.mkdir(parents=True)
    (inside / "usecase.yaml").write_text("name: a\n", encoding="utf-8")
    (inside / "README.md").write_text("notes\n", encoding="utf-8")
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    assert list_rubrics([]) == {"usecase": inside / "usecase.yaml"}


def test_json_schema_knows_every_key() -> None:
    """Editors learn keys, bounds and meanings from the same model."""
    schema = json_schema()
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert set(schema["properties"]) == set(plain())
    criterion = schema["$defs"]["CriterionFile"]["properties"]
    assert criterion["id"]["pattern"] == "^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$"
    assert criterion["head"]["anyOf"][0]["maxLength"] == 9
    assert all("description" in value for value in criterion.values())
    assert schema["$defs"]["CriterionFile"]["additionalProperties"] is False
