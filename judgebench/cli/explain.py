"""`judge explain`: the documentation that came with this version."""

import difflib
from importlib import resources
from pathlib import Path

import click

from judgebench.text import printable


def pages() -> dict[str, Path]:
    """Pages by name: data of an installed package, in a clone the folder beside it."""
    package = Path(str(resources.files("judgebench")))
    inside = package / "data" / "docs"
    folder = inside if inside.is_dir() else package.parent / "docs"
    return {page.stem: page for page in sorted(folder.glob("*.md"))}


@click.command("explain")
@click.argument("page", required=False, metavar="[PAGE]")
def command(page: str | None) -> None:
    """Print a PAGE of the documentation; without one, the names of all pages."""
    found = pages()
    if page is None:
        for name, path in found.items():
            title = path.read_text("utf-8").partition("\n")[0].lstrip("# ")
            click.echo(printable(f"{name:<12}  {title}"))
        return
    if page not in found:
        near = difflib.get_close_matches(page, list(found), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        names = ", ".join(found)
        raise click.UsageError(f"no page is called {printable(page)}{hint}; there are: {names}")
    click.echo(found[page].read_text("utf-8"), nl=False)
