"""Where the installed `judge` begins, before anything is loaded.

An interrupt is one line even while modules load, and a version needs none of them.
"""

import sys


def version_line() -> str:
    """The version of the installed package, as its metadata has it."""
    from importlib.metadata import version  # noqa: PLC0415 - slow to load, and seldom asked for

    return f"judge {version('judgebench')}"


def main() -> None:
    """Load the command line and run it."""
    try:
        if sys.argv[1:] == ["--version"]:
            sys.stdout.write(f"{version_line()}\n")
            return
        # Imported here: loading takes a moment, in which a user may change their mind.
        from judgebench.cli.main import main as run  # noqa: PLC0415 - as said

        run()
    except KeyboardInterrupt:
        sys.stderr.write("judge: interrupted; the same command goes on from here\n")
        sys.exit(130)
