"""Where keys and passwords stand in a text: they are masked before it leaves the machine.

Known forms of keys count wherever they stand; other values only where their name says
that they are secret. Placeholders and what merely looks random (hashes, ids, images)
are left alone.
"""

import re
from collections.abc import Iterator

Span = tuple[int, int]
"""First and last character of a secret; the last is outside."""

# What each form must hold, found far faster than the form: most texts hold none of it.
_KNOWN_SIGNS = (
    "sk-", "k_live_", "AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_",
    "glpat-", "xox", "AIza", "hf_", "npm_", "pypi-", ":AA", "eyJ", "hooks.slack",
)  # fmt: skip
_NAME_SIGNS = ("passw", "secret", "token", "credent", "key")
_KNOWN = re.compile(
    r"(?<![A-Za-z0-9])("
    r"sk-[A-Za-z0-9_-]{20,}|[sr]k_live_[A-Za-z0-9]{16,}|(AKIA|ASIA)[0-9A-Z]{16}"
    r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abprs]-[A-Za-z0-9-]{16,}|AIza[A-Za-z0-9_-]{35}|hf_[A-Za-z0-9]{24,}"
    r"|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}"
    r"|https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,})"
)
_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
# The password of an address, what a header carries, and what is set under a telling name.
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,80}:(?P<value>[^\s:/@]{6,200})@")
_HEADER = re.compile(
    r"(?i)\bauthorization['\"]?\s*[:=]\s*['\"]?(?:basic|bearer)\s+(?P<value>[^\s'\"]{16,})"
)
_NAMED = re.compile(
    r"(?i)(?:passw(?:or)?d|secret|token|credential|(?:api|access|account|service|private)[_-]?key)"
    r"\w{0,20}['\"]?\]?\s{0,4}[:=]\s{0,4}"
    r"(?:(?P<quote>['\"])(?P<value>[^\s'\"]{8,200})(?P=quote)|(?P<bare>[A-Za-z0-9_+/=~-]{16,200})(?![\w.(\[]))"
)
_PLACEHOLDER = re.compile(
    r"(?i)test|example|dummy|fake|placeholder|change|your|sample|demo|xxx|\*\*|\$\{|<|%\("
)
_VARIED = 8
"""A secret has at least so many different characters."""


def find_secrets(text: str) -> tuple[Span, ...]:
    """Places of keys, passwords and private key blocks, in order, none inside another.

    >>> find_secrets("API_TOKEN=k_9f8e7d6c5b4a39281706f5")
    ((10, 34),)
    >>> find_secrets("OPENAI_API_KEY=your-key-here")
    ()
    """
    kept: list[Span] = []
    for start, end in sorted(_found(text)):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return tuple(kept)


def _found(text: str) -> Iterator[Span]:
    if "-----BEGIN" in text:
        for block in _BLOCK.finditer(text):
            yield block.span()
    if any(sign in text for sign in _KNOWN_SIGNS):
        for key in _KNOWN.finditer(text):
            if len(set(key.group())) >= _VARIED:
                yield key.span()
    for form in _likely(text):
        for found in form.finditer(text):
            name = "bare" if "bare" in form.groupindex and found["value"] is None else "value"
            if _telling(found[name]):
                yield found.span(name)


def _likely(text: str) -> Iterator[re.Pattern[str]]:
    """The forms that name their value, of which the text holds what they cannot do without."""
    if "://" in text and "@" in text:
        yield _ADDRESS
    if ":" in text or "=" in text:
        folded = text.casefold()
        if "author" in folded:
            yield _HEADER
        if any(sign in folded for sign in _NAME_SIGNS):
            yield _NAMED


def _telling(value: str) -> bool:
    letters = any(sign.isalpha() for sign in value)
    digits = any(sign.isdigit() for sign in value)
    return letters and digits and len(set(value)) >= _VARIED and not _PLACEHOLDER.search(value)
