"""A fresh workspace from what the package carries: rubrics and one small run."""

import shutil
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path

from judgebench.errors import RunError

JUDGES_TOML = """\
# Judges of this workspace (`judge explain judges` lists every key).
# default = "local"

# [judges.local]
# model = "your-model"
# base_url = "http://127.0.0.1:8000/v1"
"""


def make_workspace(folder: Path) -> list[Path]:
    """Write judges.toml, rubrics/ and runs/single-item/; what exists is left alone.

    Returns:
        What was written.

    Raises:
        RunError: The folder cannot be written.
    """
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        toml = folder / "judges.toml"
        if not toml.exists():
            toml.write_text(JUDGES_TOML, encoding="utf-8")
            written.append(toml)
        for name in ("rubrics", "runs/single-item"):
            target = folder / name
            if target.exists():
                continue
            with as_file(_carried(name)) as source:
                shutil.copytree(source, target)
            written.append(target)
    except OSError as exc:
        raise RunError(folder, f"cannot be written ({exc.strerror})", "name another") from None
    return written


def _carried(name: str) -> Traversable:
    """A folder of the package; in a clone it stands beside the package."""
    package = files("judgebench")
    packed = package / "data" / name
    return packed if packed.is_dir() else package / ".." / name
