"""Run records of llm-coding-benchmark → a run folder of projects.

One ``result.json`` a contestant, in one of three shapes: the record of a runner
with a ``status`` and one or two phases, that of a single command-line session, and
that of three phases without a status. What is easily taken wrongly: a failure of the
harness says nothing of the project, so it blocks, also where files lie there; a
project that was finished and does not look as asked is judged like any other; some
harnesses report the tokens of their last step only, others nothing at all, and write
0 for it; each phase has a time limit of its own.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judgebench.errors import ImportFileError
from judgebench.records import dataclass
from judgebench.runs.decode import Undecodable, decode_text
from judgebench.runs.importers.llm_coding_files import (
    DONE,
    ResultFile,
    parse,
    read_bytes,
    records_in,
)
from judgebench.runs.records import RecordFault, to_record
from judgebench.runs.write import Imported
from judgebench.text import one_line, plural

NAME = "llm-coding-benchmark"
FOLDERS = True
"""Its source may be a folder of results."""
# Runners whose counts are sums over a session; the others give those of the last step.
_SUMMING = frozenset({"codex"})
_COUNTS = {
    "prompt_tokens": "input",
    "completion_tokens": "output",
    "reasoning_tokens": "reasoning",
}
_SHELLS = frozenset({"bash", "sh", "zsh"})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Contestant:
    """One contestant's record and where it stands."""

    path: Path
    file: ResultFile

    @property
    def name(self) -> str:
        """The contestant: its folder, which tells conditions apart where the slug does not."""
        folder = self.path.parent.name
        own = self.file.slug or (self.file.model.slug if self.file.model else None)
        return folder or own or self.path.stem


def collector(path: Path) -> str | None:
    """The benchmark; its records carry no version."""
    del path
    return NAME


def read(path: Path, *, columns: Mapping[str, str], **options: object) -> Iterator[Imported]:
    """One project a contestant.

    Args:
        path: The folder of results, one contestant's folder, or one record.
        columns: Means nothing here and must be empty.
        options: Other tools' options, which mean nothing here.

    Raises:
        ImportFileError: with the file and the key.
    """
    del options
    if columns:
        raise ImportFileError(path, "has no columns to map", "leave --map out")
    contestants = [_Contestant(path=one, file=parse(one)) for one in records_in(path)]
    # Two briefs in one folder are two tasks: their projects are never compared.
    briefs = len({one.file.three_phase for one in contestants})
    for one in sorted(contestants, key=lambda one: one.file.three_phase):
        yield _imported(one, several=briefs > 1)


def _imported(one: _Contestant, *, several: bool) -> Imported:
    file, folder = one.file, one.path.parent
    record = _record(one)
    try:
        to_record(record)
    except RecordFault as exc:
        raise ImportFileError(one.path, str(exc), "mend it") from None
    project = folder / "project"
    has_project = project.is_dir() and not project.is_symlink()
    nothing = _files(file) == 0 and "error" not in record
    return Imported(
        item="brief-phases" if several and file.three_phase else "brief",
        arm=one.name,
        # No file at all is the contestant's own empty answer, unless something broke.
        output="" if nothing and not has_project else None,
        project=project if has_project else None,
        prompt=_prompt(folder),
        record=record,
        provider=file.model.provider if file.model else None,
        model=_model(file),
        harness=_harness(file),
        kind="cli",
        note=_note(file),
    )


def _prompt(folder: Path) -> str:
    path = folder / "prompt.txt"
    if not path.is_file():
        return ""
    try:
        return decode_text(read_bytes(path))
    except Undecodable as exc:
        raise ImportFileError(path, f"is no text: {exc}", "take it as it was written") from None


def _model(file: ResultFile) -> str | None:
    if file.model and file.model.id:
        return one_line(file.model.id, 120)
    name = file.main_model or file.label or (file.model.label if file.model else None)
    return one_line(name, 120) if name else None


def _harness(file: ResultFile) -> str | None:
    named = file.harness or next((p.harness for p in file.phases if p.harness), None)
    if named:
        return one_line(named, 60)
    provider = file.model.provider if file.model else None
    words = [word for part in file.parts for word in part.command[:1] if isinstance(word, str)]
    program = Path(words[0]).name if words and words[0] else None
    # A shell only starts what the provider is named after.
    return one_line(provider if program in _SHELLS and provider else program or "", 60) or None


