"""Tests of judgebench.blind.spelling and markup: names in rare spellings."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgebench.blind.disguise import Tokens
from judgebench.blind.fold import fold
from judgebench.blind.leaks import scan
from judgebench.blind.markup import bare
from judgebench.blind.mask import NEUTRAL, Masker
from judgebench.model.collected import Arm, Run, Settings, UseCase
from judgebench.model.nouns import Blinding

ROOT = Path(__file__).parents[2]
MASKER = Masker(
    Run(
        name="r",
        path=Path(),
        use_case=UseCase(key="notice"),
        settings=Settings(),
        arms=(Arm(id="x", model="lab-one/zephyrine-9b"),),
        items=("n1",),
    ),
    Blinding.MASK,
)


@pytest.mark.parametrize(
    "name",
    [
        *("gpt 4o", "gpt 4", "GPT 5", "gpt5mini", "chat gpt", "Chat GPT"),
        *("kimi k2", "Kimi K2", "KimiK2", "kimik2", "MiniMax M2", "llama 3", "grok 4", "gemma 3"),
        *(
            "ClaudeCode",
            "ClaudeSonnet",
            "claude sonnet",
            "claude opus",
            "GeminiPro",
            "gemini flash",
        ),
        *(
            "MistralAI",
            "mistral large",
            "OpenCode",
            "GrokAI",
            "Llama4Scout",
            "o4 mini",
            "codex cli",
        ),
        *("deep seek", "Deep Seek", "deep-seek", "deep_seek", "Open AI", "Meta AI", "xAI", "x.ai"),
        *("Z.ai", "claude.ai", "ＧＰＴ", "ＧＰＴ-4", "Ｃｌａｕｄｅ", "Ｃｌａｕｄｅ Ｃｏｄｅ"),
        *("Сlаudе", "Ꮯlaude", "Οpenai", "𝗖𝗹𝗮𝘂𝗱𝗲", "Ⓒⓛⓐⓤⓓⓔ", "ᴄʟᴀᴜᴅᴇ", "Clаude Code"),
        *("Cl\u200baude", "Open\u2060AI", "kimi\u200b k2", "Gem\ufeffini"),
        *("&#67;laude", "&#x43;laude", "Cl&#97;ude Sonnet", "Open&shy;AI", "Cl&zwnj;aude"),
        *("Claude&nbsp;Sonnet", "GPT&#45;4", "GPT&ndash;4", "&#71;&#80;&#84;-4"),
        *("Cl**aude**", "**Cl**aude", "C*lau*de", "Open~~AI~~"),
        *("G**PT**-4", "Cla`ude`", "Cla<b>ude</b>", "Gem<span class='x'>ini</span>"),
        *("Zeph**yrine** 9B", "zeph&#121;rine 9b"),
        *("Cla<!-- -->ude", "Gem<!---->ini", "G<!-- a -->PT-4", "Cla\\-ude", "Cla{}ude"),
        *(r"\u0043laude", r"Cl\u0061ude Sonnet", r"\u{43}laude", r"\x43laude", r"\U00000043laude"),
        *(r"\u0043\u006c\u0061\u0075\u0064\u0065", r"Cl\u200baude", r"\u0421laude", "%43laude"),
        *("%43%6C%61%75%64%65", "Claude%20Sonnet", "GPT%2D4"),
    ],
)
def test_a_rare_spelling_is_masked_whole(name: str) -> None:
    """Nothing of the name is left, nothing beside it is taken, and the place leads back."""
    text = f"Then I asked {name}, which wrote the plan."
    masked = MASKER.mask(text, spared="")
    assert masked.text == f"Then I asked {NEUTRAL}, which wrote the plan."
    at = masked.text.index(NEUTRAL)
    start, end = masked.back(at, at + len(NEUTRAL))
    assert text[start:end] == name


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("by Anthropic's Claude, twice", f"by {NEUTRAL}'s {NEUTRAL}, twice"),
        ("Google Gemini said", f"{NEUTRAL} {NEUTRAL} said"),
        ("Gemini by Google said", f"{NEUTRAL} by {NEUTRAL} said"),
        ("Claude (Anthropic) said", f"{NEUTRAL} ({NEUTRAL}) said"),
        ("Cl**aude** Sonnet said", f"{NEUTRAL} {NEUTRAL} said"),
    ],
)
def test_a_name_beside_its_vendors_is_no_first_name(text: str, left: str) -> None:
    """Model beside vendor of the same family: both go."""
    assert MASKER.mask(text, spared="").text == left


@pytest.mark.parametrize(
    "text",
    [
        *("Gemini rises in May, says the zodiac.", "The Gemini 12 capsule", "Opus 3 by Beethoven"),
        *("Ozone: O3 rose, O1 and O3 pro m3 fell.", "The llama ate; a llama 3 metres tall"),
        *("Claude 3 times asked", "Claude, 4 ans, and Gemma, 3", "Sonnet 18 and a haïku, a sonnet"),
        *("A deep seek through it", "Deep seek times of the disk", "open AI research is good"),
        *("Open AI lectures on Friday", "for open ai systems", "phi 0.45 and Phi = 0.2"),
        *("explainable AI (XAI) helps", "The GPT 128 entries", "GPT 2 partitions", "GLM 1 fits"),
        *("Kimi Raikkonen (7)", "a*b*c and x**y**z", "List<String> and Map<b>", "R&amp;D, a&#45;b"),
        *("Amazon river, Google Street", "нова мета", "C++ &lt;think&gt; 3&nbsp;km", "co-pilot"),
        *(
            "The mistral blew, large waves",
            "a haiku a4 page",
            "Command R opens it",
            "minimax depth 3",
        ),
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    """Zodiac, ozone, animals, music, statistics, code and markup are left alone."""
    assert MASKER.mask(text, spared="").text == text


def test_masks_of_the_sample_outputs_are_few() -> None:
    """The outputs of the committed runs hold the hits that their recordings were made with."""
    counts = {
        run.name: sum(
            len(scan(path.read_text("utf-8"))) for path in sorted(run.glob("*/*/output.*"))
        )
        for run in sorted((ROOT / "runs").iterdir())
    }
    assert counts == {"2026-09-05": 3, "code-sample": 0, "single-item": 0}


def test_look_alikes_of_the_labelled_set_stay() -> None:
    """Not one of the plain texts of the own set is masked."""
    lines = (ROOT / "tests" / "data" / "blind" / "leaks.jsonl").read_text("utf-8").splitlines()
    plain = [row["text"] for row in map(json.loads, lines) if not row["leak"]]
    alarms = [text for text in plain if scan(text)]
    assert len(alarms) <= 0.05 * len(plain)


PIECES = st.sampled_from(
    [
        *(
            "cl",
            "aude",
            "**",
            "*",
            "`",
            "<b>",
            "</b>",
            "&#67;",
            "&shy;",
            "&amp;",
            "<!-- -->",
            "\\u0043",
            "%43",
            " ",
            "-",
            "gpt",
        ),
        "é",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_the_second_reading_keeps_the_way_back(text: str) -> None:
    """Every character of it comes from one stretch, in order and without overlap."""
    plain = fold(text).text
    other = bare(plain, Tokens(plain).data)
    if other is None:
        return
    assert len(other.text) == len(other.firsts) == len(other.lasts)
    spans = list(zip(other.firsts, other.lasts, strict=True))
    assert all(first < last for first, last in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
    assert all(
        plain[first:last] == sign
        for sign, (first, last) in zip(other.text, spans, strict=True)
        if last == first + 1
    )
