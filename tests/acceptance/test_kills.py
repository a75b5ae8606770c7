"""Forty kills at any moment: nothing stored is lost, nothing answered is paid for twice."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.acceptance.rig import CELLS, Done, Rig, stub

SURE_S = 0.5
"""An answer written in full so long before a kill must be on disk."""
ABREAST = 3
KILLS_A_GROUP = 5
GROUPS = [(1, 1), (1, 2), (4, 3), (4, 4), (4, 5), (16, 6), (16, 7), (16, 8)]


def replies(seed: int) -> list[dict[str, object]]:
    """Verdicts that depend on the judged text alone, after 0.1 to 0.4 s."""
    rng = random.Random(seed)  # noqa: S311 - a plan, not a secret
    verdict = {"score": "hash", "quotes": "real"}
    return [{"verdict": verdict, "delay": round(rng.uniform(0.1, 0.4), 3)} for _ in range(3_000)]


@dataclass(frozen=True, kw_only=True)
class Kill:
    """When to kill."""

    number: int
    after_s: float
    from_first_request: bool
    again_after_s: float | None
    """Seconds into the resume at which it is killed too."""

    @property
    def starts(self) -> int:
        """Starts that were killed."""
        return 1 if self.again_after_s is None else 2


def plan(concurrency: int, seed: int) -> Iterator[Kill]:
    """The kills of one group: mostly while requests are out, some while it starts."""
    rng = random.Random(seed)  # noqa: S311 - a plan, not a secret
    sending_s = CELLS * 0.25 / concurrency + 0.3
    for number in range(KILLS_A_GROUP):
        early = number == 0
        yield Kill(
            number=number,
            after_s=rng.uniform(0.05, 1.2) if early else rng.uniform(0.0, sending_s),
            from_first_request=not early,
            again_after_s=rng.uniform(0.0, 0.2) if (number + seed) % 4 == 0 else None,
        )


def _kill(rig: Rig, kill: Kill, concurrency: int) -> list[float]:
    """Start and kill, once or twice; gives the moments."""
    process = rig.start(concurrency=concurrency)
    if kill.from_first_request:
        until = time.monotonic() + 60
        # The stub logs an answer, not a request: the first is 0.1 s old at the least.
        while not rig.log() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
    time.sleep(kill.after_s)
    moments = [time.time()]
    process.kill()
    rig.finish(process)
    if kill.again_after_s is not None:
        process = rig.start(concurrency=concurrency)
        time.sleep(kill.again_after_s)
        moments.append(time.time())
        process.kill()
        rig.finish(process)
    return moments


def _undisturbed(folder: Path, base_url: str, log: Path, concurrency: int) -> tuple[Rig, Done]:
    rig = Rig(folder / "whole", base_url, log, key="whole")
    return rig, rig.score(concurrency=concurrency)


def _check(rig: Rig, kill: Kill, *, concurrency: int, whole: tuple[Rig, Done]) -> None:
    moments = _kill(rig, kill, concurrency)
    judged, replied = rig.stored(rig.folder / "copy-1")
    done = rig.score(concurrency=concurrency)
    words = f"kill {kill}: {done.err}"
    assert done.code == 0, words
    judged_after, replied_after = rig.stored(rig.folder / "copy-2")
    assert judged <= judged_after, words
    assert replied <= replied_after, words
    assert len(judged_after) == CELLS, words
    assert done.out == whole[1].out, words
    assert rig.ratings() == whole[0].ratings(), words
    _check_log(rig, moments, concurrency, words)
    _check_totals(rig, kill, concurrency, done, words)


def _check_log(rig: Rig, moments: list[float], concurrency: int, words: str) -> None:
    log = rig.log()
    asked = Counter(row["body_sha"] for row in log)
    assert len(asked) == CELLS, words
    for last, moment in zip([0.0, *moments], moments, strict=False):
        # What was asked before the kill before this one had until that one to reach the disk.
        sure = {
            row["body_sha"]
            for row in log
            if row["complete"] and last < row["in"] and row["out"] < moment - SURE_S
        }
        repeated = {row["body_sha"] for row in log if row["in"] > moment}
        assert not sure & repeated, words
    assert sum(asked.values()) - CELLS <= concurrency * len(moments), words


def _check_totals(rig: Rig, kill: Kill, concurrency: int, done: Done, words: str) -> None:
    result = rig.result()
    counts, money = result["counts"], result["money"]
    log = rig.log()
    assert counts["judgments_scored"] == CELLS, words
    doubt = counts["calls_in_doubt"]
    assert doubt <= concurrency * kill.starts, words
    # A call whose intention is on disk may not have left yet when the kill came.
    assert len(log) <= money["calls"] <= len(log) + concurrency * kill.starts, words
    assert money["calls"] == CELLS + doubt, words
    assert money["prompt_tokens"] == 900 * CELLS, words
    assert money["completion_tokens"] == 120 * CELLS, words
    assert money["requests_unreported"] == 0, words
    assert not doubt or f"in doubt: {doubt} " in done.err, words


@pytest.mark.slow
@pytest.mark.parametrize(("concurrency", "seed"), GROUPS)
def test_a_kill_at_any_moment_costs_at_most_what_was_in_flight(
    tmp_path: Path, concurrency: int, seed: int
) -> None:
    """After a kill and a resume all is as if nothing had happened, but for calls in flight."""
    with stub(tmp_path, replies(seed)) as (base_url, log):
        whole = _undisturbed(tmp_path, base_url, log, concurrency)
        assert whole[1].code == 0, whole[1].err
        with ThreadPoolExecutor(ABREAST) as pool:
            ends = [
                pool.submit(
                    _check,
                    Rig(tmp_path / f"kill-{kill.number}", base_url, log, key=f"k{kill.number}"),
                    kill,
                    concurrency=concurrency,
                    whole=whole,
                )
                for kill in plan(concurrency, seed)
            ]
        for end in ends:
            end.result()
