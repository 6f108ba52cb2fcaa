"""Read a play as players write it, such as ``6/off 4/1`` or ``8/5(2) 6/3*``."""

import re
from collections import Counter

from bearoff import checks
from bearoff.errors import PositionError, RollError
from bearoff.plays.play import Play, legal_plays
from bearoff.positions import Position
from bearoff.rolls import check_roll, format_roll

_MOVE = re.compile(r"(\d{1,2}(?:/\d{1,2})*)/(\d{1,2}|off)(?:\((\d)\))?", re.IGNORECASE)


def read_play(position: Position, roll: tuple[int, int], text: str) -> Play:
    """Return the legal play that a text says.

    Parameters
    ----------
    position : Position
        Before the play.
    roll : tuple of int
        Two numbers from 1 to 6.
    text : str
        Moves from point to point or ``off``, one checker each, over points in between or
        not; ``(2)`` behind one for two checkers.

    Raises
    ------
    PositionError
        If it cannot be read.
    RollError
        If the roll does not allow it.

    Examples
    --------
    >>> side = Position((0, 0, 0, 0, 1, 1))
    >>> print(read_play(side, (6, 4), "5/1 6/off"))
    6/off 5/1
    """
    text = checks.instance(text, "a play", str).strip()
    roll = check_roll(roll)
    words = re.split(r"[\s,;]+", text.replace("*", ""))
    moves = [_MOVE.fullmatch(word) for word in words]
    if not all(moves) or len(text) > 100:
        raise PositionError(
            f"a play is written as moves such as 6/off 4/1 or 6/4(2), got {text[:100]!r}"
        )
    counts = Counter(dict(enumerate(position.counts, start=1)))
    for move in moves:
        assert move is not None
        times = int(move[3] or 1)
        counts[int(move[1].split("/")[0])] -= times
        counts[0 if move[2].lower() == "off" else int(move[2])] += times
    reached = tuple(counts[point] for point in range(1, position.points + 1))
    legal = legal_plays(position, roll)
    for play in legal:
        if play.after.counts == reached:
            return play
    some = "; ".join(map(str, legal[:4]))
    raise RollError(
        f"{text!r} is no legal play of {format_roll(roll)} from {position}; legal plays "
        f"are {some}{' and others' if len(legal) > 4 else ''}"
    )
