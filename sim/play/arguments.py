"""Named tuples of arguments that kernels take together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.checks import integer, integers
from bearoff.pair_planes import PlaneArrays

Int64Array = NDArray[np.int64]

MOST_GAMES = 1 << 40
"""Maximum number of games per pair with independent dice; see `sim.play.replay`."""

IDLE_ROWS = 126
"""Number of rows of `OneSidedPlayer.places` for sides that are off; no race has more turns.

Fifteen checkers on 24 points need at most 124 rolls; see `bearoff.plays.pip_levels`. Dice
are drawn for six turns at a time.
"""


class PairGames(NamedTuple):
    """Games of pairs, with the seed of their dice.

    Attributes
    ----------
    seed : uint64
        Seed of the dice.
    rollers, opponents : ndarray of int64, shape (pairs,)
        Position numbers.
    firsts, games : ndarray of int64, shape (pairs,)
        Number of the first game of each pair, and number of games to play.
    full : int
        Number of the first position with all 15 checkers on the board, where a gammon can
        be lost; past the last position if the table has fewer checkers.
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
    """Validate games of pairs; `size` holds points and checkers of the table.

    Raises
    ------
    PositionError
        If a position does not exist or has no checker on the board, games are out of range,
        or an argument is not an array of integers.
    """
    named = {"rollers": rollers, "opponents": opponents, "firsts": firsts, "games": games}
    arrays = [
        np.asarray(integers(values, name), dtype=np.int64) for name, values in named.items()
    ]
    shapes = {array.shape for array in arrays}
    if len(shapes) > 1 or arrays[0].ndim != 1:
        raise bearoff.PositionError(
            f"{', '.join(named)} must be one-dimensional and of one length, got shapes "
            f"{', '.join(str(array.shape) for array in arrays)}"
        )
    positions = bearoff.position_count(*size)
    for side in arrays[:2]:
        if not np.all((side > 0) & (side < positions)):
            raise bearoff.PositionError(
                f"a race needs a checker on the board on both sides: position numbers from "
                f"1 to {positions - 1}"
            )
    first, most = arrays[2:]
    if not np.all((first >= 0) & (most >= 0) & (first + most <= MOST_GAMES)):
        raise bearoff.PositionError("games of a pair are numbered from 0 to 2**40 - 1")
    key = integer(seed, "seed", 0, 2**64 - 1, bearoff.PositionError)
    starts, ends, numbers, counts = arrays
    return PairGames(np.uint64(key), starts, ends, numbers, counts, first_full(*size))


class PlayChoices(NamedTuple):
    """Successor positions that a player chooses from; see `bearoff.plays.Successors`.

    Attributes
    ----------
    offsets : ndarray of int64, shape (positions * 21 + 1,)
        Start index in `numbers` of the successors of each position and roll.
    numbers : ndarray of uint16 or uint32
        Position numbers.
    """

    offsets: Int64Array
    numbers: NDArray[np.unsignedinteger]

    @classmethod
    def of(cls, successors: bearoff.plays.Successors) -> "PlayChoices":
        """Return the arrays of all legal plays."""
        return cls(successors.offsets, successors.numbers)


class PairCodes(NamedTuple):
    """Two-sided table of win probabilities, and the policy where it ends.

    Attributes
    ----------
    fewest_rolls : ndarray of uint16 or uint32, shape (positions, 21)
        Policy of a side whose opponent has borne off.
    slots : ndarray of integers, shape (positions,)
        Index of each position in the table.
    codes : PlaneArrays or ndarray of int32
        Win probabilities of the side on roll, as `bearoff.TwoSidedTable.codes` returns
        them.
    """

    fewest_rolls: NDArray[np.unsignedinteger]
    slots: NDArray[np.integer]
    codes: PlaneArrays | NDArray[np.int32]
