"""Read a position from an argument, standard input, or a file that the argument names."""

import sys
from pathlib import Path

STREAM = "-"

_LARGEST = 1 << 16
"""Maximum size in bytes of pasted input: a position and some text around it."""


def given_position(text: str) -> str:
    """Return the position text, read from standard input or a file if so given.

    Parameters
    ----------
    text : str
        ``-`` for standard input, the name of a file, or a position, which contains no dot.

    Raises
    ------
    PositionError
        If standard input is closed or empty, or the input is too long.

    Examples
    --------
    >>> given_position("LwAAwC0AAAAAAA")
    'LwAAwC0AAAAAAA'
    """
    from bearoff import PositionError

    if text == STREAM:
        name = "standard input"
        if sys.stdin is None:
            raise PositionError("standard input is closed; give a position")
        data = sys.stdin.buffer.read(_LARGEST + 1)
    elif "." in text and "\n" not in text and Path(text).is_file():
        name = text
        with Path(text).open("rb") as file:
            data = file.read(_LARGEST + 1)
    else:
        return text
    if len(data) > _LARGEST:
        raise PositionError(f"{name} holds more than one position; use --from for many")
    found = data.decode("utf-8-sig", errors="replace").strip()
    if not found:
        raise PositionError(f"{name} holds no position")
    return found
