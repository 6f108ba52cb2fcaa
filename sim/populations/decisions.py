"""Decisions of a population: pairs of positions with frequencies, in three data splits.

Game ``g`` belongs to the training split if ``g mod 5`` is 0, 1 or 2, to the validation
split if it is 3, and to the test split if it is 4. Games are independent, so this is as
good as a random split. A pair that occurs in games of several splits is in each of these
splits, with its frequency in the split. Every split is therefore an unbiased sample.
Without the pairs marked `RaceDecisions.elsewhere`, the splits have no pair in common.
"""

from dataclasses import dataclass, fields
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

Int64Array = NDArray[np.int64]

SPLITS = ("train", "validation", "test")
"""Names of a population's data splits, in the order of their codes."""

_SPLIT_OF_REST = np.array([0, 0, 0, 1, 2], dtype=np.int8)


@dataclass(frozen=True, eq=False)
class RaceDecisions:
    """Distinct decisions in races, sorted by data split, roller and opponent.

    Attributes
    ----------
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers of the roller and the opponent.
    splits : ndarray of int8, shape (n,)
        Data split of each decision: an index into `SPLITS`.
    weights : ndarray of int64, shape (n,)
        Number of times that the pair of positions occurs in games of the split.
    elsewhere : ndarray of bool, shape (n,)
        Whether the pair of positions also occurs in games of another split.
    games : ndarray of int64, shape (n,)
        Number of the first game in which the pair of positions occurs within the split.
    plies : ndarray of int16, shape (n,)
        Number of rolls from the start of the race to the decision, in the game that `games`
        names.
    """

    rollers: Int64Array
    opponents: Int64Array
    splits: NDArray[np.int8]
    weights: Int64Array
    elsewhere: NDArray[np.bool_]
    games: Int64Array
    plies: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.weights)

    def chosen(self, rows: NDArray[np.bool_]) -> "RaceDecisions":
        """Return the selected decisions."""
        return RaceDecisions(*(getattr(self, field.name)[rows] for field in fields(self)))

    def digest(self) -> str:
        """Return the SHA-256 digest of the pairs, weights and data splits."""
        whole = sha256()
        for array in (self.rollers, self.opponents, self.weights, self.splits):
            whole.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
        return whole.hexdigest()


def split_of(games: Int64Array) -> NDArray[np.int8]:
    """Return the data split of each game: an index into `SPLITS`.

    Examples
    --------
    >>> [SPLITS[split] for split in split_of(np.arange(5))]
    ['train', 'train', 'train', 'validation', 'test']
    """
    return _SPLIT_OF_REST[games % len(_SPLIT_OF_REST)]


def merge(
    rollers: Int64Array,
    opponents: Int64Array,
    games: Int64Array,
    plies: NDArray[np.int16],
) -> RaceDecisions:
    """Merge equal pairs of positions within each data split, and count them.

    Examples
    --------
    A pair of positions occurs twice in game 0, which belongs to the training split, and
    once in game 4, which belongs to the test split:

    >>> pair = np.array([5, 5, 5]), np.array([9, 9, 9])
    >>> found = merge(*pair, np.array([0, 4, 0]), np.array([7, 3, 2], dtype=np.int16))
    >>> found.splits.tolist(), found.weights.tolist(), found.elsewhere.tolist()
    ([0, 2], [2, 1], [True, True])
    """
    splits = split_of(games)
    order = np.lexsort((plies, games, opponents, rollers, splits))
    x, y, p = rollers[order], opponents[order], splits[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (np.diff(x) != 0) | (np.diff(y) != 0) | (np.diff(p) != 0)
    firsts = np.flatnonzero(new)
    weights = np.diff(firsts, append=len(order))
    x, y, p = x[firsts], y[firsts], p[firsts]
    return RaceDecisions(
        x,
        y,
        p,
        weights.astype(np.int64),
        _repeated(x, y),
        games[order][firsts],
        plies[order][firsts],
    )


def rows_of(
    met: RaceDecisions, rollers: Int64Array, opponents: Int64Array, games: Int64Array
) -> Int64Array:
    """Return the index in `met`, a result of `merge`, of each pair that was merged."""
    splits = split_of(games)
    order = np.lexsort((opponents, rollers, splits))
    rows = np.empty(len(order), dtype=np.int64)
    rows[order] = np.repeat(np.arange(len(met)), met.weights)
    return rows


def _repeated(x: Int64Array, y: Int64Array) -> NDArray[np.bool_]:
    """Return a mask of the pairs of positions that occur more than once."""
    order = np.lexsort((y, x))
    same = (np.diff(x[order]) == 0) & (np.diff(y[order]) == 0)
    repeated = np.zeros(len(x), dtype=np.bool_)
    repeated[order[1:][same]] = True
    repeated[order[:-1][same]] = True
    return repeated
