"""A run of games with the cube: what a player wins a game, and whether that is right.

An estimate here is a mean over the games of a pair: of points, or at a score of the chance
to win the match. Its standard error is the
standard deviation of a game over the root of the games, and, in squares, what `UNSEEN`
allows for: without that, few games that all end alike would claim to be certain.
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
from bearoff.analysis.outcomes.run import Run
from bearoff.sim.storage import schema

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

UNSEEN = 3
"""Games that may well end in another way although none did: of n such games the chance may
be as high as 3/n, which happens once in twenty (the *rule of three*)."""

ROUNDING = 4e-5
"""By how much a sure result may differ from a table's equity at a cube of 1: twice what
the codings of the cubeless and the cubeful plane leave, 1.5e-5 and less than 0.5e-5."""


@dataclass(frozen=True)
class Equity:
    """A mean a game and its standard error."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class CubefulOutcomes:
    """One entry per pair in every array, in the order of the run.

    Equities are in points, at a score chances to win the match.

    Attributes
    ----------
    roller, opponent : ndarray of int64
        Numbers of the side on roll and of the other.
    weight : ndarray of float64
        How much the pair counts in averages.
    games, wins : ndarray of int64
        Games played, and won by the roller.
    equity, error : ndarray of float64
        Mean equity of the roller, and its standard error.
    seen_error : ndarray of float64
        The standard error from the spread of the games alone.
    cubes : ndarray of int64, shape (n, CUBE_BINS)
        Games by final cube: 1, 2, ..., 64 times the initial, and 128 times or more.
    doubles, passes : ndarray of int64, shape (n, 2)
        Doubles and passes of the roller and of the opponent.
    gammons : ndarray of int64, shape (n, 2)
        Gammons that the roller won and lost.
    ends : dict of str to ndarray of int64, shape (n, CUBE_BINS)
        At a score, by final cube, the columns that begin with ``cube_``; else empty.
    length : ndarray of float64
        Mean rolls of both sides together.
    expected : ndarray of float64
        What `equity` converges to; nan where unknown.
    difference, difference_error : ndarray of float64
        Mean of what the roller wins more than the rival from the same dice, and its
        standard error; nan without a rival.
    seen_difference_error : ndarray of float64
        The standard error from the spread of the differences alone.
    points, checkers, value : int
        Size of the run's positions, and the initial cube.
    stake : float
        Half of what a single game at the initial cube decides.
    score : Score or None
        Before the game, in match play.
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
        """Read a run.

        Raises
        ------
        RunError
            If it is of another kind, no pair is finished, or a part is missing or
            damaged.
        """
        score = run.score
        run.require(schema.CUBEFUL if score is None else schema.MATCHES)
        table = run.table()
        if table.num_rows == 0:
            raise RunError(f"{run.path} holds no finished pair yet; simulate on")
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
        """Write an equity, with its standard error if there is one.

        As in ``+0.4731 ± 0.0012``, at a score ``73.62% ± 0.04%``.
        """
        if self.score is None:
            return f"{value:+.4f}" + ("" if error is None else f" ± {error:.4f}")
        return f"{value:.2%}" + ("" if error is None else f" ± {error:.2%}")

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
        return self._mean(self.equity, self.seen_error)

    def mean_difference(self) -> Equity:
        """Mean of what the roller wins more than the rival, each pair by its weight."""
        return self._mean(self.difference, self.seen_difference_error)

    def share(self, counted: Int64Array) -> Float64Array:
        """Turn counts, shape (n, k), into means a game, each pair by its weight."""
        return np.average(counted / self.games[:, None], axis=0, weights=self.weight)

    def _mean(self, values: Float64Array, errors: Float64Array) -> Equity:
        whole = self.weight.sum()
        # Pairs have dice of their own, so their errors are independent.
        error = np.sqrt(((self.weight * errors) ** 2).sum()) / whole
        # What no game of any pair has shown, where a game counts the most.
        unseen = UNSEEN * self.stake * (self.weight / self.games).max() / whole
        mean = (self.weight * values).sum() / whole
        return Equity(float(mean), float(np.hypot(error, unseen)))


def standard_error(variance: Float64Array, games: Int64Array, value: float) -> Float64Array:
    """Return the standard error of a mean over games of one pair.

    Parameters
    ----------
    variance : ndarray of float64, shape (n,)
        Population variance of a game, or of a difference; nan for nan.
    games : ndarray of int64, shape (n,)
        How many were played.
    value : float
        What a game is worth at least.

    Examples
    --------
    A hundred games that were all won, and a hundred of which half were:

    >>> standard_error(np.array([0.0, 1.0]), np.array([100, 100]), value=1).round(4)
    array([0.03  , 0.1044])
    """
    return np.asarray(np.hypot(np.sqrt(variance / games), UNSEEN * value / games))


def calibrate(outcomes: CubefulOutcomes) -> Calibration:
    """Compare simulated with expected equities.

    Pairs without an expected value are left out, and so are those with fewer than
    `FEWEST_EVENTS` wins or losses, unless a sure result is not the expected one: the
    standard error of such a pair is no more certain than its mean.
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
