"""What was found in projects, and what it came to: figures of a pass or panel, without words.

The judgings of a panel are numbered through, judge by judge; every judge has one voice.
"""

from collections.abc import Iterable, Sequence

from judgebench.model.deductions import Evidence
from judgebench.model.findings import JUDGE, Standing
from judgebench.records import dataclass


def mean_of_judges(
    values: Iterable[tuple[str, float | None]], judges: Sequence[str] = ()
) -> float | None:
    """The mean of all judges' own means, each with equal weight.

    Args:
        values: Of each judging, its judge and what it came to.
        judges: Those who must have a voice; None stands where one of them has none.
    """
    voices: dict[str, list[float]] = {judge: [] for judge in judges}
    for judge, value in values:
        if value is not None:
            voices.setdefault(judge, []).append(value)
    if not voices or not all(voices.values()):
        return None
    return sum(sum(own) / len(own) for own in voices.values()) / len(voices)


@dataclass(frozen=True, kw_only=True, slots=True)
class Find:
    """One fault at one place, over all judgings that reported it."""

    evidence: Evidence
    standing: Standing
    judgings: tuple[int, ...]
    """Numbers of the judgings that reported it."""
    path: str = ""
    first: int | None = None
    """First line, counted from 1; None where it has no passage."""
    last: int | None = None
    """None as `first`."""
    excerpt: str = ""
    why: str = ""
    """In the words of the first judging that reported it."""
    note: str = ""
    """What its check searched and found."""
    patterns: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    by: str = JUDGE
    placed: bool = False
    """The passage stands there; where such a find costs nothing, it says of a library what
    the library's source does not prove."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """One entry of the catalogue in one project."""

    criterion: str
    entry: str
    when: str
    """The condition, in the rubric's words; empty for faults outside the catalogue."""
    points: float
    """What it cost on average over the judgings."""
    judgings: tuple[int, ...]
    """Judgings in which a find of it was supported."""
    finds: tuple[Find, ...]

    @property
    def supported(self) -> bool:
        """Whether any find of it holds."""
        return bool(self.judgings)


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """What one judging of one project came to."""

    repeat: int
    total: float | None
    """None where a criterion could not be judged."""
    tier: str | None
    fired: tuple[str, ...] = ()
    """Caps and gates that held something down."""
    judge: str = ""
    """Whose it is, in a panel."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectMark:
    """One criterion of one project over its judgings."""

    criterion: str
    maximum: float
    mean: float | None
    low: float | None
    high: float | None
    blocked: int = 0
    """Judgings that could not judge it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadProject:
    """What was read and shown of a project."""

    files: int
    lines: int
    lines_shown: int
    partly: tuple[tuple[str, int, int], ...] = ()
    """Files not shown whole: path, lines shown, lines."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Files and folders not read: path, reason."""
    unread: tuple[str, ...] = ()
    """Those of them in which the project's own text could stand."""
    secrets: tuple[tuple[str, int], ...] = ()
    """Keys that were masked: path, line."""
    identity_visible: int = 0

    @property
    def coverage(self) -> float:
        """Share of the lines that a judge was shown, at most where something is unread.

        Nobody knows how long an unread part is: it counts as one line, so that the share
        is never 1 beside one.
        """
        lines = self.lines + len(self.unread)
        return self.lines_shown / lines if lines else 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RunProject(ReadProject):
    """What was read and shown of one project folder of a run."""

    run: str
    arm: str
    item: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadWithTools:
    """What one judging read beyond what it was shown."""

    repeat: int
    turns: int
    """Replies that asked for more, in place of a report."""
    calls: int
    """Tool calls in them."""
    lines: int
    """Lines that had not been shown."""
    judge: str = ""
    """Whose judging it is in a panel."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectAudit:
    """One project: one arm on one item."""

    arm: str
    item: str
    judgings: tuple[Counted, ...]
    marks: tuple[ProjectMark, ...]
    faults: tuple[Fault, ...]
    facts: tuple[str, ...] = ()
    """What code had found out before the judge was asked, a line each, as the judge was told."""
    read: ReadProject | None = None
    """None where the output was one text."""
    blocked: int = 0
    """Judgings without a reply that counts."""
    judges: tuple[str, ...] = ()
    """Those of a panel; empty where one judge is asked."""
    tools: tuple[ReadWithTools, ...] = ()
    """Of judgings that read with tools, those that count."""

    @property
    def totals(self) -> tuple[float, ...]:
        """Totals of its judgings."""
        return tuple(one.total for one in self.judgings if one.total is not None)

    @property
    def read_more(self) -> float:
        """Mean share of the lines that its judgings read beyond what they were shown."""
        if self.read is None or not self.tools or not self.read.lines:
            return 0.0
        return sum(one.lines for one in self.tools) / len(self.judgings) / self.read.lines

    @property
    def seen(self) -> float:
        """Share of the lines that a judging saw, shown or read; its mean."""
        return 1.0 if self.read is None else min(1.0, self.read.coverage + self.read_more)

    @property
    def saw_all(self) -> bool:
        """Whether every judging saw all lines that were read, shown or with tools."""
        if self.read is None:
            return True
        shown = self.read.lines_shown / self.read.lines if self.read.lines else 1.0
        return shown + self.read_more >= 1

    @property
    def mean(self) -> float | None:
        """Mean total of its judgings; of a panel each judge's mean with equal weight."""
        return mean_of_judges(((one.judge, one.total) for one in self.judgings), self.judges)

    def of_judge(self, judge: str) -> tuple[Counted, ...]:
        """The judgings of one judge of a panel."""
        return tuple(one for one in self.judgings if one.judge == judge)


@dataclass(frozen=True, kw_only=True, slots=True)
class Anchor:
    """The arm from whose totals tiers are measured."""

    arm: str | None
    """None where the run names none."""
    totals: tuple[tuple[str, float | None], ...] = ()
    """Brief, and the mean total of the arm's project there; None where it has none."""
    voices: tuple[tuple[str, str, float | None], ...] = ()
    """In a panel: judge, brief, and the mean total that this judge gave there."""

    def total(self, item: str, judge: str = "") -> float | None:
        """Its total on a brief; that of one judge of a panel, whose judgings it is held against."""
        if judge:
            return next((t for who, what, t in self.voices if (who, what) == (judge, item)), None)
        return dict(self.totals).get(item)


@dataclass(frozen=True, kw_only=True, slots=True)
class Audit:
    """All projects of a pass."""

    maximum: float
    """The total of a project in which nothing is found."""
    tiers: tuple[tuple[str, float], ...]
    """Name and bar, from the highest down; with an anchor the bar's distance from it."""
    judgings: int
    """Judgings of each project that were planned."""
    projects: tuple[ProjectAudit, ...]
    """Arm by arm in the order of the table, inside an arm item by item."""
    anchor: Anchor | None = None
    """None where bars stand by themselves."""
    judges: tuple[str, ...] = ()
    """Those of a panel; empty where one judge is asked."""
