"""Board features that human players use, as named inputs of evaluations."""

import numpy as np
from numpy.typing import NDArray

from bearoff.game.rules import Board

FEATURES = {
    "pips": "pip count",
    "off": "checkers borne off",
    "shut out": "square of the number of closed entry points, for a player on the bar",
    "home points": "points made in the player's home board",
    "home blots": "blots in the player's home board",
    "outer blots": "blots outside the player's home board",
    "shots": "throws of 36 that hit a blot of the opponent",
    "pips hit": "mean pips that the opponent loses by the best hit of a throw",
    "attack": "throws that hit, times points made in the player's home board",
    "prime": "longest run of made points up to the 18 point",
    "trapped": "number of opposing checkers behind the prime, times its length squared",
    "escape": "throws of 36 that the rearmost checker can play fully",
    "blockade": "throws of 36 that the player blocks for the worst placed opposing checker",
    "blockade now": "throws of 36 that the player blocks for the rearmost opposing checker",
    "rear": "point of the rearmost checker, 25 on the bar",
    "back": "checkers in the opponent's home board and on the bar",
    "anchor": "distance in pips of the foremost anchor from the player's bar",
    "anchors": "points made in the opponent's home board",
    "stacks": "checkers beyond three on a point",
    "timing": "pips that can be played before the home board breaks",
    "passing": "pips until all checkers have passed the opponent's rearmost checker",
    "mobility": "number of legal moves of one checker, summed over the six dice",
    "builders": "checkers available to make points: spares, blots and outside checkers",
}
"""Names and meanings of a player's features, in the order in which kernels compute them."""


def features_of(board: Board) -> dict[str, tuple[float, float]]:
    """Return the features of a board by name, for the roller and for the opponent.

    Features are scaled so that large values are about 1.

    Examples
    --------
    >>> ours, theirs = features_of(Board.start())["pips"]
    >>> ours == theirs == 1.0
    True
    """
    from bearoff.game.evaluation import feature_kernels as kernels

    inputs = named_inputs(np.array([board.points], np.int8))[0].tolist()
    ours, theirs = inputs[: kernels.NAMED], inputs[kernels.NAMED :]
    return dict(zip(FEATURES, zip(ours, theirs, strict=True), strict=True))


def named_inputs(boards: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the features of n boards, shape (n, 46): the roller's, then the opponent's."""
    from bearoff.game.evaluation import feature_kernels as kernels

    own, other = np.zeros(26, np.int64), np.zeros(26, np.int64)
    found = np.empty((len(boards), kernels.INPUTS), np.float32)
    for board, row in zip(boards, found, strict=True):
        kernels.load(board, False, own, other)
        kernels.inputs(own, other, row)
    return found[:, 2 * kernels.RAW :]
