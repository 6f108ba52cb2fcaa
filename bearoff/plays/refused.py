"""Reasons why a play that is given as text is not legal."""

from collections.abc import Sequence

from bearoff.rolls import HOME

BAR = 25

Leg = tuple[int, int]
"""Move of one checker as written, which may use several dice: the point it leaves and the
point it reaches, or 0 if it is borne off."""


def why_no_play(
    points: Sequence[int], legs: Sequence[Leg], roll: tuple[int, int], most: int
) -> str:
    """Return the reason why a play given as moves is not legal with its roll.

    Parameters
    ----------
    points : sequence of int
        The 26 checker counts of a board, as in `game.Board`.
    legs : sequence of (int, int)
        Moves in the order in which they are written.
    roll : tuple of int
        Roll with the higher number first.
    most : int
        Maximum number of pips that a legal play of the roll moves.

    Returns
    -------
    str
        Text that tells which rule the play breaks first, without a capital letter and a
        full stop.

    Examples
    --------
    >>> board = [0] * 20 + [-2, 0, 0, 0, 2, 0]
    >>> why_no_play(board, [(24, 20), (24, 22)], (4, 2), 4)
    'point 20 is held by the opponent'
    >>> why_no_play(board, [(24, 21)], (4, 2), 4)
    '24/21 moves 3 pips, which 4-2 does not allow'
    """
    high, low = roll
    if not legs:
        return "at least one checker can be moved"
    own = [max(count, 0) for count in points]
    for source, target in legs:
        if target >= source:
            return f"checkers move to lower points, not from {source} to {target}"
        if source > BAR or not own[source]:
            return f"{_place(source)} has no checker to move"
        own[source] -= 1
        own[target] += target > 0
        if target and points[target] < -1:
            return f"point {target} is held by the opponent"
    if own[BAR] and any(source != BAR for source, _ in legs):
        return "a checker on the bar must enter first"
    if any(own[HOME + 1 :]) and any(not target for _, target in legs):
        return "checkers are borne off once all are in the home board"
    allowed = [high, low, high + low] if high != low else [n * high for n in range(1, 5)]
    for source, target in legs:
        pips = source - target
        if pips not in allowed and (target or pips > max(allowed)):
            move = f"{'bar' if source == BAR else source}/{target or 'off'}"
            return f"{move} moves {pips} pips, which {high}-{low} does not allow"
    moved = sum(source - target for source, target in legs)
    if moved > max(allowed):
        return f"the play moves {moved} pips, but the roll has {max(allowed)}"
    if moved < most:
        return "the roll allows a play that moves more pips"
    return f"no order of the dice {high} and {low} allows this play"


def _place(point: int) -> str:
    return "the bar" if point == BAR else f"point {point}"
