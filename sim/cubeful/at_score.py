"""Games with the cube at a score: what they are worth, and who plays them perfectly."""

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.matchup import CubeDecision
from bearoff.stakes import Cube, RollersCube
from sim.cubeful.cube_tally import LEVELS, MOST_LEVEL
from sim.cubeful.turn import Turn

Float64Array = NDArray[np.float64]
CountsArray = NDArray[np.integer]

FIXED = 1 << 20
"""A match won, in the whole numbers that are counted of a rival's games."""

CENTRED = 2
"""Owner of a cube in the middle; 0 is the roller of the pair, 1 the opponent."""


@dataclass(frozen=True)
class MatchGame:
    """A game of a match.

    Attributes
    ----------
    score : Score
        Before the game, as the roller of the pair has it.
    value : int
        What the cube shows at the start.
    equities : MatchEquities or None
        The match equity table as the roller has it; None for that of the program.
    """

    score: bearoff.Score
    value: int = 1
    equities: bearoff.MatchEquities | None = None

    @property
    def most_level(self) -> int:
        """Doublings after which nobody can use the cube."""
        if not self.score.has_cube:
            return 0
        level = 0
        while self.value << level < max(self.score.away):
            level += 1
        return min(level, MOST_LEVEL)

    def now(self, side: int, level: int) -> "MatchGame":
        """Return the game as the side has it, the cube turned so often."""
        value, equities = self.value << level, self.equities
        if side == 0:
            return replace(self, value=value)
        theirs = None if equities is None else equities.exchanged()
        return MatchGame(self.score.exchanged(), value, theirs)

    def chances(self) -> Float64Array:
        """Return the roller's chance to win the match after each end of the game.

        Returns
        -------
        ndarray of float64, shape (2, 2, LEVELS)
            By the winner, whether it is a gammon, and how often the cube was turned.
        """
        after = (self.equities or bearoff.match_equities()).after
        found = np.empty((2, 2, LEVELS))
        for at in np.ndindex(found.shape):
            winner, gammon, level = at
            points = self.value << (gammon + min(level, self.most_level))
            found[at] = after(self.score, -points if winner else points)
        return found

    def table(self, points: int, checkers: int) -> bearoff.MatchTable:
        """Return the table of the score, solved or opened once a process.

        Raises
        ------
        TableError
            If it must be built, or no table has so many points.
        """
        if points != bearoff.POINTS:
            raise bearoff.TableError(
                f"perfect play at a score goes by tables of {bearoff.POINTS} points, the "
                f"run's positions have {points}; use another player"
            )
        return _table(checkers, self.score.away, self.score.game, self.equities)

    def solve(self, points: int, checkers: int) -> None:
        """Solve what perfect players will ask for, which threads would each solve."""
        if self.table(points, checkers).folder is not None:
            return
        cubes: tuple[Cube, ...] = ("centred", "owned", "opponent")
        for level in range(self.most_level + 1):
            for cube in cubes if self.score.has_cube else cubes[:1]:
                self.table(points, checkers).value(1, 1, self.value << level, cube)


@lru_cache(maxsize=2)
def _table(
    checkers: int,
    away: tuple[int, int],
    game: Literal["normal", "crawford", "post-crawford"],
    equities: bearoff.MatchEquities | None,
) -> bearoff.MatchTable:
    # One in the cache has the cubes that a match can have, and games may start with any.
    with suppress(bearoff.TableError):
        return bearoff.match_table(checkers, away, game, exact=True, equities=equities)
    return bearoff.match_table(checkers, away, game, solve=False, equities=equities)


@dataclass(frozen=True)
class PerfectAtScore:
    """Doubles and takes by the exact chances to win the match.

    Attributes
    ----------
    points, checkers : int
        Size of the positions.
    game : MatchGame
        The cube and the score as the side on roll has them; see `now`.
    """

    points: int
    checkers: int
    game: MatchGame

    @property
    def name(self) -> str:
        """``perfect``."""
        return "perfect"

    def now(self, side: int, level: int) -> "PerfectAtScore":
        """Return the strategy with `side` on roll and the cube turned so often."""
        return _now(self, side, level)

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Look the pairs up; a side that wins the match with the cube as it is keeps it."""
        score, value = self.game.score, self.game.value
        pair = bearoff.rank(rollers), bearoff.rank(opponents)
        table = self.game.table(self.points, self.checkers)
        there: RollersCube = "centred" if value == 1 else "owned"  # In a match.
        centred, owned = (
            bearoff.cube_actions(table, *pair, cube, cube_value=value)
            for cube in (("centred", "owned") if table.folder is None else 2 * (there,))
        )
        live = score.away[0] > value
        return CubeDecision(centred.doubles & live, owned.doubles & live, centred.takes)


@lru_cache(maxsize=64)
def _now(strategy: PerfectAtScore, side: int, level: int) -> PerfectAtScore:
    """Make one object of each, which is asked once about a pair."""
    return replace(strategy, game=strategy.game.now(side, level))


class ByMatchTable:
    """A player that leaves the other side the least chance to win the match.

    Parameters
    ----------
    game : MatchGame
        What is played.
    points, checkers : int
        Size of the positions.
    """

    def __init__(self, game: MatchGame, points: int, checkers: int) -> None:
        self._value = game.value
        table = game.table(points, checkers)
        self._tables = table, table.exchanged()

    def play(self, turn: Turn) -> None:
        """Compare the plays of each pair that is met, with each cube."""
        live = turn.live
        keys = np.stack(
            [turn.mine[live], turn.theirs[live], turn.level[live], turn.owner[live]],
            axis=1,
        ).astype(np.int64)
        pairs, lanes = np.unique(keys, axis=0, return_inverse=True)
        after = np.empty((len(pairs), len(bearoff.ROLLS)), dtype=np.int64)
        cubes = pairs[:, 2:]
        for level, owner in np.unique(cubes, axis=0).tolist():
            at = np.flatnonzero((cubes == [level, owner]).all(axis=1))
            cube: Cube = "centred" if owner == CENTRED else "opponent"
            if owner == turn.side:
                cube = "owned"
            after[at] = self._tables[turn.side].best_after(
                pairs[at, 0], pairs[at, 1], self._value << level, cube
            )
        turn.mine[live] = after[lanes.reshape(-1), turn.rolls[live]]
