"""The house holds: floors of imports, docstrings, and no word that does not belong here."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "judgebench").rglob("*.py"))


def test_imports_run_downwards_only() -> None:
    """The import contracts of pyproject.toml are kept."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports")], cwd=ROOT, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_say_what_they_are(path: Path) -> None:
    """Every module and everything public in it has a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), path
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{path.name}: {node.name}"


def test_tracked_text_speaks_of_the_product_only() -> None:
    """No path of a machine and no host of a package registry stands in a tracked file."""
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    wrong = re.compile(r"/(?:roo[t]|wor[k])/|(?:pyp[i]|npmj[s]|pythonhoste[d])\.(?:org|com)")
    for name in filter(None, names):
        path = ROOT / name
        if not path.is_file() or path.suffix in {".parquet", ".duckdb"}:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found = wrong.search(text)
        assert found is None, f"{name}: {found}"
