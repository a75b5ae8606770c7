"""Runs that lie in folders: item folders, one item, or bare files.

An output's place is tried in the order `<arm>/<item>/`, then, for a run of one
item, `<arm>/`; an arm may also name its file. All reads go through `Tree`.
"""

import difflib
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path, PurePosixPath

from judgebench.errors import RunError
from judgebench.model.collected import Evidence, Item, Locator, Output, Record, Run
from judgebench.model.reasons import Reason
from judgebench.records import dataclass
from judgebench.runs import executed
from judgebench.runs.decode import Undecodable, decode_text
from judgebench.runs.pack import MAX_CHARS, is_bare, pack, project_sha256
from judgebench.runs.records import NO_RECORD, ReadRecord, RecordFault, parse_meta
from judgebench.runs.source import (
    MAX_META_BYTES,
    MAX_OUTPUT_BYTES,
    faulty,
    make_item,
    outside_prompt,
    read_hand_text,
)
from judgebench.runs.tree import PathFault, Tree
from judgebench.text import digest, one_line

OUTPUT_NAMES = ("output.md", "output.txt", "output.json")
PROJECT = "project"
SKIPPED_IN_BARE = re.compile(r"(prompt|reference|readme)\.[^/]*\Z|licen[cs]e[^/]*\Z", re.IGNORECASE)
BARE_SUFFIXES = (".md", ".txt", ".json")


