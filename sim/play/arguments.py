"""Named tuples of arguments that are passed to compiled kernels."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.checks import integer, integers
from bearoff.pair_planes import PlaneArrays

Int64Array = NDArray[np.int64]

MOST_GAMES = 1 << 40
"""Maximum number of games per pair of positions. Further games would reuse dice."""

IDLE_ROWS = 126
"""Number of rows before the positions in `sim.play.players.OneSidedPlayer.places`. Each
turn after a side has borne off its last checker takes one of these rows. More rows are
never needed, because fifteen checkers on 24 points need at most 124 rolls (see
`bearoff.plays.pip_levels`)."""


class PairGames(NamedTuple):
    """Pairs of positions, their numbers of games, and the seed of the dice.

    Attributes
    ----------
    rollers, opponents : ndarray of int64, shape (pairs,)
        Position numbers.
    firsts, games : ndarray of int64, shape (pairs,)
        Number of the first game of each pair, and how many games to play from there.
    full : int
        Smallest position number of a side that can still lose a gammon, because all 15
        checkers are on the board. In games with fewer checkers, it exceeds all position
        numbers.
    """

    seed: np.uint64
    rollers: Int64Array
    opponents: Int64Array
    firsts: Int64Array
    games: Int64Array
    full: int


def first_full(points: int, checkers: int) -> int:
    """Return the smallest position number with which a side can still lose a gammon.

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
    """Return pairs of positions and their numbers of games, after checking the values."""
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
    """Plays among which a player chooses, for each position and roll.

    Attributes
    ----------
    offsets : ndarray of int64, shape (positions * 21 + 1,)
        Index in `numbers` of the first play of each position and roll. Roll ``r`` of
        position ``x`` has the index ``21 * x + r``.
    numbers : ndarray of uint16 or uint32
        Position numbers after the plays among which the player chooses.
    """

    offsets: Int64Array
    numbers: NDArray[np.unsignedinteger]

    @classmethod
    def of(cls, successors: bearoff.plays.Successors) -> "PlayChoices":
        """Return the choices of a player who may make every legal play."""
        return cls(successors.offsets, successors.numbers)


class PairCodes(NamedTuple):
    """Two-sided table of win probabilities, and plays for games that are already decided.

    Attributes
    ----------
    fewest_rolls : ndarray of uint16 or uint32, shape (positions, 21)
        Position number after the fewest-rolls play, for each position and roll. A side
        makes these plays once its opponent has borne off all checkers.
    slots : ndarray of integers, shape (positions,)
        Index in the two-sided table of each position.
    codes : PlaneArrays or ndarray of int32
        Win probabilities of the side on roll, as compressed integers.
    """

    fewest_rolls: NDArray[np.unsignedinteger]
    slots: NDArray[np.integer]
    codes: PlaneArrays | NDArray[np.int32]
