"""Input of a position from an argument, standard input or a file."""

import sys
from pathlib import Path

STREAM = "-"

_LARGEST = 1 << 16
"""Maximum size of a position read from standard input or a file, in bytes."""


def given_position(text: str) -> str:
    """Return the text of a position, read from standard input or a file if requested.

    Examples
    --------
    >>> given_position("LwAAwC0AAAAAAA")
    'LwAAwC0AAAAAAA'
    """
    from bearoff import PositionError

    if text == STREAM:
        name = "standard input"
        if sys.stdin is None:
            raise PositionError("standard input is closed; pass a position as an argument")
        data = sys.stdin.buffer.read(_LARGEST + 1)
    elif "." in text and "\n" not in text and Path(text).is_file():
        name = text
        with Path(text).open("rb") as file:
            data = file.read(_LARGEST + 1)
    else:
        return text
    if len(data) > _LARGEST:
        raise PositionError(
            f"{name} contains more than one position; use --from for several"
        )
    found = data.decode("utf-8-sig", errors="replace").strip()
    if not found:
        raise PositionError(f"{name} contains no position")
    return found
