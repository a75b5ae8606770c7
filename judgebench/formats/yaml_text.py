"""Strict YAML: a text becomes plain values plus the line of every key.

What lenient readers pass in silence is refused here: double keys, aliases, tags,
second documents, numbers that overflow, words that YAML 1.1 would turn into
booleans or dates.
"""

import math
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import yaml

from judgebench.errors import FileFault
from judgebench.formats.located import Key, Located, Word, ambiguous, dotted
from judgebench.text import one_line

MAX_NODES = 200_000
MAX_DEPTH = 40


def parse_yaml(
    text: str,
    path: Path,
    fault: type[FileFault],
    *,
    keep_words: bool = False,
    max_nodes: int = MAX_NODES,
) -> Located:
    """Read one YAML document strictly.

    Args:
        text: The file's text.
        path: The file as the user named it.
        fault: The class of error to raise.
        keep_words: Give ambiguous unquoted words as `Word` instead of refusing them.
        max_nodes: Values and keys that the file may hold.

    Raises:
        FileFault: of the class `fault`, with line and key.
    """
    loader: _Loader | None = None
    try:
        loader = _Loader(text, max_nodes)
        documents = list(islice(loader.documents(), 2))
    except yaml.reader.ReaderError as exc:
        line = text.count("\n", 0, exc.position) + 1
        what = f"holds the control character U+{ord(text[exc.position]):04X}"
        raise fault(path, what, "take it out", line=line) from None
    except yaml.MarkedYAMLError as exc:
        # What is never closed is shown where it was opened, not at the end of the file.
        opened = exc.context_mark if "end of stream" in (exc.problem or "") else None
        mark = opened or exc.problem_mark or exc.context_mark
        line = mark.line + 1 if mark else 0
        what, fix = _yaml_problem(exc.problem or exc.context or "cannot be read")
        raise fault(path, what, fix, line=line) from None
    except _TooMuchError as exc:
        raise fault(path, exc.problem, exc.fix, line=exc.line) from None
    if not documents or _is_nothing(documents[0]):
        raise fault(path, "is empty", f"write its keys (judge explain {fault.page} shows them)")
    if len(documents) > 1:
        line = documents[1].start_mark.line + 1
        raise fault(path, "holds two YAML documents", "keep one document a file", line=line)
    reader = _Reader(path, fault, loader.tags, keep_words=keep_words)
    data = reader.value(documents[0], ())
    return Located(path=path, data=data, lines=reader.lines)


def _is_plain(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style is None


def _is_nothing(node: yaml.Node) -> bool:
    return _is_plain(node) and node.value == ""


_YAML_PROBLEMS = (
    ("'\\t'", "has a tab where YAML wants blanks", "indent with blanks"),
    (
        "expected <block end>",
        "is not valid YAML: this line does not stand under the ones above it",
        "align it with its neighbours",
    ),
    (
        "mapping values are not allowed",
        "is not valid YAML: a colon where no key can stand",
        "put the text in quotes, or align the key with its neighbours",
    ),
    (
        "expected ',' or",
        "is not valid YAML: a text in { } or [ ] is open or holds a mark that YAML reads itself",
        "close the bracket, or put the text in quotes",
    ),
    ("could not find expected ':'", "is not valid YAML: a key without a colon", "write key: value"),
    (
        "unexpected end of stream",
        "is not valid YAML: a quote is opened and never closed",
        "close it",
    ),
)
"""What PyYAML says, what a person is told, what to do."""


def _yaml_problem(said: str) -> tuple[str, str]:
    for mark, problem, fix in _YAML_PROBLEMS:
        if mark in said:
            return problem, fix
    return f"is not valid YAML: {one_line(said, 120)}", "mend this line"


class _TooMuchError(Exception):
    """The text is larger or deeper than a file that a person wrote."""

    def __init__(self, problem: str, fix: str, line: int) -> None:
        self.problem, self.fix, self.line = problem, fix, line
        super().__init__(problem)


class _Loader(yaml.SafeLoader):
    """Composes nodes within bounds and remembers which carried a tag."""

    def __init__(self, text: str, max_nodes: int) -> None:
        super().__init__(text)
        self.tags: dict[int, str] = {}
        self.left, self.depth = max_nodes, 0

    def documents(self) -> Iterator[yaml.Node]:
        """The documents of the text, composed one at a time."""
        while self.check_node():
            node = self.get_node()
            if node is not None:
                yield node

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:  # noqa: ANN401
        """Compose one node; the bounds hold before PyYAML's own recursion does."""
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        self.left -= 1
        line = event.start_mark.line + 1
        if self.left < 0:
            raise _TooMuchError("holds too many values", "make the file smaller", line)
        if self.depth > MAX_DEPTH:
            raise _TooMuchError(
                "is nested too deeply here", f"use at most {MAX_DEPTH} levels", line
            )
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        if node is not None and not isinstance(event, yaml.AliasEvent) and event.tag is not None:
            self.tags[id(node)] = event.tag
        return node


_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|nan)\Z", re.IGNORECASE)
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")
MAX_DIGITS = 18
_CONSTANTS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


