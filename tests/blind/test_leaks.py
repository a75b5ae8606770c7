"""Tests of judgebench.blind.leaks and of the rules behind it."""

import json
import os
import time
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.blind.fold import fold, words
from judgebench.blind.leaks import Scanner, scan
from tests.clock import HANG_S

ROOT = Path(__file__).parents[2]
OWN_SET = ROOT / "tests" / "data" / "blind" / "leaks.jsonl"
SHARED = Path(os.environ.get("JUDGEBENCH_SHARED", ROOT.parent / "shared"))
SHARED_SET = SHARED / "cases" / "23-identity-leaks" / "leaks.jsonl"
NO_MISS = ("self-name", "trailer", "path", "user-agent")


def rates(path: Path) -> dict[str, tuple[int, int]]:
    """Texts with a hit and texts in all, a kind of the labelled set."""
    seen: dict[str, list[bool]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        seen[row["kind"]].append(bool(scan(row["text"])))
    return {kind: (sum(hits), len(hits)) for kind, hits in seen.items()}


def test_the_own_set_is_large_enough() -> None:
    """At least 80 leaks and 40 look-alikes, no text twice."""
    rows = [json.loads(line) for line in OWN_SET.read_text("utf-8").splitlines()]
    assert sum(row["leak"] for row in rows) >= 80
    assert sum(not row["leak"] for row in rows) >= 40
    assert len({row["text"] for row in rows}) == len(rows)


def test_leaks_are_found_and_look_alikes_are_not() -> None:
    """Own labelled set: nine in ten of every kind, all of four kinds, few false alarms."""
    found = rates(OWN_SET)
    alarms, alike = found.pop("look-alike")
    assert alarms <= 0.05 * alike
    for kind, (hits, texts) in found.items():
        assert hits >= (1.0 if kind in NO_MISS else 0.9) * texts, kind


@pytest.mark.shared
@pytest.mark.skipif(not SHARED_SET.is_file(), reason="the shared cases are not beside the clone")
def test_the_shared_set_is_met() -> None:
    """At least 44 of 48 leaks, none missed of four kinds, at most 2 of 24 look-alikes."""
    found = rates(SHARED_SET)
    alarms, alike = found.pop("look-alike")
    assert (alike, sum(texts for _, texts in found.values())) == (24, 48)
    assert sum(hits for hits, _ in found.values()) >= 44
    assert all(found[kind][0] == found[kind][1] for kind in NO_MISS)
    assert alarms <= 2


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ("I am Claude, hello", "self-name", "Claude"),
        ("x\nCo-Authored-By: Grok <g@example.org>", "trailer", "Grok"),
        ("made by gpt-5.1-mini.", "trailer", "gpt-5.1-mini"),
        ("the file qwen3-32b.json", "slug", "qwen3-32b"),
        ("OpenAI said so", "name", "OpenAI"),
        ("see .codex/log", "path", ".codex/log"),
        ('{"model": "sonar"}', "user-agent", "sonar"),
        ("m = Claude()", "code", "Claude"),
        ("<think>", "style-mark", "<think>"),
        ("g e m i n i", "disguised", "g e m i n i"),
    ],
)
def test_a_hit_has_kind_place_and_words(text: str, kind: str, shown: str) -> None:
    """The report can say what was found, where, and by which rule."""
    (hit,) = scan(text)
    assert (hit.kind, hit.shown) == (kind, shown)
    assert text[hit.start : hit.end] == shown


def test_words_of_the_prompt_are_spared() -> None:
    """A task may be about a vendor; what the prompt does not name still counts."""
    text = "OpenAI and DeepSeek differ; gpt-5 is one of them. <think>x</think>"
    shown = [hit.shown for hit in scan(text, spared="Compare OpenAI with others. Use <think>.")]
    assert shown == ["DeepSeek", "gpt-5", "</think>"]
    assert scan("gpt-5 is new", spared="What is GPT-5?") == ()
    assert scan("gpt-5-mini is new", spared="What is GPT-5?") != ()


