"""Division of a run into result files and blocks of games; number of games per pair.

One worker simulates a *block* of games at a time. An interruption loses only the unfinished
blocks. A *part* is one result file in Parquet format, with a range of the run's pairs of
positions. The division does not affect the results, because the dice of a game depend only
on the seed, the pair and the game number.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

BLOCK_GAMES = 1 << 23
"""Number of games without a cube in a block, which one worker simulates in about a third of
a second."""

CUBEFUL_BLOCK_GAMES = 1 << 19
"""Number of games with the cube in a block, which one worker simulates in about half a
second."""

PART_PAIRS = 1 << 13
"""Number of pairs of positions in a result file if each pair has many games."""

MOST_BLOCK_PARTS = 8
"""Maximum size of a result file, in multiples of `PART_PAIRS` pairs of positions."""

MOST_BLOCKS = 1_000_000
"""Maximum number of blocks of games in a result file, because names of block files have six
digits."""

FEWEST_GAMES = 10_000
"""Minimum number of games per pair for a target standard error."""


@dataclass(frozen=True, eq=False)
class Block:
    """Block of games of consecutive pairs of positions, which one worker simulates.

    Attributes
    ----------
    part, index : int
        Index of the result file (part), and index of the block within this file.
    first_pair : int
        Index in the run of the block's first pair of positions.
    firsts, games : ndarray of int64, shape (n,)
        Index of the first game of each pair, and number of games of each pair.
    """

    part: int
    index: int
    first_pair: int
    firsts: Int64Array
    games: Int64Array

    @property
    def pairs(self) -> slice:
        """Slice of the run's pairs of positions that the block contains."""
        return slice(self.first_pair, self.first_pair + len(self.games))


def games_for_standard_error(
    expected: Float64Array, target: float, at_most: int
) -> Int64Array:
    """Return the number of games per pair for a target standard error of the win chance.

    The result is an int64 array of shape (n,), with values from `FEWEST_GAMES` to
    `at_most`. The numbers of games are computed from expected win probabilities, not from
    results, so that stopping causes no bias.

    Examples
    --------
    >>> games_for_standard_error(np.array([0.5, 1.0]), target=0.0005, at_most=10**7)
    array([1000000,   10000])
    """
    # The minimum of 1e-9 keeps the square of the target error above 0 in floating point.
    needed = np.ceil(expected * (1 - expected) / max(target, 1e-9) ** 2)
    return np.clip(np.maximum(needed, FEWEST_GAMES), 1, at_most).astype(np.int64)


def part_size(pairs: int, games: int, block_games: int) -> int:
    """Return the number of pairs of positions in each result file of a run.

    With few games per pair, a result file (part) contains more than `PART_PAIRS` pairs, so
    that its games fill a block.

    Parameters
    ----------
    pairs, games : int
        Numbers of pairs and of games in the run.
    block_games : int
        Maximum number of games in a block.

    Examples
    --------
    >>> [part_size(10_000_000, 10_000_000 * n, BLOCK_GAMES) for n in (100, 1000, 10_000)]
    [65536, 8388, 8192]
    """
    fill = block_games * pairs // max(games, 1)
    return min(max(fill, PART_PAIRS), MOST_BLOCK_PARTS * PART_PAIRS)


def part_ranges(pairs: int, size: int) -> list[slice]:
    """Divide a number of pairs into slices of a given size; the last may be smaller.

    Examples
    --------
    >>> part_ranges(10_000, 8192)
    [slice(0, 8192, None), slice(8192, 10000, None)]
    """
    return [slice(start, min(start + size, pairs)) for start in range(0, pairs, size)]


def blocks_of(
    part: int,
    pairs: slice,
    games: Int64Array,
    block_games: int,
    played: Int64Array | None = None,
) -> Iterator[Block]:
    """Divide the games of a result file into blocks.

    Parameters
    ----------
    part : int
        Index of the result file.
    pairs : slice
        Slice of the run's pairs that the result file contains.
    games : ndarray of int64, shape (pairs of the run,)
        Number of games of every pair in the run.
    block_games : int
        Maximum number of games in a block.
    played : ndarray of int64, shape (pairs of the part,), optional
        Number of games that are already stored for each pair in the result file.

    Yields
    ------
    Block
        Blocks in order. Together, they contain each game of the result file that has not
        been stored yet, exactly once.
    """
    before = np.zeros(1, dtype=np.int64) if played is None else played
    left = games[pairs] - before
    before = np.broadcast_to(before, left.shape)
    ends = np.cumsum(left)
    starts = ends - left
    for index, begin in enumerate(range(0, int(ends[-1]), block_games)):
        end = min(begin + block_games, int(ends[-1]))
        low = int(np.searchsorted(ends, begin, side="right"))
        high = int(np.searchsorted(starts, end, side="left"))
        firsts = np.maximum(begin - starts[low:high], 0)
        lasts = np.minimum(end - starts[low:high], left[low:high])
        first = before[low:high] + firsts
        yield Block(part, index, pairs.start + low, first, lasts - firsts)
