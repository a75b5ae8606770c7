"""The judge's replies to the question in what outputs differ in kind, usable or not."""

from pathlib import Path

from judgebench.model.shown import ShownCall, ShownContrast
from judgebench.pipeline.setting.stored_run import stored_run


def contrast_replies(run: Path, cwd: Path, *, name: str) -> list[ShownContrast]:
    """The requests of a run whose key begins with a name; none where no comparison was asked.

    Raises:
        RunError: There is no such run in the store.
    """
    if not name:
        return []
    with stored_run(run, cwd) as (store, key, _):
        rows = store.records("contrast_replies", run=key, start=name)
    found: dict[str, ShownContrast] = {}
    for row in rows:
        before = found.get(row["key"])
        calls = () if row["attempt"] is None else (
            ShownCall(
                attempt=row["attempt"], system=row["system"] or "", user=row["user_text"] or "",
                outcome=row["outcome"], http_status=row["http_status"], body=row["body"] or "",
                error=row["error"] or "",
            ),
        )  # fmt: skip
        found[row["key"]] = ShownContrast(
            key=row["key"], pass_id=row["pass_id"], item=row["item"],
            judge_name=row["judge_name"], status=row["status"], reason=row["reason"],
            message=row["message"] or "", calls=(*(before.calls if before else ()), *calls),
        )  # fmt: skip
    return list(found.values())
