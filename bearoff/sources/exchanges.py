"""Market losers: what one exchange of rolls does to a cube that was not turned.

A roller who may double and does not will be on roll again after this roll and the
opponent's, unless the game ends before or the opponent doubles first. Each of the
21 x 21 sequences leads to one of these:

====================  =============================================================
won                   the roller bears off: a double would have won twice as much
too good              the roller would rather play on for the gammon than cash
double, pass          the market is lost: the roller can only cash
double, take          the roller doubles within the window
no double             the roller is better off waiting
opponent doubles      the cube was centred and the opponent is the first to turn it
lost                  the opponent bears off
====================  =============================================================

The first three *lose the market*: the more often they come, the more waiting costs.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bearoff.positions import Race, unrank
from bearoff.rolls import ROLLS, THROWS, WEIGHTS
from bearoff.sources.exact import Table, cube_actions, numbers_of
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
    """The 21 x 21 exchanges of rolls after no double, both sides playing their best.

    Attributes
    ----------
    cube : {"centred", "owned"}
        Where the cube is, and stays in the exchange.
    outcomes : ndarray of uint8, shape (21, 21), read-only
        ``[own, reply]`` indexes `OUTCOMES`; rolls in the order of `bearoff.ROLLS`. The
        reply makes no difference after the roller has borne off or the opponent has
        doubled.
    too_close : ndarray of bool, shape (21, 21), read-only
        Where the errors of the table's values leave the outcome open.
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
    """What a sequence leads to; those that lose the market first."""

    @property
    def probabilities(self) -> dict[str, float]:
        """Chance of each outcome."""
        found = self._ways / THROWS**2
        return dict(zip(self.OUTCOMES, found.tolist(), strict=True))

    @property
    def losing_probability(self) -> float:
        """Chance that the exchange loses the market."""
        return float(self._ways[list(_LOSERS)].sum() / THROWS**2)

    @property
    def _ways(self) -> Float64Array:
        """Throws of both, of 1,296, by outcome: whole numbers, whose sums are exact."""
        weights = np.outer(WEIGHTS, WEIGHTS).ravel()
        found = np.bincount(self.outcomes.ravel(), weights, len(self.OUTCOMES))
        return found.astype(np.float64)

    @property
    def losing(self) -> NDArray[np.bool_]:
        """Which sequences lose the market, shape (21, 21)."""
        return np.isin(self.outcomes, _LOSERS)

    @property
    def losing_after(self) -> Float64Array:
        """Chance that the market is lost, given the roller's own roll; shape (21,)."""
        return np.asarray(self.losing @ np.array(WEIGHTS) / THROWS)


def market(
    table: PairTable,
    race: Race | tuple[int, int],
    cube: RollersCube = "centred",
    *,
    cube_value: int = 1,
    jacoby: bool = False,
) -> Market:
    """Follow every exchange of rolls in a table if the roller does not double now.

    Parameters
    ----------
    table : TwoSidedTable or MatchTable
        With all planes.
    race : Race or (int, int)
        The pair, or the numbers of roller and opponent.
    cube, cube_value, jacoby
        As for `bearoff.cube_actions`.

    Raises
    ------
    PositionError, TableError, ScoreError, BearoffError
        As for `bearoff.cube_actions`.

    Examples
    --------
    Four rolls against four: unless the opponent throws the only double, waiting loses
    the market.

    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(8)
    >>> table = bearoff.two_sided_table(8)
    >>> four_rolls = bearoff.Position.parse("8,0,0,0,0,0")
    >>> found = market(table, bearoff.Race(four_rolls, four_rolls), "owned")
    >>> {name: round(chance * 36**2) for name, chance in found.probabilities.items()}
    {'won': 0, 'too good': 0, 'double, pass': 1116, 'double, take': 0,
     'no double': 180, 'opponent doubles': 0, 'lost': 0}

    Two checkers each on the deuce and on the three. Who leads 2-away 4-away loses the
    market more often than at 4-away 4-away, and still does not double.

    >>> pair = 2 * (bearoff.Position.parse("0,2,2,0,0,0").number,)
    >>> for away in (2, 4), (4, 4):
    ...     found = market(bearoff.match_table(4, away), pair)
    ...     print(round(found.losing_probability, 3))
    0.715
    0.586
    """
    numbers = numbers_of(table, race)
    # Refuses who may not double, and a pair that the table does not hold.
    cube_actions(table, *numbers, cube, cube_value=cube_value, jacoby=jacoby)
    counts = np.zeros((2, BOARD), dtype=np.int8)
    counts[:, : table.points] = unrank(np.array(numbers), table.points)
    owner = np.array([CubeOwner.of(cube)], dtype=np.int8)
    terms = table.terms(cube_value, jacoby=jacoby)
    return market_by(Table(table), Races(counts[:1], counts[1:], owner, terms, table.start))


def market_by(source: Source, race: Races) -> Market:
    """Follow every exchange of rolls of one race if the roller, who may, does not double.

    A double of the opponent that changes nothing is not counted.
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
    """Return each roller's side after its best play of its roll, shape (n, 24).

    `rolls` are places in `bearoff.ROLLS`; the first race has the first, if not given.
    """
    places = np.arange(len(races)) if rolls is None else rolls
    rows, sides = plays_of(races.rollers, places)
    return sides[play_values(source, races, rows, sides).best]
