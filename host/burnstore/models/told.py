"""What an error of the user's own code says."""

from burnpack.errors import printable


def told(error: BaseException) -> str:
    """Return what an error says, on one line, its class first."""
    try:
        text = str(error)
    except Exception:
        text = "(its text can't be had)"
    return printable(f"{type(error).__name__}: {text}")
