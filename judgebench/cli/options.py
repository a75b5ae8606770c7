"""Options that several commands share, each declared once."""

import math
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator; help lists them in this order."""

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


class Number(click.FloatRange):
    """A finite number: click takes *nan* for a number that no range leaves out."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click declares it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401 - as click declares it
        """The number, or click's own line."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def view(option: str, words: str) -> Callable[[F], F]:
    """A flag that asks for a page of its own; `view_of` takes all of a command's."""
    return click.option(f"--{option}", f"view_{option}", is_flag=True, help=words)


def view_of(given: dict[str, Any]) -> str | None:
    """Take the flags of `view` out of what was given: the one page, None for the usual one.

    Raises:
        click.UsageError: Several were asked for.
    """
    flags = [name for name in given if name.startswith("view_")]
    names = [name.removeprefix("view_") for name in flags if given.pop(name)]
    if len(names) > 1:
        flags = [f"--{name}" for name in names]
        raise click.UsageError(f"{', '.join(flags)} are pages of their own: ask for one at a time")
    return names[0] if names else None


class Pages(click.Command):
    """A command with pages of its own: a name behind the flag of one is told apart."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Click's own, with what a name behind --arms would need."""
        given = [one for one in args if one in {"--arms", "--items"}]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as exc:
            if not given or "unexpected extra argument" not in exc.message:
                raise
            words = f"{given[0]} is a page of all of them here and takes no names"
            if given[0] == "--arms":
                words += "; check, score and power choose arms by --arms A,B"
            raise click.UsageError(f"{exc.message.rstrip('.')}: {words}", ctx) from None


run = click.argument("run", type=click.Path(path_type=Path))
rubric = click.option(
    "--rubric",
    metavar="NAME|FILE",
    help="Rubric; default: usecase where run.yaml names a job, else answer.",
)
overlay = click.option(
    "--overlay",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Fills the parameters of a rubric of deductions (default: what run.yaml names).",
)
rubric_of_bridge = click.option(
    "--rubric",
    metavar="NAME|FILE",
    help="With --bridge: the new rubric (default: the pass's own).",
)
# Where a name is left out the value is empty, and whoever looks it up lists those that there are.
_NAMED: dict[str, Any] = {"is_flag": False, "flag_value": ""}

judge = click.option(
    "--judge",
    **_NAMED,
    metavar="NAME",
    help="provider/model, a name from judges.toml, or replay:FILE.",
)
judges = click.option(
    "--judge",
    "judges",
    multiple=True,
    **_NAMED,
    metavar="NAME",
    help="provider/model, a name from judges.toml, or replay:FILE; several are a jury.",
)
repeats = click.option(
    "--repeats",
    type=click.IntRange(1, 100),
    help="Judge every cell so often (default: once, and for the noise 10 % of the cells twice, "
    "12 to 60; of fewer than 20 cells none).",
)
mode = click.option(
    "--mode",
    type=click.Choice(["pointwise", "listwise", "pairwise"]),
    default=None,
    metavar="MODE",
    help="pointwise: one output a request (default); listwise: all of an item; "
    "pairwise: each two of an item, in both orders.",
)
seed = click.option("--seed", type=click.IntRange(0, 2**48 - 1), help="Order, labels and frames.")
blind = click.option(
    "--blind",
    type=click.Choice(["mask", "flag", "strict"]),
    default="mask",
    show_default=True,
    help="Identity strings in outputs: masked, only flagged, or blocked.",
)
split_criteria = click.option(
    "--split-criteria", is_flag=True, help="One criterion a request instead of all in one."
)
tools = click.option(
    "--tools",
    type=click.Choice(["off", "auto"]),
    default="off",
    show_default=True,
    help="auto: of a project that its budget does not show whole, the judge may list, read and "
    "search the rest, in up to 12 replies.",
)
controls = click.option(
    "--controls",
    type=click.IntRange(0, 100_000),
    envvar="JUDGE_CONTROLS",
    metavar="N",
    help="Planted outputs with a known right treatment (default: 10 % of the requests, at least "
    "3; 0: none). JUDGE_CONTROLS sets it for all commands.",
)
probe_blindness = click.option(
    "--probe-blindness",
    is_flag=True,
    help="After marking, ask the judge who wrote up to 60 of the outputs.",
)
require_controls = click.option(
    "--require-controls",
    is_flag=True,
    help="Exit 1 where a judge fails a kind of control, or no control of it is decided.",
)


