"""The messages of one request about one project, and the version of what they say.

As with marks, nothing but what has a parameter here reaches the judge.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from judgebench.judges import prompts, toolbox
from judgebench.judges.finding_reply import MOST_OTHER, FindingForm, protocol_sha256
from judgebench.model.collected import Item
from judgebench.model.deductions import Deductions, Evidence
from judgebench.model.nouns import Mode, Rendered
from judgebench.model.rubric import Rubric
from judgebench.model.turns import MOST_TURNS
from judgebench.text import digest, one_line, sha256_text

FOLDER = "findings"
TOOLS = "tools"
_FACT = 400


@cache
def findings_version() -> str:
    """What a judge of projects is told, as 16 hexadecimal digits."""
    made = {"templates": prompts.sources_of(FOLDER), "reply": protocol_sha256()}
    return digest(made)[:16]


@cache
def tools_version() -> str:
    """The same of a judge that may read with tools."""
    made = {"findings": findings_version(), "tools": toolbox.toolset_sha256()}
    return digest(made | {"told": prompts.source_sha256(TOOLS, "system")})[:16]


def version_for(rubric: Rubric, mode: Mode, *, tools: bool = False) -> str:
    """What a judge is told under this rubric in this mode, with tools or without."""
    if tools:
        return tools_version()
    return findings_version() if rubric.deductions else prompts.prompt_version(mode)


@lru_cache(maxsize=16)
def _system(
    intro: str, rules: Deductions, criteria: tuple[str, ...], report: str | None
) -> tuple[str, str]:
    text = prompts.template(FOLDER, "system").render(
        intro=intro.strip(),
        most_other=MOST_OTHER,
        criteria=[
            {
                "id": one.id,
                "text": " ".join(one.text.split()),
                "others": one.other is not None,
                "entries": [
                    {
                        "id": entry.id,
                        "when": " ".join(entry.when.split()),
                        "counts": entry.counts.value,
                        "absent": entry.evidence is Evidence.ABSENT,
                        "library": entry.about_library,
                        "patterns": entry.patterns,
                        "paths": entry.paths,
                    }
                    for entry in one.entries
                ],
            }
            for one in map(rules.criterion, criteria)
        ],
    )
    if report is not None:
        text = f"{text.rstrip()}\n\n" + prompts.template(TOOLS, "system").render(
            report=report,
            turns=MOST_TURNS,
            calls=toolbox.MOST_CALLS,
            lines=toolbox.MOST_LINES,
        )
    return text, sha256_text(text)


def build(
    form: FindingForm,
    item: Item,
    project: str,
    *,
    frame: str,
    facts: Sequence[str] = (),
    tools: bool = False,
    key: str = "",
) -> Rendered:
    """Build the messages of one request.

    Args:
        form: The reply that is asked for; its rubric is shown.
        item: Brief, evidence and reference are shown.
        project: The packed project.
        frame: The unguessable word of this request's frames.
        facts: What code has found out about the project, a line each.
        tools: Whether the judge may read more with tools.
        key: The request's key, taken over and not shown.

    Raises:
        ValueError: A text holds the frame's word, or the rubric is one of marks.
    """
    rules = form.rubric.deductions
    if rules is None:
        raise ValueError(f"{form.rubric.name} is a rubric of marks")
    known = [one_line(fact, _FACT) for fact in facts]
    shown = [item.prompt, item.reference or "", project, *known]
    shown += [piece.text for piece in item.evidence]
    if not frame or any(frame in text for text in shown):
        raise ValueError("the frame's word must not stand in a framed text")
    system, system_sha256 = _system(
        form.rubric.intro, rules, form.criteria, form.name if tools else None
    )
    user = prompts.template(FOLDER, "user").render(
        frame=frame,
        prompt=item.prompt,
        evidence=[
            {"name": one_line(piece.name, prompts.NAME_LIMIT), "text": piece.text}
            for piece in item.evidence
        ],
        reference=item.reference,
        facts=known,
        project=project.rstrip("\n"),
        criteria=form.criteria,
    )
    return prompts.rendered(
        form,
        key=key,
        system=system,
        user=user,
        sha256=prompts.said_sha256(system_sha256, user, form.schema_sha256),
    )
