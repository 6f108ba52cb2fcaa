"""Many races side by side: their checkers and cubes as arrays, and where plays lead."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors, legal_plays, successors
from bearoff.positions import CHECKERS, POINTS, Position, Race, rank, unrank
from bearoff.rolls import ROLLS

BoolArray = NDArray[np.bool_]
Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]

BOARD = 24
"""Points of a side."""

_OWNERS = {"owned": 1, "centred": 0, "opponent": -1}


@dataclass(frozen=True, eq=False)
class Races:
    """Races before the roll, seen from who is on roll.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, 24)
        Checkers on the ace, deuce, ...
    owners : ndarray of int8, shape (n,)
        1 where the roller owns the cube, -1 where the opponent does, 0 if it is centred.
    jacoby : ndarray of bool, shape (n,)
        Whether gammons count only once the cube has been turned.
    turned : bool
        Whether the other player is on roll than the one who asks.
    """

    rollers: Int8Array
    opponents: Int8Array
    owners: Int8Array
    jacoby: BoolArray
    turned: bool = False

    @classmethod
    def of(cls, races: Sequence[Race]) -> "Races":
        """Put races side by side."""
        rollers, opponents = np.zeros((2, len(races), BOARD), dtype=np.int8)
        for row, race in enumerate(races):
            points = len(race.roller.counts)
            rollers[row, :points] = race.roller.counts
            opponents[row, :points] = race.opponent.counts
        return cls(
            rollers,
            opponents,
            np.array([_OWNERS[race.cube] for race in races], dtype=np.int8),
            np.array([race.jacoby for race in races], dtype=bool),
        )

    def __len__(self) -> int:
        return len(self.owners)

    def select(self, rows: Int64Array | BoolArray) -> "Races":
        """Return these races alone."""
        return Races(
            self.rollers[rows],
            self.opponents[rows],
            self.owners[rows],
            self.jacoby[rows],
            self.turned,
        )

    def after(self, rows: Int64Array, sides: Int8Array) -> "Races":
        """Return the races with the opponent on roll, the rollers having played.

        Parameters
        ----------
        rows : ndarray of int64, shape (m,)
            Which race each play is of.
        sides : ndarray of int8, shape (m, 24)
            The roller's checkers after it.
        """
        return Races(
            self.opponents[rows],
            sides,
            -self.owners[rows],
            self.jacoby[rows],
            not self.turned,
        )


@lru_cache(maxsize=1)
def _home_plays() -> Successors:
    return successors(POINTS, CHECKERS)


def plays_of(sides: Int8Array, rolls: Int64Array) -> tuple[Int64Array, Int8Array]:
    """Return the positions that every legal play of a roll leads to.

    Parameters
    ----------
    sides : ndarray of int8, shape (n, 24)
    rolls : ndarray of int64, shape (n,)
        Places in `bearoff.ROLLS`.

    Returns
    -------
    rows : ndarray of int64, shape (m,)
        Rising: which side each play is of.
    after : ndarray of int8, shape (m, 24)
        Each once for each side, by their numbers.
    """
    home = ~sides[:, POINTS:].any(axis=1)
    rows, after = _plays_at_home(np.flatnonzero(home), sides, rolls)
    beyond = np.flatnonzero(~home)
    if len(beyond):
        outside = [
            _plays_outside(tuple(sides[row].tolist()), int(rolls[row])) for row in beyond
        ]
        rows = np.concatenate([rows, np.repeat(beyond, [len(part) for part in outside])])
        after = np.concatenate([after, *outside])
        order = np.argsort(rows, kind="stable")
        rows, after = rows[order], after[order]
    return rows, after


def _plays_at_home(
    at: Int64Array, sides: Int8Array, rolls: Int64Array
) -> tuple[Int64Array, Int8Array]:
    if not len(at):
        return np.empty(0, dtype=np.int64), np.empty((0, BOARD), dtype=np.int8)
    every = _home_plays()
    starts = rank(sides[at, :POINTS]) * len(ROLLS) + rolls[at]
    begin, count = every.offsets[starts], every.offsets[starts + 1] - every.offsets[starts]
    firsts = np.cumsum(count) - count
    chosen = np.arange(count.sum()) + np.repeat(begin - firsts, count)
    after = np.zeros((len(chosen), BOARD), dtype=np.int8)
    after[:, :POINTS] = unrank(every.numbers[chosen].astype(np.int64))
    return np.repeat(at, count), after


# Of an exchange of rolls each side has 21 plays to find, asked for 441 times.
@lru_cache(maxsize=256)
def _plays_outside(side: tuple[int, ...], roll: int) -> Int8Array:
    plays = legal_plays(Position(side), ROLLS[roll])[::-1]
    return np.array([play.after.counts for play in plays], dtype=np.int8)
