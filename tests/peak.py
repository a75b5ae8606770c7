"""Peak memory of a piece of Python in an interpreter of its own.

`ru_maxrss` will not do: it counts what other tests took in this process, and a child
begins with its parent's.
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

_STATUS = Path("/proc/self/status")
_CODE = """
import atexit, pathlib, re, sys
def _peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
{imports}
_before = _peak()
atexit.register(lambda: print("PEAK", _before, _peak(), file=sys.stderr))
{code}
"""

needs_proc = pytest.mark.skipif(not _STATUS.exists(), reason="needs /proc for the peak")


@dataclass(frozen=True, kw_only=True)
class Peak:
    """What it printed and its peaks in MiB: with the imports done, and in all."""

    code: int
    out: str
    err: str
    imported_mib: float
    mib: float

    @property
    def grown_mib(self) -> float:
        """What the work itself took."""
        return self.mib - self.imported_mib


def peak(imports: str, code: str, *words: str | Path, cwd: Path | None = None) -> Peak:
    """Run `code` after `imports` in a fresh interpreter, with `words` as its arguments."""
    done = subprocess.run(
        [sys.executable, "-c", _CODE.format(imports=imports, code=code), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )
    found = re.search(r"^PEAK (\d+) (\d+)$", done.stderr, re.MULTILINE)
    assert found, done.stderr
    before, after = (int(part) / 1024 for part in found.groups())
    return Peak(
        code=done.returncode,
        out=done.stdout,
        err=done.stderr,
        imported_mib=before,
        mib=after,
    )
