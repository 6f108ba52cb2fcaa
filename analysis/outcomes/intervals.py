r"""Confidence intervals of a win probability, given wins and games.

If k of n games were won, Wilson's interval contains every win probability :math:`p` with

.. math:: |k/n - p| \\le z \\sqrt{p (1 - p) / n}.

Unlike the interval :math:`\\hat p \\pm z \\sqrt{\\hat p (1 - \\hat p) / n}`, Wilson's
interval has a positive width when all games were won, and stays within 0 to 1.

With one to three wins (or losses), one end of Wilson's 95% interval misses some true
probabilities in one of six runs instead of one of twenty. That end is therefore moved to
the probability at which the observed number of wins, or more, has a probability of 5%. The
95% interval then covers the true probability in about 95%, and always at least 92%, of
runs.

References
----------
Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, JASA 22
(1927) 209-212; Brown, Cai and DasGupta, *Interval Estimation for a Binomial Proportion*,
Statistical Science 16 (2001) 101-133. Section 4.1.1 of the latter has the correction for
few wins.
"""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff.errors import BearoffError

CONFIDENCE = 0.95
"""Default confidence level of intervals."""

FEW = 3
"""Largest number of wins, or of losses, for which Wilson's interval is widened."""

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mean:
    """Mean of a quantity, with its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, values: Float64Array, weight: Float64Array) -> "Mean":
        """Return the weighted mean of values, with its standard error.

        Examples
        --------
        >>> import numpy as np
        >>> Mean.of(np.array([0.0, 1.0, 1.0, 2.0]), np.ones(4)).value
        1.0
        """
        share = weight / weight.sum()
        mean = float(share @ values)
        n = len(values)
        squares = float(share**2 @ (values - mean) ** 2)
        return cls(mean, float(np.sqrt(squares * n / (n - 1))) if n > 1 else float("nan"))


def normal_quantile(confidence: float) -> float:
    """Return the number of standard errors on each side of a normal confidence interval.

    Examples
    --------
    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    if not 0 < confidence < 1:
        raise BearoffError(f"confidence must be above 0 and below 1, got {confidence}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson_interval(
    wins: ArrayLike, games: ArrayLike, confidence: float = CONFIDENCE
) -> tuple[Float64Array, Float64Array]:
    """Return Wilson's interval of the win probability, widened for few wins or losses.

    Parameters
    ----------
    wins, games : array_like of int, broadcast against each other
        Games won and games played; at least one game.
    confidence : float
        Nominal confidence level of the interval.

    Returns
    -------
    low, high : ndarray of float64
        Ends of the interval, 0 <= low <= wins/games <= high <= 1.

    Raises
    ------
    BearoffError
        If games < 1, wins < 0, wins > games, or `confidence` is not between 0 and 1.

    Examples
    --------
    >>> low, high = wilson_interval(10, 10)
    >>> round(float(low), 4), float(high)
    (0.7225, 1.0)

    If one of 100 games was lost, the true probability of losing may be as low as 1/2000:

    >>> round(float(wilson_interval(99, 100)[1]), 4)
    0.9995
    """
    z = normal_quantile(confidence)
    k, n = np.broadcast_arrays(
        np.asarray(wins, dtype=np.float64), np.asarray(games, dtype=np.float64)
    )
    if n.size and n.min() < 1:
        raise BearoffError(f"an interval needs at least 1 game, got {n.min():g}")
    if n.size and (k.min() < 0 or (k > n).any()):
        raise BearoffError("the number of wins must be from 0 to the number of games")
    share = k / n
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    # The limits keep rounding errors from changing a bound of exactly 0 or exactly 1.
    low = np.where(k == 0, 0.0, np.minimum(centre - half, share))
    high = np.where(k == n, 1.0, np.maximum(centre + half, share))
    rarer = np.minimum(k, n - k)
    if not ((rarer > 0) & (rarer <= FEW)).any():
        return low, high
    return (
        np.minimum(low, _least_chance(k, n, 1 - confidence)),
        np.maximum(high, 1 - _least_chance(n - k, n, 1 - confidence)),
    )


