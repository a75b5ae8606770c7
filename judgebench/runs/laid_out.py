"""What a folder lacks that is laid out nearly, but not quite, as a run."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from judgebench.runs.folders import OUTPUT_NAMES, bare_candidates
from judgebench.runs.tree import PathFault, Tree
from judgebench.text import one_line

NO_FOLDERS = "put each arm's outputs in a folder of its own"
"""What to do where a run has no arms."""


def laid_out(tree: Tree, folders: Sequence[str]) -> str:
    """What is missing where there are folders, and none of them is taken as an arm.

    Args:
        tree: The run folder.
        folders: Names of the folders in it.
    """
    for name in folders:
        for inner in _names_in(tree, name):
            if not set(OUTPUT_NAMES).isdisjoint(_names_in(tree, f"{name}/{inner}")):
                shown = one_line(inner, 40)
                return (
                    f"write items/{shown}/prompt.md and so on: {one_line(name, 40)}/{shown} holds "
                    "an answer to an item that is not there"
                )
        if taken := bare_candidates(_names_in(tree, name))[0]:
            return (
                f"an answer is ARM/ITEM/output.md, of items/ITEM/prompt.md, and "
                f"{one_line(f'{name}/{taken[0]}', 60)} is none (judge explain formats)"
            )
    return NO_FOLDERS


def arm_items(path: Path) -> list[str]:
    """Items of the run around a folder that the folder answers; none where it is no arm."""
    items = path.absolute().parent / "items"
    if not path.is_dir() or not items.is_dir():
        return []
    return sorted(one.name for one in path.iterdir() if (items / one.name).is_dir())


def _names_in(tree: Tree, name: str) -> list[str]:
    """What a folder holds; nothing where it is none, or leads out of the run."""
    try:
        return tree.names(name) or []
    except PathFault:
        return []


LEAST_GRID = 6
"""Fewer files make a pattern by chance: two makers with two models each are four arms."""
_SPLITS = re.compile(r"__|[-_. ]")


def grid_note(names: Sequence[str]) -> str:
    """What to say where answers of one item look like arms × items; empty where they do not.

    Args:
        names: Files without their suffix, each taken as an arm.
    """
    if len(names) < LEAST_GRID:
        return ""
    # The split that leaves fewest arms: items are many, and arms few.
    found = min(_grids(names), key=lambda one: len(one[0]), default=None)
    if found is None:
        return ""
    firsts, seconds = (", ".join(one_line(name, 30) for name in side[:2]) for side in found)
    return (
        f"names look like {len(found[0])} ({firsts} …) × {len(found[1])} ({seconds} …); if these "
        "are arms and items, lay them out as ARM/ITEM/output.md and items/ITEM/prompt.md "
        "(judge explain formats)"
    )


def _grids(names: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Ways to split every name in two so that each first part comes with each second one."""
    places = [[match.span() for match in _SPLITS.finditer(name)] for name in names]
    for at in (0, -1):
        if not all(places):
            return
        cuts = [place[at] for place in places]
        signs = {name[start:end] for name, (start, end) in zip(names, cuts, strict=True)}
        pairs = {(name[:start], name[end:]) for name, (start, end) in zip(names, cuts, strict=True)}
        firsts, seconds = (list(dict.fromkeys(side)) for side in zip(*sorted(pairs), strict=True))
        full = len(pairs) == len(names) == len(firsts) * len(seconds)
        if full and len(signs) == 1 and min(len(firsts), len(seconds)) > 1:
            yield firsts, seconds
