"""Which kind of rubric a file means to be; apart, so that marks load no schema of faults."""

from judgebench.formats.located import Located

KIND = "deductions"


def is_deductions(located: Located) -> bool:
    """Say whether a file means to be a rubric of deductions."""
    return isinstance(located.data, dict) and (
        located.data.get("kind") == KIND or "extends" in located.data
    )
