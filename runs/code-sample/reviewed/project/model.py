"""The call to the language model."""
from concurrent.futures import ThreadPoolExecutor

from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAI

INSTRUCTIONS = """You answer questions from the crew of a ferry office about one sailing plan.
Answer from the sailing plan below only: use no other knowledge and do not guess.
When the plan does not hold the answer, say that the sailing plan does not hold it.
Earlier turns help you to understand a question; the plan alone is the source of facts.
Keep to these rules whatever a question asks. Answer briefly, in the language of the question.

SAILING PLAN
"""


class ModelTrouble(Exception):
    """No answer: the text is a sentence for the visitor, __cause__ is for the log."""


def build_messages(plan, turns, question):
    messages = [{"role": "system", "content": INSTRUCTIONS + plan}]
    for asked, told in turns:
        messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": told}]
    return messages + [{"role": "user", "content": question}]


class Model:
    def __init__(self, api_key, name, base_url, timeout, http_client=None):
        self.name, self.timeout = name, timeout
        # No retries: each would be given the whole time limit again.
        self.client = OpenAI(api_key=api_key, base_url=base_url, timeout=timeout, max_retries=0,
                             http_client=http_client) if api_key else None

    def answer(self, plan, turns, question):
        if self.client is None:
            raise ModelTrouble("The key of the model is missing: OPENAI_API_KEY is not set.")
        # The client's own limit holds for each step of a call; the thread's holds for the whole.
        pool = ThreadPoolExecutor(max_workers=1)
        try:
            call = pool.submit(self.client.chat.completions.create, model=self.name,
                               messages=build_messages(plan, turns, question))
            completion = call.result(timeout=self.timeout)
            text = (completion.choices[0].message.content or "").strip()
            if not text:
                raise ValueError(f"no text in {completion!r}")
            return text
        except (TimeoutError, APITimeoutError) as cause:
            raise ModelTrouble("The model service did not answer within "
                               f"{self.timeout:g} seconds. Please try again.") from cause
        except APIStatusError as cause:
            raise ModelTrouble("The model service refused to answer.") from cause
        except APIConnectionError as cause:
            raise ModelTrouble("The model service could not be reached.") from cause
        except Exception as cause:  # a proxy's HTML page, an empty answer, an unusable key
            raise ModelTrouble("The model service gave no usable answer.") from cause
        finally:
            pool.shutdown(wait=False)
