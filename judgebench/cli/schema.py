"""`judge schema`: JSON Schemas for editors."""

import json
from collections.abc import Callable
from typing import Any

import click

from judgebench.cli import machine


def _run() -> dict[str, Any]:
    from judgebench.runs import schema  # noqa: PLC0415 - only the one that is asked for

    return schema.json_schema()


def _rubric() -> dict[str, Any]:
    from judgebench.rubrics import schema  # noqa: PLC0415 - only the one that is asked for

    return schema.json_schema()


def _deductions() -> dict[str, Any]:
    from judgebench.rubrics import deduction_schema  # noqa: PLC0415 - only the one asked for

    return deduction_schema.json_schema()


def _overlay() -> dict[str, Any]:
    from judgebench.rubrics import deduction_schema  # noqa: PLC0415 - only the one asked for

    return deduction_schema.overlay_schema()


def _judges() -> dict[str, Any]:
    from judgebench.judges.judges_file import json_schema  # noqa: PLC0415 - only the one asked for

    return json_schema()


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "run": _run,
    "rubric": _rubric,
    "deductions": _deductions,
    "overlay": _overlay,
    "judges": _judges,
}


@click.command("schema")
@click.argument("kind", type=click.Choice(list(SCHEMAS)), metavar="KIND")
def command(kind: str) -> None:
    """Print a JSON Schema: run.yaml (run), judges.toml (judges), rubric files and overlays.

    KIND is run, rubric, deductions, overlay or judges. `rubric` is of rubrics whose judge
    gives marks, `deductions` of those whose marks are counted from faults, `overlay` of
    files that fill the parameters of the latter.
    """  # fmt: skip
    machine.write(json.dumps(SCHEMAS[kind](), indent=2, ensure_ascii=False))
