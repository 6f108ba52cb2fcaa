"""Function that writes plays in the usual notation, with or without contact."""

from collections.abc import Iterable
from itertools import groupby

BAR = 25

CheckerMove = tuple[int, int, bool]
"""Move of a checker by one die: the point it leaves (25 for the bar), the point it reaches
(0 for off), and whether it hits."""


def write_moves(moves: Iterable[CheckerMove]) -> str:
    """Format moves as eXtreme Gammon does: ``13/7 8/7``, ``24/18*/13``, ``6/off(2)``.

    Parameters
    ----------
    moves : iterable of (int, int, bool)
        Moves of one checker by one die, in the order in which they are played.

    Returns
    -------
    str
        Moves from the highest point downwards. The moves of one checker are joined, and
        intermediate points are written only where the checker hits. ``*`` marks a hit, and
        ``(2)`` two equal moves.

    Examples
    --------
    >>> write_moves([(21, 19, False), (19, 17, False)])
    '21/17'
    >>> write_moves([(4, 0, False), (4, 1, False)])
    '4/1 4/off'
    """
    paths: list[list[CheckerMove]] = []
    for move in moves:
        # Consecutive moves of one checker are joined, but intermediate points are kept
        # because a hit on them must be written.
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
