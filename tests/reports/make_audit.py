"""A pass over projects made by hand: three projects, faults that hold and faults that do not."""

import dataclasses

from judgebench.model.audits import (
    Audit,
    Counted,
    Fault,
    Find,
    ProjectAudit,
    ProjectMark,
    ReadProject,
)
from judgebench.model.deductions import OTHER, Evidence
from judgebench.model.findings import CODE, Standing
from judgebench.model.result import Result
from tests.reports import make

NAMES = ("north", "harbour", "meadow")
TIERS = (("A", 80.0), ("B", 60.0), ("C", 0.0))
UNHANDLED = Fault(
    criterion="completeness",
    entry="unhandled",
    when="No call handles a failure.",
    points=20.0,
    judgings=(1, 2, 3),
    finds=(
        Find(
            evidence=Evidence.PRESENT, standing=Standing.SUPPORTED, judgings=(1, 2, 3),
            path="app/call.rb", first=12, last=19, excerpt="def call\n  ask\nend",
            why="Nothing is rescued.", note="app/call.rb, lines 12-19",
            placed=True,
        ),
        Find(
            evidence=Evidence.PRESENT, standing=Standing.UNSUPPORTED, judgings=(2,),
            path="app/gone.rb", first=1, last=2, excerpt="raise",
            why="It raises.", note="the project has no file app/gone.rb",
        ),
    ),
)  # fmt: skip
ODD = Fault(
    criterion="format",
    entry=OTHER,
    when="",
    points=5 / 3,
    judgings=(2,),
    finds=(
        Find(
            evidence=Evidence.ABSENT, standing=Standing.SUPPORTED, judgings=(2,),
            patterns=("rate limit",), paths=("config/*",), why="Nothing slows callers down.",
            note='"rate limit" in config/*: found nowhere in 14 files',
        ),
    ),
)  # fmt: skip
SECRET = Fault(
    criterion="format",
    entry="secret",
    when="A key stands in the project.",
    points=3.0,
    judgings=(1, 2, 3),
    finds=(
        Find(
            evidence=Evidence.PRESENT, standing=Standing.SUPPORTED, judgings=(1, 2, 3),
            path="config/key.rb", first=3, last=3, why="A key of a known form stands here.",
            note="config/key.rb, lines 3-3: found by code", by=CODE, placed=True,
        ),
    ),
)  # fmt: skip


def audited() -> Result:
    """One brief, three projects, the last of them on two sides of a bar."""
    whole = make.result(items=1, names=NAMES)
    faults: tuple[tuple[Fault, ...], ...] = ((), (UNHANDLED,), (UNHANDLED, ODD, SECRET))
    totals = ((100.0, 100.0, 100.0), (80.0, 80.0, 80.0), (82.0, 77.0, 82.0))
    return dataclasses.replace(
        whole,
        arms=tuple(dataclasses.replace(arm, quote=None) for arm in whole.arms),
        scale_low=0.0,
        scale_high=100.0,
        counts=dataclasses.replace(whole.counts, repeats=3),
        audit=Audit(
            maximum=100.0,
            tiers=TIERS,
            judgings=3,
            projects=tuple(
                _project(name, of, found)
                for name, of, found in zip(NAMES, totals, faults, strict=True)
            ),
        ),
    )


def _project(name: str, totals: tuple[float, ...], faults: tuple[Fault, ...]) -> ProjectAudit:
    return ProjectAudit(
        arm=name,
        item="i1",
        judgings=tuple(
            Counted(
                repeat=n,
                total=total,
                tier=next(tier for tier, bar in TIERS if total >= bar),
                fired=("unhandled holds format at 20",) if faults else (),
            )
            for n, total in enumerate(totals, 1)
        ),
        marks=tuple(
            ProjectMark(criterion=criterion, maximum=25.0, mean=20.0, low=15.0, high=25.0)
            for criterion, _, _ in make.CRITERIA
        ),
        faults=faults,
        facts=(
            "image: Is there a Dockerfile? Yes: Dockerfile can be read",
            "suite, run by the harness: the tests were run: it failed; 1 test failed",
        )
        if SECRET in faults
        else (),
        read=ReadProject(
            files=14,
            lines=900,
            lines_shown=850,
            partly=(("app/long.rb", 150, 200),),
            left_out=(("node_modules/", "generated, vendored or a cache"),),
            secrets=(("config/key.rb", 3),) if SECRET in faults else (),
            identity_visible=len(faults),
        ),
    )
