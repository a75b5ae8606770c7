"""An empty workspace and the `judge` command in it, inside this process."""

import contextlib
import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb

from judgebench.cli.main import main

COLUMNS = ("--item", "item", "--arm", "arm", "--criterion", "criterion", "--rater", "rater")
AGAIN = ("item", "arm", "criterion", "rater", "mark", "again")
"""Head of a file in which a column numbers the scorings of a rater."""


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Space:
    """A workspace."""

    root: Path

    def judge(self, *words: object) -> Said:
        """Run `judge` with these words."""
        out, err = io.StringIO(), io.StringIO()
        here = Path.cwd()
        os.chdir(self.root)
        try:
            with (
                mock.patch("sys.argv", ["judge", *map(str, words)]),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
            ):
                try:
                    main()
                except SystemExit as exc:
                    return Said(int(exc.code or 0), out.getvalue(), err.getvalue())
        finally:
            os.chdir(here)
        raise AssertionError("main returned")

    def csv(
        self, rows: Iterable[Sequence[object]], *, name: str = "marks.csv",
        head: Sequence[str] = ("item", "arm", "criterion", "rater", "mark"),
    ) -> Path:  # fmt: skip
        """Write a CSV of marks."""
        path = self.root / name
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(head)
            writer.writerows(rows)
        return path

    def jsonl(self, rows: Iterable[Mapping[str, object]], *, name: str = "marks.jsonl") -> Path:
        """Write JSON lines of marks."""
        path = self.root / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    def take(self, path: Path, *words: object, run: str = "runs/given") -> Said:
        """Import marks under the usual names of columns."""
        return self.judge(
            "import", "marks", path, "--to", run, *COLUMNS, "--mark", "mark", *words
        )  # fmt: skip

    def table(self, *words: object, run: str = "runs/given") -> dict[str, Any]:
        """`judge table --json`."""
        return self.json("table", *words, run=run)

    def json(self, command: str, *words: object, run: str = "runs/given") -> dict[str, Any]:
        """What a command on a run prints with --json."""
        said = self.judge(command, run, "--json", *words)
        assert said.code == 0, said.err
        loaded: dict[str, Any] = json.loads(said.out)
        return loaded

    def ask(self, query: str, **params: object) -> list[tuple[Any, ...]]:
        """Ask the database as a user would."""
        with duckdb.connect(
            str(self.root / "judgments" / "judgments.duckdb"), read_only=True
        ) as con:
            return con.execute(query, params or None).fetchall()


def grid(
    *, items: int = 8, arms: Sequence[str] = ("north", "south"), raters: Sequence[str] = ("meter",)
) -> list[tuple[object, ...]]:
    """Marks on two criteria; the first arm is one point better but for a wave over items."""
    return [
        (f"i{item}", arm, criterion, rater, 7 + (item % 3) - place + (item * place) % 2)
        for rater in raters
        for item in range(items)
        for place, arm in enumerate(arms)
        for criterion in ("clear", "true")
    ]
