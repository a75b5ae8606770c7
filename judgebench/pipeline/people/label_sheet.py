"""The answers of a labelling desk as a spreadsheet, for a person who marks without the page."""

import csv
from collections.abc import Sequence
from pathlib import Path

from judgebench.errors import RunError
from judgebench.model.rubric import Rubric
from judgebench.pipeline.people.label_desk import LabelDesk
from judgebench.pipeline.people.label_places import Place
from judgebench.runs.importers.human_sheet import SHEET_TEXTS, guarded, sheet_heads

CELL_CHARS = 32_000
"""That a spreadsheet holds in one cell."""


def write_sheet(desk: LabelDesk, path: Path, *, rater: str) -> int:
    """Write the answers as a spreadsheet for one person; the number of rows.

    Args:
        desk: The answers of a run.
        path: A file that is not there yet.
        rater: Who is to fill it in; empty where that is not known.

    Raises:
        RunError: A file is there, or a text does not fit a spreadsheet.
    """
    names = [criterion.id for criterion in desk.rubric.criteria]
    rows = [_row(desk, place, rater, names) for place in desk.order(rater)]
    rows[0][-1] = guarded(_explained(desk.rubric))
    head = ["item", "arm", "rater", *sheet_heads(names).values(), *SHEET_TEXTS]
    try:
        # Spreadsheets take a file without this mark for one in an old code page.
        with path.open("x", newline="", encoding="utf-8-sig") as file:
            writer = csv.writer(file)
            writer.writerow(head)
            writer.writerows(rows)
    except FileExistsError:
        raise RunError(path, "is there already", "name another file") from None
    except OSError as exc:
        raise RunError(path, f"cannot be written ({exc.strerror})", "name another") from exc
    return len(rows)


def _row(desk: LabelDesk, place: Place, rater: str, names: Sequence[str]) -> list[str]:
    item = desk.item(place.item)
    evidence = "\n\n".join(f"{piece.name}\n{piece.text}" for piece in item.evidence)
    asked = place.criteria
    texts = (item.prompt, evidence, item.reference or "", desk.text(place, item), "")
    for text in texts:
        if len(text) > CELL_CHARS:
            raise RunError(
                desk.scene.run.path / place.locator.path,
                f"or its item holds {len(text):,} signs, more than a spreadsheet's cell",
                "judge label without --csv opens a page instead",
            )
    return [
        guarded(place.item), place.label, guarded(rater),
        *("" if name in asked else "n/a" for name in names), *map(guarded, texts),
    ]  # fmt: skip


def _explained(rubric: Rubric) -> str:
    scale = rubric.scale
    lines = [rubric.intro, f"Marks: {scale.low:g} to {scale.high:g}, steps {scale.step:g}"]
    lines += ["Leave a cell empty where you cannot judge.", ""]
    for criterion in rubric.criteria:
        lines.append(f"{criterion.id}: {criterion.text}")
        lines += [f"  {anchor.mark:g}: {anchor.text}" for anchor in criterion.anchors]
    return "\n".join(lines)
