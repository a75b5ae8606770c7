"""Plots are drawn in a process of their own, while the page is written.

The plotting library and its native parts take some 40 MiB, which a pass that has just
judged ten thousand outputs must not pay on top of its own; and where it fails, it takes
nothing with it.
"""

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from markupsafe import Markup

from judgebench.errors import PlotError
from judgebench.reports.plot_shapes import Plot
from judgebench.text import one_line

# The folder that one stands in is no place to import from: it holds what is judged.
_COMMAND = (sys.executable, "-P", "-m", "judgebench.reports.drawing")


class Pictures:
    """What is being drawn; the first look at a picture waits for all."""

    def __init__(self, plots: Sequence[Plot], process: subprocess.Popen[bytes]) -> None:
        self._plots, self._process = plots, process
        self._drawn: dict[str, Markup] = {}

    def of(self, plot: Plot) -> Markup:
        """The picture of one of the plots.

        Raises:
            PlotError: The plots cannot be drawn.
        """
        if not self._drawn:
            self._drawn = self._read()
        return self._drawn[plot.key]

    def _read(self) -> dict[str, Markup]:
        out, said = self._process.communicate()
        if self._process.returncode:
            raise _failed(said.decode(errors="replace"))
        try:
            # After whatever a library or the start of the interpreter printed.
            drawn = json.loads(out.splitlines()[-1])
            return {
                one.key: Markup(picture)  # noqa: S704 - our own process escaped it
                for one, picture in zip(self._plots, drawn, strict=True)
            }
        except (ValueError, TypeError, IndexError):
            raise _failed(f"{_COMMAND[-1]} gave no plots") from None


def _failed(said: str) -> PlotError:
    last = one_line((said.strip().splitlines() or ["no word why"])[-1])
    return PlotError(
        f"report.html is not written: no plots ({last}); install lets-plot anew, or take --no-html"
    )


class Drawer:
    """The process that draws, from before it is known what: its library takes long to load."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def draw(self, plots: Sequence[Plot]) -> Pictures:
        """Begin to draw; once alone."""
        _send(plots, self._process)
        return Pictures(plots, self._process)


@contextmanager
def drawer() -> Iterator[Drawer]:
    """Start the process; what it has drawn and nobody looked at is thrown away at the end.

    Raises:
        PlotError: There is no room for another process.
    """
    with _started() as process:
        try:
            yield Drawer(process)
        finally:
            process.kill()


@contextmanager
def drawing(plots: Sequence[Plot], by: Drawer | None = None) -> Iterator[Pictures]:
    """Begin to draw, by a process that has started before or by one of these plots alone.

    Raises:
        PlotError: There is no room for another process.
    """
    if by is not None:
        yield by.draw(plots)
        return
    with drawer() as own:
        yield own.draw(plots)


def _started() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - our own module
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except OSError as exc:
        raise _failed(str(exc)) from None


def _send(plots: Sequence[Plot], process: subprocess.Popen[bytes]) -> None:
    stdin, process.stdin = process.stdin, None
    # Where it has ended already, what it said is reported at the first look.
    with suppress(BrokenPipeError):
        if stdin:
            with stdin:
                pickle.dump(plots, stdin)