class _Reader:
    """Turns composed nodes into plain values by the YAML 1.2 core rules."""

    def __init__(
        self, path: Path, fault: type[FileFault], tags: Mapping[int, str], *, keep_words: bool
    ) -> None:
        self.path, self.fault, self.tags, self.keep_words = path, fault, tags, keep_words
        self.lines: dict[Key, int] = {}
        self.seen: set[int] = set()

    def stop(self, node: yaml.Node, key: Key, problem: str, fix: str) -> NoReturn:
        raise self.fault(self.path, problem, fix, line=node.start_mark.line + 1, key=dotted(key))

    def value(self, node: yaml.Node, key: Key) -> Any:  # noqa: ANN401 - plain values
        if id(node) in self.seen:
            self.stop(node, key, "repeats another part by an alias (*)", "write it out")
        self.seen.add(id(node))
        self.lines[key] = node.start_mark.line + 1
        self._no_tag(node, key)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, key)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(child, (*key, i)) for i, child in enumerate(node.value)]
        return self._scalar(node, key)

    def _no_tag(self, node: yaml.Node, key: Key) -> None:
        if id(node) in self.tags:
            tag = one_line(self.tags[id(node)].replace("tag:yaml.org,2002:", "!!"), 60)
            self.stop(node, key, f"carries the tag {tag}", "leave tags out")

    def _mapping(self, node: yaml.MappingNode, key: Key) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.stop(key_node, key, "has a key that is not a word", "write a plain word")
            if id(key_node) in self.seen:
                self.stop(key_node, key, "has an alias (*) as a key", "write it out")
            self.seen.add(id(key_node))
            self._no_tag(key_node, key)
            name = key_node.value
            if key_node.tag == "tag:yaml.org,2002:merge":
                self.stop(key_node, key, "uses a merge key (<<)", "write the keys out")
            if name in out:
                first = self.lines[(*key, name)]
                self.stop(
                    key_node,
                    (*key, name),
                    f"stands twice (first in line {first})",
                    "keep one of the two",
                )
            out[name] = self.value(value_node, (*key, name))
            self.lines[(*key, name)] = key_node.start_mark.line + 1
        return out

    def _scalar(self, node: yaml.Node, key: Key) -> Any:  # noqa: ANN401 - plain values
        text: str = node.value
        if not _is_plain(node):
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        # PyYAML takes 1e5 for text, YAML 1.2 for a number: ask our own pattern first.
        if _FLOAT.match(text) and not _LEADING_ZERO.match(text):
            return self._number(node, key, text)
        if _NOT_FINITE.match(text):
            self.stop(node, key, f"is {text}", "write a finite number")
        if node.tag == "tag:yaml.org,2002:str":
            return text
        if self.keep_words:
            return Word(text)
        problem, _, fix = ambiguous(text).partition("; ")
        return self.stop(node, key, problem, f"{fix}, or another value")

    def _number(self, node: yaml.Node, key: Key, text: str) -> int | float:
        if _INT.match(text):
            if len(text.lstrip("+-")) > MAX_DIGITS:
                self.stop(node, key, f"is {one_line(text, 30)}", "write a smaller number")
            return int(text)
        number = float(text)
        if not math.isfinite(number):
            self.stop(
                node,
                key,
                f"is {one_line(text, 30)}, too large to count with",
                "write a smaller one",
            )
        return number
