"""Keys and passwords are found by their form or their name; what looks like them is not."""

import pytest

from judgebench.blind.mask import NEUTRAL, Masker
from judgebench.model.nouns import Blinding
from judgebench.secrets import find_secrets
from tests.blind.test_mask import run_of

BODY = "Qa7Zk2Lm9Xw4Rt6Yp1Bv8Nc3"
KEYS = [
    f"sk-proj-{BODY}",
    f"sk_live_{BODY}",
    f"ghp_{BODY}Qa7Zk2Lm",
    *(f"gh{kind}_{BODY}Qa7Zk2Lm" for kind in "ousr"),
    f"rk_live_{BODY}",
    "AKIAQ7ZK2LM9XW4RT6YP",
    "ASIAQ7ZK2LM9XW4RT6YP",
    f"github_pat_{BODY}{BODY}",
    f"npm_{BODY}Qa7Zk2Lm",
    f"pypi-{BODY}{BODY}",
    f"1234567890:AA{BODY}Qa7Zk2Lm",
    f"xoxb-1234567890-{BODY}",
    f"AIzaSy{BODY}Qa7Zk2Lm9",
    f"glpat-{BODY}",
    f"hf_{BODY}Qa",
    f"eyJhbGciOiJIUzI1.eyJzdWIiOiJ4In0.{BODY}",
    f"https://hooks.slack.com/services/T0AB12/B0CD34/{BODY}",
    "postgres://app:Zk2-Lm9-Xw4@db.invalid:5432/app",
    f"Authorization: Bearer {BODY}.{BODY}",
    f"AUTHOR\u0131ZATION=basic {BODY}",
    f"API_TOKEN=k_{BODY}",
    f"API_\u212aEY={BODY}",
    f"\u017fecret: {BODY}",
    'password: "Zk2-Lm9-Xw4!"',
    f'"client_secret": "{BODY}"',
    f'os.environ["SERVICE_KEY"] = "{BODY}"',
    "-----BEGIN PRIVATE KEY-----\nQUJDREVGR0hJSg==\n-----END PRIVATE KEY-----",
]
HARMLESS = [
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "id = 7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "OPENAI_API_KEY=your-key-here",
    'key = os.environ["OPENAI_API_KEY"]',
    "postgres://localhost:5432/app",
    "postgres://user:password@localhost/app",
    "The password field must not be empty.",
    'api_key="test-key-12345"',
    'token = "********"',
    "max_tokens: 16384",
    "sk-learn is a nickname for a library",
]


@pytest.mark.parametrize("text", KEYS)
def test_keys_and_passwords_are_found(text: str) -> None:
    """One place each, whatever stands around it."""
    assert len(find_secrets(f"before {text} after")) == 1


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    """Hashes, ids, placeholders and words about secrets."""
    assert find_secrets(text) == ()


@pytest.mark.parametrize("blinding", list(Blinding))
def test_a_secret_is_masked_however_a_run_is_blinded(blinding: Blinding) -> None:
    """Its place leads back to the delivered text, and the find does not say what it was."""
    text = f"Start it with {KEYS[0]} and wait."
    masked = Masker(run_of(), blinding).mask(text, spared="")
    assert masked.text == f"Start it with {NEUTRAL} and wait."
    at = masked.text.index(NEUTRAL)
    start, end = masked.back(at, at + len(NEUTRAL))
    assert text[start:end] == KEYS[0]
    assert all(KEYS[0] not in hit.shown for hit in masked.hits)
