"""Providers by name: where their models are asked, and which variable holds the key."""

import ipaddress
from urllib.parse import urlsplit

from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Provider:
    """Where a provider's models are asked, and which variable holds the key."""

    base_url: str | None = None
    """Its OpenAI-compatible endpoint; None where it has none and instructor's client serves."""
    api_key_env: str | None = None


PROVIDERS: dict[str, Provider] = {
    "openai": Provider(base_url="https://api.openai.com/v1", api_key_env="OPENAI_API_KEY"),
    "openrouter": Provider(
        base_url="https://openrouter.ai/api/v1", api_key_env="OPENROUTER_API_KEY"
    ),
    "together": Provider(base_url="https://api.together.xyz/v1", api_key_env="TOGETHER_API_KEY"),
    "fireworks": Provider(
        base_url="https://api.fireworks.ai/inference/v1", api_key_env="FIREWORKS_API_KEY"
    ),
    "groq": Provider(base_url="https://api.groq.com/openai/v1", api_key_env="GROQ_API_KEY"),
    "deepseek": Provider(base_url="https://api.deepseek.com", api_key_env="DEEPSEEK_API_KEY"),
    "mistral": Provider(base_url="https://api.mistral.ai/v1", api_key_env="MISTRAL_API_KEY"),
    "xai": Provider(base_url="https://api.x.ai/v1", api_key_env="XAI_API_KEY"),
    "cerebras": Provider(base_url="https://api.cerebras.ai/v1", api_key_env="CEREBRAS_API_KEY"),
    "perplexity": Provider(base_url="https://api.perplexity.ai", api_key_env="PERPLEXITY_API_KEY"),
    "google": Provider(
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        api_key_env="GOOGLE_API_KEY",
    ),
    "gemini": Provider(
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        api_key_env="GEMINI_API_KEY",
    ),
    "anyscale": Provider(
        base_url="https://api.endpoints.anyscale.com/v1", api_key_env="ANYSCALE_API_KEY"
    ),
    "ollama": Provider(base_url="http://localhost:11434/v1"),
    "anthropic": Provider(api_key_env="ANTHROPIC_API_KEY"),
    "cohere": Provider(api_key_env="CO_API_KEY"),
    "writer": Provider(api_key_env="WRITER_API_KEY"),
    "azure_openai": Provider(api_key_env="AZURE_OPENAI_API_KEY"),
    "databricks": Provider(api_key_env="DATABRICKS_TOKEN"),
    "bedrock": Provider(),
    "vertexai": Provider(),
    "litellm": Provider(),
}
"""By the names that `instructor.from_provider` knows."""


def is_near(base_url: str) -> bool:
    """Whether an endpoint is on this machine or in a private network: no key is expected."""
    host = (urlsplit(base_url).hostname or "").rstrip(".")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".internal", ".lan"))
    return address.is_loopback or address.is_private or address.is_link_local
