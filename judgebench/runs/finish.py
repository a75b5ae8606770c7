"""What a provider's finish reason means, in every spelling that is known.

A word that is not in the table is *unknown*, as if nothing had been recorded:
an unknown ending is never taken for a good one.
"""

import re
from enum import StrEnum


class Ending(StrEnum):
    """How an answer ended."""

    COMPLETE = "complete"
    LENGTH = "length"
    FILTER = "filter"
    TOOLS = "tools"
    TIMEOUT = "timeout"
    ERROR = "error"
    UNKNOWN = "unknown"


_WORDS: dict[Ending, str] = {
    Ending.COMPLETE: (
        "stop end_turn eos eos_token eot stop_sequence complete completed finish finished done"
        " endoftext end_of_text word end stop_token success"
    ),
    Ending.LENGTH: (
        "length max_tokens max_token max_output_tokens max_completion_tokens model_length"
        " max_length max_len max_context token_limit tokens_limit limit error_limit context_length"
        " context_length_exceeded model_context_window_exceeded max_new_tokens length_capped"
        " truncated max_tokens_reached output_limit"
    ),
    Ending.FILTER: (
        "content_filter content_filtered content_filter_error filter filtered safety image_safety"
        " refusal recitation blocklist prohibited_content spii sensitive guardrail_intervened"
        " guardrail error_toxic language moderation blocked image_prohibited_content"
        " image_recitation"
    ),
    Ending.TOOLS: "tool_calls tool_call tool_use function_call",
    Ending.TIMEOUT: "timeout time_limit timed_out deadline_exceeded",
    Ending.ERROR: (
        "error failed cancelled canceled abort aborted malformed_function_call"
        " unexpected_tool_call too_many_tool_calls insufficient_system_resource"
        " network_error server_error unload other incomplete in_progress pause_turn interrupted"
        " cancel user_cancel user_cancelled user_canceled malformed_response malformed_tool_use"
        " malformed_model_output missing_thought_signature model_error connection_error"
        " rate_limit overloaded"
    ),
}
_ENDINGS = {word: ending for ending, words in _WORDS.items() for word in words.split()}
_PREFIX = re.compile(r"(finish_?reason|stop_?reason|reason)_")


def ending(finish_reason: str | None) -> Ending:
    """Read a finish reason: ``MAX_TOKENS``, ``FinishReason.LENGTH`` and ``length`` are one."""
    if finish_reason is None:
        return Ending.UNKNOWN
    plain = re.sub(r"[^a-z0-9]+", "_", finish_reason.strip().lower()).strip("_")
    return _ENDINGS.get(_PREFIX.sub("", plain), _ENDINGS.get(plain, Ending.UNKNOWN))
