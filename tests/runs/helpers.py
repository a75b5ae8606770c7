"""What the tests of runs share: a run.yaml and a writer of files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RUN_YAML = """\
use_case: {key: notice.write, project: library, job: Tell visitors what they must know.}
settings: {max_tokens: 400, timeout_s: 60, cli_cwd: empty, cache: false, fallback: "off"}
items: [n1, {id: n2}]
arms:
  - {id: north, provider: one, model: model-a, note: plain}
  - {id: south, provider: two, model: model-b, aliases: [bee]}
canaries: [intake/sorter.py]
ambiguities: [{what: The tone is left open., undefined_fields: [tone]}]
collected_at: "2026-09-05"
collector: by hand
"""


def put(path: Path, content: str | bytes | Mapping[str, Any]) -> Path:
    """Write a file with its folders; a mapping becomes JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path
