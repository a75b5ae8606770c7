"""The one call to the model's service, and what a visitor reads when it fails."""
import logging
import os
from concurrent.futures import ThreadPoolExecutor

import openai

log = logging.getLogger(__name__)
TIMEOUT = 30  # seconds, for the whole call
INSTRUCTIONS = """\
You answer questions from the crew of a ferry office about one sailing plan.
Answer from the sailing plan below only: add no other knowledge and do not guess.
When the plan does not hold the answer, say plainly that the plan does not hold it.
The sailing plan:
"""
_pool = ThreadPoolExecutor(max_workers=8)


class ModelError(Exception):
    """No answer: a sentence for the visitor, and the HTTP status to send with it."""
    def __init__(self, sentence, status):
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


def ask(plan, turns, question):
    """Return the model's answer, or log the cause and raise ModelError."""
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key:
        log.error("Model not called: OPENAI_API_KEY is not set")
        raise ModelError("The key to the model's service is missing. Please tell whoever runs the desk.", 503)
    messages = [{"role": "system", "content": INSTRUCTIONS + plan}]
    for turn in turns:
        messages += [{"role": "user", "content": turn["question"]}, {"role": "assistant", "content": turn["answer"]}]
    messages.append({"role": "user", "content": question})
    # The client's timeout bounds each step (connect, read) by itself; waiting here bounds their sum.
    future = _pool.submit(_complete, key, messages)
    try:
        return future.result(timeout=TIMEOUT)
    except Exception as cause:
        future.cancel()
        log.error("Model call failed: %r", cause, exc_info=True)
        raise _explain(cause) from cause


def _complete(key, messages):
    base_url = os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
    name = os.environ.get("OPENAI_MODEL") or "gpt-4o-mini"
    # No retries: each would start the 30 seconds anew.
    with openai.OpenAI(api_key=key, base_url=base_url, timeout=TIMEOUT, max_retries=0) as client:
        reply = client.chat.completions.create(model=name, messages=messages)
    answer = (reply.choices[0].message.content or "").strip()
    if not answer:
        raise ValueError(f"reply without text: {reply.choices[0]}")
    return answer


def _explain(cause):
    if isinstance(cause, (TimeoutError, openai.APITimeoutError)):
        return ModelError(f"The model's service did not answer within {TIMEOUT} seconds. Please ask again.", 504)
    if isinstance(cause, openai.APIConnectionError):
        return ModelError("The model's service could not be reached. Please ask again later.", 502)
    if isinstance(cause, openai.APIStatusError):
        hint = " If this conversation is long, start a new one." if cause.status_code in (400, 413) else ""
        return ModelError(f"The model's service refused the question (status {cause.status_code}).{hint}", 502)
    return ModelError("The model's service sent no usable answer. Please ask again.", 502)
