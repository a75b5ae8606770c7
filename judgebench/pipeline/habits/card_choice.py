"""Which judge a card is of: the words of a user, matched with the passes of a store."""

import re
from collections.abc import Sequence

from judgebench.errors import StoreError
from judgebench.pipeline.figures.stored_pass import choose
from judgebench.store.passes import PassRow
from judgebench.text import one_line


def chosen_pass(
    judged: Sequence[PassRow],
    target: str,
    *,
    run: str,
    pass_id: str | None,
    rubric: str | None,
) -> PassRow:
    """A pass of the judge that is meant, under the rubric that is meant.

    Args:
        judged: All passes of judges in it.
        target: A run, or the name, model or hash of a judge.
        run: The run's name in the store, were it one.
        pass_id: Which pass of a run names the judge; None for the one that tables show.
        rubric: Name or hash of the rubric, where a judge has worked under several.

    Raises:
        StoreError: Nothing is called so, or several judges or rubrics are.
    """
    of_run = [row for row in judged if row.judging.run == run]
    if of_run:
        return choose(list(of_run), pass_id)
    found = [row for row in judged if target in {row.judging.judge_name, row.judging.judge_model}]
    found = found or [r for r in judged if len(target) > 5 and _hashed(r, target)]  # noqa: PLR2004
    found = [row for row in found if rubric is None or _is_rubric(row, rubric)]
    if not found:
        names = sorted({row.judging.judge_name for row in judged})
        known = ", ".join(one_line(name, 40) for name in names) or "none"
        raise StoreError(
            f"no judged run and no judge is called {one_line(target, 60)}"
            f"{' under this rubric' if rubric else ''}; judges there: {known}"
        )
    kinds = {identity(row): row for row in found}
    if len(kinds) > 1:
        known = ", ".join(
            f"{row.judging.judge_sha256[:8]} under {_of_rubric(row)} ({row.judging.run})"
            for row in kinds.values()
        )
        raise StoreError(
            f"{one_line(target, 60)} is {len(kinds)} judges or rubrics: {known}; "
            "name one by its hash, by --rubric, or by a run and --pass"
        )
    return found[-1]


def identity(row: PassRow) -> tuple[str, str, str]:
    """What the passes of one card have in common: the judge, and what it was asked.

    A rater of imported marks is known by a name alone, which another file may give to somebody
    else: such passes belong together only where they came out of one file in one way.
    """
    source = (row.content_sha256 or "") if row.facts().marks_only else ""
    return row.judging.judge_sha256, row.judging.ask_sha256, source


def file_name(chosen: PassRow, judged: Sequence[PassRow]) -> str:
    """Name of the card's files; with the hashes where another judge or rubric is called alike."""
    name = _plain(chosen)
    alike = {identity(row) for row in judged if _plain(row) == name}
    if len(alike) < 2:  # noqa: PLR2004 - another one
        return name
    return "-".join([name, *(part[:8] for part in identity(chosen) if part)])


def _plain(row: PassRow) -> str:
    words = f"{row.judging.judge_name}-{row.judging.rubric_name}"
    return re.sub(r"[^A-Za-z0-9._-]+", "-", words).strip("-.")[:100] or "judge"


def _is_rubric(row: PassRow, named: str) -> bool:
    """By its name, or by the hash that tells versions of one name apart."""
    judging = row.judging
    return judging.rubric_name == named or (
        len(named) > 5 and judging.ask_sha256.startswith(named)  # noqa: PLR2004
    )


def _of_rubric(row: PassRow) -> str:
    version = one_line(f"{row.judging.rubric_name} {row.rubric_version}".strip(), 40)
    return f"{version} ({row.judging.ask_sha256[:8]})"


def _hashed(row: PassRow, target: str) -> bool:
    return row.judging.judge_sha256.startswith(target)
