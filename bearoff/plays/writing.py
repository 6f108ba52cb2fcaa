"""The one way in which the moves of a play are written, on a whole board and in a race."""

from collections.abc import Iterable
from itertools import groupby

BAR = 25

CheckerMove = tuple[int, int, bool]
"""A checker's move: from a point or 25, the bar, to one or 0, off; whether it hits."""


def write_moves(moves: Iterable[CheckerMove]) -> str:
    """Write moves as eXtreme Gammon does: ``13/7 8/7``, ``24/18*/13``, ``6/off(2)``.

    Parameters
    ----------
    moves : iterable of (int, int, bool)
        One checker's move by one number each, in the order played.

    Returns
    -------
    str
        From the highest point down. The moves of one checker are one word, in which only
        the stops are named where the checker hits. ``*`` says that a blot is hit, ``(2)``
        that two checkers move so.

    Examples
    --------
    >>> write_moves([(21, 19, False), (19, 17, False)])
    '21/17'
    >>> write_moves([(4, 0, False), (4, 1, False)])
    '4/1 4/off'
    """
    paths: list[list[CheckerMove]] = []
    for move in moves:
        # A checker that stops and goes on is one path; hits on its way stay visible.
        joined = next((p for p in paths if p[-1][1] == move[0] and p[-1][1] != 0), None)
        if joined is None:
            paths.append([move])
        else:
            joined.append(move)
    texts = []
    for path in sorted(paths, key=lambda p: (-p[0][0], -p[-1][1])):
        stops = [_name(path[0][0])]
        for k, (_, target, hit) in enumerate(path):
            if hit or k == len(path) - 1:
                stops.append(_name(target) + "*" * hit)
        texts.append("/".join(stops))
    runs = ((text, len(list(run))) for text, run in groupby(texts))
    return " ".join(text + (f"({times})" if times > 1 else "") for text, times in runs)


def _name(place: int) -> str:
    return {BAR: "bar", 0: "off"}.get(place, str(place))
