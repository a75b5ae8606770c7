"""From a planned request to the messages that go out, and from the reply to totals.

What is sent is built from an allow-list: rubric, prompt, evidence, reference,
the masked text. It is scanned once more as it will be sent.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from judgebench.blind import order
from judgebench.blind.leaks import Scanner, names_of
from judgebench.blind.names import run_names
from judgebench.errors import RunError
from judgebench.judges import finding_prompts, prompts
from judgebench.judges.finding_reply import AnyForm, FindingForm
from judgebench.judges.reply import ReplyForm
from judgebench.judges.toolbox import Toolbox
from judgebench.model.collected import Item, Locator, Output, Run
from judgebench.model.nouns import Mode, Pass, Rendered, Request
from judgebench.model.projects import Project
from judgebench.model.rubric import Rubric
from judgebench.pipeline.setting import hooks
from judgebench.pipeline.setting.projects import Sender, Sent, as_project, spared_text
from judgebench.records import dataclass
from judgebench.rubrics import total
from judgebench.runs import load

ITEMS_HELD = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """One request, ready to go out, with what its reply will be read against."""

    request: Request
    rendered: Rendered
    form: AnyForm
    sources: Mapping[str, Mapping[str, str]]
    """By label: the texts that a quote may come from."""
    leaks: int
    """Identity strings that are still in the request as it would be sent."""
    project: Project | None = None
    """The project that finds are checked against; None where marks are asked for."""
    toolbox: Toolbox | None = None
    """With which the judge may read more of it; None where the packet shows all, or by choice."""


class Preparer:
    """Builds the requests of one pass from the run folder, one at a time."""

    def __init__(self, run: Run, rubric: Rubric, judging: Pass) -> None:
        self.run, self.rubric, self.judging = run, rubric, judging
        self._tools = judging.turns is not None
        self.sender = Sender(run, judging.blinding, rubric, whole=self._tools)
        self.masker = self.sender.masker
        names = run_names(run)
        self._scanner = Scanner(names.anywhere, names.in_context)
        self._item: Callable[[str], Item] = lru_cache(maxsize=ITEMS_HELD)(
            lambda item_id: load.load_item(run, item_id)
        )

    def item(self, item_id: str) -> Item:
        """An item of the run; the last few are held."""
        return self._item(item_id)

    def criteria(self, request: Request) -> tuple[str, ...]:
        """Criteria that a request asks about: those that apply to its item."""
        applicable = total.applicable(self.rubric, self.item(request.item), self.run)
        if request.criterion is None:
            return applicable
        return tuple(c for c in applicable if c == request.criterion)

    def text_as_sent(self, output: Output, item: Item) -> str:
        """The text that a judge sees of an output."""
        return self.sender.sent(output, item).text

    def prepare(
        self,
        request: Request,
        locators: Mapping[str, Locator],
        *,
        planted: Mapping[str, str] | None = None,
    ) -> Prepared:
        """Read the outputs of a request again and render it.

        Args:
            request: From the plan.
            locators: Where each arm's output stands.
            planted: Texts of controls by their ids, as they are sent.

        Raises:
            RunError: An output has changed since the pass was planned.
        """
        if self.rubric.deductions:
            return self._audit(request, locators)
        item = self.item(request.item)
        parts: list[tuple[str, str]] = []
        for part in request.parts:
            text = (planted or {}).get(part.arm)
            if text is None:
                output = load.read_output(
                    self.run, arm=part.arm, item=request.item, locator=locators[part.arm]
                )
                text = self.as_planned(output, item, part.sent_sha256)
            parts.append((part.label, text))
        criteria = self.criteria(request)
        form = ReplyForm(
            rubric=self.rubric,
            criteria=criteria,
            labels=tuple(label for label, _ in parts),
            mode=self.judging.mode,
        )
        rendered = prompts.build(
            form,
            self.rubric,
            item,
            parts,
            frame=order.frame(self.judging.seed, request.key),
            criteria=criteria,
            key=request.key,
        )
        return Prepared(
            request=request,
            rendered=rendered,
            form=form,
            sources=self._sources(item, parts),
            leaks=self.leaks(rendered, item),
        )

    def _audit(self, request: Request, locators: Mapping[str, Locator]) -> Prepared:
        """A request about one project: its files, and what code knows of them."""
        item, (part,) = self.item(request.item), request.parts
        output = load.read_output(
            self.run, arm=part.arm, item=request.item, locator=locators[part.arm]
        )
        sent = self.sender.sent(output, item)
        self._must_be_as_planned(output, sent, part.sent_sha256)
        project = as_project(output, sent)
        criteria = self.criteria(request)
        form = FindingForm(self.rubric, criteria, (part.label,))
        frame = order.frame(self.judging.seed, request.key)
        more = self._tools and not all(file.whole for file in project.files)
        rendered = finding_prompts.build(
            form,
            item,
            project.text,
            frame=frame,
            facts=hooks.facts_of(project, self.rubric),
            tools=more,
            key=request.key,
        )
        # What still names somebody stands in code, which is sent as it is and reported.
        return Prepared(
            request=request, rendered=rendered, form=form, sources={}, leaks=0, project=project,
            toolbox=Toolbox(project, frame) if more else None,
        )  # fmt: skip

    def _sources(
        self, item: Item, parts: Sequence[tuple[str, str]]
    ) -> Mapping[str, Mapping[str, str]]:
        if self.judging.mode is not Mode.PAIRWISE:
            return {label: prompts.sources(item, text) for label, text in parts}
        others = [text for _, text in reversed(parts)]
        return {
            label: prompts.sources(item, text, other=other)
            for (label, text), other in zip(parts, others, strict=True)
        }

    def as_planned(self, output: Output, item: Item, sent_sha256: str | None) -> str:
        """The text that a judge sees of an output, which is as it was when it was planned.

        Raises:
            RunError: It has changed since.
        """
        # Most texts name nobody: what is sent is the text itself, and its hash says so.
        if output.text is not None and output.sha256 == sent_sha256 and output.project is None:
            return output.text
        sent = self.sender.sent(output, item)
        self._must_be_as_planned(output, sent, sent_sha256)
        return sent.text

    def _must_be_as_planned(self, output: Output, sent: Sent, sent_sha256: str | None) -> None:
        if sent.sha256 != sent_sha256:
            raise RunError(
                self.run.path / output.locator.path,
                "has changed while the pass was running",
                "run the same command again",
            )

    def leaks(self, rendered: Rendered, item: Item) -> int:
        """Identity strings that are still in a request as it would be sent."""
        return len(names_of(self._scanner.find(rendered.user, spared=spared_text(item))))
