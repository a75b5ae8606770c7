"""A fresh blind pass over a run that was judged, and how far it agrees with the old one.

The new pass has its own seed, order and labels; of the old one it takes what was
asked (rubric, mode, blinding) and nothing that was answered. Started again it goes
on, or, where it is complete, is only compared again.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from judgebench.errors import RunError
from judgebench.model.agreement import Agreement
from judgebench.model.nouns import Mode
from judgebench.pipeline.figures.stored_pass import choose
from judgebench.pipeline.jury.agree import agreement_of
from judgebench.pipeline.jury.raters import choose_passes
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.places import no_answers
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.stored_run import imported_alone, stored_run
from judgebench.rubrics.load import parse_rubric


def again(choices: Choices, cwd: Path, *, pass_id: str | None) -> tuple[str, Choices]:
    """Take from a stored pass all that a fresh one must ask alike.

    Args:
        choices: What the user chose for the new pass; a mode that is named stays.
        cwd: Where the user stands.
        pass_id: The pass to judge again; None for the one of `shown_first`.

    Returns:
        The id of that pass, and the choices.

    Raises:
        RunError: There is no database, the marks were imported, or pairs are asked for,
            which give no marks to hold against those of the pass.
        StoreError: Nothing is stored of this run, or it has no such pass.
    """
    run = choices.where.run
    with stored_run(run, cwd) as (store, key, _):
        if imported_alone(store.find_passes(key)):
            raise no_answers(run)
        (chosen, *_) = choose_passes(store, key, () if pass_id is None else (pass_id,)).rows
        base = choose(store.find_passes(key), chosen.judging.id)
        judging = base.judging
        if base.facts().marks_only:
            raise RunError(
                run,
                f"was not judged in pass {judging.id}, whose marks were given elsewhere",
                "name another with --pass",
            )
        if choices.mode is Mode.PAIRWISE:
            raise RunError(
                run,
                f"was marked in pass {judging.id}, and pairs give no marks",
                "leave --mode away, or use judge score --mode pairwise",
            )
        ((_, text),) = store.rows("rubric", ask=judging.ask_sha256, sum=base.sum_sha256)
    made = replace(
        choices,
        rubric=parse_rubric(text, Path(f"{judging.rubric_name}.yaml")),
        mode=choices.mode or judging.mode,
        blinding=judging.blinding,
        split_criteria=judging.split_criteria,
        tools=judging.turns is not None,
        reading=reading_of(base),
        beside=judging.id,
    )
    return judging.id, made


def compare(run: Path, cwd: Path, passes: Sequence[str]) -> Agreement:
    """The passes named, the first as the one that the others are held against.

    Raises:
        StoreError: They were asked different things.
    """
    with stored_run(run, cwd) as (store, key, _):
        return agreement_of(store, choose_passes(store, key, tuple(passes)))
