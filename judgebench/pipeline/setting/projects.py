"""Outputs as they are sent: texts masked, projects masked where they name their author.

Code is never altered: a vendor's name in it may be what the brief asked for. What is
left visible is counted and reported; `judgebench.blind.attribution` decides.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import astuple, replace
from pathlib import PurePosixPath

from judgebench.blind.attribution import Place, attributed
from judgebench.blind.leaks import STYLE_MARK, Scanner, names_of
from judgebench.blind.mask import NEUTRAL, Masker
from judgebench.blind.names import run_names
from judgebench.judges.findings import glob_of, matches
from judgebench.model.collected import Item, Output, Run
from judgebench.model.deductions import FileGroup
from judgebench.model.facts import Fact
from judgebench.model.nouns import Blinding
from judgebench.model.projects import Project, ProjectFile
from judgebench.model.rubric import Rubric
from judgebench.records import dataclass
from judgebench.runs.pack import Turn, arrange, chars_of, pack_text
from judgebench.runs.packed import MAKER, text_of
from judgebench.text import digest, sha256_text

HELD = 8
"""Projects whose masked form is kept at hand."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """An output as a judge sees it."""

    text: str
    named: int
    """Identity strings that were found."""
    style_marks: int = 0
    """Marks of chat templates."""
    visible: int = 0
    """Identity strings that are sent, since they stand in code."""
    project: Project | None = None
    """The files behind the text, masked alike; None where the output is one text."""

    @property
    def sha256(self) -> str:
        """Hash of all that a judge is shown of it."""
        brought = self.project.brought if self.project else ()
        return digest([self.text, *map(astuple, brought)]) if brought else sha256_text(self.text)


def spared_text(item: Item) -> str:
    """The words of the item itself: an answer may use them without giving anybody away."""
    return "\n".join([item.prompt, *(piece.text for piece in item.evidence), item.reference or ""])


class Sender:
    """Makes of outputs what is sent of them, for one run.

    Args:
        run: Names its arms.
        blinding: What happens to identity strings.
        rubric: May say in which order files of a project are shown.
        whole: Lines of projects that are not shown may be read with tools: they are masked too.
    """

    def __init__(
        self, run: Run, blinding: Blinding, rubric: Rubric, *, whole: bool = False
    ) -> None:
        names = run_names(run)
        self.masker = Masker(run, blinding)
        self._scanner = Scanner(names.anywhere, names.in_context)
        self._blinding = blinding
        self._whole = whole
        self._groups = groups_of(rubric)
        self._room = chars_of(run.project_tokens)
        self._held: OrderedDict[tuple[str, str], Sent] = OrderedDict()

    def sent(self, output: Output, item: Item) -> Sent:
        """An output as a judge of this run sees it."""
        spared = spared_text(item)
        if output.project is not None:
            return self._once(output, output.project, item)
        found = self.masker.mask(output.text or "", spared=spared)
        named = len(names_of(found.hits))
        marks = sum(hit.kind == STYLE_MARK for hit in found.hits)
        return Sent(text=found.text, named=named, style_marks=marks)

    def _once(self, output: Output, project: Project, item: Item) -> Sent:
        """A project is judged several times and looked through once."""
        key = (output.sha256, item.sha256)
        found = self._held.get(key)
        if found is None:
            found = self._project(project, spared_text(item), bare=not output.text)
            self._held[key] = found
            if len(self._held) > HELD:
                self._held.popitem(last=False)
        return found

    def _project(self, project: Project, spared: str, *, bare: bool) -> Sent:
        if self._groups:
            project = arrange(project, _Turns(self._groups), max_chars=self._room)
        files, named, masked = [], 0, 0
        for file in project.files:
            # What is not shown is not sent: it needs no masking, and gives nobody away.
            shown = file.lines[: file.shown]
            found = attributed(self._scanner, file.path, shown, spared=spared)
            named += found.named
            if found.places and self._blinding is Blinding.MASK:
                file = _masked(file, found.places)  # noqa: PLW2901 - as it is sent
                masked += len(found.places)
            files.append(self._rest_masked(file, spared) if self._whole else file)
        others = [one.path for one in project.left_out if one.reason != MAKER]
        paths = "\n".join([file.path for file in files] + others)
        in_paths = len(names_of(self._scanner.find(paths, spared=spared)))
        sent = replace(
            project,
            files=tuple(files),
            text=text_of(files, project.left_out) if masked else project.text,
            brought=tuple(self._brought(project, spared)),
        )
        return Sent(
            text="" if bare else sent.text,
            named=named + in_paths,
            visible=named - masked + in_paths,
            project=sent,
        )

    def _rest_masked(self, file: ProjectFile, spared: str) -> ProjectFile:
        """The same file with what is not shown masked alike; what is shown stays as it is."""
        if file.whole or self._blinding is not Blinding.MASK:
            return file
        found = attributed(self._scanner, file.path, file.lines, spared=spared)
        if not found.places:
            return file
        rest = _masked(file, found.places).lines[file.shown :]
        return replace(file, lines=(*file.lines[: file.shown], *rest))

    def _brought(self, project: Project, spared: str) -> Iterator[Fact]:
        for one in project.brought:
            says = self.masker.mask(one.says, spared=spared).text
            yield replace(one, text=self.masker.mask(one.text, spared=spared).text, says=says)


def groups_of(rubric: Rubric) -> tuple[FileGroup, ...]:
    """The order in which a rubric wants files to be shown; empty for the usual one."""
    return rubric.deductions.reading if rubric.deductions else ()


class _Turns:
    """When each file is shown: a file belongs to the first group that names it."""

    def __init__(self, groups: Sequence[FileGroup]) -> None:
        early = -sum(not group.last for group in groups)
        late, self._groups = 1, []
        for group in groups:
            rank = late if group.last else early
            late, early = late + group.last, early + (not group.last)
            globs = [glob_of(path) for path in group.paths]
            self._groups.append((globs, Turn(rank=rank, lines=group.lines)))

    def __call__(self, path: str) -> Turn:
        found = (turn for globs, turn in self._groups if matches(path, globs))
        return next(found, Turn())


def as_project(output: Output, sent: Sent) -> Project:
    """The files of an output; a single text is a project of one file."""
    if sent.project is not None:
        return sent.project
    return pack_text(PurePosixPath(output.locator.path).name or "output", sent.text)


def _masked(file: ProjectFile, hidden: Sequence[Place]) -> ProjectFile:
    lines = list(file.lines)
    for at, first, last in reversed(hidden):
        lines[at] = lines[at][:first] + NEUTRAL + lines[at][last:]
    return replace(file, lines=tuple(lines))