def _some(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    """Names as they were typed; none at all is a slip, and would mean all."""
    if text is not None and not names(text):
        raise click.BadParameter(f"{text!r} names nothing; write A,B, or leave it out for all")
    return text


arms = click.option("--arms", metavar="A,B", callback=_some, help="Only these arms.")
prompt = click.option(
    "--prompt",
    type=click.Path(path_type=Path),
    help="The prompt, where the folder holds none.",
)
no_prompt = click.option("--no-prompt", is_flag=True, help="There is no prompt; the marks say so.")
columns = click.option(
    "--map", "columns", metavar="item=COL,arm=COL", help="Column names of outputs.jsonl or CSV."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Machine output on stdout.")
quiet = click.option("-q", "--quiet", is_flag=True, help="Nothing on stderr but errors.")
verbose = click.option(
    "-v", "--verbose", is_flag=True, help="One line a request on stderr: key, item, outcome."
)
no_html = click.option("--no-html", is_flag=True, help="Leave report.html as it is.")
pass_id = click.option(
    "--pass", "pass_id", **_NAMED, metavar="ID", help="This pass (table --passes lists all)."
)
of_judge = click.option(
    "--judge",
    "judge",
    **_NAMED,
    metavar="NAME",
    help="The first complete pass of this judge, else its fullest.",
)

passes = click.option(
    "--pass", "passes", **_NAMED, metavar="A,B", help="These passes, the first as base."
)
panel = click.option(
    "--panel", is_flag=True, help="All judges that were asked the same, with equal weight."
)
delta = click.option(
    "--delta",
    type=Number(min=0, min_open=True),
    metavar="POINTS",
    help="Difference that another design is to find (default: a point of ten).",
)


asking = together(repeats, mode, seed, blind, split_criteria, tools, controls)
"""How the outputs of a new pass are asked about."""
taking = together(arms, prompt, no_prompt, columns)
"""Which answers of a run are taken, and where the folder holds what."""
sending = together(
    click.option(
        "--concurrency",
        type=click.IntRange(1, 1024),
        default=16,
        show_default=True,
        help="Requests in flight at most.",
    ),
    click.option(
        "--timeout",
        "timeout_s",
        type=Number(min=0.1),
        metavar="SECONDS",
        help="Clock over one whole call to the judge (default 120, or judges.toml).",
    ),
    click.option(
        "--budget-usd",
        type=Number(min=0),
        help="Stop before this is exceeded, all judges together.",
    ),
    click.option(
        "--max-requests",
        type=click.IntRange(min=0),
        help="Calls at most, all judges together.",
    ),
    click.option("--dry-run", is_flag=True, help="Check, plan and price; send nothing."),
)
"""What goes to a judge: how fast, how much."""
failures = together(
    click.option("--retry-blocked", is_flag=True, help="Ask blocked judgments again."),
    click.option(
        "--max-judge-failures",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="More blocked judgments than this: exit 3.",
    ),
)
"""Judgments that came to nothing on the judge's side."""


def pairs(text: str | None) -> dict[str, str]:
    """Read ``a=b,c=d`` as a mapping; quotes that a shell left around a name go.

    Raises:
        click.BadParameter: a part has no ``=``.
    """
    out: dict[str, str] = {}
    for part in (text or "").split(","):
        if not part.strip():
            continue
        name, sign, value = part.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise click.BadParameter(f"{part!r} is not name=column", param_hint="--map")
        out[name.strip()] = _unquoted(value.strip())
    return out


def _unquoted(value: str) -> str:
    quoted = len(value) > len("''") and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def names(text: str | None) -> tuple[str, ...]:
    """Read ``a,b`` as names."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def passes_named(text: str | None) -> tuple[str, ...]:
    """Read ``a,b`` as passes; an option without any is no option left out."""
    return names(text) or (() if text is None else ("",))


ASKED = {
    "rubric": "--rubric",
    "overlay": "--overlay",
    "mode": "--mode",
    "repeats": "--repeats",
    "seed": "--seed",
    "blind": "--blind",
    "split_criteria": "--split-criteria",
    "tools": "--tools",
    "arms": "--arms",
    "prompt": "--prompt",
    "no_prompt": "--no-prompt",
    "columns": "--map",
    "empty_as": "--empty-as",
    "accept_cut": "--accept-cut",
    "block_cut": "--block-cut",
    "require_quotes": "--require-quotes",
}
"""Options that say what is judged and how: the next command needs them again."""
_DEFAULTS = {"blind": "mask", "tools": "off", "empty_as": "blocked"}


def typed(given: Mapping[str, Any]) -> dict[str, str]:
    """Options of `ASKED` that were given, each as it is typed again."""
    found = {}
    for name, option in ASKED.items():
        value = given.get(name)
        if value is True:
            found[option] = option
        elif value not in {None, False, _DEFAULTS.get(name)}:
            found[option] = f"{option} {shlex.quote(str(value))}"
    return found
