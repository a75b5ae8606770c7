"""How many arms are compared: every two of them are, so that twice as many cost four times."""

from judgebench.errors import RunError

MOST_ARMS = 1_000
"""Arms that one table, plan or report compares: 499,500 pairs."""
CHOOSE = "choose some with --arms A,B"
"""What to do where a command takes a choice of arms."""
_ELSE = "judge or import fewer under another run; judge power takes --arms A,B"


def refuse_many(run: object, arms: int, fix: str = _ELSE) -> None:
    """Refuse arms that are too many to be compared, before any work is done.

    Args:
        run: As the user knows it.
        arms: How many would be compared.
        fix: What to do.

    Raises:
        RunError: They are more than `MOST_ARMS`.
    """
    if arms > MOST_ARMS:
        pairs = arms * (arms - 1) // 2
        raise RunError(
            str(run), f"has {arms:,} arms, {pairs:,} pairs; at most {MOST_ARMS:,} are compared", fix
        )
