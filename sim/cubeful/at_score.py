"""Exact equities, and the players that use them, for games with the cube."""

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.matchup import CubeDecision
from bearoff.sim.cubeful.cube_tally import LEVELS, MOST_LEVEL
from bearoff.sim.cubeful.turn import CubeTurn
from bearoff.sim.play import optimal
from bearoff.sources import PairTable
from bearoff.stakes import CUBES, Cube, CubeOwner, Match, RollersCube, Stakes, Terms

Float64Array = NDArray[np.float64]
CountsArray = NDArray[np.integer]

PERFECT = "perfect"
"""Name of the checker player, and of the cube strategy, that use exact tables."""

FIXED = 1 << 20
"""Integer that represents a match-winning chance of 1. Results of games are stored as
integers, so that they can be added without rounding errors."""


def most_level(terms: Terms) -> int:
    """Return the number of doubles after which the cube is dead for both sides.

    Examples
    --------
    >>> from bearoff import Score
    >>> most_level(Terms(Match(Score((3, 5))))), most_level(Terms())
    (3, 9)
    """
    for level in range(MOST_LEVEL):
        if at_level(terms, 0, level).cube_dead(0):
            return level
    return MOST_LEVEL


def at_level(terms: Terms, side: int, level: int) -> Terms:
    """Return the stakes after a number of doubles, with a given side on roll.

    For money, the stakes are always those of a cube value of 1.
    """
    value = 1 if terms.stakes.score is None else terms.cube_value << level
    return Terms(terms.stakes, value, turned=side == 1)


def match_chances(terms: Terms) -> Float64Array:
    """Return the roller's match-winning chance after each possible result of the game.

    Returns
    -------
    ndarray of float64, shape (2, 2, LEVELS)
        The axes are the winner, whether the game is a gammon, and the number of doubles.
    """
    assert isinstance(terms.stakes, Match)
    score, after = terms.stakes.score, terms.stakes.equities.after
    found, most = np.empty((2, 2, LEVELS)), most_level(terms)
    for at in np.ndindex(found.shape):
        winner, gammon, level = at
        points = terms.cube_value << (gammon + min(level, most))
        found[at] = after(score, -points if winner else points)
    return found


def table_at(stakes: Match, points: int, checkers: int) -> bearoff.MatchTable:
    """Load or compute the two-sided table for a match score, once in each process.

    Raises
    ------
    TableError
        If the table has not been built and cannot be computed now, or does not exist for
        this number of points.
    """
    if points != bearoff.POINTS:
        raise bearoff.TableError(
            f"perfect play at a match score requires tables with {bearoff.POINTS} points, "
            f"but the run uses {points} points; choose another player"
        )
    return _table(checkers, stakes.score.away, stakes.score.game, stakes.equities)


def table_for(stakes: Stakes, points: int, checkers: int) -> PairTable:
    """Return the two-sided table that a perfect player uses at given stakes."""
    if isinstance(stakes, Match):
        return table_at(stakes, points, checkers)
    return perfect_table(points, checkers)


def perfect_table(points: int, checkers: int) -> bearoff.TwoSidedTable:
    """Open the two-sided table of cubeful equities for money play."""
    user = f"a {PERFECT} player or cube strategy"
    return optimal.table_for(user, points, checkers, cube=True)


def solve_at(terms: Terms, points: int, checkers: int) -> None:
    """Compute the equities that perfect players need at all cube values."""
    table = table_for(terms.stakes, points, checkers)
    if table.folder is not None:
        return
    cubes: tuple[Cube, ...] = CUBES if terms.stakes.has_cube else ("centred",)
    one = np.ones(1, dtype=np.int64)
    for level in range(most_level(terms) + 1):
        at = at_level(terms, 0, level)
        for cube in cubes:
            state = terms.stakes.payoffs.state(at.cube_value, *CubeOwner.of(cube).may)
            table.settled(one, one, state, at)


@lru_cache(maxsize=2)
def _table(
    checkers: int,
    away: tuple[int, int],
    game: Literal["normal", "crawford", "post-crawford"],
    equities: bearoff.MatchEquities,
) -> bearoff.MatchTable:
    # A stored table lacks the cube values that cannot occur in the match, but a strategy is
    # also asked about these. The table is therefore computed here if possible.
    with suppress(bearoff.TableError):
        return bearoff.match_table(checkers, away, game, exact=True, equities=equities)
    return bearoff.match_table(checkers, away, game, solve=False, equities=equities)


@dataclass(frozen=True)
class PerfectAtScore:
    """Cube strategy that maximises the match-winning chance, from exact tables.

    Attributes
    ----------
    points, checkers : int
        Numbers of points and checkers of the positions.
    terms : Terms
        Match score, side on roll and cube value.
    """

    points: int
    checkers: int
    terms: Terms

    @property
    def name(self) -> str:
        """Name of the strategy, ``perfect``."""
        return "perfect"

    def now(self, side: int, level: int) -> "PerfectAtScore":
        """Return the strategy after a number of doubles, for a given side on roll."""
        return _now(self, side, level)

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return the cube decisions for pairs of positions, from the exact table."""
        terms = self.terms
        pair = bearoff.rank(rollers), bearoff.rank(opponents)
        table = table_for(terms.stakes, self.points, self.checkers)
        cubes: tuple[RollersCube, RollersCube] = ("centred", "owned")
        # A stored table contains a cube of 1 only in the centre, and a higher cube only
        # with an owner.
        if table.folder is not None:
            cubes = 2 * (("centred",) if terms.cube_value == 1 else ("owned",))
        centred, owned = (table.values(*pair, cube, terms, gammons=False) for cube in cubes)
        live = terms.can_gain(CubeOwner.NOBODY)
        return CubeDecision(centred.doubles & live, owned.doubles & live, centred.takes)


@lru_cache(maxsize=64)
def _now(strategy: PerfectAtScore, side: int, level: int) -> PerfectAtScore:
    """Return the cached strategy after a number of doubles, for a given side on roll."""
    return replace(strategy, terms=at_level(strategy.terms, side, level))


class ByPairTable:
    """Player that minimises the opponent's equity, looked up in a two-sided table.

    Parameters
    ----------
    terms : Terms
        Stakes from the viewpoint of the side that rolls first.
    """

    def __init__(self, table: PairTable, terms: Terms) -> None:
        self._table, self._terms = table, terms

    def play(self, turn: CubeTurn) -> None:
        """Choose the plays; games with equal positions and cubes share the computation."""
        live = turn.live
        keys = np.stack(
            [turn.mine[live], turn.theirs[live], turn.level[live], turn.owner[live]],
            axis=1,
        ).astype(np.int64)
        pairs, lanes = np.unique(keys, axis=0, return_inverse=True)
        after = np.empty((len(pairs), len(bearoff.ROLLS)), dtype=np.int64)
        cubes = pairs[:, 2:]
        for level, number in np.unique(cubes, axis=0).tolist():
            at = np.flatnonzero((cubes == [level, number]).all(axis=1))
            owner = CubeOwner(number)
            cube = (owner.exchanged if turn.side else owner).cube
            terms = at_level(self._terms, turn.side, level)
            after[at] = self._table.best_after(pairs[at, 0], pairs[at, 1], cube, terms)
        turn.mine[live] = after[lanes.reshape(-1), turn.rolls[live]]
