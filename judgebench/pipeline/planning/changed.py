"""Why a pass is a new one, in words."""

from collections.abc import Sequence

from judgebench.model.nouns import Pass
from judgebench.store.passes import PassRow
from judgebench.text import one_line


def what_changed(judging: Pass, known: Sequence[PassRow]) -> str:
    """Say why a pass is a new one: what makes it another than the one most like it.

    Args:
        judging: The new pass.
        known: Passes on the run so far; those of people and of imported marks tell nothing.

    Returns:
        One line, or nothing where there is no pass to compare it with.
    """
    judged = [row.judging for row in known if row.judging.route not in {"people", "marks"}]
    if not judged:
        return ""
    words, like = min(
        ((_differences(judging, other), other) for other in reversed(judged)),
        key=lambda found: (
            len(found[0]),
            found[1].judge_name != judging.judge_name,
            found[1].rubric_name != judging.rubric_name,
        ),
    )
    told = "; ".join(words) or "asked for anew, under another seed"
    return f"a new pass, beside {one_line(like.id, 12)}: {told}"


def _differences(new: Pass, old: Pass) -> list[str]:
    """What two passes on a run do not share, in words."""
    pairs = (
        ("rubric", new.rubric_name, old.rubric_name, new.ask_sha256 == old.ask_sha256),
        ("judge", new.judge_name, old.judge_name, new.judge_sha256 == old.judge_sha256),
        ("mode", new.mode.value, old.mode.value, new.mode is old.mode),
        ("blinding", new.blinding.value, old.blinding.value, new.blinding is old.blinding),
    )
    inside = {
        "rubric": "other words for the judge in rubric",
        "judge": "another model, endpoint, mode or other parameters of judge",
    }
    words = [
        f"{what} {one_line(now, 60)} in place of {one_line(then, 60)}"
        if now != then
        else f"{inside[what]} {one_line(now, 60)}"
        for what, now, then, same in pairs
        if not same
    ]
    if (new.turns is None) != (old.turns is None):
        words.append(f"{'without' if new.turns is None else 'with'} tools to read more")
    elif new.mode is old.mode and new.prompt_version != old.prompt_version:
        words.append("another version of the prompt")
    if new.split_criteria != old.split_criteria:
        words.append(f"criteria {'one by one' if new.split_criteria else 'all in one request'}")
    return words
