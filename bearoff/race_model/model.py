r"""Fast model of cubeful equities in a race between two EPCs.

The model knows only the EPC of each player's position. An EPC decreases from roll to roll
as in typical positions with this EPC (`bearoff.race_model.chain`). No plays are chosen, so
a race depends on two EPCs only, and all pairs of rounded EPCs can be solved. The roller's
equity is E without a cube, W if the opponent owns the cube, O if the roller owns the cube,
and C with a centred cube. A bar is the mean over the roller's rolls, and a prime marks the
opponent's equity after the roll:

.. math::
    E = \overline{-E'}, \quad
    W = \overline{-O'}, \quad
    O = \max(\overline{-W'}, \min(2W, 1)), \quad
    C = \max(\overline{-C'}, \min(2W, 1))

Between the rounded EPCs, equities are interpolated.

An EPC states the length of a race but not the standard deviation of the number of rolls,
which matters for cube decisions. `RaceModel.matching_win_probability` and
`RaceModel.matching_std_rolls` therefore replace two EPCs by those of typical positions with
equivalent standard deviations. docs/rollouts.md states the errors compared with the exact
two-sided tables.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import BearoffError
from bearoff.rolls import PIPS_PER_ROLL
from bearoff.stakes import (
    Cube,
    CubeOwner,
    RollersCube,
    Terms,
    Values,
    cube_among,
    cube_named,
)
from bearoff.two_sided import codings

Float64Array = NDArray[np.float64]

ERRORS = (0.05, 0.06)
"""Stated errors, in points, of the model's equities of no double and of double/take, for
EPCs of at least 30 pips. About 2% of races have larger errors; see
results/race-model/zones.md."""

NO_DOUBLE_CUBES: tuple[RollersCube, ...] = ("owned", "centred")
"""Owners of the cube for which the roller may double, in the order of the first axis of
`RaceModel.no_double_values`."""


@dataclass(frozen=True, eq=False)
class RaceModel:
    """Cubeful money equities of races, as functions of both players' effective pip counts.

    Methods take EPCs in pips, as numbers or arrays of compatible shapes. An EPC of 0 means
    that no checkers are left. Other EPCs below 49/6, the smallest EPC of a position with
    checkers, count as 49/6. Equities are from the roller's viewpoint before the roll, at a
    cube value of 1. The model has no gammons, which increases its error by up to the
    probability of a gammon (see `one_sided.gammons.gammon_bound`).

    Attributes
    ----------
    step : float
        Difference between two adjacent EPCs of the model, in pips.
    planes : ndarray of float32, shape (4, bins, bins)
        Equities, indexed by owner of the cube (`bearoff.two_sided.codings.PLANES`) and by
        the EPCs of roller and opponent in units of `step`. Index 0 means that no checkers
        are left.
    no_double_values : ndarray of float32, shape (2, bins, bins)
        The roller's equities without a double now, for an owned and for a centred cube,
        indexed by EPCs like `planes`.
    std_rolls : ndarray of float64, shape (bins,)
        Standard deviation of the number of rolls that is typical of each EPC.
    """

    step: float
    planes: NDArray[np.float32]
    no_double_values: NDArray[np.float32]
    std_rolls: Float64Array

    @property
    def largest_epc(self) -> float:
        """Largest effective pip count in the model, in pips."""
        return float((self.planes.shape[1] - 1) * self.step)

    def win_probability(
        self, roller_epc: ArrayLike, opponent_epc: ArrayLike
    ) -> Float64Array:
        """Return the probability that the roller wins without a cube.

        Raises
        ------
        BearoffError
            If an EPC is negative, larger than `largest_epc`, or NaN.
        """
        return (self.read(self.planes[0], roller_epc, opponent_epc) + 1) / 2

    def equity(
        self, roller_epc: ArrayLike, opponent_epc: ArrayLike, cube: Cube | None = "centred"
    ) -> Float64Array:
        """Return the roller's equity in points, at a cube value of 1.

        Parameters
        ----------
        roller_epc, opponent_epc : array_like of float
            EPCs in pips.
        cube : {"centred", "owned", "opponent"} or None
            Owner of the cube; None for a game without a cube. The roller may double unless
            the opponent owns the cube.

        Returns
        -------
        ndarray of float64
            Equities, interpolated linearly between the EPCs of the model.

        Raises
        ------
        BearoffError
            See `win_probability`. Also raised if `cube` is not one of the values above.
        """
        plane = self.planes[codings.PLANES.index(cube_named(cube) if cube else "cubeless")]
        return self.read(plane, roller_epc, opponent_epc)

    def no_double(
        self,
        roller_epc: ArrayLike,
        opponent_epc: ArrayLike,
        cube: RollersCube = "centred",
    ) -> Float64Array:
        """Return the equity if a roller who may double does not double now.

        Raises
        ------
        BearoffError
            See `win_probability`. Also raised if `cube` is neither "centred" nor "owned".
        """
        values = self.no_double_values[NO_DOUBLE_CUBES.index(_roller_may_double(cube))]
        return self.read(values, roller_epc, opponent_epc)

    def cube_actions(
        self,
        roller_epc: ArrayLike,
        opponent_epc: ArrayLike,
        cube: RollersCube = "centred",
    ) -> Values:
        """Return the right cube actions, in the form of `bearoff.cube_actions`.

        Returns
        -------
        Values
            Equities for money, without gammon chances. Their errors are `ERRORS`, which are
            rarely exceeded but are not bounds.

        Raises
        ------
        BearoffError
            See `no_double`. Also raised if a player has no checkers left.

        Examples
        --------
        Both sides have a wastage of eight pips, in a race of 30 pips against 33 pips:

        >>> from bearoff.race_model import race_model
        >>> answer = race_model().cube_actions(38.0, 41.0)
        >>> bool(answer.doubles), bool(answer.takes)
        (True, True)
        """
        x, y = _together(roller_epc=roller_epc, opponent_epc=opponent_epc)
        cube = _roller_may_double(cube)
        no_double = self.no_double(x, y, cube)
        if not (x.all() and y.all()):
            raise BearoffError(
                "a cube action requires both sides to have checkers on the board, got an "
                "EPC of 0"
            )
        found = Values.empty(Terms(), np.full(x.shape, CubeOwner.of(cube), dtype=np.int8))
        found.win_probability[...] = self.win_probability(x, y)
        found.no_double[...] = no_double
        found.double_take[...] = 2 * self.equity(x, y, "opponent")
        found.no_double_error[...], found.double_take_error[...] = ERRORS
        return found

    def matching_win_probability(
        self, roller_epc: ArrayLike, opponent_epc: ArrayLike, win_probability: ArrayLike
    ) -> tuple[Float64Array, Float64Array]:
        """Return EPCs with an unchanged sum that give the model a known win probability.

        If the distributions of rolls of both sides are known, the win probability by
        convolution (`bearoff.fewest_rolls_win_probability`) is more accurate than that of
        the model. One EPC is raised and the other is lowered by the same amount, until the
        model has the given win probability.

        Parameters
        ----------
        roller_epc, opponent_epc : array_like of float
            EPCs in pips.
        win_probability : array_like of float
            The roller's win probability without a cube, from 0 to 1.

        Returns
        -------
        roller_epc, opponent_epc : ndarray of float64
            Changed EPCs, for use with the other methods. If no EPCs give exactly
            `win_probability`, the result gives the nearest possible win probability.

        Raises
        ------
        BearoffError
            If an EPC or a win probability is out of range.

        Examples
        --------
        The roller has 15 checkers on the 1 point, whose number of rolls varies little. The
        opponent has ten checkers on higher points. With the changed EPCs, the model gives
        the win probability by convolution:

        >>> import bearoff
        >>> stack = bearoff.rank([15, 0, 0, 0, 0, 0])
        >>> spread = bearoff.rank([0, 0, 0, 2, 2, 6])
        >>> epc = bearoff.one_sided_table().epc
        >>> chance = bearoff.fewest_rolls_win_probability(stack, spread)
        >>> model = bearoff.race_model.race_model()
        >>> sides = model.matching_win_probability(epc[stack], epc[spread], chance)
        >>> bool(abs(model.win_probability(*sides) - chance) < 1e-6)
        True
        """
        x, y, chance = _together(
            roller_epc=roller_epc,
            opponent_epc=opponent_epc,
            win_probability=win_probability,
        )
        checks.reals(chance, "a win probability", 0, 1)
        # The kernels are slow to import, and answers from tables do not need them.
        from bearoff.race_model import kernels

        lead = np.empty(x.shape)
        bad = kernels.match(
            self.planes[0], self.step, PIPS_PER_ROLL, *map(_flat, (x, y, chance, lead))
        )
        self._check(bad, x, y)
        return x + lead, y - lead

    def matching_std_rolls(
        self,
        roller_epc: ArrayLike,
        opponent_epc: ArrayLike,
        roller_std: ArrayLike,
        opponent_std: ArrayLike,
    ) -> tuple[Float64Array, Float64Array]:
        """Return EPCs corrected for standard deviations that differ from the typical ones.

        This method is an alternative to `matching_win_probability` if only the means and
        standard deviations of both numbers of rolls are known. The roller's lead in EPC,
        plus half a roll, is multiplied by the ratio of the typical to the given standard
        deviation. The EPCs of short races are not changed.

        Parameters
        ----------
        roller_epc, opponent_epc : array_like of float
            EPCs in pips.
        roller_std, opponent_std : array_like of float
            Standard deviation of each player's number of rolls.

        Returns
        -------
        roller_epc, opponent_epc : ndarray of float64
            Changed EPCs, for use with the other methods.

        Raises
        ------
        BearoffError
            If an EPC is out of range, or a standard deviation is negative or NaN.
        """
        x, y, *stds = _together(
            roller_epc=roller_epc,
            opponent_epc=opponent_epc,
            roller_std=roller_std,
            opponent_std=opponent_std,
        )
        self._check(_first(~(self._holds(x) & self._holds(y))), x, y)
        bad = _first(~((stds[0] >= 0) & (stds[1] >= 0)))
        if bad >= 0:
            raise BearoffError(
                "standard deviations must not be negative, got "
                + " and ".join(str(_flat(d)[bad]) for d in stds)
            )
        from bearoff.race_model import kernels

        shift = np.empty(x.shape)
        sides = map(_flat, (x, y, *stds, shift))
        kernels.match_stds(self.std_rolls, self.step, PIPS_PER_ROLL, *sides)
        return x + shift, y - shift

    def read(
        self, plane: NDArray[np.float32], roller_epc: ArrayLike, opponent_epc: ArrayLike
    ) -> Float64Array:
        """Interpolate a table of the model's equities at the EPCs of both players.

        Parameters
        ----------
        plane : ndarray of float32, shape (bins, bins)
            Equities or other values of the model, indexed by the EPCs of roller and
            opponent in units of `step`.
        roller_epc, opponent_epc : array_like of float
            EPCs in pips.

        Raises
        ------
        BearoffError
            If an EPC is negative, outside the table, or NaN.
        """
        x, y = _together(roller_epc=roller_epc, opponent_epc=opponent_epc)
        from bearoff.race_model import kernels

        values = np.empty(x.shape)
        bad = kernels.interpolate(
            plane, self.step, PIPS_PER_ROLL, _flat(x), _flat(y), _flat(values)
        )
        self._check(bad, x, y)
        return values

    def _holds(self, epc: Float64Array) -> NDArray[np.bool_]:
        return np.asarray((epc >= 0) & (epc <= self.largest_epc))

    def _check(self, bad: int, x: Float64Array, y: Float64Array) -> None:
        if bad < 0:
            return
        for name, epc in (("roller", _flat(x)[bad]), ("opponent", _flat(y)[bad])):
            if not self._holds(epc):
                raise BearoffError(
                    f"the EPC of the {name} must be from 0 to {self.largest_epc:.1f} pips, "
                    f"got {epc}"
                )


def _roller_may_double(cube: str) -> RollersCube:
    return cube_among(cube, NO_DOUBLE_CUBES)


def _together(**values: ArrayLike) -> list[Float64Array]:
    arrays = {name: checks.floats(value, name) for name, value in values.items()}
    if len({array.shape for array in arrays.values()}) == 1:
        return list(arrays.values())
    return [np.ascontiguousarray(array) for array in checks.broadcast(**arrays)]


def _flat(array: Float64Array) -> Float64Array:
    return array.reshape(-1)


def _first(wrong: NDArray[np.bool_]) -> int:
    """Return the index of the first true element of an array, or -1 if there is none."""
    return int(wrong.argmax()) if wrong.any() else -1
