"""What a page is made of, and figures as words: a value with its interval, or its code."""

from collections.abc import Callable, Iterable, Sequence

from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass
from judgebench.reports import refusals
from judgebench.reports.digits import DASH, signed


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list, one entry a line."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; columns from number `right` on hold figures, the first names the row."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: int = 1
    caption: str = ""
    """Where it says more than the title of its section."""
    short: Sequence[str] = ()
    """Heads for a place that has little room; `heads` where there are none."""


Block = Paragraph | Bullets | Table


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A heading with what stands below it."""

    key: str
    title: str
    blocks: tuple[Block, ...]


def section(key: str, title: str, *blocks: Block | None) -> Section | None:
    """A section of what is there; None where nothing is."""
    kept = tuple(block for block in blocks if block is not None)
    return Section(key=key, title=title, blocks=kept) if kept else None


def paragraph(text: str) -> Paragraph | None:
    """A paragraph where there is something to say; None where there is not."""
    return Paragraph(text) if text else None


def bullets(lines: Iterable[str]) -> Bullets | None:
    """A list of what is there; None where nothing is."""
    kept = tuple(lines)
    return Bullets(kept) if kept else None


def estimate(value: Estimate | Refusal, write: Callable[[float], str]) -> str:
    """A figure with its interval, or in a few words why there is none."""
    if isinstance(value, Refusal):
        return f"not printed ({refusals.short(value)})"
    ends = interval(value, write)
    return f"{write(value.value)} ({ends})" if ends else write(value.value)


def arithmetic(
    value: Estimate | Refusal, known: float | None, write: Callable[[float], str]
) -> str:
    """A mean or median of what is there, which is printed also where its interval is refused."""
    if isinstance(value, Refusal) and known is not None:
        return f"{write(known)} (interval not printed: {refusals.short(value)})"
    return estimate(value, write)


def interval(value: Estimate | Refusal, write: Callable[[float], str]) -> str:
    """Both ends and the kind of interval, or in a few words why there is none."""
    if isinstance(value, Refusal):
        return f"not printed ({refusals.short(value)})"
    if value.low is None or value.high is None:
        return ""
    kind = f", {value.kind}" if value.kind else ""
    return f"{write(value.low)} to {write(value.high)}{kind}"


def signed_estimate(value: Estimate | Refusal, digits: int) -> str:
    """A difference with its sign and interval."""
    return estimate(value, lambda one: signed(one, digits))


def p_words(value: float | None) -> str:
    """A p of three decimals; a dash where there is none."""
    if value is None:
        return DASH
    return "under 0.001" if value < 0.001 else f"{value:.3f}"  # noqa: PLR2004 - three decimals
