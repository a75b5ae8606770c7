"""The fairness settings of a run in words: token budget, timeout, and where CLI arms worked."""

from collections.abc import Sequence

from judgebench.model.checked import ArmCheck
from judgebench.model.collected import Settings
from judgebench.model.result import ArmResult, Result
from judgebench.reports.digits import listed, plural
from judgebench.text import one_line

CLI_FOLDER = "folder of CLI arms"


def fairness(result: Result) -> str:
    """Token budget, timeout and folder of CLI arms; what is unknown and what follows."""
    settings, unknown = result.settings, unknown_settings(result)
    parts = []
    if settings.max_tokens is not None:
        parts.append(f"budget {settings.max_tokens:,} tokens")
    if settings.timeout_s is not None:
        parts.append(f"timeout {settings.timeout_s:g} s")
    if CLI_FOLDER not in unknown:
        parts.append(_folder(result))
    if not is_reproducible(result):
        parts.append(_not_reproducible(result, unknown))
    return " · ".join(parts)


def _not_reproducible(result: Result, unknown: list[str]) -> str:
    """The mark with what is unknown: settings of the run, else fields of its records."""
    fields = [one_line(name, 20) for name, count in sorted(result.unknowns.items()) if count]
    what = ", ".join(unknown) or listed(fields)
    return f"not reproducible: {what} unknown" if what else "not reproducible"


def is_reproducible(result: Result) -> bool:
    """Whether all that the fairness settings need is known."""
    return result.reproducible and not unknown_settings(result)


def unknown_settings(result: Result) -> list[str]:
    """The fairness settings that are not on record."""
    settings = result.settings
    return [
        word
        for word, missing in (
            ("token budget", settings.max_tokens is None),
            ("timeout", settings.timeout_s is None),
            (CLI_FOLDER, _has_cli(result) and _folder_unknown(settings)),
        )
        if missing
    ]


def _has_cli(result: Result) -> bool:
    return any(arm.arm.kind == "cli" for arm in result.arms)


def _folder_unknown(settings: Settings) -> bool:
    return settings.cli_cwd not in {"empty", "repo"}


def _no_cli(result: Result) -> str:
    """That no arm is of a CLI; where nobody says of each arm what it is, that is not known."""
    known = result.declared and not result.kinds_unsaid
    return "no CLI arms" if known else "CLI arms unknown"


def said_kind(result: Result, arm: ArmResult) -> str | None:
    """Whether an arm is of a CLI; None where nobody says it."""
    if result.judging.marks_only or arm.arm.id in (result.kinds_unsaid or ()):
        return None
    return arm.arm.kind


def folder_words(result: Result) -> str:
    """Where CLI arms worked, for the list of fairness settings."""
    if not _has_cli(result):
        return _no_cli(result)
    if _folder_unknown(result.settings):
        return "unknown"
    if result.settings.cli_cwd != "empty":
        return "not empty"
    if result.unknowns.get("cwd"):
        return "empty (not on record for all)"
    return f"empty{but_for(result.arms)}"


def but_for(arms: Sequence[ArmResult] | Sequence[ArmCheck]) -> str:
    """The answers whose folder was not empty after all, behind the word empty."""
    found = sum(b.count for arm in arms for b in arm.blocked if b.reason == "contaminated")
    return f" but for {plural(found, 'blocked answer')}" if found else ""


def _folder(result: Result) -> str:
    if not _has_cli(result):
        return _no_cli(result)
    if result.settings.cli_cwd == "repo":
        return "CLI arms in a folder that was not empty"
    if result.unknowns.get("cwd"):
        return "CLI arms in an empty folder (not on record for all)"
    found = but_for(result.arms)
    return f"CLI folder empty{found}" if found else "CLI arms in an empty folder"
