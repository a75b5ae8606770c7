"""Is a Dockerfile or a compose file one that its tool could read? Nothing is built.

A compose file is looked at as nodes of YAML and never expanded, so that anchors that
multiply themselves cost nothing.
"""

import re
from collections.abc import Iterator, Sequence

import yaml

INSTRUCTIONS = frozenset(
    {
        "ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL",
        "MAINTAINER", "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR",
    }
)  # fmt: skip
_HEREDOC = re.compile(r"<<-?[\"']?([A-Za-z_]\w{0,60})[\"']?")
_ESCAPE = re.compile(r"#\s*escape\s*=\s*(\S)", re.IGNORECASE)


def dockerfile_fault(lines: Sequence[str]) -> tuple[str, int] | None:
    """What keeps a Dockerfile from being read, with its line; None where nothing does."""
    first = True
    count = 0
    for number, text in _instructions(lines):
        count += 1
        word, _, rest = text.partition(" ")
        name = word.upper()
        if name not in INSTRUCTIONS:
            return f"has no instruction {word[:40]}", number
        if not rest.strip():
            return f"has {name} without anything behind it", number
        if first and name not in {"FROM", "ARG"}:
            return f"begins with {name}, not with FROM", number
        first = first and name != "FROM"
    if first:
        return ("names no image to start FROM" if count else "is empty"), 1
    return None


def _instructions(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Instructions with their continued lines joined; here-documents are passed over."""
    escape = next((m.group(1) for line in lines[:3] if (m := _ESCAPE.match(line))), "\\")
    at = 0
    while at < len(lines):
        start, text = at, ""
        while at < len(lines):
            line = lines[at].strip()
            at += 1
            if line.startswith("#") or (text and not line):
                continue
            text += " " + line.removesuffix(escape).strip()
            if not line.endswith(escape):
                break
        if not text.strip():
            continue
        yield start + 1, " ".join(text.split())
        for end in (
            _HEREDOC.findall(text) if text.split()[0].upper() in {"RUN", "COPY", "ADD"} else ()
        ):
            at = _behind(lines, at, end)


def _behind(lines: Sequence[str], at: int, end: str) -> int:
    """The line behind a here-document; the same place where it never ends."""
    found = next((n for n in range(at, len(lines)) if lines[n].strip() == end), None)
    return at if found is None else found + 1


def compose_fault(text: str) -> tuple[str, int] | None:
    """What keeps a compose file from being read, with its line; None where nothing does."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as exc:
        line = exc.problem_mark.line + 1 if exc.problem_mark else 1
        return "is not valid YAML", line
    except (yaml.YAMLError, RecursionError, ValueError):
        return "is not valid YAML", 1
    return _root_fault(root)


def _root_fault(root: yaml.Node | None) -> tuple[str, int] | None:
    if not isinstance(root, yaml.MappingNode):
        return "is no mapping", 1
    services = _value(root, "services")
    if services is None:
        return "has no services", 1
    if not isinstance(services, yaml.MappingNode) or not services.value:
        return "has an empty list of services", services.start_mark.line + 1
    for name, service in services.value:
        if fault := _service_fault(service):
            return f"has a service {str(name.value)[:40]} {fault}", name.start_mark.line + 1
    return None


def _service_fault(service: yaml.Node) -> str:
    if not isinstance(service, yaml.MappingNode):
        return "that is no mapping"
    known = {"image", "build", "extends", "provider", "<<"}
    named = any(isinstance(key.value, str) and key.value in known for key, _ in service.value)
    return "" if named else "with neither image nor build"


def _value(node: yaml.MappingNode, key: str) -> yaml.Node | None:
    return next((value for name, value in node.value if name.value == key), None)
