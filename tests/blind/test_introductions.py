"""Sentences in which a writer introduces himself, and their look-alikes."""

import pytest

from judgebench.blind.leaks import Scanner
from judgebench.blind.mask import NEUTRAL, Masker
from judgebench.model import Arm, Blinding, Run
from tests.blind.test_mask import run_of

SCANNER = Scanner()
NAMES = ("Claude", "Gemini", "Grok", "Anthropic", "Google", "xAI", "Meta")


@pytest.fixture(scope="module")
def run() -> Run:
    """A run whose own names are none of those that are looked for."""
    return run_of(Arm(id="north"), Arm(id="south"))


@pytest.mark.parametrize(
    "text",
    [
        "As Claude, an AI made by Anthropic, I recommend two steps.",
        "As Gemini, a model by Google, I recommend two steps.",
        "As Gemini, a model trained by Google, the plan is short.",
        "As Grok, your assistant, I recommend two steps.",
        "As Claude, a careful reader, I recommend two steps.",
        "As Claude \u2013 an AI by Anthropic \u2013 I would wait.",
        "As Claude (made by Anthropic), I would wait.",
        "As Gemini, Google's model, I would wait.",
        "My name is Gemini, and Google trained me.",
        "My name is Grok and xAI made me.",
        "I was asked to help. Meta built me.",
        "The team at Google trained me.",
        "Google made me to help with plans.",
        "Google's researchers have trained me.",
        "This is Claude.",
        "Hello! This is Gemini, how can I help?",
        "This is Claude, and I read the plan.",
        "Claude here: the plan is short.",
        "The plan is short.\n\n\u2014 Claude",
        "The plan is short.\n\n\u2014 Claude, Anthropic",
        "The plan is short.\n\nBest,\nClaude",
        "The plan is short.\n\nTake care,\n\n**Gemini**",
        "The plan is short.\n\nBest,\nClaude (AI assistant)",
        "Model used: Gemini",
        "**Model used:** Claude",
        "LLM used: Grok",
        "Written by Claude",
        "Written by Gemini, Google's model.",
        "Prepared by Claude for the council.",
        "This answer is by Gemini.",
    ],
)
def test_whoever_introduces_himself_is_masked_with_his_vendor(run: Run, text: str) -> None:
    """No name of a model or vendor is left of the plainest ways to name oneself."""
    sent = Masker(run, Blinding.MASK).mask(text, spared="").text
    assert NEUTRAL in sent
    assert not [name for name in NAMES if name in sent]


@pytest.mark.parametrize(
    "text",
    [
        "As Claude Monet, an impressionist, I painted water.",
        "As Gemini rises, a pale star follows, and I watch.",
        "As Claude, a baker by trade, kneads, the oven warms.",
        "As Meta, a company that sells, grows, I wait.",
        "As titan, a moon of Saturn, passes, I look.",
        "Google's API is free.",
        "Google made my phone.",
        "Amazon made me laugh.",
        "Amazon made me and my friends wait.",
        "A friend at Google trained me.",
        "This is Google.",
        "This is Gemini season.",
        "This is Haiku.",
        "This is Claude Monet.",
        "I think that this is Claude.",
        "Best,\nClaude Dupont",
        "The model used: a linear one.",
        "The Google model by the door.",
    ],
)
def test_who_is_only_spoken_of_stays(text: str) -> None:
    """People, stars, shops and products with the same names are no authors."""
    assert SCANNER.find(text) == ()
