"""Which stored pass is read, and how its analysis begins.

Apart from judging, so that a table of what is stored loads nothing that sends.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from judgebench.errors import RunError, StoreError
from judgebench.model.passes import shown_first
from judgebench.model.result import Result
from judgebench.model.rubric import Rubric
from judgebench.pipeline.figures.kept import source_of
from judgebench.pipeline.setting.choices import Reading
from judgebench.pipeline.setting.facts import read_facts
from judgebench.pipeline.setting.places import nothing_stored
from judgebench.records import dataclass
from judgebench.rubrics.load import parse_rubric
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import digest, one_line

if TYPE_CHECKING:
    from judgebench.pipeline.figures.analysis import Analysis
    from judgebench.pipeline.figures.marked import Marks


def analyse(
    store: Store,
    run_key: str,
    *,
    pass_id: str | None = None,
    reading: Reading | None = None,
    accept_cut: bool = False,
    varied: bool = False,
    extended: bool = False,
) -> Result:
    """Analyse one stored pass: the one named, else that of `shown_first`.

    Raises:
        StoreError: The run was never judged here, or has no such pass.
    """
    stored = stored_pass(store, run_key, pass_id=pass_id, reading=reading, accept_cut=accept_cut)
    return stored.result(store, varied=varied, extended=extended)


def read_analysis(
    store: Store,
    run_key: str,
    *,
    pass_id: str | None = None,
    rubric: Rubric | None = None,
    panel: Sequence[PassRow] = (),
    marks: "Marks | None" = None,
) -> "Analysis":
    """The arrays of one stored pass, before they become a result.

    Args:
        store: The open store.
        run_key: The run's name in it.
        pass_id: Which pass; None for the one of `shown_first`.
        rubric: Sums to make totals by, where not the pass's own.
        panel: Passes of several judges to be averaged, the one named first.
        marks: A part of its marks; None for all of them.

    Raises:
        StoreError: As `analyse`.
    """
    return stored_pass(store, run_key, pass_id=pass_id).analysis(store, rubric, panel, marks)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredPass:
    """What the store holds of one pass, before anything is computed."""

    shown: PassRow
    passes: list[PassRow]
    facts: str
    rubric: str
    reading: Reading
    source: str

    def analysis(
        self,
        store: Store,
        rubric: Rubric | None = None,
        panel: Sequence[PassRow] = (),
        marks: "Marks | None" = None,
    ) -> "Analysis":
        """Its arrays, or those of a panel that begins with it."""
        # Imported here: statistics take a third of a second, and a second start needs none.
        from judgebench.pipeline.figures.analysis import Analysis  # noqa: PLC0415

        return Analysis(
            store,
            read_facts(json.loads(self.facts)),
            rows=panel or (self.shown,),
            passes=self.passes,
            rubric=rubric
            or parse_rubric(self.rubric, Path(f"{self.shown.judging.rubric_name}.yaml")),
            reading=self.reading,
            marks=marks,
            source=(
                digest([self.source, *(row.judging.id for row in panel)]) if panel else self.source
            ),
        )

    def result(self, store: Store, *, varied: bool = False, extended: bool = False) -> Result:
        """Everything that a report may say of it."""
        from judgebench.pipeline.figures.result import result_of  # noqa: PLC0415 - as above

        return result_of(self.analysis(store), varied=varied, extended=extended)


def stored_pass(
    store: Store,
    run_key: str,
    *,
    pass_id: str | None = None,
    reading: Reading | None = None,
    accept_cut: bool = False,
) -> StoredPass:
    """What is stored of one pass.

    Raises:
        StoreError: As `analyse`.
    """
    found = store.rows("run", run=run_key)
    passes = store.find_passes(run_key)
    if not found or not passes:
        raise nothing_stored(store.path, run_key)
    shown = choose(passes, pass_id)
    ((_, text),) = store.rows("rubric", ask=shown.judging.ask_sha256, sum=shown.sum_sha256)
    read = reading or Reading(**json.loads(shown.choices))
    read = replace(read, accept_cut=True) if accept_cut else read
    facts = found[0][2]
    return StoredPass(
        shown=shown,
        passes=passes,
        facts=facts,
        rubric=text,
        reading=read,
        source=source_of(store, shown, facts=facts, reading=read),
    )


def choose(passes: list[PassRow], pass_id: str | None) -> PassRow:
    """The pass that a table shows."""
    if pass_id is None:
        first = shown_first([row.facts() for row in passes]).id
        return next(row for row in passes if row.judging.id == first)
    known = ", ".join(
        f"{row.judging.id} ({one_line(row.judging.judge_name, 40)})" for row in passes
    )
    if not pass_id.strip():
        raise StoreError(f"no pass is named; there are {known}")
    match = [row for row in passes if row.judging.id.startswith(pass_id)]
    # Imported marks have a rater for each pass, whom people know by name, or as pages cut it.
    names = {row.judging.id: row.judging.judge_name for row in passes}
    named = [row for row in passes if names[row.judging.id] == pass_id] or [
        row for row in passes if one_line(names[row.judging.id], 40) == pass_id
    ]
    match = named or match
    shown = one_line(pass_id, 60)
    if not match:
        raise StoreError(f"no pass is named {shown}; there are {known}")
    if len(match) > 1:
        raise StoreError(f"{len(match)} passes are named {shown}; name one by its id: {known}")
    return match[0]


def no_judge(run: Path, shown: PassRow, passes: Sequence[PassRow]) -> RunError:
    """That a pass of people is no judge, and what there is to do about it."""
    if any(not row.facts().by_people for row in passes):
        what = f"has no pass of a judge in {shown.judging.id}, these are people's marks"
        return RunError(run, what, "name a judge's pass with --pass")
    return RunError(run, "has no pass of a judge, only marks of people",
                    "judge agree holds the people against each other")  # fmt: skip


def people_pass(store: Store, run: str) -> PassRow | None:
    """The pass of people on a run, if they gave any marks."""
    return next((row for row in store.find_passes(run) if row.facts().by_people), None)
