"""One side of the games of a rollout: its plays, and what it still needs."""

import numpy as np
from numpy.typing import NDArray

import bearoff
from sim.play import arguments
from sim.rollouts.values import POINTS, ValueModel

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Counts8 = NDArray[np.int8]

FIRST_FULL = arguments.first_full(bearoff.POINTS, bearoff.CHECKERS)
"""Number of the first position of the home board with all 15 checkers on it."""

_LAST_SIX = 18
"""Of a side's 24 points, those from here on are the other's home board."""

_BEYOND_HOME = np.arange(1, POINTS - bearoff.POINTS + 1)
"""Pips that a checker on each point beyond the home board needs to be home."""

FIRST_OFF = (1.57, 0.137)
FIRST_OFF_VARIANCE = (0.41, 0.038)
"""Mean and variance of the rolls to the first checker off of a side of 15: at home, and
for each pip outside. Least squares over 3,000 sides of one to four checkers outside, each
played 30 times; the means are off by 0.4, rms."""


class Side:
    """One side of every game: its checkers, and where each roll would take them.

    ``numbers`` are those of the home board's table, -1 while checkers are outside, and
    ``counts`` are up to date only until then.
    """

    def __init__(self, values: ValueModel, counts: Counts8, games: int) -> None:
        self._values = values
        self._counts = np.tile(counts, (games, 1))
        self._has_all = int(counts.sum()) == bearoff.CHECKERS
        self.numbers = home_numbers(self._counts)
        self.epc = values.bear_in.epc(self._counts[:1]).repeat(games)
        self.std_rolls = values.bear_in.std_rolls(self._counts[:1]).repeat(games)
        self._after_epc = np.empty((0, 0))
        self._after_std = np.empty((0, 0))
        self._home = np.empty(0, dtype=np.int64)
        self._numbers_after = np.empty((0, 0), dtype=np.uint16)
        self._outside = np.empty(0, dtype=np.int64)
        self._row = np.empty(0, dtype=np.int64)
        self._after = np.empty((0, 0, 0), dtype=np.int8)

    def epc_after(self) -> Float64Array:
        """EPC after the play of each roll, shape (games, 21)."""
        values = self._values
        after = np.empty((len(self.numbers), len(bearoff.ROLLS)))
        self._home = np.flatnonzero(self.numbers >= 0)
        self._numbers_after = values.home.policy[self.numbers[self._home]]
        after[self._home] = values.home.epc[self._numbers_after]
        self._outside = np.flatnonzero(self.numbers < 0)
        # Many games have met the same position: it is looked at once.
        keys = bearoff.rank(self._counts[self._outside])
        _, firsts, self._row = np.unique(keys, return_index=True, return_inverse=True)
        positions = np.ascontiguousarray(self._counts[self._outside[firsts]])
        self._after, mean_rolls = values.bear_in.expand(positions)
        after[self._outside] = mean_rolls[self._row] * bearoff.PIPS_PER_ROLL
        self._after_epc = after
        self._after_std = np.empty_like(after)
        self._after_std[self._home] = values.home.std_rolls[self._numbers_after]
        self._after_std[self._outside] = values.bear_in.std_rolls(self._after)[self._row]
        return after

    def equities_after(self, other: "Side") -> Float64Array:
        """Return the other side's equity without a cube after the play of each roll.

        Shape (games, 21): by convolution where both sides are home, else as good as the
        means and standard deviations of the rolls needed tell; `epc_after` came before.
        """
        from sim.rollouts import kernels

        equities = np.empty((len(self.numbers), len(bearoff.ROLLS)))
        kernels.equities_by_spread(
            other.epc, other.std_rolls, self._after_epc, self._after_std, equities
        )
        both = other.numbers[self._home] >= 0
        games = self._home[both]
        exact = np.empty((len(games), len(bearoff.ROLLS)))
        kernels.equities_after(
            *self._values.rolls_needed,
            other.numbers[games],
            self._numbers_after[both],
            exact,
        )
        equities[games] = exact
        return equities

    def play(self, rolls: NDArray[np.uint8]) -> None:
        """Play each game's roll; `epc_after` came before."""
        self.epc = np.take_along_axis(self._after_epc, rolls[:, None], axis=1)[:, 0]
        self.std_rolls = np.take_along_axis(self._after_std, rolls[:, None], axis=1)[:, 0]
        at = np.arange(len(self._home)), rolls[self._home]
        self.numbers[self._home] = self._numbers_after[at]
        played = self._after[self._row, rolls[self._outside]]
        self._counts[self._outside] = played
        self.numbers[self._outside] = home_numbers(played)

    def select(self, games: NDArray[np.bool_]) -> None:
        """Go on with these games alone."""
        self._counts, self.numbers = self._counts[games], self.numbers[games]
        self.epc, self.std_rolls = self.epc[games], self.std_rolls[games]

    def in_table(self) -> Int64Array:
        """Numbers in the table that games stop in, -1 where it does not hold the side."""
        values = self._values
        numbers = np.where(self.numbers < 0, -1, values.home_in_table[self.numbers])
        if values.table_size is not None and values.table_size.points > bearoff.POINTS:
            outside = np.flatnonzero(self.numbers < 0)
            numbers[outside] = values.in_table(self._counts[outside])
        return numbers

    def is_full(self) -> NDArray[np.bool_]:
        """Whether the side has all 15 checkers on the board, in each game."""
        return (self.numbers >= FIRST_FULL) | ((self.numbers < 0) & self._has_all)

    def gammon_chances(
        self, winner: "Side", games: Int64Array, ahead: float
    ) -> Float64Array:
        """Estimate the chances to lose a gammon, full in all these games.

        As if the rolls that the winner needs, and those to this side's first checker off,
        were normal; `ahead` is in rolls.
        """
        from sim.rollouts import kernels

        outside = self._counts[games, bearoff.POINTS :].astype(np.int64)
        pips = np.where(self.numbers[games] < 0, outside @ _BEYOND_HOME, 0)
        rolls = FIRST_OFF[0] + FIRST_OFF[1] * pips
        variance = FIRST_OFF_VARIANCE[0] + FIRST_OFF_VARIANCE[1] * pips
        leads = rolls + ahead - winner.epc[games] / bearoff.PIPS_PER_ROLL
        spreads = np.sqrt(variance + winner.std_rolls[games] ** 2)
        chances = np.empty(len(games))
        kernels.chances_by_spread(leads, spreads, chances)
        return chances

    def points_lost(self, games: Int64Array) -> Int64Array:
        """Points at a cube of 1 that the side loses where the other has borne off.

        A gammon with all 15 checkers on the board, and a backgammon if one of them is
        in the other's home board, on the side's own last six points.
        """
        away = self.numbers[games] < 0
        full = self.is_full()[games]
        behind = away & self._counts[games, _LAST_SIX:].any(axis=1)
        return np.asarray(1 + full + (full & behind), dtype=np.int64)


def home_numbers(counts: Counts8) -> Int64Array:
    """Numbers on the home board, -1 where a checker is outside."""
    outside = counts[:, bearoff.POINTS :].any(axis=1)
    numbers = bearoff.rank(counts[:, : bearoff.POINTS])
    return np.where(outside, -1, numbers)
