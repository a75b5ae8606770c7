"""What a recording fixes about the pass that it replays."""

from judgebench.model.controls import Planted
from judgebench.model.nouns import Blinding, Mode
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """What a recording fixes about the pass that it replays."""

    seed: int
    mode: Mode
    repeats: int
    noise: bool
    noisy: tuple[tuple[str, str], ...] | None
    """Cells judged again for the noise; None where the recording does not say which."""
    controls: int
    """How many the recording holds."""
    planted: tuple[Planted, ...]
    """Which ones."""
    blinding: Blinding
    split_criteria: bool
    tools: bool
    """The judge read with tools."""
    recorded_at: str
    path: str
    shown: str
    """Its path as reports name it, the same wherever the workspace lies."""
    pass_id: str
    """The pass that was recorded; empty where the header does not say."""
    settled: str
    """Mode and parameters that were sent then, canonical JSON."""
