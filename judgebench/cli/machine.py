"""Machine output: JSON on standard output, always in UTF-8, whatever the terminal knows."""

import io
import sys

import click


def write(text: str) -> None:
    """Print JSON with one line end."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="strict")
    click.echo(text.rstrip("\n"))
