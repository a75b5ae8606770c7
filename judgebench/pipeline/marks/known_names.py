"""What columns of files of marks are usually called, and which names are those of identifiers.

A name is offered or warned of, it is never taken unasked.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

ALSO: Mapping[str, tuple[str, ...]] = {
    "mark": ("score", "rating", "outcome", "winner", "preference", "verdict", "vote", "grade"),
    "item": (
        "item_id", "prompt_id", "question_id", "task_id", "example_id", "instruction_id",
        "query_id", "sample_id", "case_id", "doc_id", "prompt", "question", "task", "example",
        "instruction", "query", "sample", "case", "doc", "id",
    ),
    "arm": ("system", "model", "system_id", "model_id", "system_name", "model_name"),
    "arm_a": ("a", "system_a", "model_a"),
    "arm_b": ("b", "system_b", "model_b"),
    "order": ("position", "shown_first", "first_shown", "presentation_order"),
    "criterion": ("criteria", "crit", "dimension", "aspect", "metric", "attribute"),
    "rater": (
        "judge", "annotator", "person", "worker", "evaluator", "reviewer", "labeler", "labeller",
        "rater_id", "judge_id", "annotator_id", "worker_id", "evaluator_id", "rater_name",
        "judge_name",
    ),
}  # fmt: skip
"""Other names of columns by the option, the likelier first."""
_OF_ORDER = frozenset({
    *("order", "shown", "side", "swap", "swapped", "flip", "flipped", "reversed", "first"),
    *("shown_order", "ab_order", "is_swapped", "is_flipped"),
    *ALSO["order"],
})  # fmt: skip
_TELL_APART = ("item", "arm", "criterion", "rater")
_ID = frozenset({"id", "ids", "uid", "uuid", "key"})


def plain(name: str) -> str:
    """A column's name as it is looked up: small letters, words joined by a low line."""
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def known(key: str, there: Iterable[str], taken: Collection[str] = ()) -> str | None:
    """The column that an option's own name or another usual one tells; None where none does."""
    free = {plain(name): name for name in there if name not in taken}
    return next((free[name] for name in (key, *ALSO.get(key, ())) if name in free), None)


def names_order(column: str) -> bool:
    """Whether a column's name says that it holds which of a pair was shown first."""
    return plain(column) in _OF_ORDER


def unexplained(there: Sequence[str], told: Mapping[str, str]) -> list[str]:
    """Columns that may tell marks apart, and that no option names.

    Args:
        there: Columns of the file.
        told: Option → column.

    Returns:
        All that is left where no item is told, for any of them may be it; else the columns with
        the name of an identifier, but for ``question`` beside ``question_id``.
    """
    left = [name for name in there if name not in told.values()]
    if "item" not in told:
        return left
    used = {plain(name) for name in told.values()}
    return [name for name in left if _identifies(name) and f"{plain(name)}_id" not in used]


def _identifies(name: str) -> bool:
    usual = {one for key in _TELL_APART for one in (key, *ALSO[key])}
    return plain(name) in usual or not _ID.isdisjoint(plain(name).split("_"))
