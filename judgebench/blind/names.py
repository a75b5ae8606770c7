"""Names that give an author away: the maintained list, and those of one run.

`names.txt` says what each name may also mean; which context makes an ambiguous
one a model's name is the business of `judgebench.blind.rules`.
"""

import re
from enum import IntEnum
from functools import cache
from importlib import resources

from judgebench.blind.fold import fold
from judgebench.model.collected import Arm, Run
from judgebench.records import dataclass


class Weight(IntEnum):
    """How much a name says by itself."""

    ANYWHERE = 0
    """A model or vendor wherever it stands."""
    CONTEXT = 1
    """Also a word or first name: needs a version, a variant or a context."""
    RARELY = 2
    """A common word first of all: a bare number is not enough."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Name:
    """One entry of the maintained list, folded."""

    text: str
    family: str | None
    weight: Weight
    inside: bool = False
    """Counts inside a longer word too."""
    numbered: bool = False
    """Counts with a bare number after a blank."""
    spoken: bool = False
    """Hardly ever what a text is about: a label is enough."""
    apart: str = ""
    """``~`` or ``~~``: when the name is two plain words where it is written apart."""
    spellings: tuple[str, ...] = ()
    """Written so, it counts by itself."""


_MARKERS = {
    "": (Weight.ANYWHERE, False),
    "*": (Weight.ANYWHERE, True),
    "?": (Weight.CONTEXT, False),
    "??": (Weight.RARELY, False),
}


@cache
def catalogue() -> tuple[Name, ...]:
    """The names of names.txt in file order."""
    source = resources.files("judgebench.blind").joinpath("names.txt").read_text("utf-8")
    names: list[Name] = []
    for line in source.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        text, family, *markers = line.split()
        spellings = tuple(mark[1:].replace("_", " ") for mark in markers if mark[0] == "=")
        weight, inside = _MARKERS["".join(mark for mark in markers if mark[0] in "*?")]
        names.append(
            Name(
                text=fold(text).text,
                family=None if family == "-" else family,
                weight=weight,
                inside=inside,
                numbered="#" in markers,
                spoken="!" in markers,
                apart=next((mark for mark in markers if mark[0] == "~"), ""),
                spellings=spellings,
            )
        )
    return tuple(names)


def pieces(text: str) -> tuple[str, ...]:
    """The parts of a name between its separators, folded; letters and digits stay together."""
    return tuple(re.findall(r"[^\W_]+(?:\.\d+)*", fold(text).text))


@cache
def by_key() -> dict[str, Name]:
    """The list by each name's letters without separators."""
    return {"".join(pieces(name.text)): name for name in catalogue()}


# Who passes other vendors' models on says nothing about a model's family.
_RESELLERS = {"amazon", "microsoft", "nvidia", "huggingface", "groq"}


def family_of(model: str | None, provider: str | None) -> str | None:
    """The vendor family of a model, read from its name and else from its provider.

    Returns:
        A family of names.txt (``openai``, ``anthropic``, ``google``, ``qwen`` …),
        or None where neither name is known: made-up and unknown names are of no family.
    """
    segments = [part for part in re.split(r"[/:@]", model or "") if part]
    # The last segment names the model, earlier ones whoever passes it on.
    for segment in reversed(segments):
        if found := _family_in(segment):
            return found
    found = _family_in(provider or "")
    return None if found in _RESELLERS and segments else found


def model_name(arm: Arm, *, alone: bool) -> str | None:
    """The model of an arm; of marks without outputs its name, where no model is on record."""
    return arm.id if alone and arm.model is None and arm.provider is None else arm.model


def are_kin(judge_model: str | None, model: str | None, provider: str | None) -> bool:
    """Whether a judge is of an arm's family, or is the arm's model by a name that no list knows."""
    family = family_of(judge_model, None)
    if family is not None and family == family_of(model, provider):
        return True
    name = _model_name(judge_model)
    return bool(name) and name not in _ORDINARY and name == _model_name(model)


def _model_name(model: str | None) -> str:
    """A model's own name, without who made it or passes it on, folded."""
    return "".join(pieces((model or "").rpartition("/")[2]))


def _family_in(segment: str) -> str | None:
    parts = re.findall(r"[^\W\d_]+|\d+", fold(segment).text)
    known = by_key()
    for width in (3, 2, 1):
        for start in range(len(parts) - width + 1):
            name = known.get("".join(parts[start : start + width]))
            if name is not None and name.family is not None:
                return name.family
    return None


