"""Decisions of a population: pairs with their frequencies, in parts that share no games.

Game ``g`` belongs to the training part if ``g mod 5`` is 0, 1 or 2, to the validation
part if it is 3, to the test part if it is 4: games do not depend on each other, so any
division of their numbers is as good as one by lot. A pair that games of several parts
meet stands in each of them, with the visits of that part's games alone. So every part is
a fair sample of the population; who wants pairs never seen elsewhere leaves out those
marked `Decisions.elsewhere`.
"""

from dataclasses import dataclass, fields
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

Int64Array = NDArray[np.int64]

PARTS = ("train", "validation", "test")
"""Parts of a population, in the order of their codes."""

_PART_OF_REST = np.array([0, 0, 0, 1, 2], dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions, each once a part, sorted by part, roller and opponent.

    Attributes
    ----------
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers of the side on roll and of the other.
    parts : ndarray of int8, shape (n,)
        Places in `PARTS`.
    weights : ndarray of int64, shape (n,)
        How often games of the part met the pair.
    elsewhere : ndarray of bool, shape (n,)
        Whether games of another part met it too.
    games : ndarray of int64, shape (n,)
        Number of the first game of the part that met it.
    plies : ndarray of int16, shape (n,)
        Rolls thrown in that game's race before.
    """

    rollers: Int64Array
    opponents: Int64Array
    parts: NDArray[np.int8]
    weights: Int64Array
    elsewhere: NDArray[np.bool_]
    games: Int64Array
    plies: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.weights)

    def chosen(self, rows: NDArray[np.bool_]) -> "Decisions":
        """Return some of them."""
        return Decisions(*(getattr(self, field.name)[rows] for field in fields(self)))

    def digest(self) -> str:
        """Return the SHA-256 of pairs, weights and parts, whatever file holds them."""
        whole = sha256()
        for array in (self.rollers, self.opponents, self.weights, self.parts):
            whole.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
        return whole.hexdigest()


def part_of(games: Int64Array) -> NDArray[np.int8]:
    """Return the part of each game, as its place in `PARTS`.

    Examples
    --------
    >>> [PARTS[part] for part in part_of(np.arange(5))]
    ['train', 'train', 'train', 'validation', 'test']
    """
    return _PART_OF_REST[games % len(_PART_OF_REST)]


def merge(
    rollers: Int64Array,
    opponents: Int64Array,
    games: Int64Array,
    plies: NDArray[np.int16],
) -> Decisions:
    """Merge visits, in any order, into decisions with their frequencies.

    Examples
    --------
    Games 0 and 4 meet the same pair, game 0 twice:

    >>> pair = np.array([5, 5, 5]), np.array([9, 9, 9])
    >>> found = merge(*pair, np.array([0, 4, 0]), np.array([7, 3, 2], dtype=np.int16))
    >>> found.parts.tolist(), found.weights.tolist(), found.elsewhere.tolist()
    ([0, 2], [2, 1], [True, True])
    """
    parts = part_of(games)
    order = np.lexsort((plies, games, opponents, rollers, parts))
    x, y, p = rollers[order], opponents[order], parts[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (np.diff(x) != 0) | (np.diff(y) != 0) | (np.diff(p) != 0)
    firsts = np.flatnonzero(new)
    weights = np.diff(firsts, append=len(order))
    x, y, p = x[firsts], y[firsts], p[firsts]
    return Decisions(
        x,
        y,
        p,
        weights.astype(np.int64),
        _repeated(x, y),
        games[order][firsts],
        plies[order][firsts],
    )


def _repeated(x: Int64Array, y: Int64Array) -> NDArray[np.bool_]:
    """Whether a pair stands more than once."""
    order = np.lexsort((y, x))
    same = (np.diff(x[order]) == 0) & (np.diff(y[order]) == 0)
    repeated = np.zeros(len(x), dtype=np.bool_)
    repeated[order[1:][same]] = True
    repeated[order[:-1][same]] = True
    return repeated
