"""Many races as arrays of checkers and cube owners, and the positions after plays."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import ScoreError
from bearoff.plays import Successors, legal_plays, successors
from bearoff.positions import CHECKERS, POINTS, Position, Race, rank, unrank
from bearoff.rolls import ROLLS
from bearoff.scores import MatchEquities, Score, known_equities
from bearoff.stakes import CubeOwner, Match, Money, Terms

BoolArray = NDArray[np.bool_]
Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]

BOARD = 24
"""Number of points on a backgammon board."""


@dataclass(frozen=True, eq=False)
class Races:
    """Races before the roll from the roller's viewpoint, with equal stakes and cube value.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, 24)
        Number of checkers on the 1 point, 2 point, ... of each side.
    owners : ndarray of int8, shape (n,)
        Owner of the cube: 1 for the roller, -1 for the opponent, 0 for a centred cube.
    terms : Terms
        Stakes, value of the cube, and whether the second player is on roll.
    start : int
        Number of checkers of each side at the start. A loser who still has all these
        checkers loses a gammon.
    """

    rollers: Int8Array
    opponents: Int8Array
    owners: Int8Array
    terms: Terms = field(default_factory=Terms)
    start: int = CHECKERS

    @classmethod
    def of(cls, races: Sequence[Race], equities: MatchEquities | None = None) -> "Races":
        """Convert `Race` objects to arrays.

        Parameters
        ----------
        races : sequence of Race
            Races to convert; at least one.
        equities : MatchEquities, optional
            Match equity table. By default, Kazaross-XG2.

        Raises
        ------
        ValueError
            If the races have different stakes or cube values.
        """
        if len(set(map(_played_for, races))) != 1:
            raise ValueError(
                "races that are answered together must have the same stakes and the same "
                "cube position"
            )
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
        """Whether gammons count; under the Jacoby rule, only with a turned cube."""
        return np.asarray((self.owners != 0) | (not self.terms.stakes.jacoby))

    def select(self, rows: Int64Array | BoolArray) -> "Races":
        """Return the races that have the given indices."""
        sides = self.rollers[rows], self.opponents[rows]
        return replace(self, rollers=sides[0], opponents=sides[1], owners=self.owners[rows])

    def after(self, rows: Int64Array, sides: Int8Array) -> "Races":
        """Return the races after the rollers' plays, with the opponents on roll.

        Parameters
        ----------
        rows : ndarray of int64, shape (m,)
            Index of the race to which each play belongs.
        sides : ndarray of int8, shape (m, 24)
            The roller's checkers after the play.
        """
        theirs, owners, terms = self.opponents[rows], -self.owners[rows], self.terms.next()
        return Races(theirs, sides, owners, terms, self.start)


def terms_of(race: Race, equities: MatchEquities | None = None) -> Terms:
    """Return stakes and cube value of a race, with its roller as the first player.

    Raises
    ------
    ScoreError
        If the match equity table does not contain the score.
    """
    if race.score is None:
        growth = race.cube_growth
        # A double and a beaver turn the cube twice, so a beaver is impossible if the cube
        # can be turned at most once.
        return _for_money(race.jacoby, race.beavers and growth not in (1, 2), growth)
    limit = race.cube_limit
    if limit is not None and limit < (wins := _winning_cube(race.score)):
        raise ScoreError(
            f"a cube limit of {limit} is not supported at {race.score}, where a cube of "
            f"{wins} already wins the match; omit the limit"
        )
    return _at_score(race.score, race.cube_value, known_equities(equities))


def _winning_cube(score: Score) -> int:
    """Return the smallest cube value with which a single game decides the match."""
    return 1 << (max(score.away) - 1).bit_length()


@lru_cache(maxsize=8)
def _for_money(jacoby: bool, beavers: bool, limit: int | None) -> Terms:
    return Terms(Money(jacoby, beavers, limit))


@lru_cache(maxsize=512)
def _at_score(score: Score, cube_value: int, equities: MatchEquities) -> Terms:
    return Terms(Match(score, equities), cube_value)


def _played_for(race: Race) -> tuple[object, ...]:
    """Return the attributes of a race on which the result of `terms_of` depends."""
    if race.score is None:
        return race.jacoby, race.beavers, race.cube_growth
    return race.score, race.cube_value


_FEW = 21 * 21
"""Maximum number of positions for which finding plays one by one is faster than loading the
table of all plays."""


@lru_cache(maxsize=1)
def _home_plays() -> Successors:
    return successors(POINTS, CHECKERS)


def plays_of(sides: Int8Array, rolls: Int64Array) -> tuple[Int64Array, Int8Array]:
    """Return the distinct positions after all legal plays of one given roll per position.

    Parameters
    ----------
    sides : ndarray of int8, shape (n, 24)
    rolls : ndarray of int64, shape (n,)
        Indices into `bearoff.ROLLS`.

    Returns
    -------
    rows : ndarray of int64, shape (m,)
        Index of the side that makes each play, in ascending order.
    after : ndarray of int8, shape (m, 24)
        Checkers after the distinct plays of each side, sorted by position number.
    """
    home = np.asarray(~sides[:, POINTS:].any(axis=1))
    asked = _plays_outside.cache_info().misses + len(sides)
    if asked <= 2 * _FEW and not _home_plays.cache_info().currsize:
        home[:] = False  # For few sides, finding plays one by one is faster.
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


# A look-ahead of two rolls requests the plays of the same roll many times, so the plays are
# cached.
@lru_cache(maxsize=512)
def _plays_outside(side: tuple[int, ...], roll: int) -> Int8Array:
    plays = legal_plays(Position(side), ROLLS[roll])[::-1]
    return np.array([play.after.counts for play in plays], dtype=np.int8)
