"""Many races side by side: their checkers and cubes as arrays, and where plays lead."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors, legal_plays, successors
from bearoff.positions import CHECKERS, POINTS, Position, Race, rank, unrank
from bearoff.rolls import ROLLS
from bearoff.scores import MatchEquities, Score, known_equities
from bearoff.stakes import CubeOwner, Match, Money, Terms

BoolArray = NDArray[np.bool_]
Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]

BOARD = 24
"""Points of a side."""


@dataclass(frozen=True, eq=False)
class Races:
    """Races before the roll, seen from who is on roll, all played for the same.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, 24)
        Checkers on the ace, deuce, ...
    owners : ndarray of int8, shape (n,)
        1 where the roller owns the cube, -1 where the opponent does, 0 if it is centred.
    terms : Terms
        Stakes, the cube's value, and whether the second player is on roll.
    start : int
        Checkers that a side began with: who still has all of them loses a gammon.
    """

    rollers: Int8Array
    opponents: Int8Array
    owners: Int8Array
    terms: Terms = field(default_factory=Terms)
    start: int = CHECKERS

    @classmethod
    def of(cls, races: Sequence[Race], equities: MatchEquities | None = None) -> "Races":
        """Put races side by side.

        Parameters
        ----------
        races : sequence of Race
            At least one.
        equities : MatchEquities, optional
            The match equity table.

        Raises
        ------
        ValueError
            If they are not played for the same.
        """
        if len(set(map(_played_for, races))) != 1:
            raise ValueError("races side by side are played for the same stakes and cube")
        rollers, opponents = np.zeros((2, len(races), BOARD), dtype=np.int8)
        for row, race in enumerate(races):
            points = len(race.roller.counts)
            rollers[row, :points] = race.roller.counts
            opponents[row, :points] = race.opponent.counts
        owners = np.array([CubeOwner.of(race.cube) for race in races], dtype=np.int8)
        return cls(rollers, opponents, owners, terms_of(races[0], equities))

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def gammons_count(self) -> BoolArray:
        """Whether gammons count: by Jacoby's rule once the cube has been turned."""
        return np.asarray((self.owners != 0) | (not self.terms.stakes.jacoby))

    def select(self, rows: Int64Array | BoolArray) -> "Races":
        """Return these races alone."""
        sides = self.rollers[rows], self.opponents[rows]
        return replace(self, rollers=sides[0], opponents=sides[1], owners=self.owners[rows])

    def after(self, rows: Int64Array, sides: Int8Array) -> "Races":
        """Return the races with the opponent on roll, the rollers having played.

        Parameters
        ----------
        rows : ndarray of int64, shape (m,)
            Which race each play is of.
        sides : ndarray of int8, shape (m, 24)
            The roller's checkers after it.
        """
        theirs, owners, terms = self.opponents[rows], -self.owners[rows], self.terms.next()
        return Races(theirs, sides, owners, terms, self.start)


def terms_of(race: Race, equities: MatchEquities | None = None) -> Terms:
    """Return what a race is played for, its roller the first player.

    Raises
    ------
    ScoreError
        If the match equity table does not go as far as the score.
    """
    if race.score is None:
        return _for_money(race.jacoby, race.beavers, not race.cube_at_limit)
    return _at_score(race.score, race.cube_value, known_equities(equities))


@lru_cache(maxsize=8)
def _for_money(jacoby: bool, beavers: bool, has_cube: bool) -> Terms:
    return Terms(Money(jacoby, beavers, has_cube))


@lru_cache(maxsize=512)
def _at_score(score: Score, cube_value: int, equities: MatchEquities) -> Terms:
    return Terms(Match(score, equities), cube_value)


def _played_for(race: Race) -> tuple[object, ...]:
    """Return what `terms_of` looks at."""
    if race.score is None:
        return race.jacoby, race.beavers, race.cube_at_limit
    return race.score, race.cube_value


_FEW = 21 * 21
"""Sides whose plays are about as soon found one by one as all are loaded: an exchange of
rolls."""


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
    home = np.asarray(~sides[:, POINTS:].any(axis=1))
    asked = _plays_outside.cache_info().misses + len(sides)
    if asked <= 2 * _FEW and not _home_plays.cache_info().currsize:
        home[:] = False  # Sooner found one by one than all are loaded.
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
@lru_cache(maxsize=512)
def _plays_outside(side: tuple[int, ...], roll: int) -> Int8Array:
    plays = legal_plays(Position(side), ROLLS[roll])[::-1]
    return np.array([play.after.counts for play in plays], dtype=np.int8)
