"""Equities of races before the roll, and the cube decisions that follow from them.

The roller may double if the cube is centred or owned by the roller. Let :math:`N` be the
equity without a double now, and :math:`T` the equity after a double and a take. After a
pass the equity is 1, and the opponent chooses the better reply. The equity of doubling is
therefore the smaller of :math:`T` and 1. Doubling is right if this equity is at least
:math:`N`. If both are equal, doubling costs nothing and gives the opponent a chance to err.

The roller is *too good to double* if :math:`N > 1`: playing on for a gammon gains more than
doubling the opponent out. This requires that the opponent has all 15 checkers on the board
and, for money under the Jacoby rule, that the cube has been turned.

These rules hold at all stakes, because equities are scaled so that a pass has the equity 1.

With *beavers*, for money, an opponent who becomes the favourite after a take (:math:`T <
0`) redoubles at once and keeps the cube. The equity of doubling is then :math:`2T`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import html
from bearoff.stakes.stakes import Terms

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]
StrArray = NDArray[np.str_]

_SHARED = ("terms", "owners", "tie")

_DIFFERENCES = ("gain_error", "cost_error")

PASS = 1.0
"""The roller's equity if the opponent passes a double, at all stakes."""


_ACTIONS = np.array(
    [("",) * 6]
    + [
        (
            f"no {double}",
            f"too good to {double}",
            f"{double}, take",
            f"{double}, pass",
            f"no {double}, beaver",
            f"{double}, beaver",
        )
        for double in ("double", "redouble")
    ]
)
"""Names of the right cube actions. The first row is for a roller who may not double, the
second for a centred cube, and the third for a cube that the roller owns."""


