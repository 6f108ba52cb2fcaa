"""The plan of a run: how many games each pair gets, cut into blocks and parts.

A *block* is what one worker plays at a time and all that an interruption can lose. A
*part* is a range of pairs that ends up in one Parquet file. Cutting changes nothing of
the outcomes: a game's dice depend on its seed, pair and number alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

BLOCK_GAMES = 1 << 23
"""Games of a block of plain races: about a third of a second of work."""

CUBEFUL_BLOCK_GAMES = 1 << 19
"""Games of a block of games with the cube: about half a second of work."""

PART_PAIRS = 1 << 13
"""Pairs of a part whose pairs have many games."""

MOST_BLOCK_PARTS = 8
"""Most pairs of a part, as a multiple of `PART_PAIRS`, so that it fills a block."""

MOST_BLOCKS = 1_000_000
"""Blocks of a part at most: they are listed, and named by six digits."""

FEWEST_GAMES = 10_000
"""Games that a standard error asks for at the least, however clear the pair."""


@dataclass(frozen=True, eq=False)
class Block:
    """Games of neighbouring pairs, for one worker.

    Attributes
    ----------
    part, index : int
        The part it belongs to, and its place among that part's blocks.
    first_pair : int
        Index in the run of its first pair.
    firsts, games : ndarray of int64, shape (n,)
        Number of the first game of each of its pairs, and how many games.
    """

    part: int
    index: int
    first_pair: int
    firsts: Int64Array
    games: Int64Array

    @property
    def pairs(self) -> slice:
        """Its pairs, as a slice of the run's."""
        return slice(self.first_pair, self.first_pair + len(self.games))


def games_for_standard_error(
    expected: Float64Array, target: float, at_most: int
) -> Int64Array:
    """Games after which the win rate has a standard error, from the value expected.

    The number of games is fixed before the first is played, from the win probability by
    convolution. Nothing depends on how the games go, so stopping cannot bias them.

    Parameters
    ----------
    expected : ndarray of float64, shape (n,)
        Win probabilities that the games converge to.
    target : float
        Standard error asked for.
    at_most : int
        Most games of a pair, whatever the error.

    Returns
    -------
    ndarray of int64, shape (n,)
        At least `FEWEST_GAMES` (or `at_most`, if that is less).

    Examples
    --------
    >>> games_for_standard_error(np.array([0.5, 1.0]), target=0.0005, at_most=10**7)
    array([1000000,   10000])
    """
    # The floor keeps the square of a tiny target from vanishing; no cap is so high.
    needed = np.ceil(expected * (1 - expected) / max(target, 1e-9) ** 2)
    return np.clip(np.maximum(needed, FEWEST_GAMES), 1, at_most).astype(np.int64)


def part_size(pairs: int, games: int, block_games: int) -> int:
    """Return how many pairs a part of a run has.

    So many that its games fill a block, if that is more than `PART_PAIRS`: with few games
    a pair, a part that is stored is a fraction of a second of work as well.

    Parameters
    ----------
    pairs, games : int
        Of the run.
    block_games : int
        Most games of a block.

    Examples
    --------
    >>> [part_size(10_000_000, 10_000_000 * n, BLOCK_GAMES) for n in (100, 1000, 10_000)]
    [65536, 8388, 8192]
    """
    fill = block_games * pairs // max(games, 1)
    return min(max(fill, PART_PAIRS), MOST_BLOCK_PARTS * PART_PAIRS)


def part_ranges(pairs: int, size: int) -> list[slice]:
    """Cut `pairs` pairs into parts of `size`, the last of what is left.

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
    """Cut the games of a part's pairs into blocks.

    Parameters
    ----------
    part : int
        Index of the part.
    pairs : slice
        Its pairs, among the run's.
    games : ndarray of int64, shape (pairs of the run,)
        Games of every pair of the run.
    block_games : int
        Most games of a block.
    played : ndarray of int64, shape (pairs of the part,), optional
        Games of each pair of the part that are played already, the first of them.

    Yields
    ------
    Block
        In order; together they play each other game of the part once.
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
