"""What is drawn for people to mark: whole items, or single answers."""

from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Precision:
    """What labels on so many items would buy."""

    labels: int
    half_width: float
    """Of the corrected difference of two arms, scale points."""
    people_half_width: float
    """Of people alone."""
    minutes: float
    """Of one person, at three minutes an answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """Items drawn for people to mark."""

    run_name: str
    pass_id: str
    draw: str
    items: tuple[str, ...]
    """In the order of the draw: whoever stops early stops at a random sample."""
    arms: tuple[str, ...]
    population: int
    """Items on which the judge marked all of these arms."""
    probability: float
    seed: int
    already: bool
    """The same draw was made before."""
    scale_low: float
    scale_high: float
    spread: float
    """Spread of the paired difference between items, worst pair, scale points."""
    spread_from: str
    """``people``, ``judge``, ``floor`` (of rounding, above the judge's) or ``assumed``."""
    correlation: float
    """Between people and judge, in that pair's differences."""
    correlation_known: bool
    """False: it is assumed."""
    minutes: float
    """For one person to mark these items."""
    rows: tuple[Precision, ...]
    outside: int = 0
    """Judged answers that no draw of these arms can reach: of items that not all of them have."""
    wider: tuple[str, ...] = ()
    """Arms whose draws reach the most answers, where those are more than here."""
    wider_items: int = 0
    """Items on which the judge marked all of those."""
    marks_only: bool = False
    """The judge's marks were imported: the answers to mark are elsewhere."""
    for_tuning: int = 0
    """Judged items that were set apart for tuning the rubric: no draw holds them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmPackets:
    """How one arm's answers were drawn."""

    arm: str
    answers: int
    population: int
    strata: int
    """Thirds of the judge's totals, or one."""
    least: float
    """Lowest and highest chance of an answer."""
    most: float


@dataclass(frozen=True, kw_only=True, slots=True)
class PacketPrecision:
    """What labels on so many answers of each arm would buy."""

    labels: int
    half_width: float
    """Of an arm's corrected mean, scale points."""
    people_half_width: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Packets:
    """Single answers drawn for people to mark: for the means of arms."""

    run_name: str
    pass_id: str
    draw: str
    packets: tuple[tuple[str, str], ...]
    """Item, and the neutral name of the answer; in the order of the draw."""
    arms: tuple[ArmPackets, ...]
    seed: int
    already: bool
    scale_low: float
    scale_high: float
    minutes: float
    rows: tuple[PacketPrecision, ...]
    marks_only: bool = False
    """The judge's marks were imported: the answers to mark are elsewhere."""
    for_tuning: int = 0
    """Judged items that were set apart for tuning the rubric: no draw holds them."""
    usual: int | None = None
    """Answers of an arm that are usual, where there are fewer; None where a number was asked."""
