"""Prices: judges.toml first, then the offline list, else unknown; and what a usage costs."""

import dataclasses
import threading

import pytest

from judgebench.judges import prices
from judgebench.model.collected import Usage
from judgebench.model.nouns import Judge, Price

LISTED = Judge(name="openai/gpt-4o", model="gpt-4o", provider="openai")


def test_a_listed_model_has_a_price_without_network_or_thread() -> None:
    """The list comes with the installed package, which the source names."""
    before = threading.active_count()
    found = prices.price(LISTED)
    assert found is not None
    assert 0 < found.input_usd < found.output_usd
    assert found.source.startswith("genai-prices 0.")
    assert threading.active_count() == before


def test_a_price_in_judges_toml_wins() -> None:
    """It is what the user pays."""
    own = Price(input_usd=0, output_usd=0, source="judges.toml")
    assert prices.price(dataclasses.replace(LISTED, price=own)) == own


@pytest.mark.parametrize(
    ("model", "provider", "base_url", "known"),
    [
        ("gpt-4o", "endpoint", "https://api.openai.com/v1", True),
        ("gpt-4o", "endpoint", "http://127.0.0.1:9/v1", False),
        ("no-such-model", "openai", None, False),
        ("gpt-4o", "no-such-provider", None, False),
        ("grok-4", "xai", None, True),
        ("claude-sonnet-4-5", "anthropic", None, True),
    ],
)
def test_a_price_is_unknown_where_it_is_not_listed(
    model: str,
    provider: str,
    base_url: str | None,
    known: bool,  # noqa: FBT001 - a table
) -> None:
    """A local server that serves a listed name does not cost what the name costs elsewhere."""
    judge = Judge(name="j", model=model, provider=provider, base_url=base_url)
    assert (prices.price(judge) is not None) is known


def test_a_model_that_is_listed_without_a_price_for_text_has_none() -> None:
    """An embedding model bills no output, so a judgment's cost cannot be said."""
    judge = Judge(name="j", model="text-embedding-3-small", provider="openai")
    assert prices.price(judge) is None


@pytest.mark.parametrize(
    ("price", "usage", "cost"),
    [
        (
            Price(input_usd=2, output_usd=10),
            Usage(prompt_tokens=1000, completion_tokens=100),
            0.003,
        ),
        (
            Price(input_usd=2, output_usd=10),
            Usage(prompt_tokens=1000, completion_tokens=100, reasoning_tokens=90),
            0.003,
        ),
        (Price(input_usd=0, output_usd=0), Usage(prompt_tokens=1, completion_tokens=1), 0.0),
        (Price(input_usd=2, output_usd=10), Usage(prompt_tokens=1000), None),
        (Price(input_usd=2, output_usd=10), Usage(completion_tokens=1000), None),
        (None, Usage(prompt_tokens=1, completion_tokens=1), None),
    ],
)
def test_a_cost_is_known_only_where_price_and_counts_are(
    price: Price | None, usage: Usage, cost: float | None
) -> None:
    """Unknown is None and never 0."""
    found = prices.cost_usd(price, usage)
    assert found == (cost if cost is None else pytest.approx(cost))


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("日本語", 3), ("é" * 12, 7)]
)
def test_tokens_are_estimated_by_length(text: str, tokens: int) -> None:
    """Four ASCII characters a token, more tokens for other scripts."""
    assert prices.estimate_tokens(text) == tokens
