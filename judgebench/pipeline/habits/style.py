"""How answers are dressed: headings, lists, bold words and code, counted in their texts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from judgebench.model.collected import Run
from judgebench.records import dataclass
from judgebench.runs import load
from judgebench.stats.arrays import FloatArray
from judgebench.store.rows import OutputRow

FEATURES = ("headings", "list_lines", "bold", "code")
_PATTERNS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^ {0,3}#{1,6} ",
        r"^\s{0,8}(?:[-*+•]|\d{1,3}[.)]) ",
        r"\*\*[^*\n]{1,400}\*\*|__[^_\n]{1,400}__",
        r"^ {0,3}```|`[^`\n]{1,400}`",
    )
)


@dataclass(frozen=True, kw_only=True)
class Dress:
    """Features of every output whose text is still as it was judged."""

    features: FloatArray = field(repr=False)
    """Shape (F, A, I): log2 of 1 + how often each of `FEATURES` stands there; NaN unknown."""
    read: int
    """Outputs that were read."""


def count(text: str) -> tuple[int, ...]:
    """How often each of `FEATURES` stands in a text."""
    return tuple(len(pattern.findall(text)) for pattern in _PATTERNS)


def nothing(arms: int, items: int) -> Dress:
    """Where no text can be read."""
    return Dress(features=np.full((len(FEATURES), arms, items), np.nan), read=0)


def dress(
    run: Run,
    known: Mapping[tuple[str, str], OutputRow],
    *,
    arms: Sequence[str],
    items: Sequence[str],
) -> Dress:
    """Count the features of the outputs in a run folder.

    Args:
        run: The run as it lies there.
        known: What the store holds of each output: a text that has changed is left out.
        arms: Ids by code.
        items: Ids by code.
    """
    features = nothing(len(arms), len(items)).features
    places = [{name: at for at, name in enumerate(names)} for names in (arms, items)]
    read = 0
    for output in load.iter_outputs(run):
        row = known.get((output.arm, output.item))
        arm, item = places[0].get(output.arm), places[1].get(output.item)
        if row is None or arm is None or item is None:
            continue
        if output.text is None or row.sha256 != output.sha256:
            continue
        features[:, arm, item] = np.log2(1 + np.array(count(output.text), dtype=np.float64))
        read += 1
    return Dress(features=features, read=read)
