"""docs/commands.md from the help of every command: ``python -m judgebench.cli.docs``."""

from collections.abc import Iterator

import click

from judgebench.cli.main import COMMANDS, cli

HEAD = """\
# Commands

Generated from `--help`; a test holds this page equal to it.
"""
WIDTH = 88


def page() -> str:
    """The whole page."""
    return HEAD + "".join(f"\n{part}" for part in _parts())


def _parts() -> Iterator[str]:
    root = click.Context(cli, info_name="judge", terminal_width=WIDTH)
    yield _block("judge", cli.get_help(root))
    for name in COMMANDS:
        command = cli.get_command(root, name)
        if command is None:
            continue
        context = click.Context(command, info_name=name, parent=root, terminal_width=WIDTH)
        yield _block(f"judge {name}", command.get_help(context))
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                sub = command.get_command(context, inner)
                if sub is not None:
                    below = click.Context(
                        sub, info_name=inner, parent=context, terminal_width=WIDTH
                    )
                    yield _block(f"judge {name} {inner}", sub.get_help(below))


def _block(name: str, text: str) -> str:
    return f"## {name}\n\n```text\n{text}\n```\n"


if __name__ == "__main__":
    click.echo(page(), nl=False)
