"""run.yaml for a folder that is laid out as a run already: written in place, arms listed."""

from collections.abc import Sequence
from pathlib import Path

from judgebench.errors import RunError
from judgebench.runs.declared import RUN_FILE
from judgebench.runs.folders import OUTPUT_NAMES, PROJECT
from judgebench.runs.laid_out import arm_items
from judgebench.runs.load import load_run
from judgebench.runs.load_table import TABLES
from judgebench.runs.wanted import listed
from judgebench.runs.write import SCHEMA_LINE, put_run_file, yaml_text

_SETTINGS = """\
# An arm counts as one bare call (kind: api). Write kind: cli at those of an agent or a
# command-line tool, else every table says that no arm is of a CLI; judge check says
# "CLI arms unknown" until each has its kind.
# What held for all arms; what is left out is unknown, and every table says so.
# settings:
#   max_tokens: 4096
#   timeout_s: 600
#   cli_cwd: empty
"""
_ANSWERS = frozenset((*OUTPUT_NAMES, PROJECT, "meta.json"))


def is_laid_out(path: Path) -> bool:
    """Whether a folder is a run without run.yaml: items, a table, or arms beside a prompt."""
    if not path.is_dir():
        return False
    if (path / "items").is_dir() or any((path / name).is_file() for name in TABLES):
        return True
    return (path / "prompt.md").is_file() and any(map(_answers_in, path.iterdir()))


def _answers_in(path: Path) -> bool:
    return path.is_dir() and any((path / name).exists() for name in _ANSWERS)


def refuse_arms(paths: Sequence[Path]) -> None:
    """Refuse folders that hold answers to several items: each would become one answer.

    Raises:
        RunError: One of them is an arm of a run that is laid out.
    """
    for path in paths:
        if items := arm_items(path):
            raise RunError(
                path,
                f"is an arm with answers to items ({listed(items, 3)}), not one answer",
                f"name the run itself: judge init --from {path.parent}",
            )


def declare(path: Path, *, job: str = "") -> Path:
    """Write run.yaml into a run that is laid out.

    Args:
        path: The run folder.
        job: What an answer must do.

    Returns:
        The path of run.yaml.

    Raises:
        RunError: run.yaml is there already, or the folder cannot be read as a run.
    """
    target = path / RUN_FILE
    if target.exists():
        raise RunError(target, "exists already", "edit it, or choose another folder")
    run = load_run(path, no_prompt=True)
    use_case = {"key": run.name} | ({"job": job} if job else {})
    arms = [{"id": arm.id} for arm in run.arms]
    text = SCHEMA_LINE + yaml_text({"use_case": use_case, "arms": arms}) + _SETTINGS
    return put_run_file(target, text)