def _files(file: ResultFile) -> int | None:
    """Files in the project at the end, where it was counted."""
    if file.file_count is not None:
        return file.file_count
    counts = [part.file_count_after for part in file.phases if part.file_count_after is not None]
    if counts:
        return counts[-1]
    if file.file_count_after is not None:
        return file.file_count_after
    return file.project_summary.file_count if file.project_summary else None


def _record(one: _Contestant) -> dict[str, Any]:
    """What the benchmark measured, in the shape of meta.json."""
    file = one.file
    record: dict[str, Any] = {}
    wall = file.elapsed_seconds_total
    if wall is None:
        wall = file.elapsed_seconds
    if wall is not None:
        record["wall_s"] = wall
    limits = [part.timeout_seconds for part in file.parts]
    given = [limit for limit in limits if limit]
    if given and len(given) == len(limits):
        record["timeout_s"] = sum(given)
    finish = file.finish_reason or file.stop_reason
    if finish and finish != "unknown":
        record["finish_reason"] = one_line(finish, 60)
    if usage := _usage(file):
        record["usage"] = usage
    if (cost := _cost(file)) is not None:
        record["cost_usd"] = cost
    digits = file.primary_prompt_sha256 or file.prompt_sha256
    if digits:
        record["prompt_sha256"] = digits
    if error := _error(file, wall):
        record["error"] = error
    return record


def _usage(file: ResultFile) -> dict[str, int]:
    if file.model_usage:
        spent = sum(_whole([used.output for used in file.model_usage.values()]))
        return {"completion_tokens": spent} if spent else {}
    if not (file.three_phase or _harness(file) in _SUMMING or file.cost_usd is not None):
        return {}
    tokens = [part.tokens for part in file.parts]
    usage = {}
    for ours, theirs in _COUNTS.items():
        # A sum over some of the phases would be no sum.
        counts = _whole([getattr(one, theirs) if one else None for one in tokens])
        if counts:
            usage[ours] = sum(counts)
    # Nothing at all is what a harness writes that reports nothing.
    return usage if any(usage.values()) else {}


def _whole(counts: list[int | None]) -> list[int]:
    """Counts where each is known; none where any is not."""
    known = [count for count in counts if count is not None]
    return known if len(known) == len(counts) else []


def _cost(file: ResultFile) -> float | None:
    cost = file.cost_usd_total if file.cost_usd_total is not None else file.total_cost_usd
    if cost is None:
        cost = file.cost_usd
    return None if not cost and not file.tokens_total else cost


def _error(file: ResultFile, wall: float | None) -> dict[str, Any] | None:
    elapsed = {} if wall is None else {"elapsed_s": wall}
    late = file.status == "timeout" or any(part.timed_out for part in (file, *file.phases))
    if late:
        limit = next((p.timeout_seconds for p in reversed(file.parts) if p.timeout_seconds), None)
        of = "" if limit is None else f" of {limit:g} s"
        return {"kind": "timeout", "message": f"the time limit{of} ended it", **elapsed}
    if file.status is None or file.status in DONE:
        return None
    said = _first_words(file.stderr_excerpt), _first_words(file.stall_reason)
    message = next((words for words in said if "Error" in words), said[1] or said[0])
    code = "" if file.exit_code is None else f"exit code {file.exit_code}"
    return {"kind": "harness", "message": message or code or f"status {file.status}", **elapsed}


def _first_words(text: str | None) -> str:
    return one_line((text or "").strip(), 300)


def _note(file: ResultFile) -> str:
    """What a reader should know of how it was run; no figure is made of it."""
    parts = []
    if file.status is not None:
        parts.append(file.status)
    if file.phases:
        parts.append(f"{plural(len(file.phases), 'phase')} on record")
    odd = [str(part.exit_code) for part in file.parts if part.exit_code]
    if odd:
        parts.append(f"exit code {', '.join(odd)}")
    if file.self_review_present is False:
        parts.append("no review of its own")
    if not _usage(file):
        parts.append("tokens not reported for the whole run")
    return "; ".join(parts)