@dataclass(frozen=True, eq=False)
class Values:
    """Equities and probabilities of races before the roll, one array element per race.

    Equities are from the roller's viewpoint: in points at a cube value of 1 for money, and
    in EMG at a match score (see `bearoff.stakes.stakes`). A cost is the equity that a
    decision loses; it is 0 if the decision is right.

    Attributes
    ----------
    terms : Terms
        Stakes and cube value that all races have in common.
    owners : ndarray of int8
        Owner of the cube: 1 for the roller, -1 for the opponent, 0 for a centred cube.
    no_double : ndarray of float64
        Equity without a double now. If the roller may not double, this is the only equity.
    double_take : ndarray of float64
        Equity after a double that is taken; NaN if the roller may not double.
    no_double_error, double_take_error : ndarray of float64
        Errors of `no_double` and `double_take`. They are bounds for exact values and
        standard errors for rollouts. About 2% of races exceed the errors of the fast model.
    win_probability : ndarray of float64
        The roller's win probability without a cube.
    win_probability_error : ndarray of float64
        Error of the win probability: a bound, a standard error or a typical error, like
        `no_double_error`.
    gammons_won, gammons_lost : ndarray of float64
        The roller's probabilities of winning and of losing a gammon without a cube; NaN if
        unknown.
    gain_error : ndarray of float64
        Error of the difference between `double_take` and `no_double`. NaN if the error is
        only known to be at most the sum of both errors.
    cost_error : ndarray of float64
        Error of the cost of the play that led to this race; NaN if unknown.
    tie : float
        Largest difference of equities that counts as a tie: 0 for money, and the table's
        rounding error at a match score.
    """

    terms: Terms
    owners: Int8Array
    no_double: Float64Array
    double_take: Float64Array
    no_double_error: Float64Array
    double_take_error: Float64Array
    win_probability: Float64Array
    win_probability_error: Float64Array
    gammons_won: Float64Array
    gammons_lost: Float64Array
    gain_error: Float64Array
    cost_error: Float64Array
    tie: float = 0.0
    COSTS: ClassVar[tuple[str, ...]] = (
        "missed_double",
        "wrong_double",
        "wrong_take",
        "wrong_pass",
    )
    """Names of the costs of the four wrong cube decisions."""

    @classmethod
    def empty(cls, terms: Terms, owners: Int8Array, tie: float = 0.0) -> Values:
        """Return an object in which all equities, probabilities and errors are NaN."""
        numbers = np.full((len(_NUMBERS), *owners.shape), np.nan)
        columns: dict[str, Any] = {
            name: numbers[place, ...] for place, name in enumerate(_NUMBERS)
        }
        return cls(terms, owners, **columns, tie=tie)

    def put(self, rows: Int64Array, values: Values) -> None:
        """Replace the values of the races with the indices `rows`.

        Raises
        ------
        ValueError
            If `values` has other stakes, so that equities cannot be compared.
        """
        if values.terms != self.terms:
            raise ValueError(
                f"values for {values.terms} cannot be stored among values for {self.terms}"
            )
        for one in fields(self):
            if one.name not in ("terms", "tie"):
                getattr(self, one.name)[rows] = getattr(values, one.name)

    def at(self, rows: ArrayLike | slice) -> Values:
        """Return the values of the races with the indices `rows`."""
        parts = {
            one.name: getattr(self, one.name)[rows]
            for one in fields(self)
            if one.name not in ("terms", "tie")
        }
        return replace(self, **parts)

    def widened(self, factor: Float64Array | float) -> Values:
        """Return the same values with all errors multiplied by a factor."""
        return replace(
            self,
            no_double_error=factor * self.no_double_error,
            double_take_error=factor * self.double_take_error,
            win_probability_error=factor * self.win_probability_error,
            gain_error=factor * self.gain_error,
            cost_error=factor * self.cost_error,
        )

    @property
    def may_double(self) -> BoolArray:
        """Whether the roller may double."""
        return np.asarray((self.owners >= 0) & self.terms.stakes.has_cube)

    @property
    def beavers(self) -> BoolArray:
        """Whether the opponent would beaver a double; false if beavers are not allowed."""
        return np.asarray(self.terms.stakes.beavers & (self.double_take < -self.tie))

    @property
    def accepted(self) -> Float64Array:
        """The roller's equity after a take, or after a beaver if a beaver is right."""
        return np.where(self.beavers, 2 * self.double_take, self.double_take)

    @property
    def double(self) -> Float64Array:
        """The roller's equity of doubling if the opponent replies correctly."""
        return np.asarray(np.fmin(self.accepted, PASS))

    @property
    def equity(self) -> Float64Array:
        """The roller's equity of the right cube action."""
        best = np.maximum(self.no_double, self.double)
        return np.where(self.may_double, best, self.no_double)

    @property
    def error(self) -> Float64Array:
        """Error of `equity`, in the same unit."""
        gain, waiting, doubling = self.double_gain, self.no_double_error, self.double_error
        either = np.maximum(waiting - np.maximum(gain, 0), doubling + np.minimum(gain, 0))
        return np.where(self.may_double, either, waiting)

    @property
    def double_error(self) -> Float64Array:
        """Error of `double`; 0 if the opponent surely passes, so that the equity is 1."""
        clear = self.double_take - self.double_take_error > PASS
        error = np.where(self.beavers, 2.0, 1.0) * self.double_take_error
        return np.where(clear, 0.0, error)

    @property
    def doubles(self) -> BoolArray:
        """Whether doubling is right; a tie counts as right."""
        return np.asarray(self.may_double & (self.double_gain >= -self.tie))

    @property
    def too_good(self) -> BoolArray:
        """Whether playing on for a gammon gains more than doubling the opponent out."""
        return np.asarray(self.may_double & (self.no_double > PASS + self.tie))

    @property
    def takes(self) -> BoolArray:
        """Whether the opponent should take a double."""
        return np.asarray(self.double_take <= PASS + self.tie)

    @property
    def double_gain(self) -> Float64Array:
        """Equity that the roller gains by doubling; negative if doubling loses equity."""
        return np.asarray(self.double - self.no_double)

    @property
    def take_gain(self) -> Float64Array:
        """Equity that the opponent gains by a take; negative for a loss of equity."""
        return np.asarray(PASS - self.accepted)

    @property
    def missed_double(self) -> Float64Array:
        """Cost to the roller of not doubling; 0 if not doubling is right."""
        return self._cost(self.double_gain)

    @property
    def wrong_double(self) -> Float64Array:
        """Cost to the roller of doubling; 0 if doubling is right."""
        return self._cost(-self.double_gain)

    @property
    def wrong_take(self) -> Float64Array:
        """Cost to the opponent of taking a double; 0 if taking is right."""
        return self._cost(self.double_take - self.double)

    @property
    def wrong_pass(self) -> Float64Array:
        """Cost to the opponent of passing a double; 0 if passing is right."""
        return self._cost(self.take_gain)

    @property
    def no_matter(self) -> BoolArray:
        """Whether doubling and not doubling have equal equities, within `tie`."""
        return np.asarray(self.may_double & (np.abs(self.double_gain) <= self.tie))

    @property
    def double_too_close(self) -> BoolArray:
        """Whether the errors are too large to determine if doubling is right.

        The result is False if both equities are exact, even if they are equal.
        """
        known = np.isnan(self.gain_error) | (self.double_error == 0) | self.beavers
        error = np.where(known, self.no_double_error + self.double_error, self.gain_error)
        return np.asarray((error > 0) & (np.abs(self.double_gain) <= error))

    @property
    def take_too_close(self) -> BoolArray:
        """Whether the errors are too large to determine if taking is right."""
        error = self.double_take_error
        return np.asarray((error > 0) & (np.abs(self.double_take - PASS) <= error))

    @property
    def too_close(self) -> BoolArray:
        """Whether errors leave the roller's decision or the opponent's reply uncertain."""
        open_ = self.double_too_close | (self.doubles & self.take_too_close)
        return np.asarray(self.may_double & open_)

    @property
    def action(self) -> StrArray:
        """Right cube action, such as ``double, take``; empty if no double is allowed.

        The action is ``no double``, ``too good to double``, ``double, take`` or ``double,
        pass``, with ``redouble`` for an owned cube. If the opponent would beaver a double,
        the action is ``no double, beaver`` or ``double, beaver``.
        """
        right = np.where(self.doubles, np.where(self.takes, 2, 3), self.too_good)
        right = np.where(self.beavers, 4 + self.doubles, right)
        row = np.where(self.may_double, 1 + (self.owners > 0), 0)
        return np.asarray(_ACTIONS[row, right.astype(np.intp)])

    def decisions(self, place: int) -> dict[str, tuple[float, float, float]]:
        """Return the equity, cost and error of the cost for each decision in a race.

        The decisions are ``no double``, ``double``, ``take``, ``pass`` and, if beavers are
        allowed, ``beaver``. The roller must be allowed to double.
        """
        one: dict[str, Any] = self.row(place)
        error, take_error = one["no_double_error"], one["double_take_error"]
        taken = one["double_take"]
        times = 2 if self.terms.stakes.beavers and taken < -self.tie else 1
        if taken - take_error <= PASS:  # A take may be right.
            gain = self.gain_error.item(place)
            summed = error + times * take_error
            error = summed if np.isnan(gain) or times == 2 else gain
        doubled = min(times * taken, PASS)
        found = {
            "no double": (one["no_double"], one["missed_double"], error),
            "double": (doubled, one["wrong_double"], error),
            "take": (taken, one["wrong_take"], take_error),
            "pass": (PASS, one["wrong_pass"], times * take_error),
        }
        if self.terms.stakes.beavers:
            cost = 2 * taken - doubled
            found["beaver"] = 2 * taken, cost if cost > self.tie else 0.0, 2 * take_error
        return found

    def _repr_html_(self) -> str:
        """Return an HTML table of the first races, with right cube actions and equities."""
        races = self.owners.size
        found = [self.row(place) for place in range(min(races, _SHOWN))]
        names = [] if not found else [name for name in found[0] if name in _SHOWN_NAMES]
        body = [[_cell(row[name]) for name in names] for row in found]
        more = f"<p>{races:,} races</p>" if races > _SHOWN else ""
        return html.rows(names, body) + more

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of all races as columns by name, for a data frame.

        Returns
        -------
        dict of str to ndarray, shape (n,)
            Columns with the names of `row`: ``action``, every stored number, ``equity`` and
            its ``error``, the costs in `COSTS`, and ``too_close``.

        Examples
        --------
        >>> import bearoff, numpy as np
        >>> values = Values.empty(bearoff.stakes.Terms(), np.zeros(1, np.int8))
        >>> values.no_double[:], values.double_take[:] = 0.5, 0.75
        >>> columns = values.to_dict()
        >>> columns["action"].item(), columns["missed_double"].item()
        ('double, take', 0.25)
        """
        names = [name for name in _NUMBERS if name not in _DIFFERENCES]
        derived = ("equity", "error", *self.COSTS, "too_close")
        return {name: getattr(self, name) for name in ("action", *names, *derived)}

    def row(self, place: int = 0, widened: float = 1.0) -> dict[str, float | str | bool]:
        """Return the numbers of one race by name, as plain Python values.

        The numbers equal the array elements, but are computed a hundred times as fast as
        with arrays of length 1. For `too_close`, the errors are multiplied by `widened`.
        """
        names = [name for name in _NUMBERS if name not in _DIFFERENCES]
        found = {name: getattr(self, name).item(place) for name in names}
        waits, taken = found["no_double"], found["double_take"]
        error, take_error = found["no_double_error"], found["double_take_error"]
        tie, owner = self.tie, self.owners.item(place)
        may_double = owner >= 0 and self.terms.stakes.has_cube
        found["equity"], found["error"] = waits, error
        costs, action, too_close = dict.fromkeys(self.COSTS, np.nan), "", False
        if may_double:
            beavers = self.terms.stakes.beavers and taken < -tie
            accepted, times = (2 * taken, 2) if beavers else (taken, 1)
            doubled = min(accepted, PASS)
            margin = doubled - waits
            clear = taken - take_error > PASS
            found["equity"] = max(waits, doubled)
            # The stated error is the error of the action with the higher equity, or the
            # possible gain from the other action if the gain is larger.
            doubling = 0.0 if clear else times * take_error
            found["error"] = max(error - max(margin, 0.0), doubling + min(margin, 0.0))
            differences = margin, -margin, taken - doubled, PASS - accepted
            for name, cost in zip(self.COSTS, differences, strict=True):
                costs[name] = cost if cost > tie else 0.0
            doubles, takes = margin >= -tie, taken <= PASS + tie
            right = 3 - takes if doubles else int(waits > PASS + tie)
            if beavers:
                right = 4 + doubles
            action = str(_ACTIONS[1 + (owner > 0), right])
            error, take_error = widened * error, widened * take_error
            clear = taken - take_error > PASS
            either, gain = (
                error + (0.0 if clear else times * take_error),
                self.gain_error.item(place),
            )
            if not clear and not np.isnan(gain) and not beavers:
                either = widened * gain
            too_close = either > 0 and abs(margin) <= either
            if doubles and take_error > 0:
                too_close |= abs(taken - PASS) <= take_error
        return {"action": action, **found, **costs, "too_close": too_close}

    def _cost(self, difference: Float64Array) -> Float64Array:
        """Convert equity differences to costs: 0 for ties, NaN if no double is allowed."""
        cost = np.where(difference > self.tie, difference, 0.0)
        return np.where(self.may_double, cost, np.nan)


_SHOWN = 10
"""Maximum number of races in the HTML table that notebooks show."""

_SHOWN_NAMES = {
    "action", "equity", "error", "no_double", "double_take", "win_probability",
    "gammons_won", "gammons_lost",
}  # fmt: skip


def _cell(value: float | str | bool) -> str:
    """Format a value for a notebook's table; NaN becomes an empty text."""
    if isinstance(value, str):
        return value
    return "" if value != value else f"{value:.4f}"


_NUMBERS = tuple(one.name for one in fields(Values) if one.name not in _SHARED)
