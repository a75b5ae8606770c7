"""Marks by people as a sheet has them: its columns, names that are safe in it, what it gives."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from enum import StrEnum
from typing import NamedTuple

from judgebench.model.rubric import Scale
from judgebench.records import dataclass
from judgebench.text import digest

OVERALL = "overall"
"""Criterion of a mark that was given for the answer as a whole."""
PREFERENCE = "preference"
NOBODY = "person"
"""The one person who marked, where no column names anybody."""
FIELDS = ("item", "arm", "rater", "criterion", "mark", "arm_a", "arm_b", "preference")
"""What ``--map`` may name."""
SHEET_TEXTS = ("the prompt", "the evidence", "the reference", "the answer", "the rubric")
"""Columns for people to read, in a sheet that the product wrote: nothing is read from them."""
SPELLINGS: dict[str, tuple[str, ...]] = {
    "item": ("item", "item id", "prompt", "prompt #", "prompt id", "question", "task", "case"),
    "arm": ("arm", "model", "system", "candidate", "variant"),
    "rater": ("rater", "annotator", "reviewer", "person", "labeler", "labeller", "scorer"),
    "criterion": ("criterion", "criteria", "dimension", "aspect", "axis"),
    "mark": ("mark", "score", "rating", "grade"),
    "arm_a": ("arm a", "a", "model a", "system a"),
    "arm_b": ("arm b", "b", "model b", "system b"),
    "preference": ("preference", "preferred", "winner", "choice", "better"),
}
AS_A_WHOLE = {"overall", "total", "overall score", "general"}
_SPACES = " \u00a0\u3000"
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


class Blind(StrEnum):
    """Whether people saw which arm an answer came from."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetChoices:
    """What the user says of the file."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """One of `FIELDS` → column of the file."""
    raters: tuple[str, ...] = ()
    """Columns that hold one person's marks each."""
    scale: str | None = None
    """The scale that people used, where it is not the rubric's."""
    pseudonyms: bool = False
    slots: bool = False
    """Raters are places, not persons: who gave which mark is not known."""
    skip_unmatched: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What the marks are matched with."""

    run: str
    items: tuple[str, ...]
    arms: tuple[str, ...]
    criteria: Mapping[str, str]
    """Id → head of the criteria of the rubric."""
    scale: Scale
    behind: Callable[[str, str], str | None] = lambda _item, _label: None
    """The arm behind a neutral name of a blind sheet, on an item."""


class GivenKey(NamedTuple):
    """What one person gives one mark, or one preference, for."""

    item: str
    arm: str
    other: str
    """The second arm of a comparison; empty for a mark."""
    criterion: str
    rater: str


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class GivenMark:
    """One mark of one person, on the rubric's scale."""

    item: str
    arm: str
    criterion: str
    rater: str
    mark: float

    @property
    def key(self) -> GivenKey:
        """What it is about, and whose it is."""
        return GivenKey(self.item, self.arm, "", self.criterion, self.rater)

    @property
    def value(self) -> float:
        """Its points; NaN where the person could not judge."""
        return self.mark


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class GivenPreference:
    """One comparison of two arms; `first` stands before `second` in the run."""

    item: str
    first: str
    second: str
    rater: str
    share: float
    """1 the first is better, 0 the second, 0.5 a tie."""

    @property
    def key(self) -> GivenKey:
        """What it is about, and whose it is."""
        return GivenKey(self.item, self.first, self.second, PREFERENCE, self.rater)

    @property
    def value(self) -> float:
        """The first arm's share; NaN where the person could not judge."""
        return self.share


@dataclass(frozen=True, kw_only=True, slots=True)
class HumanFile:
    """All that a file gave."""

    name: str
    marks: tuple[GivenMark, ...]
    preferences: tuple[GivenPreference, ...]
    raters: tuple[str, ...]
    blanks: int
    """Cells without a mark."""
    doubles: int
    """Rows that say the same once more."""
    skipped: tuple[str, ...]
    """Rows that match nothing in the run, in words; left out by the user's wish."""
    ignored: tuple[str, ...]
    """Columns that were not read."""
    scale: tuple[float, float]
    """As people used it."""
    identified: bool
    notes: tuple[str, ...] = ()

    @property
    def given(self) -> tuple[GivenMark | GivenPreference, ...]:
        """Marks and preferences, all of them."""
        return (*self.marks, *self.preferences)


def pseudonym(run: str, name: str) -> str:
    """A name for a person that is the same in every file of a run and names nobody.

    Whoever knows the names can find out which is whose by trying them.

    >>> pseudonym("r", "Ada") == pseudonym("r", " ada ")
    True
    """
    return f"person-{digest(['rater', run, fold(name)])[:6]}"


def guarded(text: str) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> guarded("=1+1"), guarded("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{text}" if text.lstrip(_SPACES).startswith(_FORMULA) else text


def unguarded(text: str) -> str:
    """What a guarded cell holds; other apostrophes are part of a name."""
    return text[1:] if text.startswith("'") and guarded(text[1:]) == text else text


def sheet_heads(criteria: Collection[str]) -> dict[str, str]:
    """Criterion → the head of its column in a sheet, which no other column can have.

    >>> sheet_heads(["tone", "task"])
    {'tone': 'tone', 'task': 'criterion task'}
    """
    known = {fold(name) for name in {*FIELDS, *AS_A_WHOLE}.union(*SPELLINGS.values())}
    own = {fold(name) for name in criteria}
    out = {}
    for name in criteria:
        head = name
        while fold(head) in known or (head != name and fold(head) in own):
            head = f"criterion {head}"
        out[name] = head
    return out


def fold(text: str) -> str:
    """A name as it is matched: without case, underscores and spaces around."""
    return " ".join(text.replace("_", " ").split()).casefold()


def by_fold(names: Collection[str]) -> dict[str, str]:
    """Folded name → name, where it names one only; a name as it stands wins."""
    out: dict[str, str] = {}
    twice = set()
    for name in names:
        folded = fold(name)
        if folded in out:
            twice.add(folded)
        out[folded] = name
    plain = {folded: name for folded, name in out.items() if folded not in twice}
    return plain | {name: name for name in names}
