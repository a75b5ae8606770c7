"""Take the outputs of a run in: decide what is blocked, mask, and store one row each.

Nothing is held but counters: a run of a million outputs passes through twice,
once to survey and once to decide.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import lru_cache

from judgebench.model.audits import RunProject
from judgebench.model.collected import Block, Item, Output, Run
from judgebench.model.nouns import Blinding
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Rubric
from judgebench.pipeline.planning.prepare import ITEMS_HELD
from judgebench.pipeline.setting.choices import Reading
from judgebench.pipeline.setting.facts import facts_of
from judgebench.pipeline.setting.projects import Sender, groups_of
from judgebench.pipeline.setting.scene import Scene, World
from judgebench.runs import blocked, flagged, load
from judgebench.runs.finish import Ending, ending
from judgebench.runs.survey import survey
from judgebench.store.findings import row_of_project
from judgebench.store.rows import ItemRow, OutputRow
from judgebench.store.store import Store
from judgebench.text import canonical_json, digest, plural


class Intake:
    """One run on its way into the store.

    Args:
        run: The run.
        run_key: Its name in the store.
        blinding: What happens to identity strings.
        reading: Whether outputs that look cut are blocked.
        rubric: May say in which order files of a project are shown.
    """

    def __init__(
        self, run: Run, run_key: str, blinding: Blinding, reading: Reading, rubric: Rubric
    ) -> None:
        self.run, self.run_key = run, run_key
        self.blinding, self.reading = blinding, reading
        self._sender = Sender(run, blinding, rubric)
        self.projects: list[RunProject] = []
        """Of the outputs that were read so far, those that are project folders."""
        self._item: Callable[[str], Item] = lru_cache(maxsize=ITEMS_HELD)(
            lambda item_id: load.load_item(run, item_id)
        )

    def items(self) -> Iterator[ItemRow]:
        """One row an item."""
        for item_id in self.run.items:
            item = self._item(item_id)
            yield ItemRow(
                item=item.id,
                sha256=item.sha256,
                has_evidence=bool(item.evidence),
                has_reference=item.reference is not None,
                ambiguous=any(not a.items or item.id in a.items for a in self.run.ambiguities),
                chars=len(item.prompt),
            )

    def outputs(self) -> Iterator[OutputRow]:
        """One row an arm and item, item by item where the run's form allows."""
        counts = survey(self.run, load.iter_outputs(self.run), self._item)
        for output in load.iter_outputs(self.run):
            item = self._item(output.item)
            blocks = blocked.decide(output, item, self.run, counts)
            flags = flagged.flags(output, item, self.run, counts)
            yield self._row(output, item, blocks, flags)

    def _row(
        self, output: Output, item: Item, blocks: tuple[Block, ...], flags: tuple[str, ...]
    ) -> OutputRow:
        masked = 0
        sent: str | None = None
        if self._own_empty(output, blocks):
            flags = (*flags, "own_empty")
        if output.text is not None and not blocks:
            found = self._sender.sent(output, item)
            if found.project is not None:
                self.projects.append(
                    row_of_project(
                        self.run_key, output.arm, output.item, found.project,
                        identity_visible=found.visible,
                    )
                )  # fmt: skip
            masked, sent = found.named, found.sha256
            marks = found.style_marks
            flags = (*flags, f"style_mark: {marks}") if marks else flags
            flags = (*flags, f"identity_visible: {found.visible}") if found.visible else flags
            blocks = (*blocks, *self._late_blocks(masked, flags))
        usage = output.record.usage
        return OutputRow(
            run=self.run_key,
            arm=output.arm,
            item=output.item,
            sha256=output.sha256,
            sent_sha256=sent,
            chars=len(output.text or ""),
            path=output.locator.path,
            byte_offset=output.locator.offset,
            blocked=blocks[0].reason.value if blocks else None,
            blocks=json.dumps([asdict(block) for block in blocks], ensure_ascii=False),
            flags=json.dumps(list(flags), ensure_ascii=False),
            masked=masked,
            finish_reason=output.record.finish_reason,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            reasoning_tokens=usage.reasoning_tokens,
            wall_s=output.record.wall_s,
            cost_usd=output.record.cost_usd,
        )

    def _own_empty(self, output: Output, blocks: tuple[Block, ...]) -> bool:
        """Whether an empty answer is the model's own: it stopped by itself within a known cap."""
        record = output.record
        return (
            [block.reason for block in blocks] == [Reason.EMPTY]
            and ending(record.finish_reason) is Ending.COMPLETE
            and record.error is None
            and blocked.cap_of(record, self.run) is not None
        )

    def _late_blocks(self, masked: int, flags: tuple[str, ...]) -> Iterator[Block]:
        marked = any(flag.startswith("style_mark") for flag in flags)
        if (masked or marked) and self.blinding is Blinding.STRICT:
            what = f"{plural(masked, 'identity string')}" if masked else "marks of a chat template"
            yield Block(
                reason=Reason.IDENTITY_LEAK,
                message=f"{what} in the output, and --blind strict is set",
            )
        cut = next((flag for flag in flags if flag.startswith("looks_cut")), None)
        if cut and self.reading.block_cut:
            yield Block(reason=Reason.LOOKS_CUT, message=f"{cut}; --block-cut is set")


def take_in(
    store: Store, scene: Scene, *, blinding: Blinding, reading: Reading, world: World
) -> str:
    """Read the outputs into the store, unless the very same were read the same way before.

    Returns:
        Hash of the content and of how it was read.
    """
    read_as: list[object] = [blinding.value, reading.block_cut, _rules_version()]
    read_as += [asdict(group) for group in groups_of(scene.rubric)]
    content = digest([load.content_sha256(scene.run), *read_as])
    known = store.rows("run", run=scene.run_key)
    facts = facts_of(scene.run)
    if known and known[0][0] == content and known[0][2] == canonical_json(facts.as_dict()):
        return content
    intake = Intake(scene.run, scene.run_key, blinding, reading, scene.rubric)
    store.put_arms(scene.run_key, scene.run.arms)
    store.put_items(scene.run_key, intake.items())
    store.replace_outputs(scene.run_key, intake.outputs())
    store.put_projects(scene.run_key, intake.projects)
    store.put_run(
        scene.run_key,
        content,
        use_case=scene.run.use_case.key,
        facts=facts.as_dict(),
        updated_at=world.now().isoformat(),
    )
    return content


def _rules_version() -> str:
    """Version of the rules that decide what is blocked and masked."""
    from importlib.metadata import version  # noqa: PLC0415 - costs a directory walk

    return version("judgebench")
