"""Results of a simulation run with the cube: equities, errors and calibration.

Each estimate is a mean over the games of a pair of positions: of points or, at a match
score, of match-winning chances. Its variance is the sample variance divided by the number
of games, plus a term from `UNSEEN`. Without this term, a few games with the same result
would have no error.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bearoff import Score, unrank
from bearoff.analysis.errors import RunError
from bearoff.analysis.outcomes.calibration import (
    FEWEST_EVENTS,
    Calibration,
    calibrate_scores,
)
from bearoff.analysis.outcomes.intervals import Mean
from bearoff.analysis.outcomes.run import Run
from bearoff.sim.storage import schema

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

UNSEEN = 3
"""Numerator of the rule of three: if an outcome never occurred in n games, the upper 95%
confidence limit of its probability is 3/n."""

ROUNDING = 4e-5
"""Largest difference that rounding can cause between the result of a race with a certain
outcome and its equity in a table, at a cube value of 1. This bound is twice the sum of the
rounding errors of cubeless equities (1.5e-5) and cubeful equities (0.5e-5)."""


@dataclass(frozen=True, eq=False)
class CubefulOutcomes:
    """Results of a simulation run with the cube, one array entry per pair of positions.

    Equities are in points or, at a match score, match-winning chances from 0 to 1. The
    order of the pairs is that of the run.

    Attributes
    ----------
    roller, opponent : ndarray of int64
        Position numbers of the roller and the opponent.
    weight : ndarray of float64
        Weight of the pair of positions in averages.
    games, wins : ndarray of int64
        Number of games played, and of games won by the roller.
    equity, error : ndarray of float64
        Mean equity of the roller, and its standard error.
    seen_error : ndarray of float64
        Standard error of `equity` from the sample variance alone, ignoring results that did
        not occur.
    cubes : ndarray of int64, shape (n, CUBE_BINS)
        Number of games by final cube value: 1, 2, ..., 64 times the initial value, and 128
        times or more.
    doubles, passes : ndarray of int64, shape (n, 2)
        Number of doubles and passes by the roller and by the opponent.
    gammons : ndarray of int64, shape (n, 2)
        Number of gammons won and lost by the roller.
    ends : dict of str to ndarray of int64, shape (n, CUBE_BINS)
        Numbers of games at a match score, by column name and final cube value: games won,
        lost, won by a gammon and lost by a gammon. Empty for money play.
    length : ndarray of float64
        Mean number of rolls in a game, counting both sides.
    expected : ndarray of float64
        Expected value of `equity`; NaN if unknown.
    difference, difference_error : ndarray of float64
        Mean difference between the roller's result and that of a rival strategy with the
        same dice, and its standard error; NaN without a rival strategy.
    seen_difference_error : ndarray of float64
        Standard error of `difference` from the sample variance alone, ignoring results that
        did not occur.
    points, checkers, value : int
        Numbers of board points and of checkers per side, and the initial value of the cube.
    stake : float
        Half the difference in `equity` between winning and losing a single game at the
        initial cube value.
    score : Score or None
        Match score before the game; None for money play.
    """

    roller: Int64Array
    opponent: Int64Array
    weight: Float64Array
    games: Int64Array
    wins: Int64Array
    equity: Float64Array
    error: Float64Array
    seen_error: Float64Array
    cubes: Int64Array
    doubles: Int64Array
    passes: Int64Array
    gammons: Int64Array
    ends: dict[str, Int64Array]
    length: Float64Array
    expected: Float64Array
    difference: Float64Array
    difference_error: Float64Array
    seen_difference_error: Float64Array
    points: int
    checkers: int
    value: int
    stake: float
    score: Score | None

    @classmethod
    def of(cls, run: Run) -> Self:
        score = run.score
        run.require(schema.CUBEFUL if score is None else schema.MATCHES)
        table = run.table()
        if table.num_rows == 0:
            raise RunError(
                f"the run {run.path} has no results yet; run the same simulation again to "
                "continue it"
            )
        column = {
            name: table[name].to_numpy()
            for name in table.column_names
            if not name.startswith("cube")
        }
        bins = {
            name: table[name].combine_chunks().flatten().to_numpy()
            for name in table.column_names
            if name.startswith("cube")
        }
        ends = {name: row.reshape(-1, schema.CUBE_BINS) for name, row in bins.items()}
        games = column["games"]
        value = int(run.config["cube"]["value"])
        if score is None:
            mean, variance = "points_mean", "points_variance"
            stake = float(value)
            cubes = ends.pop("cube")
        else:
            mean, variance = "match_chance", "match_chance_variance"
            after = run.equities.after
            stake = (after(score, value) - after(score, -value)) / 2
            cubes = ends["cube_won"] + ends["cube_lost"]
        points, differences = (
            column[name].astype(np.float64) for name in (variance, "difference_variance")
        )
        return cls(
            roller=column["roller"],
            opponent=column["opponent"],
            weight=column["weight"],
            games=games,
            wins=column["wins"],
            equity=column[mean],
            error=standard_error(points, games, stake),
            seen_error=np.sqrt(points / games),
            cubes=cubes,
            doubles=np.stack([column["roller_doubles"], column["opponent_doubles"]], 1),
            passes=np.stack([column["roller_passes"], column["opponent_passes"]], 1),
            gammons=np.stack([column["gammons_won"], column["gammons_lost"]], 1),
            ends=ends,
            length=column["length_mean"],
            expected=column["expected"].astype(np.float64),
            difference=column["difference_mean"].astype(np.float64),
            difference_error=standard_error(differences, games, stake),
            seen_difference_error=np.sqrt(differences / games),
            points=run.points,
            checkers=run.checkers,
            value=value,
            stake=stake,
            score=score,
        )

    def written(self, value: float, error: float | None = None) -> str:
        """Format an equity, with its standard error if given.

        Examples are ``+0.4731 ± 0.0012`` and, at a match score, ``73.62% ± 0.04%``.
        """
        if self.score is None:
            return f"{value:+.4f}" + ("" if error is None else f" ± {error:.4f}")
        return f"{value:.2%}" + ("" if error is None else f" ± {error:.2%}")

    def __len__(self) -> int:
        return len(self.roller)

    @property
    def has_rival(self) -> bool:
        """Whether a second (rival) strategy played all games with the same dice."""
        return bool(np.isfinite(self.difference).all())

    def counts(self, side: Int64Array) -> NDArray[np.int8]:
        """Return the checkers on each point of one side, shape (n, points)."""
        return unrank(side, self.points, self.checkers)

    def mean_equity(self) -> Mean:
        """Return the weighted mean equity of the roller over all pairs of positions."""
        return self._mean(self.equity, self.seen_error)

    def mean_difference(self) -> Mean:
        """Return the weighted mean of the roller's result minus the rival strategy's."""
        return self._mean(self.difference, self.seen_difference_error)

    def share(self, counted: Int64Array) -> Float64Array:
        """Return weighted means per game, given k totals for each of n pairs, (n, k)."""
        return np.average(counted / self.games[:, None], axis=0, weights=self.weight)

    def _mean(self, values: Float64Array, errors: Float64Array) -> Mean:
        whole = self.weight.sum()
        # Each pair of positions has its own dice, so the errors of different pairs are
        # independent.
        error = np.sqrt(((self.weight * errors) ** 2).sum()) / whole
        # A result that never occurred in the simulation may still be possible. The term
        # `unseen` bounds the effect of such a result on the mean.
        unseen = UNSEEN * self.stake * (self.weight / self.games).max() / whole
        mean = (self.weight * values).sum() / whole
        return Mean(float(mean), float(np.hypot(error, unseen)))


def standard_error(variance: Float64Array, games: Int64Array, value: float) -> Float64Array:
    """Return the standard error of the mean result of each pair of positions.

    Examples
    --------
    Standard errors for 100 games that were all won, and for 100 games of which half were
    won:

    >>> standard_error(np.array([0.0, 1.0]), np.array([100, 100]), value=1).round(4)
    array([0.03  , 0.1044])
    """
    return np.asarray(np.hypot(np.sqrt(variance / games), UNSEEN * value / games))


def calibrate(outcomes: CubefulOutcomes) -> Calibration:
    """Compare a run's simulated equities with their expected values.

    Pairs without an expected value are skipped. Pairs with fewer than `FEWEST_EVENTS` wins
    or losses are also skipped, because their standard errors are uncertain. An exception is
    a pair whose games all had the same result, if it differs from the expected one.
    """
    has_expected = np.isfinite(outcomes.expected)
    difference = np.where(has_expected, outcomes.equity - outcomes.expected, 0.0)
    rarer = np.minimum(outcomes.wins, outcomes.games - outcomes.wins)
    sure = has_expected & (outcomes.seen_error == 0)
    impossible = sure & (np.abs(difference) > outcomes.stake * ROUNDING)
    tested = (has_expected & (rarer >= FEWEST_EVENTS)) | impossible
    with np.errstate(divide="ignore"):
        z = difference[tested] / outcomes.seen_error[tested]

    from scipy.special import ndtr

    return calibrate_scores(
        z,
        2 * ndtr(-np.abs(z)),
        expected=outcomes.expected[tested],
        pairs=np.stack([outcomes.roller, outcomes.opponent], axis=1)[tested],
        skipped=int((~tested).sum()),
    )
