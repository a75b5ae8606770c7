"""One judgment as it is looked into: marks with the judge's words, calls, what each find costs.

It stays outside `Result`: the texts of a request and a reply are read one judgment at a time.
"""

from judgebench.model.controls import ControlCheck
from judgebench.model.findings import Checked
from judgebench.model.nouns import Mark
from judgebench.model.turns import Turn
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class FindCost:
    """What one find takes away."""

    points: float = 0.0
    counted_with: int | None = None
    """Place, among the judging's finds, of the one that is paid for it too."""
    beside: str = ""
    """The entry beside which it costs nothing."""
    bound: float | None = None
    """What all finds of its entry may cost, where it would have cost more without."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """A cap or gate that held something down."""

    at: float
    by: str
    """What set it off."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkCost:
    """From a criterion's maximum to its mark."""

    maximum: float
    deducted: float
    floor: float
    held: Held | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownMark(Mark):
    """One criterion of one judging, with what each find takes away from it."""

    findings: tuple[Checked, ...] = ()
    """Faults that the mark was counted from."""
    cost: MarkCost | None = None
    """How it was counted from them; None where the judge gave it."""
    costs: tuple[FindCost, ...] = ()
    """Of each of the findings; a place in them is meant by `counted_with`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownCall:
    """One call with what went out and came back."""

    attempt: int
    system: str
    user: str
    outcome: str
    http_status: int | None
    body: str
    error: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownContrast:
    """One request in what the outputs of an item differ in kind, with what came back."""

    key: str
    pass_id: str
    item: str
    judge_name: str
    status: str | None
    """None where it is open."""
    reason: str | None
    message: str
    calls: tuple[ShownCall, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownControl:
    """What is planted, and how it is rightly treated."""

    kind: str
    treatment: str
    source_arm: str | None
    """None where names are hidden."""
    donor: str | None
    """Off-task: arm and item whose answer it is."""
    note: str
    check: ControlCheck | None = None
    """Its total beside its source's; None where it was compared with it, or judged later."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """One judgment of one output."""

    key: str
    label: str
    arm: str | None
    """None where names are hidden."""
    item: str
    repeat: int
    purpose: str
    status: str
    reason: str | None
    message: str | None
    total: float | None
    fired: str
    marks: tuple[ShownMark, ...]
    calls: tuple[ShownCall, ...]
    place: int | None = None
    """In its request, from 0; None where it was imported."""
    other_label: str | None = None
    other_arm: str | None = None
    """The arm that it was compared with; None where it was marked by itself."""
    control: ShownControl | None = None
    turns: tuple[Turn, ...] = ()
    """What was read with tools before the report."""
    sum: float | None = None
    """Of the marks, before a gate; None where the judge gave them."""
    held: Held | None = None
    """The gate that held the total under the sum."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """One judged output, for the list."""

    blind: str
    """Name that says nothing of who wrote it: the beginning of its request's key, and with
    a colon the label in it where one request is about several answers."""
    arm: str
    item: str
    repeat: int
    status: str
    total: float | None
    reason: str | None
    other_arm: str | None = None
    """The arm that it was compared with, and shown before; None where it was marked."""
