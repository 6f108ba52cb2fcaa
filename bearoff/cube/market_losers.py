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

from bearoff.cube.actions import CubeActions, cube_actions
from bearoff.cube.arguments import RollersCube, check_rollers_cube, numbers_of
from bearoff.positions import Race
from bearoff.rolls import ROLLS, THROWS, WEIGHTS
from bearoff.two_sided import Cube, TwoSidedTable

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_WON, _TOO_GOOD, _PASS, _TAKE, _NO_DOUBLE, _OPPONENT_DOUBLES, _LOST = range(7)
_LOSERS = (_WON, _TOO_GOOD, _PASS)
_CHANCES = np.array(WEIGHTS) / THROWS


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
        weights = np.outer(_CHANCES, _CHANCES)
        sums = np.bincount(self.outcomes.ravel(), weights.ravel(), len(self.OUTCOMES))
        return dict(zip(self.OUTCOMES, sums.tolist(), strict=True))

    @property
    def losing_probability(self) -> float:
        """Chance that the exchange loses the market."""
        return sum(self.probabilities[self.OUTCOMES[k]] for k in _LOSERS)

    @property
    def losing(self) -> NDArray[np.bool_]:
        """Which sequences lose the market, shape (21, 21)."""
        return np.isin(self.outcomes, _LOSERS)

    @property
    def losing_after(self) -> Float64Array:
        """Chance that the market is lost, given the roller's own roll; shape (21,)."""
        return np.asarray(self.losing @ _CHANCES)


def market(
    table: TwoSidedTable,
    race: Race | tuple[int, int],
    cube: RollersCube = "centred",
    *,
    jacoby: bool = False,
) -> Market:
    """Follow every exchange of rolls if the roller does not double now.

    Parameters
    ----------
    table : TwoSidedTable
        With all planes.
    race : Race or (int, int)
        The pair, or the numbers of roller and opponent.
    cube : {"centred", "owned"}
        Where the cube is.
    jacoby : bool
        Whether gammons count only once the cube has been turned.

    Raises
    ------
    PositionError, TableError, BearoffError
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
    """
    check_rollers_cube(cube)
    roller, opponent = numbers_of(table, race)
    after = table.best_after(roller, opponent, cube, jacoby=jacoby)
    outcomes = np.full((len(ROLLS),) * 2, _WON, dtype=np.uint8)
    close = np.zeros(outcomes.shape, dtype=bool)
    on = np.flatnonzero(after)
    if cube == "centred":
        theirs = cube_actions(table, opponent, after[on], "centred", jacoby=jacoby)
        outcomes[on[theirs.doubles]] = _OPPONENT_DOUBLES
        close[on] = theirs.double_too_close[:, None]
        on = on[~theirs.doubles]
    their_cube: Cube = "opponent" if cube == "owned" else "centred"
    opponents = np.full(len(on), opponent)
    replies = table.best_after(opponents, after[on], their_cube, jacoby=jacoby)
    outcomes[on] = _LOST
    mine, reply = np.nonzero(replies)
    numbers = after[on[mine]], replies[mine, reply]
    then = cube_actions(table, *numbers, cube, jacoby=jacoby)
    outcomes[on[mine], reply] = _outcomes_of(then)
    close[on[mine], reply] |= then.too_close
    for array in (outcomes, close):
        array.setflags(write=False)
    return Market(cube, outcomes, close)


def _outcomes_of(actions: CubeActions) -> NDArray[np.uint8]:
    doubled = np.where(actions.takes, _TAKE, _PASS)
    waits = np.where(actions.too_good, _TOO_GOOD, _NO_DOUBLE)
    return np.where(actions.doubles, doubled, waits).astype(np.uint8)
