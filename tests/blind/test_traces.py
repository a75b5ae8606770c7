"""Ids and marks of vendors' services in a text, and what only looks like them."""

import pytest

from judgebench.blind.leaks import Scanner

SCANNER = Scanner()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", None),
        ("chatcmpl-tool-0123456789abcdef0123456789abcdef", None),
        ("msg_01XFDUDYJgAACzvnptvVoYEL", None),
        ("toolu_01A09q90qw90lq917835lq9a", None),
        ("req_011CSHoEeqs5C35K2UUqR7Fy", None),
        ("resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b", None),
        ("call_abc123XYZ456def789GHI012", None),
        ("gen-1733254378-aBcDeFgHiJkLmNoPqRsT", None),
        ("fp_44709d6fcb", None),
        ("(sandbox:/mnt/data/plan.csv)", "sandbox:/mnt/data"),
        ("/mnt/user-data/outputs/plan.md", "/mnt/user-data/outputs"),
        (":contentReference[oaicite:3]{index=3}", "contentReference[oaicite:3]{index=3}"),
        ("[oai_citation:1\u2021Plan](https://example.org)", "oai_citation:1"),
        ("citeturn0search12", "turn0search12"),
        ("<antThinking>It holds.", "<antThinking>"),
        ('<antArtifact identifier="p" title="Plan">', None),
        ('<grok:render card_id="1">', None),
    ],
)
def test_what_a_service_leaves_is_found_whole(text: str, shown: str | None) -> None:
    """The id of a reply or the mark of a source says whose service wrote the text."""
    (hit,) = SCANNER.find(f"See {text} and wait.")
    assert (hit.kind, hit.shown) == ("user-agent", shown or text)


@pytest.mark.parametrize(
    "text",
    [
        *("chatcmpl-123", "msg_id", "msg_01", "req_01_of_02", "call_function_with_long_words"),
        *("call_the_provisioning_service", "gen-12", "fp_contract", "resp_time_ms", "a_msg_01x"),
        *("turn0", "the sandbox: /mnt/data", "<ant>", "<anthill>", "<grok>", "a citation: 1"),
    ],
)
def test_ordinary_identifiers_stay(text: str) -> None:
    """Names of variables, short examples and other elements are nobody's."""
    assert SCANNER.find(f"See {text} and wait.") == ()


def test_an_id_that_the_task_gives_is_spared() -> None:
    """A task may be about a reply with an id."""
    text = "The reply msg_01XFDUDYJgAACzvnptvVoYEL is late."
    assert SCANNER.find(text, spared="Why is msg_01XFDUDYJgAACzvnptvVoYEL late?") == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"model": "gpt-4o", "n": 1}',
        '{"aiModel": "Claude"}',
        "ai_model: claude",
        "LLM_MODEL=gemini",
        '{"modelVersion": "gemini"}',
        '{"generatedBy": "Claude"}',
        "created_by: Claude",
        "GENERATED_BY=Claude",
        '{"assistant_name": "Gemini"}',
        '{"role": "assistant", "name": "Claude"}',
        '{"name": "Claude", "role": "assistant"}',
        "authors:\n  - Claude\n",
        "authors:\n  - name: Claude\n",
        "\\author{Claude}",
        '<meta name="author" content="Claude">',
    ],
)
def test_a_key_for_a_writer_or_model_names_him(text: str) -> None:
    """Front matter, records and settings have a place for who wrote."""
    assert SCANNER.find(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Claude", "role": "painter"}',
        '{"role": "user", "name": "Claude"}',
        "the ai model of claude-shaped clouds",
        "provider: google",
        "vendor: Amazon",
        "authors:\n  - Claude Monet\n",
        "search?q=claude%20monet",
        "q=claude%2Fmonet",
    ],
)
def test_keys_for_something_else_stay(text: str) -> None:
    """A user's, a painter's or a shop's name is data of the task."""
    assert SCANNER.find(text) == ()