def _least_chance(wins: Float64Array, games: Float64Array, tail: float) -> Float64Array:
    """Return the win probability at which `wins` or more wins have probability `tail`."""
    from scipy.special import betaincinv  # The import of scipy is slow, so it is local.

    least = np.ones(wins.shape)
    few = (wins > 0) & (wins <= FEW)
    least[few] = betaincinv(wins[few], games[few] - wins[few] + 1, tail)
    return least


def z_scores(wins: ArrayLike, games: ArrayLike, expected: ArrayLike) -> Float64Array:
    """Return the z-scores of observed win rates, given expected win probabilities.

    Examples
    --------
    >>> z_scores([60, 7, 6], [100, 7, 7], [0.5, 1.0, 1.0])
    array([  2.,   0., -inf])
    """
    n = np.asarray(games, dtype=np.float64)
    p = np.asarray(expected, dtype=np.float64)
    difference = np.asarray(wins, dtype=np.float64) / n - p
    error = np.sqrt(p * (1 - p) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = difference / error
    # A rounding error divided by a standard error of 0 would be infinite, so tiny
    # differences get the z-score 0.
    return np.where(np.abs(difference) < 1e-12, 0.0, z)


def percent(probability: float, digits: int = 2) -> str:
    """Format a probability as a percentage.

    Digits are added where rounding would otherwise give 0% or 100%, unless the probability
    is within 1e-9 of 0 or 1.

    Examples
    --------
    >>> percent(0.59591), percent(299_998 / 300_000), percent(2e-7, 3), percent(1)
    ('59.59%', '99.999%', '0.00002%', '100.00%')
    """
    for more in range(digits, 10):
        if 0 < float(f"{probability:.{more + 2}f}") < 1:
            return f"{probability:.{more}%}"
    return f"{probability:.{digits}%}"


@dataclass(frozen=True)
class WinEstimate:
    """Estimated win probability of the roller for one pair of positions, before the roll.

    Attributes
    ----------
    wins, games : int
        Games won by the roller, and games played.
    probability : float
        Simulated win probability: wins / games.
    low, high : float
        Ends of Wilson's interval of the win probability.
    confidence : float
        Confidence level of the interval.
    expected : float or None
        Expected win probability for the players of the run, computed from their
        distributions of the number of rolls; None if unknown.
    fewest_rolls : float or None
        Expected win probability if both players use fewest-rolls play; None if unknown.
    gammons_won, gammons_lost : int
        Games that the roller won and lost as gammons.
    """

    wins: int
    games: int
    probability: float
    low: float
    high: float
    confidence: float
    expected: float | None
    fewest_rolls: float | None
    gammons_won: int = 0
    gammons_lost: int = 0

    @classmethod
    def from_games(
        cls,
        wins: int,
        games: int,
        expected: float | None = None,
        fewest_rolls: float | None = None,
        confidence: float = CONFIDENCE,
        gammons: tuple[int, int] = (0, 0),
    ) -> Self:
        """Return the estimated win probability, given the numbers of wins and games.

        Examples
        --------
        >>> estimate = WinEstimate.from_games(789, 1000, expected=0.787809)
        >>> print(estimate)
        78.90% (76.26% to 81.32% at 95% confidence, 1,000 games), expected 78.78%
        >>> round(estimate.z_score, 2)
        0.09
        """
        low, high = wilson_interval(wins, games, confidence)
        return cls(
            wins=wins,
            games=games,
            probability=wins / games,
            low=float(low),
            high=float(high),
            confidence=confidence,
            expected=expected,
            fewest_rolls=fewest_rolls,
            gammons_won=gammons[0],
            gammons_lost=gammons[1],
        )

    @property
    def z_score(self) -> float | None:
        """Simulated minus expected win probability in standard errors; None if unknown."""
        if self.expected is None:
            return None
        return float(z_scores(self.wins, self.games, self.expected))

    def __str__(self) -> str:
        text = (
            f"{percent(self.probability)} ({percent(self.low)} to {percent(self.high)} at "
            f"{self.confidence:.0%} confidence, {self.games:,} games)"
        )
        if self.expected is not None:
            text += f", expected {percent(self.expected)}"
        if self.fewest_rolls is not None:
            text += f", fewest-rolls {percent(self.fewest_rolls)}"
        return text
