"""Where the installed `judge` begins: an interrupt is one line even while modules load."""

import sys


def main() -> None:
    """Load the command line and run it."""
    try:
        # Imported here: loading takes a moment, in which a user may change their mind.
        from judgebench.cli.main import main as run  # noqa: PLC0415 - as said

        run()
    except KeyboardInterrupt:
        sys.stderr.write("judge: interrupted; the same command goes on from here\n")
        sys.exit(130)
