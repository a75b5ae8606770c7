"""Letter heads, labels and signatures that name a writer, and lines that look like them."""

import pytest

from judgebench.blind.leaks import Scanner

SCANNER = Scanner()


@pytest.mark.parametrize(
    "text",
    [
        "The plan is short.\n\nYours, Claude",
        "The plan is short.\n\nYours truly, Claude",
        "The plan is short. Best regards, Claude",
        "The plan is short.\n\nMit freundlichen Grüßen\nClaude",
        "The plan is short.\n\nCordialement, Claude",
        "The plan is short.\n\nС уважением,\nClaude",
        "The plan is short.\n\n-- \nClaude",
        "The plan is short. \u2014 Claude",
        "- one\n- two\n\n\u2014 Gemini",
        "From: Claude\nTo: Anna\n\nThe plan is short.",
        "**From:** Gemini <gemini@example.org>",
        "Von: Claude",
        "От: Claude",
        "发件人:Claude",
        "作者:Claude",
        "Sent by Gemini",
        "This message was sent by Gemini.",
        "## Response by Claude\n\nThe plan is short.",
        "## Claude's answer\n\nThe plan is short.",
        "Claude: Hello! The plan is short.",
        "[Claude]: I would wait.",
        "Gemini said\nThe plan is short.",
        "I am an AI called Claude.",
        "I'm a language model named Gemini, and I help.",
        "As an AI model (Claude), I cannot.",
        "Ich bin der Assistent Claude.",
        "The plan is short.\nYour friendly assistant Claude",
        "<!-- Claude -->",
        "# Claude here\n\nThe plan is short.",
        "I go by the name of Claude.",
        "I was given the name Claude.",
        "Sie können mich Claude nennen.",
        "Appelez-moi Claude.",
        "Puedes llamarme Claude",
        "Зови меня Claude",
        "请叫我Claude",
        "Aqui é o Claude.",
        "मैं Claude हूँ",
        "Je suis un modèle de Google.",
        "Eu sou um modelo do Google.",
        "Я языковая модель от Google.",
        "https://gemini.google.com/app/1",
        "The plan is short.\n\n_Claude_",
        "The plan is short.\n\n*Claude*",
        "The plan is short.\n\n\u2014 *Claude*",
        "The plan is short.\n\n_\u2014 Claude_",
        "The plan is short.\n\n<em>Claude</em>",
        "The plan is short.\n\n- Claude \U0001f916",
        "The plan is short.\n\nBest,\n[Claude]",
        "Kind regards,\nYour AI assistant,\nGemini",
        "The plan is short.\n\nUn saluto,\nClaude",
        "The plan is short.\n\nHope this helps!\nClaude",
        "The plan is short.\n\nThank you,\n**Gemini**",
        "\U0001f916 Claude",
        "A plan\n*by Claude*\n\nIt is short.",
        "# by Claude\nx = 1",
        "/* by Gemini */",
        "\u00a9 2025 Claude",
        "Copyright (c) 2025 Gemini. All rights reserved.",
        "Claude: The plan is short.",
        "**Grok:** the plan is short.",
        "User: Which plan?\nClaude: The short one.",
        "**Human:** Which plan?\n\n**Claude:** Sure, the short one.",
        "Assistant (Claude): The plan is short.",
        "AI/Gemini: The plan is short.",
        "| Author | Claude |",
        "| **Written by** | *Gemini* |\n|---|---|",
        "| Item | Value |\n|---|---|\n| Model | Claude |\n| Length | short |",
        "Verfasser: Claude",
        "\u4f5c\u6210\u8005: Claude",
    ],
)
def test_who_signs_heads_or_labels_a_text_is_found(text: str) -> None:
    """A name on the lines that are there for the writer's name is the writer's."""
    assert SCANNER.find(text)


@pytest.mark.parametrize(
    "text",
    [
        "From: Claude Dubois\nTo: Anna",
        "From Gemini to Leo the signs change.",
        "The parcel was sent by Claude.",
        "Sent by Claude Monet",
        "Is this yours, Claude?",
        "Best, Claude thought, was the sea.",
        "Thanks, Claude!",
        "Kind regards to Claude",
        "\u201cBeauty is truth.\u201d \u2014 Claude Monet",
        "The hero \u2014 Claude \u2014 leaves.",
        "- Aries\n- Gemini",
        "- Gemini\n- Leo",
        "* Gemini",
        "Gemini: 21 May to 20 June.",
        "Claude: I will go to the sea.\nAnna: Stay!",
        "# Review of Gemini",
        "Claude's answer came late.",
        "I was named after Claude Monet.",
        "My dog is called Claude.",
        "As a model Claude sat for Monet.",
        "Your assistant Claude is late.",
        "A call from Claude",
        "Qui, Claude?",
        "Claude: 3 apples\nAnna: 2 apples",
        "Anna: Who is it?\nClaude: A friend.",
        "Mistral: The wind blows from the north.",
        "Gemini: The twins are a sign.",
        "| Name | Claude |",
        "| Author | Claude Monet |",
        "| Model | Claude | Gemini |",
        "| Model | Gemini |\n|---|---|\n| Price | 3 |",
        "| Model | Nova |",
        "Painted\nby Claude Monet in 1872",
        "by Claude Monet",
        "\u00a9 2025 Claude Dubois",
        "Copyright 2023 Google LLC",
        "Copyright 2023 Google",
        "> \u2014 Claude",
        "Thank you, Claude",
        "Thank you,\nClaude\n\nThe rest follows here.",
        "The bot (Gemini season) sleeps.",
        "He said: this is by Claude.",
    ],
)
def test_lines_about_somebody_of_that_name_stay(text: str) -> None:
    """Lists, plays, letters of people and sentences about them name no writer."""
    assert SCANNER.find(text) == ()


@pytest.mark.parametrize(
    "text",
    ["C\u0332laude ran.", "\U0001f172\U0001f17b\U0001f170\U0001f184\U0001f173\U0001f174 ran.",
     "\U0001f132\U0001f13b\U0001f130\U0001f144\U0001f133\U0001f134 ran.", "CIaude ran.",
     "c1aude ran.", "\u04211aude ran."],
)  # fmt: skip
def test_a_name_drawn_with_other_letters_is_found(text: str) -> None:
    """Marks over letters, letters in boxes, and I or 1 for l are read as they look."""
    assert [hit.kind for hit in SCANNER.find(text)] == ["disguised"]


def test_accents_and_capitals_disguise_nothing() -> None:
    """A decomposed accent is the accent, and an I among capitals is an I."""
    assert SCANNER.find("Cla\u0302ude, CIAUDE and Cl1ent.") == ()
