"""What a source says of races, and what follows of plays."""

from dataclasses import dataclass, fields, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.answers.races import Races
from bearoff.cube import CubeActions
from bearoff.positions import CHECKERS

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]

Kind = Literal["exact", "model", "rollout"]


@dataclass(frozen=True, eq=False)
class Values:
    """What races are worth before the roll; every array has one entry a race.

    Equities are the roller's in points at a cube of 1; at a score they are normalised,
    so that a passed double is worth 1 and losing a single game -1.

    Attributes
    ----------
    may_double : ndarray of bool
        Whether the roller may turn the cube.
    no_double : ndarray of float64
        Equity without a double now; of who may not, the equity.
    double_take : ndarray of float64
        After a double that is taken; NaN where the roller may not.
    no_double_error, double_take_error : ndarray of float64
        Most by which these are wrong, of a rollout their root mean square.
    win_probability, gammons_won, gammons_lost : ndarray of float64
        Chances of the roller without a cube; gammons NaN where the source knows none.
    """

    may_double: BoolArray
    no_double: Float64Array
    double_take: Float64Array
    no_double_error: Float64Array
    double_take_error: Float64Array
    win_probability: Float64Array
    gammons_won: Float64Array
    gammons_lost: Float64Array

    @property
    def actions(self) -> CubeActions:
        """Cube actions and what mistakes cost; without meaning where nobody may double."""
        return CubeActions(
            "centred",
            self.win_probability,
            self.no_double,
            self.double_take,
            self.no_double_error,
            self.double_take_error,
            False,
            self.gammons_won,
            self.gammons_lost,
        )

    def widened(self, factor: Float64Array | float) -> CubeActions:
        """Return the actions with errors so many times as large."""
        return replace(
            self.actions,
            no_double_error=factor * self.no_double_error,
            double_take_error=factor * self.double_take_error,
        )

    def decision(self, decision: str, place: int) -> tuple[float, float, float]:
        """Return equity, cost and the cost's error of a decision in one race.

        Of ``no double``, ``double``, ``take`` or ``pass``, where the roller may double.
        """
        waits, taken = float(self.no_double[place]), float(self.double_take[place])
        take_error = float(self.double_take_error[place])
        passed = CubeActions.PASS
        doubled = min(taken, passed)
        error = float(self.no_double_error[place])
        if taken - take_error <= passed:  # Else a double is surely passed.
            error += take_error
        return {
            "no double": (waits, max(doubled - waits, 0.0), error),
            "double": (doubled, max(waits - doubled, 0.0), error),
            "take": (taken, max(taken - passed, 0.0), take_error),
            "pass": (passed, max(passed - taken, 0.0), take_error),
        }[decision]

    def put(self, rows: Int64Array, values: "Values") -> None:
        """Fill in the values of these rows."""
        for one in fields(self):
            getattr(self, one.name)[rows] = getattr(values, one.name)

    @property
    def equity(self) -> Float64Array:
        """Equity of the right action."""
        return np.where(self.may_double, self.actions.equity, self.no_double)

    @property
    def error(self) -> Float64Array:
        """Error of `equity`."""
        return np.where(self.may_double, self.actions.error, self.no_double_error)


class Source(Protocol):
    """Whoever values races before the roll."""

    @property
    def kind(self) -> Kind:
        """What its values are."""

    def values(self, races: Races) -> Values:
        """Value races, a checker of both sides on the board."""

    def won(self, points: Int64Array) -> Float64Array:
        """Equities, as of `Values`, of games won with so many points at this cube."""


def empty_values(count: int) -> Values:
    """Return values to be filled, of as many races."""
    return Values(np.zeros(count, dtype=bool), *np.full((7, count), np.nan))


def equities_after(
    source: Source, races: Races, rows: Int64Array, sides: Int8Array
) -> tuple[Float64Array, Float64Array]:
    """Return the rollers' equities after plays, and their errors.

    Parameters
    ----------
    source : Source
    races : Races
        Before the plays.
    rows, sides
        As `bearoff.answers.races.plays_of` gives them.
    """
    equities, errors = np.empty(len(rows)), np.zeros(len(rows))
    off = ~sides.any(axis=1)
    if off.any():
        lost = races.select(rows[off])
        equities[off] = source.won(points_lost(lost))
    on = ~off
    if on.any():
        found = source.values(races.after(rows[on], sides[on]))
        equities[on], errors[on] = -found.equity, found.error
    return equities, errors


def points_lost(races: Races) -> Int64Array:
    """Points that the opponents lose if the rollers bear off now, at this cube.

    Two with all 15 checkers on the board, three with one of them in the roller's home;
    one with a centred cube by Jacoby's rule.
    """
    full = races.opponents.sum(axis=1) == CHECKERS
    behind = races.opponents[:, 18:].any(axis=1)
    single = races.jacoby & (races.owners == 0)
    return np.asarray(1 + (full & ~single) + (full & behind & ~single), dtype=np.int64)
