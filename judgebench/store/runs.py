"""What runs hold, and the rubrics, judges and prompts that they are judged with."""

from collections.abc import Iterable, Mapping
from typing import Any

from judgebench.model.audits import RunProject
from judgebench.model.collected import Arm
from judgebench.model.findings import Checked
from judgebench.model.nouns import Judge
from judgebench.model.rubric import Rubric
from judgebench.store import findings, rows
from judgebench.store.database import Database
from judgebench.store.rows import ItemRow, OutputRow
from judgebench.text import canonical_json


class RunStore(Database):
    """An open file, for what runs hold."""

    def put_run(
        self,
        run: str,
        content_sha256: str,
        *,
        facts: Mapping[str, Any],
        use_case: str | None,
        updated_at: str,
    ) -> None:
        """Note what a run folder held when it was read."""
        self._do(
            "put_run",
            run=run,
            content_sha256=content_sha256,
            use_case=use_case,
            facts=canonical_json(dict(facts)),
            updated_at=updated_at,
        )

    def put_arms(self, run: str, arms: Iterable[Arm]) -> None:
        """Replace the arms of a run; their order gives the arm codes."""
        with self._transaction():
            self._do("clear_arms", run=run)
            self._fill("arms", rows.arm_rows(run, arms))

    def put_items(self, run: str, items: Iterable[ItemRow]) -> None:
        """Replace the items of a run; their order gives the item codes."""
        with self._transaction():
            self._do("clear_items", run=run)
            self._fill("items", rows.item_rows(run, items))

    def replace_outputs(self, run: str, outputs: Iterable[OutputRow]) -> None:
        """Replace the outputs of a run at once; what is gone stays, no longer current."""
        with self._transaction():
            self._do("new_outputs")
            self._fill("new_outputs", map(rows.output_row, outputs))
            self._do("retire_outputs", run=run)
            self._do("clear_outputs", run=run)
            self._do("take_outputs")
            self._do("drop_new_outputs")

    def known_outputs(self, run: str) -> dict[tuple[str, str], OutputRow]:
        """Outputs of the run by arm and item, with what their checks found."""
        found = map(rows.output_of, self.rows("outputs", run=run))
        return {(row.arm, row.item): row for row in found}

    def put_projects(self, run: str, projects: Iterable[RunProject]) -> None:
        """Replace what is known of the project folders of a run."""
        with self._transaction():
            self._do("clear_projects", run=run)
            self._fill("projects", map(findings.project_row, projects))

    def projects(self, run: str) -> list[RunProject]:
        """What was read and shown of the project folders of a run."""
        return [findings.project_of(run, values) for values in self.rows("projects", run=run)]

    def told_facts(self, pass_id: str) -> dict[tuple[str, str], tuple[str, ...]]:
        """What a judge was told that code knows of each project, by arm and item."""
        return {
            (arm, item): tuple(line.removeprefix("- ") for line in facts.split("\n") if line)
            for arm, item, facts in self.rows("told_facts", pass_id=pass_id)
        }

    def findings_of(self, pass_id: str) -> dict[tuple[str, str], list[Checked]]:
        """Every fault that was reported, by key and label of its judgment."""
        found: dict[tuple[str, str], list[Checked]] = {}
        for values in self.stream("findings_of", pass_id=pass_id):
            key, label, checked = findings.finding_of(values)
            found.setdefault((key, label), []).append(checked)
        return found

    def put_rubric(self, rubric: Rubric) -> None:
        """Keep the text of a rubric under its two hashes."""
        self._do(
            "put_rubric",
            ask_sha256=rubric.ask_sha256,
            sum_sha256=rubric.sum_sha256,
            name=rubric.name,
            version=rubric.version,
            source=rubric.source,
        )

    def put_judge(self, judge: Judge, facts: Mapping[str, Any]) -> None:
        """Keep a judge under its identity; `facts` is all that makes it, never a key."""
        self._do(
            "put_judge",
            sha256=judge.sha256,
            name=judge.name,
            model=judge.model,
            facts=canonical_json(dict(facts)),
        )

    def put_prompt(self, sha256: str, text: str) -> None:
        """Keep a system prompt under its hash."""
        self._do("put_prompt", sha256=sha256, text=text)
