"""Market losers: outcomes of the next two rolls if the roller does not double.

A roller who does not double is on roll again after one roll of each side, unless the game
ends before or the opponent doubles. Each of the 21 x 21 pairs of rolls has one of these
outcomes:

==================== =============================================================
won                  the roller bears off; a double would have won twice as much
too good             the roller should play on for a gammon
double, pass         the opponent should pass a double: the market is lost
double, take         the roller should double, and the opponent take
no double            the roller should still not double
opponent doubles     the cube was centred, and the opponent doubles first
lost                 the opponent bears off
==================== =============================================================

The outcomes ``won``, ``too good`` and ``double, pass`` *lose the market*. The more likely
they are, the more costly it is not to double.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import Race, unrank
from bearoff.rolls import ROLLS, THROWS, WEIGHTS
from bearoff.sources.exact import TableSource, cube_actions, numbers_of
from bearoff.sources.pair_table import PairTable
from bearoff.sources.plays import play_values
from bearoff.sources.races import BOARD, Races, plays_of
from bearoff.sources.source import Source
from bearoff.stakes import CubeOwner, RollersCube

Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]

_WON, _TOO_GOOD, _PASS, _TAKE, _NO_DOUBLE, _OPPONENT_DOUBLES, _LOST = range(7)
_LOSERS = (_WON, _TOO_GOOD, _PASS)


@dataclass(frozen=True, eq=False)
class Market:
    """Outcomes of the 21 x 21 pairs of next rolls, if the roller does not double.

    Attributes
    ----------
    cube : {"centred", "owned"}
        Owner of the cube, which nobody turns during the two rolls.
    outcomes : ndarray of uint8, shape (21, 21), read-only
        Element ``[own, reply]`` is the outcome, as an index into `OUTCOMES`, of a roll of
        the roller followed by a roll of the opponent. Both axes are in the order of
        `bearoff.ROLLS`. If the roller has borne off, or the opponent has doubled, the
        opponent's roll does not matter.
    too_close : ndarray of bool, shape (21, 21), read-only
        For each pair of rolls: whether the errors of the equities are too large to
        determine the outcome.
    """

    cube: RollersCube
    outcomes: NDArray[np.uint8]
    too_close: NDArray[np.bool_]
    OUTCOMES: ClassVar[tuple[str, ...]] = (
        "won",
        "too good",
        "double, pass",
        "double, take",
        "no double",
        "opponent doubles",
        "lost",
    )
    """Names of the outcomes of two rolls. The first three outcomes lose the market."""

    @property
    def probabilities(self) -> dict[str, float]:
        """Probability of each outcome of the next two rolls, by its name."""
        found = self._ways / THROWS**2
        return dict(zip(self.OUTCOMES, found.tolist(), strict=True))

    @property
    def losing_probability(self) -> float:
        """Probability that the roller loses the market with the next two rolls."""
        return float(self._ways[list(_LOSERS)].sum() / THROWS**2)

    @property
    def _ways(self) -> Float64Array:
        """Number of the 36 x 36 pairs of throws that lead to each outcome, as float64."""
        weights = np.outer(WEIGHTS, WEIGHTS).ravel()
        found = np.bincount(self.outcomes.ravel(), weights, len(self.OUTCOMES))
        return found.astype(np.float64)

    @property
    def losing(self) -> NDArray[np.bool_]:
        """Whether the roller loses the market with each pair of rolls, shape (21, 21)."""
        return np.isin(self.outcomes, _LOSERS)

    @property
    def losing_after(self) -> Float64Array:
        """Probability, after each of the roller's 21 rolls, that the market is lost."""
        return np.asarray(self.losing @ np.array(WEIGHTS) / THROWS)


