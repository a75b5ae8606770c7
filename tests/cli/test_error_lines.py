"""No line of an error is a wall of words."""

import ast
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import judgebench
from judgebench import errors
from judgebench.cli import main

MOST = 105
"""Own words of one error; names, paths and what was found come on top of them."""


def _own(node: ast.AST) -> str:
    """What is written in the source of a message, the longer branch where there are two."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_own, node.values))
    if isinstance(node, ast.IfExp):
        return max(_own(node.body), _own(node.orelse), key=len)
    return _own(node.left) + _own(node.right) if isinstance(node, ast.BinOp) else ""


def _messages() -> Iterator[tuple[str, str]]:
    names = {name for name, one in vars(errors).items() if isinstance(one, type)}
    for path in Path(judgebench.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in names:
                said = "; ".join(filter(None, map(_own, node.args)))
                yield f"{path.name}:{node.lineno}", said


def test_errors_are_short() -> None:
    """Where, what and what to do have room in a line or little more."""
    found = list(_messages())
    assert len(found) > 300
    assert [(where, said) for where, said in found if len(said) > MOST] == []


class _Terminal(io.StringIO):
    """Says that somebody reads it."""

    def isatty(self) -> bool:
        """Always."""
        return True


@pytest.mark.parametrize("reader", [True, False])
def test_an_error_is_broken_between_words_for_a_reader_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, reader: bool
) -> None:
    """A terminal gets whole words in its columns, a log one line."""
    err = _Terminal() if reader else io.StringIO()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(sys, "argv", ["judge", "table", "runs/" + "far-" * 9 + "away"])
    with pytest.raises(SystemExit) as left:
        main.main()
    assert left.value.code == 2
    lines = err.getvalue().splitlines()
    assert " ".join(line.strip() for line in lines).endswith(
        "name a run folder or a table of outputs"
    )
    assert len(lines) == (4 if reader else 1)
    assert not reader or all(len(line) <= 50 for line in lines)