# Words that people use as a provider, harness, variant or arm without naming anybody.
_ORDINARY = frozenset(
    [
        "agent",
        "api",
        "arm",
        "arms",
        "assistant",
        "base",
        "baseline",
        "batch",
        "beta",
        "bot",
        "candidate",
        "chat",
        "cli",
        "client",
        "code",
        "coder",
        "control",
        "custom",
        "default",
        "demo",
        "direct",
        "empty",
        "fast",
        "first",
        "harness",
        "http",
        "https",
        "judge",
        "large",
        "last",
        "latest",
        "lite",
        "llm",
        "local",
        "main",
        "medium",
        "mini",
        "mock",
        "model",
        "models",
        "native",
        "new",
        "none",
        "old",
        "online",
        "offline",
        "option",
        "original",
        "output",
        "plain",
        "plus",
        "preview",
        "prod",
        "pro",
        "provider",
        "raw",
        "real",
        "remote",
        "rest",
        "run",
        "sample",
        "script",
        "sdk",
        "second",
        "self",
        "server",
        "shell",
        "short",
        "small",
        "stub",
        "system",
        "terse",
        "test",
        "text",
        "tool",
        "tools",
        "turbo",
        "unknown",
        "user",
        "variant",
        "version",
        "web",
        "with",
        "without",
    ]
)
_SIZE = re.compile(r"\d+(?:\.\d+)?[bm]\Z|\d+\.\d+\Z|[a-z]{2,}\d+(?:\.\d+)?[a-z]?\Z")
_MIN_STEM = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class RunNames:
    """The names of one run: some are looked for anywhere, some only in a context."""

    anywhere: tuple[str, ...]
    in_context: tuple[str, ...]


def run_names(run: Run) -> RunNames:
    """Collect what would give the run's arms away.

    Models, providers, harnesses and aliases count as whole words wherever they
    stand, and so do a model's vendor part, its beginnings (``zephyrine-9b`` of
    ``zephyrine-9b-chat``) and its made-up family name. An arm's id counts where
    it holds a known name or the shape of a model's; plain ids and ordinary words
    count only where a text says who wrote it.
    """
    anywhere: dict[str, None] = {}
    weak: dict[str, None] = {}
    ids = {"".join(pieces(arm.id)) for arm in run.arms if _is_plain(arm.id)}
    for arm in run.arms:
        for name, certain in _names_of(arm):
            key = "".join(pieces(name))
            if len(key) < 2:  # noqa: PLR2004 - one letter is no name
                continue
            ordinary = key in _ORDINARY or key in ids or not certain
            (weak if ordinary else anywhere).setdefault(" ".join(pieces(name)))
        for alias in arm.aliases:
            if pieces(alias):
                anywhere.setdefault(" ".join(pieces(alias)))
    return RunNames(
        anywhere=tuple(anywhere), in_context=tuple(name for name in weak if name not in anywhere)
    )


def _is_plain(arm_id: str) -> bool:
    """Whether an arm's id is an ordinary word, with a counter perhaps."""
    parts = re.findall(r"[^\W\d_]+", fold(arm_id).text)
    known = (by_key().get(part) for part in parts)
    named = any(name is not None and name.weight < Weight.RARELY for name in known)
    return not named and not _has_model_shape(arm_id)


def _has_model_shape(arm_id: str) -> bool:
    parts = pieces(arm_id)
    return len(parts) > 1 and any(_SIZE.match(part) for part in parts)


def _names_of(arm: Arm) -> list[tuple[str, bool]]:
    """Candidates of one arm with whether each may count anywhere."""
    out: list[tuple[str, bool]] = []
    for segment in re.split(r"[/@]", arm.model or ""):
        out.append((segment, True))
        out.extend(_beginnings(segment))
    if arm.model and "/" in arm.model:
        out.append((arm.model, True))
    out.extend((name, True) for name in (arm.provider, arm.harness) if name)
    for name in (arm.provider, arm.harness):
        out.extend((part, True) for part in re.split(r"[/@]", name or "") if "/" in (name or ""))
    out.append((arm.id, not _is_plain(arm.id)))
    return out


def _beginnings(slug: str) -> list[tuple[str, bool]]:
    """Shorter forms of a slug that people write: without variant, and the family alone."""
    parts = pieces(slug)
    out: list[tuple[str, bool]] = [
        (" ".join(parts[:size]), True)
        for size in range(2, len(parts))
        if any(ch.isdigit() for part in parts[:size] for ch in part)
    ]
    stem = re.match(r"[^\W\d_]+", parts[0]) if parts else None
    if stem and stem.group() != "".join(parts):
        known = by_key().get(stem.group())
        # A family of the list has its own rules; a made-up one is known from here only.
        out.append((stem.group(), known is None and len(stem.group()) >= _MIN_STEM))
    return out
