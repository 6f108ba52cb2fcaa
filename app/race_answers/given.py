"""A position that is not typed: standard input, or a file that is named in its place."""

import sys
from pathlib import Path

STREAM = "-"

_LARGEST = 1 << 16
"""Most bytes of a pasted position, with ample room for the text around it."""


def given_position(text: str) -> str:
    """Return a position that was given, or what standard input or a file holds.

    Parameters
    ----------
    text : str
        ``-`` for standard input, the name of a file, or a position, which has no dot.

    Raises
    ------
    PositionError
        If standard input is closed or holds nothing, or there is too much.

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
        raise PositionError(f"{name} holds more than one position; --from answers many")
    found = data.decode("utf-8-sig", errors="replace").strip()
    if not found:
        raise PositionError(f"{name} holds no position")
    return found
