"""Arguments of compiled kernels, grouped in named tuples."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.checks import integer, integers
from bearoff.pair_planes import PlaneArrays

Int64Array = NDArray[np.int64]

MOST_GAMES = 1 << 40
"""Maximum number of games per pair of positions with independent dice."""

IDLE_ROWS = 126
"""Number of policy rows for sides that have borne off. No race has more turns than this:
fifteen checkers on 24 points need at most 124 rolls (see `bearoff.plays.pip_levels`), and
dice are drawn for six turns at a time."""


class PairGames(NamedTuple):
    """Pairs of positions with their numbers of games, and the seed of the dice.

    Attributes
    ----------
    seed : uint64
        Seed of the dice.
    rollers, opponents : ndarray of int64, shape (pairs,)
        Position numbers.
    firsts, games : ndarray of int64, shape (pairs,)
        Number of the first game of each pair, and number of games to play.
    full : int
        Number of the first position with all 15 checkers on the board, from which a gammon
        can be lost; past the last position if the table has fewer checkers.
    """

    seed: np.uint64
    rollers: Int64Array
    opponents: Int64Array
    firsts: Int64Array
    games: Int64Array
    full: int


def first_full(points: int, checkers: int) -> int:
    """Return the number of the first position from which a gammon can be lost.

    Examples
    --------
    >>> first_full(6, 15), first_full(6, 14)
    (38760, 38760)
    """
    before = checkers - 1 if checkers == bearoff.CHECKERS else checkers
    return bearoff.position_count(points, before)


def checked_games(
    size: tuple[int, int],
    seed: int,
    rollers: Int64Array,
    opponents: Int64Array,
    firsts: Int64Array,
    games: Int64Array,
) -> PairGames:
    """Validate pairs and numbers of games; `size` is the table's points and checkers."""
    named = {"rollers": rollers, "opponents": opponents, "firsts": firsts, "games": games}
    arrays = [
        np.asarray(integers(values, name), dtype=np.int64) for name, values in named.items()
    ]
    shapes = {array.shape for array in arrays}
    if len(shapes) > 1 or arrays[0].ndim != 1:
        raise bearoff.PositionError(
            f"{', '.join(named)} must be one-dimensional and of the same length, got "
            f"shapes {', '.join(str(array.shape) for array in arrays)}"
        )
    positions = bearoff.position_count(*size)
    for side in arrays[:2]:
        if not np.all((side > 0) & (side < positions)):
            raise bearoff.PositionError(
                "both sides of a race must have checkers on the board, that is, position "
                f"numbers from 1 to {positions - 1}"
            )
    first, most = arrays[2:]
    if not np.all((first >= 0) & (most >= 0) & (first + most <= MOST_GAMES)):
        raise bearoff.PositionError(
            "the number of a pair's game must be from 0 to 2**40 - 1"
        )
    key = integer(seed, "seed", 0, 2**64 - 1, bearoff.PositionError)
    starts, ends, numbers, counts = arrays
    return PairGames(np.uint64(key), starts, ends, numbers, counts, first_full(*size))


class PlayChoices(NamedTuple):
    """Positions that a player may choose after each position and roll.

    Attributes
    ----------
    offsets : ndarray of int64, shape (positions * 21 + 1,)
        Index in `numbers` at which the choices for each position and roll start.
    numbers : ndarray of uint16 or uint32
        Position numbers after the plays.
    """

    offsets: Int64Array
    numbers: NDArray[np.unsignedinteger]

    @classmethod
    def of(cls, successors: bearoff.plays.Successors) -> "PlayChoices":
        """Return the choices of a player who may make any legal play."""
        return cls(successors.offsets, successors.numbers)


class PairCodes(NamedTuple):
    """Two-sided table of win probabilities, and a policy for sides whose opponent is off.

    Attributes
    ----------
    fewest_rolls : ndarray of uint16 or uint32, shape (positions, 21)
        Policy for a side whose opponent has borne off.
    slots : ndarray of integers, shape (positions,)
        Index of each position in the table.
    codes : PlaneArrays or ndarray of int32
        Win probabilities of the side on roll, in compressed form.
    """

    fewest_rolls: NDArray[np.unsignedinteger]
    slots: NDArray[np.integer]
    codes: PlaneArrays | NDArray[np.int32]