def test_own_names_count_in_every_spelling_as_whole_words() -> None:
    """Made-up vendors and models of the run are found as blank, hyphen, underscore or slash."""
    names = ("zephyrine 9b", "lab one")
    for text in ("Zephyrine-9B", "zephyrine_9b wrote", "ZEPHYRINE 9b.", "lab/one", "Lab-One"):
        assert [hit.kind for hit in scan(text, names=names)] == ["own-name"], text
    assert scan("the zephyrines, labone2, slab one", names=names) == ()


def test_ordinary_words_of_the_run_count_in_a_context_only() -> None:
    """An arm named north does not take the north out of a text."""
    assert scan("the north wing is closed", in_context=("north",)) == ()
    assert [hit.kind for hit in scan("I am North.", in_context=("north",))] == ["self-name"]
    assert [h.kind for h in scan("Co-Authored-By: north", in_context=("north",))] == ["trailer"]


def test_a_name_hidden_in_a_longer_text_is_found_at_its_place() -> None:
    """Folding and invisible characters do not move the place."""
    text = "Straße İstanbul \u200b🙂 — I am Cl\u200da\u00ad\u0443de? No: I am Сl\u200bаudе, hello"
    (hit,) = scan(text)
    assert text[hit.start : hit.end] == "Сl\u200bаudе"


def test_an_encoded_name_after_invisible_characters_keeps_its_place() -> None:
    """Base64 is looked for in the delivered text and placed there."""
    text = "a\u200bb\u200b SSdtIENsYXVkZQ== end"
    (hit,) = scan(text)
    assert text[hit.start : hit.end] == "SSdtIENsYXVkZQ=="


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_folding_keeps_the_way_back(sample: str) -> None:
    """Each folded character comes from one place, in order, and folds to itself."""
    folded = fold(sample)
    places = [folded.back(at, at + 1) for at in range(len(folded.text))]
    assert all(end == start + 1 for start, end in places)
    assert places == sorted(set(places))
    assert fold(folded.text).text == folded.text
    assert all(folded.forth(*span) == (at, at + 1) for at, span in enumerate(places))


def test_folding_makes_one_character_of_every_character() -> None:
    """Over the whole of Unicode: one character or none, and folding twice changes nothing."""
    for start in range(0, 0x110000, 0x1000):
        block = "".join(chr(c) for c in range(start, start + 0x1000) if not 0xD800 <= c < 0xE000)
        once = fold(block)
        assert once.places is not None or len(once.text) == len(block)
        assert fold(once.text).text == once.text


def test_words_are_compared_without_signs() -> None:
    """Separators and case do not matter to what a prompt spares."""
    assert words("GPT-5,  (Chat)") == " gpt 5 chat "


HOSTILE = [
    "claude ",
    "author: claude ",
    "i am made by google as claude, ",
    "./claude/",
    "gpt" + "-1" * 40,
    "claude" + " " * 900,
    "a-a-1-",
    "g p t ",
    "<|" * 9 + "<think",
    "regards \n \n",
    "starts with a and ends with ",
    "SGVsbG8gd29ybGQh",
    "\u200b\u0421laude",
    "made with x ",
    "model ",
    "as claude, a model by google, ",
    "As Claude, an AI, I " + "as Gemini " * 9,
    "this is claude at google trained me ",
    "best,\n claude (ai ",
    "0" * 300 + "@",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_rule_runs_away_on_hostile_text(piece: str) -> None:
    """No rule runs away on a quarter megabyte; one that did would take hours."""
    scanner = Scanner(("zephyrine 9b",))
    text = (piece * (250_000 // len(piece) + 1))[:250_000]
    scanner.find("I am Claude")
    before = time.process_time()
    scanner.find(text)
    quarter = time.process_time() - before
    assert quarter < HANG_S


def test_a_clean_text_of_two_kilobytes_has_no_hits() -> None:
    """Nothing in it names anybody."""
    scanner = Scanner(("zephyrine 9b", "lab one"))
    text = "The reading room closes at two on Friday; heating engineers need the afternoon.\n" * 26
    text = text[:2048]
    assert scanner.find(text) == ()
