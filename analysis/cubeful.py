"""A run of games with the cube: what a player wins a game, and whether that is right.

An estimate here is a mean of points over the games of a pair, and its standard error the
standard deviation of a game over the root of the games.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from analysis.calibration import FEWEST_EVENTS, Calibration, judge
from analysis.errors import RunError
from analysis.runs import Run
from bearoff import unrank
from sim.schema import CUBE_BINS, CUBEFUL

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

ROUNDING = 4e-5
"""By how much a sure result may differ from a table's equity at a cube of 1: twice what
the codings of the cubeless and the cubeful plane leave, 1.5e-5 and less than 0.5e-5."""


@dataclass(frozen=True)
class Equity:
    """A mean of points a game and its standard error."""

    value: float
    error: float

    def __str__(self) -> str:
        """As in ``+0.4731 ± 0.0012``."""
        return f"{self.value:+.4f} ± {self.error:.4f}"


@dataclass(frozen=True, eq=False)
class CubefulOutcomes:
    """One entry per pair in every array, in the order of the run; equities in points.

    Attributes
    ----------
    roller, opponent : ndarray of int64
        Numbers of the side on roll and of the other.
    weight : ndarray of float64
        How much the pair counts in averages.
    games, wins : ndarray of int64
        Games played, and won by the roller.
    equity, error : ndarray of float64
        Mean points of the roller, and its standard error.
    cubes : ndarray of int64, shape (n, CUBE_BINS)
        Games by final cube: 1, 2, ..., 64 times the initial, and 128 times or more.
    doubles, passes : ndarray of int64, shape (n, 2)
        Doubles and passes of the roller and of the opponent.
    length : ndarray of float64
        Mean rolls of both sides together.
    expected : ndarray of float64
        What `equity` converges to; nan where unknown.
    difference, difference_error : ndarray of float64
        Mean points that the roller wins more than his rival from the same dice, and its
        standard error; nan without a rival.
    points, checkers, value : int
        Size of the run's positions, and the initial cube.
    """

    roller: Int64Array
    opponent: Int64Array
    weight: Float64Array
    games: Int64Array
    wins: Int64Array
    equity: Float64Array
    error: Float64Array
    cubes: Int64Array
    doubles: Int64Array
    passes: Int64Array
    length: Float64Array
    expected: Float64Array
    difference: Float64Array
    difference_error: Float64Array
    points: int
    checkers: int
    value: int

    @classmethod
    def of(cls, run: Run) -> Self:
        """Read a run.

        Raises
        ------
        RunError
            If it is of another kind, no pair is finished, or a part is missing or
            damaged.
        """
        run.require(CUBEFUL)
        table = run.table()
        if table.num_rows == 0:
            raise RunError(f"{run.path} holds no finished pair yet; simulate on")
        column = {
            name: table[name].to_numpy() for name in table.column_names if name != "cube"
        }
        games = column["games"]
        cubes = table["cube"].combine_chunks().flatten().to_numpy()

        def error(variance: str) -> Float64Array:
            return np.asarray(np.sqrt(column[variance].astype(np.float64) / games))

        return cls(
            roller=column["roller"],
            opponent=column["opponent"],
            weight=column["weight"],
            games=games,
            wins=column["wins"],
            equity=column["points_mean"],
            error=error("points_variance"),
            cubes=cubes.reshape(-1, CUBE_BINS),
            doubles=np.stack([column["roller_doubles"], column["opponent_doubles"]], 1),
            passes=np.stack([column["roller_passes"], column["opponent_passes"]], 1),
            length=column["length_mean"],
            expected=column["expected"].astype(np.float64),
            difference=column["difference_mean"].astype(np.float64),
            difference_error=error("difference_variance"),
            points=run.points,
            checkers=run.checkers,
            value=int(run.config["cube"]["value"]),
        )

    def __len__(self) -> int:
        return len(self.roller)

    @property
    def has_rival(self) -> bool:
        """Whether a rival played the same games."""
        return bool(np.isfinite(self.difference).all())

    def counts(self, side: Int64Array) -> NDArray[np.int8]:
        """Checkers on the ace, deuce, ... of `roller` or `opponent`, shape (n, points)."""
        return unrank(side, self.points, self.checkers)

    def mean_equity(self) -> Equity:
        """Mean equity of the roller over all pairs, each by its weight."""
        return self._mean(self.equity, self.error)

    def mean_difference(self) -> Equity:
        """Mean of what the roller wins more than his rival, each pair by its weight."""
        return self._mean(self.difference, self.difference_error)

    def share(self, counted: Int64Array) -> Float64Array:
        """Turn counts, shape (n, k), into means a game, each pair by its weight."""
        return np.average(counted / self.games[:, None], axis=0, weights=self.weight)

    def _mean(self, values: Float64Array, errors: Float64Array) -> Equity:
        whole = self.weight.sum()
        # Pairs have dice of their own, so their errors are independent.
        error = np.sqrt(((self.weight * errors) ** 2).sum()) / whole
        return Equity(float((self.weight * values).sum() / whole), float(error))


def calibrate_cubeful(outcomes: CubefulOutcomes) -> Calibration:
    """Compare simulated with expected equities.

    Pairs without an expected value are left out, and so are those with fewer than
    `FEWEST_EVENTS` wins or losses, unless a sure result is not the expected one: the
    standard error of such a pair is no more certain than its mean.
    """
    known = np.isfinite(outcomes.expected)
    difference = np.where(known, outcomes.equity - outcomes.expected, 0.0)
    rarer = np.minimum(outcomes.wins, outcomes.games - outcomes.wins)
    sure = known & (outcomes.error == 0)
    impossible = sure & (np.abs(difference) > outcomes.value * ROUNDING)
    judged = (known & (rarer >= FEWEST_EVENTS)) | impossible
    with np.errstate(divide="ignore"):
        z = difference[judged] / outcomes.error[judged]

    from scipy.special import ndtr

    return judge(
        z,
        2 * ndtr(-np.abs(z)),
        expected=outcomes.expected[judged],
        pairs=np.stack([outcomes.roller, outcomes.opponent], axis=1)[judged],
        skipped=int((~judged).sum()),
    )