@dataclass(frozen=True, kw_only=True, slots=True)
class FolderSource:
    """Where the texts of a folder run stand."""

    tree: Tree
    single: bool
    """One item: prompt and outputs may stand without the item's folder."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Arm → its output's file, where it is named."""
    metas: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Item → file of its prompt, where it is named."""
    references: Mapping[str, str] = field(default_factory=dict)
    prompt_file: Path | None = None
    """--prompt: a file anywhere, for a run of one item."""
    not_settable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    project_chars: int = MAX_CHARS
    """Longest text of a packed project."""

    def outputs(self, run: Run) -> Iterator[Output]:
        """Every arm × item, item by item."""
        for item in run.items:
            for arm in run.arms:
                yield self._cell(arm.id, item)

    def output(self, run: Run, *, arm: str, item: str, locator: Locator) -> Output:
        """One output again, from the same place or where it has moved to since."""
        del run, locator
        return self._cell(arm, item)

    def item(self, run: Run, item_id: str) -> Item:
        """One item; its evidence in the order of the file names."""
        prompt = self._prompt(item_id) if run.has_prompt else ""
        if prompt is None:
            where = self.tree.root / f"items/{item_id}/prompt.md"
            raise RunError(where, "is not there", "write the prompt that every arm was sent")
        reference = self._first(self._reference_paths(item_id))
        return make_item(item_id, prompt, evidence=self._evidence(item_id), reference=reference)

    def content(self, run: Run) -> Iterator[tuple[str, int, str]]:
        """Files of run.yaml, items and arms; recordings stand outside."""
        named = {*self.files.values(), *self.metas.values(), *self.prompts.values()}
        named |= {"run.yaml", "prompt.md", "prompt.txt", "reference.md", *self.references.values()}
        folders = {"evidence", "items", *(arm.id for arm in run.arms if arm.id not in self.files)}
        for name in sorted(named):
            yield from self._hashed(name)
        for folder in sorted(folders):
            yield from self._hashed_tree(folder)
        if self.prompt_file is not None:
            text = outside_prompt(self.prompt_file)
            yield "--prompt", len(text), digest(text)

    def has_prompt_for(self, item_id: str) -> bool:
        """Whether the item's prompt is there as a file (it is not read)."""
        if self.prompt_file is not None:
            return True
        return any(self._is_file(path) for path in self._prompt_paths(item_id))

    def prompt_place(self, item_id: str) -> tuple[str, str]:
        """Where the prompt of an item is to stand, and a file there of nearly this name."""
        paths = self._prompt_paths(item_id)
        where = paths[1] if len(paths) > 1 and self.tree.names("items") is None else paths[0]
        folder, _, name = where.rpartition("/")
        there = {one.casefold(): one for one in self.tree.names(folder) or []}
        near = difflib.get_close_matches(name.casefold(), list(there), n=1, cutoff=0.7)
        return where, f"{folder}/{there[near[0]]}".lstrip("/") if near else ""

    def lies_single(self, arm: str, item: str) -> bool:
        """Whether the arm's output stands in the arm's own folder."""
        return self.single and arm not in self.files and self._place(arm, item) == arm

    def _is_file(self, relative: str) -> bool:
        try:
            return self.tree.kind(relative) == "file"
        except PathFault as exc:
            raise RunError(
                self.tree.root / relative, str(exc), "put a plain file in its place"
            ) from None

    def _prompt_paths(self, item_id: str) -> tuple[str, ...]:
        if item_id in self.prompts:
            return (self.prompts[item_id],)
        inner = f"items/{item_id}/prompt.md"
        return (inner, "prompt.md", "prompt.txt") if self.single else (inner,)

    def _reference_paths(self, item_id: str) -> tuple[str, ...]:
        if item_id in self.references:
            return (self.references[item_id],)
        inner = f"items/{item_id}/reference.md"
        return (inner, "reference.md") if self.single else (inner,)

    def _first(self, paths: tuple[str, ...]) -> str | None:
        for path in paths:
            text = read_hand_text(self.tree, path)
            if text is not None:
                return text
        return None

    def _prompt(self, item_id: str) -> str | None:
        if self.prompt_file is not None:
            return outside_prompt(self.prompt_file)
        return self._first(self._prompt_paths(item_id))

    def _evidence(self, item_id: str) -> tuple[Evidence, ...]:
        folders = [f"items/{item_id}/evidence"] + (["evidence"] if self.single else [])
        for folder in folders:
            try:
                names = self.tree.names(folder)
            except PathFault as exc:
                raise RunError(self.tree.root / folder, str(exc), "use a plain folder") from None
            pieces = [
                Evidence(name=one_line(name, 120), text=text)
                for name in names or ()
                if not name.startswith(".")
                and (text := read_hand_text(self.tree, f"{folder}/{name}")) is not None
            ]
            if pieces:
                return tuple(pieces)
        return ()

    def _place(self, arm: str, item: str) -> str:
        """Folder of a cell; the arm's own folder only for a run of one item."""
        inner = f"{arm}/{item}"
        if not self.single or self.tree.names(inner) is not None:
            return inner
        return arm

    def _cell(self, arm: str, item: str) -> Output:
        if arm in self.files:
            place, names = "", [self.files[arm]]
        else:
            try:
                place = self._place(arm, item)
                names = self.tree.names(place) or []
            except PathFault as exc:
                where = Locator(path=f"{arm}/{item}")
                return faulty(arm, item, locator=where, detail=f"{where.path} {exc}")
        meta = self.metas.get(arm) if arm in self.files else f"{place}/meta.json"
        try:
            read = self._record(meta)
            trouble = ""
        except (PathFault, RecordFault) as exc:
            read, trouble = ReadRecord(record=NO_RECORD), f"{meta} {exc}"
        limits = tuple(dict.fromkeys(self.not_settable.get(arm, ()) + read.record.not_settable))
        record = replace(read.record, not_settable=limits) if limits else read.record
        output = self._text(arm, item, place=place, names=names, record=record)
        if trouble:
            detail = "; ".join(part for part in (trouble, output.fault_detail) if part)
            return replace(output, fault=Reason.UNREADABLE, fault_detail=detail)
        if read.unknown_keys and output.fault is None:
            keys = one_line(", ".join(read.unknown_keys), 120)
            return replace(output, fault_detail=f"record_keys: {keys}")
        return output

    def _record(self, meta: str | None) -> ReadRecord:
        raw = None if meta is None else self.tree.read(meta, limit=MAX_META_BYTES)
        return ReadRecord(record=NO_RECORD) if raw is None else parse_meta(raw)

    def _text(self, arm: str, item: str, *, place: str, names: list[str], record: Record) -> Output:
        """Read the cell's one output, a file or a project folder; none or several are faults."""
        found = names if arm in self.files else [n for n in (*OUTPUT_NAMES, PROJECT) if n in names]
        path = f"{place}/{found[0]}".lstrip("/") if found else place
        locator = Locator(path=path)
        if len(found) > 1:
            detail = f"{place} holds {' and '.join(found)}: one output is expected"
            return faulty(arm, item, locator=locator, detail=detail, record=record)
        try:
            may_be_folder = arm in self.files or found == [PROJECT]
            if may_be_folder and self.tree.kind(path) == "folder":
                return self._project(arm, item, locator=locator, record=record)
            raw = self.tree.read(path, limit=MAX_OUTPUT_BYTES) if found else None
        except PathFault as exc:
            return faulty(arm, item, locator=locator, detail=f"{path} {exc}", record=record)
        if raw is None:
            return faulty(
                arm,
                item,
                locator=locator,
                detail=f"no output file in {place}" if place else f"{path} is not there",
                record=record,
                reason=Reason.MISSING,
            )
        sha = hashlib.sha256(raw).hexdigest()
        try:
            text = decode_text(raw)
        except Undecodable as exc:
            return faulty(
                arm, item, locator=locator, detail=f"{path}: {exc}", record=record, sha256=sha
            )
        return Output(arm=arm, item=item, text=text, sha256=sha, record=record, locator=locator)

    def _project(self, arm: str, item: str, *, locator: Locator, record: Record) -> Output:
        """A folder as its packed text; what was read of it stays beside."""
        try:
            project = pack(self.tree.root / locator.path, max_chars=self.project_chars)
        except (RunError, OSError) as exc:
            detail = f"{locator.path}: {_why(exc)}"
            return faulty(arm, item, locator=locator, detail=detail, record=record)
        unread = next((one for one in project.left_out if one.could_hold), None)
        if is_bare(project) and unread:
            detail = f"{locator.path}: nothing of it can be read ({unread.reason}: {unread.path})"
            return faulty(arm, item, locator=locator, detail=detail, record=record)
        place = PurePosixPath(locator.path)
        if place.name == PROJECT:
            beside = place.with_name(executed.NAME).as_posix()
            project = replace(project, brought=executed.read_executed(self.tree, beside))
        return Output(
            arm=arm,
            item=item,
            text="" if is_bare(project) else project.text,
            sha256=project_sha256(project),
            record=record,
            locator=locator,
            project=project,
        )

    def _hashed_project(self, relative: str) -> Iterator[tuple[str, int, str]]:
        try:
            if self.tree.kind(relative) != "folder":
                yield from self._hashed(relative)
                return
            project = pack(self.tree.root / relative, max_chars=self.project_chars)
        except PathFault as exc:
            yield relative, 0, digest(str(exc))
        except (RunError, OSError) as exc:
            yield relative, 0, digest(_why(exc))
        else:
            yield relative, len(project.text), project_sha256(project)

    def _hashed(self, relative: str) -> Iterator[tuple[str, int, str]]:
        try:
            if self.tree.kind(relative) == "folder":
                if relative in self.files.values():
                    yield from self._hashed_project(relative)
                return
            raw = self.tree.read(relative, limit=MAX_OUTPUT_BYTES)
        except PathFault as exc:
            # What is never read counts by why it is not read.
            yield relative, 0, digest(str(exc))
            return
        if raw is not None:
            yield relative, len(raw), hashlib.sha256(raw).hexdigest()

    def _hashed_tree(self, folder: str, depth: int = 0) -> Iterator[tuple[str, int, str]]:
        try:
            names = self.tree.names(folder)
        except PathFault as exc:
            yield folder, 0, digest(str(exc))
            return
        if names is None or depth > 3:  # noqa: PLR2004 - items/<item>/evidence/<file>
            return
        for name in names:
            path = f"{folder}/{name}"
            if name == PROJECT:
                yield from self._hashed_project(path)
            elif not name.startswith("."):
                yield from self._hashed_tree(path, depth + 1)
                yield from self._hashed(path)


def _why(exc: RunError | OSError) -> str:
    if isinstance(exc, RunError):
        return str(exc).partition(": ")[2]
    return one_line(exc.strerror or "cannot be read", 80)


def bare_candidates(names: list[str]) -> tuple[list[str], list[str]]:
    """Split the file names of a bare folder into (arms, skipped)."""
    taken: list[str] = []
    skipped: list[str] = []
    for name in names:
        counts = name.lower().endswith(BARE_SUFFIXES)
        out = name.startswith(".") or SKIPPED_IN_BARE.match(name) or name == "run.yaml"
        (taken if counts and not out else skipped).append(name)
    return taken, skipped


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """Sort key under which i2 stands before i10."""
    parts = re.split(r"(\d+)", name)
    return tuple((int(p), "") if p.isdigit() and p.isascii() else (-1, p) for p in parts)
