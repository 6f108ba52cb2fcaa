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
"""Pairs of a part: one row group of a few megabytes."""

FEWEST_GAMES = 10_000
"""Games that a standard error asks for at the least, however clear the pair."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of a run, each once, sorted by roller and then by opponent.

    Attributes
    ----------
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers.
    weights : ndarray of float64, shape (n,)
        How often the run's sources named or drew each pair.
    """

    rollers: Int64Array
    opponents: Int64Array
    weights: Float64Array

    def __len__(self) -> int:
        return len(self.rollers)

    def inputs(self) -> tuple[bytes, ...]:
        """Return all of them as bytes, for a digest."""
        return tuple(a.tobytes() for a in (self.rollers, self.opponents, self.weights))


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


def part_ranges(pairs: int) -> list[slice]:
    """Cut `pairs` pairs into parts.

    Examples
    --------
    >>> part_ranges(10_000)
    [slice(0, 8192, None), slice(8192, 10000, None)]
    """
    return [
        slice(start, min(start + PART_PAIRS, pairs))
        for start in range(0, pairs, PART_PAIRS)
    ]


def blocks_of(
    part: int, pairs: slice, games: Int64Array, block_games: int
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

    Yields
    ------
    Block
        In order; together they play each game of the part once.
    """
    ends = np.cumsum(games[pairs])
    starts = ends - games[pairs]
    for index, begin in enumerate(range(0, int(ends[-1]), block_games)):
        end = min(begin + block_games, int(ends[-1]))
        low = int(np.searchsorted(ends, begin, side="right"))
        high = int(np.searchsorted(starts, end, side="left"))
        firsts = np.maximum(begin - starts[low:high], 0)
        lasts = np.minimum(end - starts[low:high], games[pairs][low:high])
        yield Block(part, index, pairs.start + low, firsts, lasts - firsts)
