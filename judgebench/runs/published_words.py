"""What all readers of published score tables share: words of heads, bounds, the user's word."""

import math
from dataclasses import replace
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.model.deductions import Tier
from judgebench.model.published import TableRules
from judgebench.records import dataclass
from judgebench.runs.decode import Undecodable, decode_text
from judgebench.text import one_line

MAX_BYTES = 32 * 1024 * 1024
MAX_ROWS = 20_000
NAMES = ("arm", "slug", "project", "name", "model", "system", "contestant", "variant", "run")
TOTALS = ("total", "score", "sum", "points", "overall", "marks")
TIERS = ("tier", "grade")
RANKS = ("rank", "place", "position", "#")
CONDITIONS = ("condition", "variant", "mode", "setup")
DEDUCTIONS = ("deductions", "findings", "faults")
GROUPS = ("rubric", "table", "version")
NOTHING = frozenset({"", "-", "–", "—", "n/a", "na", "none", "null", "?", "tbd"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What the user says of the table, which goes before what it says itself."""

    criteria: tuple[str, ...] = ()
    tiers: tuple[Tier, ...] = ()
    rules: TableRules | None = None
    """Of a rubric."""


def text_of_file(path: Path) -> str:
    """The file's text.

    Raises:
        ImportFileError: It is too large or no text.
    """
    with path.open("rb") as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise ImportFileError(path, f"is larger than {MAX_BYTES:,} bytes", "split it")
    try:
        return decode_text(raw)
    except Undecodable as exc:
        raise ImportFileError(path, f"is no text: {exc}", "save it as UTF-8") from None


def check_rows(path: Path, count: int) -> None:
    """Refuse a file of more rows than are read.

    Raises:
        ImportFileError: It has more.
    """
    if count > MAX_ROWS:
        raise ImportFileError(path, f"holds more than {MAX_ROWS:,} rows", "split it")


def ruled(own: TableRules, told: Told) -> TableRules:
    """The rules of a table: what the user says goes before what the file says."""
    rules = told.rules or own
    if told.rules is None and told.tiers:
        rules = replace(rules, tiers=told.tiers, source="--tiers")
    return replace(rules, tiers=told.tiers) if told.tiers else rules


def word_of(value: str | None) -> str:
    """A cell's words; empty where it says that there is nothing."""
    word = one_line(value or "", 120)
    return "" if word.casefold() in NOTHING else word


def read_tiers(text: str) -> tuple[Tier, ...]:
    """``A=80,B=60,C=40,D=0`` → bars, from the highest down.

    Raises:
        ImportFileError: It is not of this form, or a name or bar stands twice.
    """
    bars: dict[str, float] = {}
    for part in text.split(","):
        name, sign, bar = part.strip().partition("=")
        try:
            low = float(bar)
        except ValueError:
            low = math.nan
        if not (name and sign and math.isfinite(low)) or name in bars or low in bars.values():
            what = f"is {one_line(text, 60)}"
            raise ImportFileError("--tiers", what, "write A=80,B=60,C=40,D=0")
        bars[one_line(name, 40)] = low
    ordered = sorted(bars.items(), key=lambda one: -one[1])
    return tuple(Tier(name=name, at_least=low) for name, low in ordered)
