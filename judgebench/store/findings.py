"""Faults found in projects, and what was shown of these, as rows of the store."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple

from judgebench.model.audits import RunProject
from judgebench.model.deductions import Evidence
from judgebench.model.findings import Checked, Finding, Standing
from judgebench.model.nouns import Judgment
from judgebench.model.projects import Project
from judgebench.records import dataclass
from judgebench.store.batches import Row


@dataclass(frozen=True, kw_only=True, slots=True)
class NewMark:
    """A mark that was counted anew."""

    key: str
    label: str
    criterion: str
    mark: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewStanding:
    """A find whose check came to something else."""

    key: str
    label: str
    ordinal: int
    """Place in the reply, from 0."""
    standing: str
    note: str


def row_of_project(
    run: str, arm: str, item: str, project: Project, *, identity_visible: int
) -> RunProject:
    """The row of a project as it is sent."""
    return RunProject(
        run=run,
        arm=arm,
        item=item,
        files=len(project.files),
        lines=sum(len(file.lines) for file in project.files),
        lines_shown=sum(file.shown for file in project.files),
        partly=tuple(
            (file.path, file.shown, len(file.lines)) for file in project.files if not file.whole
        ),
        left_out=tuple((one.path, one.reason) for one in project.left_out),
        unread=tuple(one.path for one in project.left_out if one.could_hold),
        secrets=project.secrets,
        identity_visible=identity_visible,
    )


def project_row(row: RunProject) -> Row:
    """A row of `projects`."""
    unread = frozenset(row.unread)
    left_out = [(path, why, path in unread) for path, why in row.left_out]
    return (
        row.run,
        row.arm,
        row.item,
        row.files,
        row.lines,
        row.lines_shown,
        _listed(row.partly),
        _listed(left_out),
        _listed(row.secrets),
        row.identity_visible,
    )


def project_of(run: str, values: Row) -> RunProject:
    """The noun behind a row of ``projects.sql``."""
    arm, item, files, lines, shown, partly, listed, secrets, visible = values
    left_out = json.loads(listed)
    return RunProject(
        run=run,
        arm=arm,
        item=item,
        files=files,
        lines=lines,
        lines_shown=shown,
        partly=tuple((path, some, whole) for path, some, whole in json.loads(partly)),
        left_out=tuple((path, why) for path, why, *_ in left_out),
        # Rows of earlier versions do not say it; a score writes them anew.
        unread=tuple(path for path, _, *unread in left_out if unread == [True]),
        secrets=tuple((path, line) for path, line in json.loads(secrets)),
        identity_visible=visible,
    )


def new_row(one: NewMark | NewStanding) -> Row:
    """A row of the batch that replaces marks, or standings."""
    return astuple(one)


def finding_rows(pass_id: str, judgment: Judgment) -> Iterator[Row]:
    """Rows of `finding_rows`, in the order of the reply."""
    for n, checked in enumerate(judgment.findings):
        one = checked.finding
        yield (
            pass_id,
            judgment.key,
            judgment.label,
            n,
            one.criterion,
            one.entry,
            one.evidence.value,
            one.by,
            one.why,
            one.path,
            one.first,
            one.last,
            one.excerpt,
            _listed(one.patterns),
            _listed(one.paths),
            checked.standing.value,
            checked.note,
            checked.path,
            checked.first,
            checked.last,
            checked.moved,
        )


def _listed(parts: Sequence[object]) -> str:
    return json.dumps(list(parts), ensure_ascii=False)


def finding_of(values: Row) -> tuple[str, str, Checked]:
    """Key and label of its judgment, and the finding behind a row of ``findings_of.sql``."""
    key, label, criterion, entry, evidence, by, why, said, first, last, excerpt, *rest = values
    patterns, paths, standing, note, path, found_first, found_last, moved = rest
    finding = Finding(
        criterion=criterion,
        entry=entry,
        evidence=Evidence(evidence),
        why=why,
        path=said,
        first=first,
        last=last,
        excerpt=excerpt,
        patterns=tuple(json.loads(patterns)),
        paths=tuple(json.loads(paths)),
        by=by,
    )
    return (
        key,
        label,
        Checked(
            finding=finding,
            standing=Standing(standing),
            note=note,
            path=path,
            first=found_first,
            last=found_last,
            moved=moved,
        ),
    )
