"""What a folder lacks that is laid out nearly, but not quite, as a run."""

from collections.abc import Sequence

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


def _names_in(tree: Tree, name: str) -> list[str]:
    """What a folder holds; nothing where it is none, or leads out of the run."""
    try:
        return tree.names(name) or []
    except PathFault:
        return []
