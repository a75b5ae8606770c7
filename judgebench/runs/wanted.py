"""What a user asked of a load, and what every way of loading refuses alike."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from judgebench.errors import RunError
from judgebench.model.collected import Arm
from judgebench.runs.declared import nearest
from judgebench.runs.laid_out import NO_FOLDERS
from judgebench.runs.schema import check_id
from judgebench.runs.source import SINGLE_ITEM, outside_prompt
from judgebench.text import one_line, same_reading


class Wanted:
    """What the user asked of this load."""

    def __init__(
        self,
        *,
        arms: tuple[str, ...],
        prompt: Path | None,
        no_prompt: bool,
        columns: Mapping[str, str],
    ) -> None:
        self.arms, self.prompt, self.no_prompt = arms, prompt, no_prompt
        self.columns = columns

    def choose(self, arms: Sequence[Arm], path: Path) -> tuple[Arm, ...]:
        """The arms asked for, in the run's order.

        Raises:
            RunError: an unknown arm is asked for, or there is none at all.
        """
        known = [arm.id for arm in arms]
        for name in self.arms:
            if name not in known:
                raise RunError(path, f"has no arm {one_line(name, 60)}", nearest(name, known))
        if not arms:
            raise RunError(path, "holds no arms", NO_FOLDERS)
        return tuple(arm for arm in arms if not self.arms or arm.id in self.arms)

    def leave(self, arms: Sequence[Arm]) -> tuple[str, ...]:
        """The arms that were not asked for."""
        return tuple(arm.id for arm in arms if self.arms and arm.id not in self.arms)


def check_prompts(
    path: Path,
    wanted: Wanted,
    items: Sequence[str],
    has: Callable[[str], bool],
    *,
    by_map: bool = False,
    place: Callable[[str], tuple[str, str]] | None = None,
) -> None:
    """Refuse a run whose items have no prompt, unless that is wanted.

    Args:
        path: The run or its table, for messages.
        wanted: What the user asked of this load.
        items: Ids of the items.
        has: Whether an item has a prompt.
        by_map: The prompts are a column, which --map can name.
        place: Where the prompt of an item is to stand, and a file there of nearly this name.

    Raises:
        RunError: naming the items, and the ways on.
    """
    if wanted.prompt is not None:
        if wanted.no_prompt:
            raise RunError(path, "is given --prompt and --no-prompt", "give one of the two")
        outside_prompt(wanted.prompt)
    if wanted.no_prompt:
        return
    missing = [item for item in items if not has(item)]
    if missing:
        what = (
            "has no prompt.md"
            if list(items) == [SINGLE_ITEM]
            else f"has no prompt for {listed(missing)}"
        )
        how = "name its column with --map prompt=COLUMN" if by_map else "write prompt.md"
        if place is not None:
            where, near = place(missing[0])
            how = f"rename {near} to {where}" if near else f"write {where}"
        raise RunError(path, what, f"{how}, or give --prompt FILE, or --no-prompt to judge without")


def check_found(path: Path, names: Iterable[str]) -> None:
    """Refuse names of found folders that are no ids, or read the same.

    Raises:
        RunError: naming them.
    """
    seen: dict[str, str] = {}
    for name in names:
        try:
            check_id(name)
        except ValueError as exc:
            problem, _, fix = str(exc).partition("; ")
            raise RunError(path, f"holds a folder that {problem}", fix) from None
        if other := seen.get(same_reading(name)):
            raise RunError(path, f"holds {other} and {name}", f"rename one: {_alike(other, name)}")
        seen[same_reading(name)] = name


def check_case(path: Path, names: Sequence[str]) -> None:
    """Refuse arms whose names read the same.

    Raises:
        RunError: naming both.
    """
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(same_reading(name), name)
        if other != name:
            raise RunError(path, f"has arms {other} and {name}", _alike(other, name))


def _alike(one: str, other: str) -> str:
    same = one.casefold() != other.casefold()
    return "they read the same" if same else "case alone is not enough"


def listed(names: Sequence[str], most: int = 8, *, width: int = 60) -> str:
    """Names in a row, the first so many of them."""
    shown = ", ".join(one_line(name, width) for name in names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")
