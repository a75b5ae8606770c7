"""What judging costs, as far as it is known: judges.toml, else an offline price list, else None.

The list is the one that the installed `genai-prices` carries; it is never fetched
anew. Where a price rises with the length of the request, the lowest step is taken
and the source says so.
"""

from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from judgebench.model.collected import Usage
from judgebench.model.nouns import Judge, Price

_CHARS_PER_TOKEN = 4
_BYTES_PER_TOKEN = 3
_PROVIDERS = {
    "azure_openai": "azure",
    "bedrock": "aws",
    "gemini": "google",
    "generative-ai": "google",
    "vertexai": "google",
    "xai": "x-ai",
}
"""instructor's name → the price list's, where they differ."""


def price(judge: Judge) -> Price | None:
    """The judge's price, or None where it is not known."""
    if judge.price is not None:
        return judge.price
    # Imported here: the list takes most of a second to load.
    from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415

    custom = judge.provider == "endpoint"
    provider = None if custom else _PROVIDERS.get(judge.provider, judge.provider)
    try:
        _, model = get_snapshot().find_provider_model(
            judge.model, None, provider, judge.base_url if custom else None
        )
    except LookupError:
        return None
    listed = model.get_prices(datetime.now(tz=UTC))
    input_usd, output_usd = _base(listed, "input_mtok"), _base(listed, "output_mtok")
    if input_usd is None or output_usd is None:
        return None
    return Price(
        input_usd=input_usd, output_usd=output_usd, source=f"genai-prices {version('genai-prices')}"
    )


def _base(listed: Any, key: str) -> float | None:  # noqa: ANN401 - the list's own type
    value = getattr(listed, key, None)
    value = getattr(value, "base", value)
    return None if value is None else float(value)


def cost_usd(price: Price | None, usage: Usage) -> float | None:
    """US dollars of one usage; None where the price or a count is unknown.

    Reasoning tokens are part of the completion tokens and are not counted twice.
    """
    if price is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    parts = usage.prompt_tokens * price.input_usd + usage.completion_tokens * price.output_usd
    return parts / 1_000_000


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has: for plans and rate limits, never for a bill.

    Four characters a token, and one more for every three bytes that UTF-8 needs beyond
    one a character: scripts outside ASCII take more tokens.
    """
    if text.isascii():
        return -(-len(text) // _CHARS_PER_TOKEN)
    extra = len(text.encode("utf-8", "surrogatepass")) - len(text)
    return -(-len(text) // _CHARS_PER_TOKEN) + -(-extra // _BYTES_PER_TOKEN)