def market(
    table: PairTable,
    race: Race | tuple[int, int],
    cube: RollersCube = "centred",
    *,
    cube_value: int = 1,
    jacoby: bool = False,
) -> Market:
    """Return the outcome of each pair of next rolls, according to the values of a table.

    Parameters
    ----------
    table : TwoSidedTable or MatchTable
        Table of cubeful values for all owners of the cube.
    race : Race or (int, int)
        Race, or the position numbers of the roller and of the opponent.
    cube, cube_value, jacoby
        See `bearoff.cube_actions`.

    Raises
    ------
    PositionError, TableError, ScoreError, BearoffError
        See `bearoff.cube_actions`.

    Examples
    --------
    Both sides need four rolls. If the roller does not double, the market is lost unless the
    opponent throws a double.

    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(8, points=1)
    >>> table = bearoff.two_sided_table(8, points=1)
    >>> four_rolls = bearoff.Position.parse("8,0,0,0,0,0")
    >>> found = market(table, bearoff.Race(four_rolls, four_rolls), "owned")
    >>> {name: round(chance * 36**2) for name, chance in found.probabilities.items()}
    {'won': 0, 'too good': 0, 'double, pass': 1116, 'double, take': 0,
     'no double': 180, 'opponent doubles': 0, 'lost': 0}

    Both sides have two checkers on each of the 2 and 3 points. The leader at 2-away 4-away
    loses the market more often than a roller at 4-away 4-away, and should still not double.

    >>> pair = 2 * (bearoff.Position.parse("0,2,2,0,0,0").number,)
    >>> for away in (2, 4), (4, 4):
    ...     found = market(bearoff.match_table(4, away), pair)
    ...     print(round(found.losing_probability, 3))
    0.715
    0.586
    """
    numbers = numbers_of(table, race)
    # The result of this call is not used. The call raises an error if the roller may not
    # double, or if the table does not contain both positions.
    cube_actions(table, *numbers, cube, cube_value=cube_value, jacoby=jacoby)
    counts = np.zeros((2, BOARD), dtype=np.int8)
    counts[:, : table.points] = unrank(np.array(numbers), table.points)
    owner = np.array([CubeOwner.of(cube)], dtype=np.int8)
    terms = table.terms(cube_value, jacoby=jacoby)
    return market_by(
        TableSource(table), Races(counts[:1], counts[1:], owner, terms, table.start)
    )


def market_by(source: Source, race: Races) -> Market:
    """Return the outcome of each pair of next rolls in a race, after no double.

    The roller must be allowed to double. A double by the opponent does not count if it
    changes no equity.
    """
    cube: RollersCube = "owned" if race.owners[0] > 0 else "centred"
    rolls = len(ROLLS)
    start = race.select(np.zeros(rolls, dtype=np.int64))
    after = best_after(source, start)
    outcomes = np.full((rolls, rolls), _WON, dtype=np.uint8)
    close = np.zeros(outcomes.shape, dtype=bool)
    on = np.flatnonzero(after.any(axis=1))
    if cube == "centred" and len(on):
        theirs = source.values(start.after(on, after[on]))
        doubles = theirs.doubles & ~theirs.no_matter
        outcomes[on[doubles]] = _OPPONENT_DOUBLES
        close[on] = theirs.double_too_close[:, None]
        on = on[~doubles]
    if len(on):
        each = np.repeat(on, rolls)
        replies = start.after(each, after[each])
        reached = best_after(source, replies, np.tile(np.arange(rolls), len(on)))
        outcomes[on] = _LOST
        left = np.flatnonzero(reached.any(axis=1))
        then = source.values(replies.after(left, reached[left]))
        doubled = np.where(then.takes, _TAKE, _PASS)
        waits = np.where(then.too_good, _TOO_GOOD, _NO_DOUBLE)
        own, reply = each[left], left % rolls
        outcomes[own, reply] = np.where(then.doubles, doubled, waits)
        close[own, reply] |= then.too_close
    for array in (outcomes, close):
        array.setflags(write=False)
    return Market(cube, outcomes, close)


def best_after(source: Source, races: Races, rolls: Int64Array | None = None) -> Int8Array:
    """Return the rollers' checkers after the best plays of given rolls, shape (n, 24).

    `rolls` are indices into `bearoff.ROLLS`. By default, race ``i`` has roll ``i``.
    """
    places = np.arange(len(races)) if rolls is None else rolls
    rows, sides = plays_of(races.rollers, places)
    return sides[play_values(source, races, rows, sides).best]
