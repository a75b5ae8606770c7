"""`judge judges`: list judges and ask one for a sign of life."""

import os
from pathlib import Path

import click

from judgebench.judges.judges_file import load_judges
from judgebench.judges.providers import PROVIDERS
from judgebench.pipeline.setting.ping import ping as ask_ping
from judgebench.runs.workspace import find_workspace
from judgebench.text import printable


def _toml() -> Path | None:
    return find_workspace(Path("runs/x"), cwd=Path.cwd()).judges_toml


@click.group("judges")
def command() -> None:
    """List judges and ask one for a sign of life."""


@command.command("list")
def list_() -> None:
    """Judges of judges.toml, the providers that need no entry, and recordings."""
    found = load_judges(_toml())
    rows = [
        (name, table.model, table.base_url or table.model.partition("/")[0])
        for name, table in found.judges.items()
    ]
    shown = [tuple(map(printable, row)) for row in rows]
    wide = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for (name, *_), (first, model, where) in zip(rows, shown, strict=True):
        mark = "*" if name == found.default else " "
        click.echo(f"{mark} {first:<{wide[0]}}  {model:<{wide[1]}}  {where}")
    click.echo("providers that need no entry, with the variable that holds the key:")
    for name, provider in PROVIDERS.items():
        click.echo(printable(f"  {name + '/MODEL':<22} {provider.api_key_env or 'no key'}"))
    click.echo("without a call and without a key, from recorded replies:")
    click.echo(f"  {'replay:FILE':<22} such as runs/RUN/recorded/pointwise.jsonl")


@command.command("ping")
@click.argument("name", required=False)
def ping(name: str | None) -> None:
    """Send one tiny structured request to a judge and say what it takes. One paid call or two."""
    click.echo(printable(ask_ping(name, judges_toml=_toml(), env=os.environ)))
