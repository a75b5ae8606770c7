"""Small projects, a short rubric of deductions, and replies that report what is in them."""

import copy
import shutil
from pathlib import Path
from typing import Any

import yaml

RUBRIC = """\
kind: deductions
name: service
version: "1"
intro: You audit a small service. It must use ${library}.
parameters:
  library: {text: The library., default: the library of the brief}
criteria:
  - id: parts
    head: parts
    text: Is everything there?
    max: 40
    deductions:
      - id: no-container
        points: 10
        when: There is no file that builds the service into an image.
        evidence: absent
        paths: [Dockerfile]
      - id: stock-readme
        points: 5
        when: The README says nothing about the service.
  - id: errors
    text: What happens when a call fails?
    max: 40
    deductions:
      - id: unhandled
        points: 20
        when: No call handles a failure.
      - id: swallowed
        points: 5
        when: A failure is caught and nobody learns of it.
        counts: per_find
        unless: [unhandled]
    other: {points: 3, at_most: 6}
  - id: running
    text: Could it run for strangers?
    max: 20
    deductions:
      - id: secret
        points: 10
        when: A key stands in the project.
        detect: secrets
      - id: debug
        points: 5
        when: Debugging is left on.
caps:
  - {finding: unhandled, target: parts, cap: 25}
gates:
  - {finding: secret, cap: 75}
tiers:
  - {name: A, at_least: 80}
  - {name: B, at_least: 60}
  - {name: C, at_least: 0}
"""

BRIEF = "Write a small service that asks the weather library for tomorrow's weather."

FILES: dict[str, dict[str, str]] = {
    "north": {
        "README.md": "# Weather\n\nStart it with `make run`.\n",
        "Dockerfile": "FROM python:3.12\nCOPY . /app\nCMD python app.py\n",
        "app.py": (
            "import weather\n\n# asks for one town\ndef tomorrow(town):\n    try:\n"
            "        return weather.ask(town)\n    except weather.Down:\n        return None\n"
        ),
    },
    "south": {
        "README.md": "# Readme\n",
        "app.py": (
            "import weather\n\n\ndef tomorrow(town):\n    return weather.ask(town)\n"
            "\n\nDEBUG = True\n"
        ),
        "notes/CLAUDE.md": "written by an agent\n",
    },
}

SWALLOWED = {
    "fault": "swallowed",
    "file": "app.py",
    "first_line": 7,
    "last_line": 8,
    "excerpt": "    except weather.Down:\n        return None",
    "names": [],
    "why": "The caller gets None and no word.",
}
UNHANDLED = {
    "fault": "unhandled",
    "file": "app.py",
    "first_line": 4,
    "last_line": 5,
    "excerpt": "def tomorrow(town):\n    return weather.ask(town)",
    "names": [],
    "why": "Nothing catches a failure.",
}
DEBUG = {
    "fault": "debug",
    "file": "app.py",
    "first_line": 8,
    "last_line": 8,
    "excerpt": "DEBUG = True",
    "names": [],
    "why": "It is on for everybody.",
}
INVENTED = {**DEBUG, "excerpt": "DEBUG = 'always'", "why": "It is said to stand there."}
NO_CONTAINER = {
    "fault": "no-container",
    "patterns": [],
    "paths": ["**/Dockerfile"],
    "why": "No Dockerfile.",
}


def report(**found: list[dict[str, Any]]) -> dict[str, Any]:
    """A reply of the stub: finds by criterion, each present or absent by its own fields."""
    findings = {
        criterion: {
            "present": [one for one in given if "file" in one],
            "absent": [one for one in given if "file" not in one],
        }
        for criterion, given in found.items()
    }
    return {"verdict": {"text": "Looked at app.py.", "findings": findings}}


NORTH = report(errors=[SWALLOWED])
SOUTH = report(parts=[NO_CONTAINER], errors=[UNHANDLED], running=[DEBUG])
SOUTH_LESS = report(parts=[NO_CONTAINER], errors=[UNHANDLED])
PLAN: dict[str, Any] = {
    "rules": [
        {"when_body_has": "asks for one town", "replies": [NORTH]},
        {"when_body_has": "DEBUG = True", "replies": [SOUTH, SOUTH_LESS, SOUTH]},
    ]
}


def plan(**rules: list[dict[str, Any]]) -> dict[str, Any]:
    """`PLAN` with other replies for ``north`` or ``south``."""
    made = copy.deepcopy(PLAN)
    for place, arm in enumerate(("north", "south")):
        if arm in rules:
            made["rules"][place]["replies"] = rules[arm]
    return made


def write_project(folder: Path, files: dict[str, str]) -> None:
    """One project folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def write_run(root: Path, files: dict[str, dict[str, str]] | None = None) -> Path:
    """A run with one brief and one project an arm."""
    run = root / "runs" / "code"
    shutil.rmtree(run, ignore_errors=True)
    (run / "items" / "app").mkdir(parents=True)
    (run / "items" / "app" / "prompt.md").write_text(BRIEF, encoding="utf-8")
    arms = FILES if files is None else files
    for arm, given in arms.items():
        write_project(run / arm / "app" / "project", given)
    facts = {
        "use_case": {"key": "app", "job": "Build the service."},
        "settings": {"max_tokens": 8000, "timeout_s": 600},
        "items": ["app"],
        "arms": [{"id": arm} for arm in arms],
    }
    (run / "run.yaml").write_text(yaml.safe_dump(facts), encoding="utf-8")
    return run
