"""Print the skipped tests of a JUnit file; fail on one that is not on a committed list.

Usage: skips.py JUNIT.xml ALLOWED.txt... A line of a list is a test, or a module with .* for all
of its tests; text after # is the reason.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def main(junit: str, *lists: str) -> int:
    """Compare the skips with the lists; 0 if all are on one."""
    lines = [line for one in lists for line in Path(one).read_text("utf-8").splitlines()]
    allowed = {line.split("#")[0].strip() for line in lines} - {""}
    bad = 0
    for case in ET.parse(junit).getroot().iter("testcase"):  # noqa: S314 - our own file
        skipped = case.find("skipped")
        if skipped is None:
            continue
        name = f"{case.get('classname')}.{case.get('name')}"
        ok = name in allowed or f"{case.get('classname')}.*" in allowed
        bad += not ok
        reason = skipped.get("message", "")
        sys.stdout.write(f"{'allowed' if ok else 'NOT ALLOWED'} skip: {name}: {reason}\n")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
