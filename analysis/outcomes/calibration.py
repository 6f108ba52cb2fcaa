r"""Test simulated win probabilities against the values they must converge to.

Each pair gives a z-score, and if nothing is wrong the scores are nearly draws of a
standard normal law, whatever the pair. A run is tested twice:

- Is one pair off? Its wins are a binomial count, whose tail is computed exactly; the
  smallest two-sided tail of m pairs is below :math:`a / 2m` with chance below
  :math:`a / 2` (Bonferroni's bound).
- Are many a little off? The sum of the squared scores follows the chi-square law of m
  degrees, and exceeds its upper :math:`a / 2` quantile with that chance.

A run without fault thus disagrees with chance below a = `ALARM`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.outcomes.intervals import z_scores
from bearoff.analysis.outcomes.outcomes import Outcomes

ALARM = 0.01
"""The chance, at most, that a run without fault disagrees."""

FEWEST_EVENTS = 20
"""Expected wins and losses a pair needs for its score to be near enough normal."""

SURE = 1e-12
"""Chances this close to 0 or 1 differ from them by rounding alone."""

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calibration:
    """The scores of a run and what they say.

    Attributes
    ----------
    pairs : int
        Pairs that were tested: with an expected value, and games enough.
    skipped : int
        Pairs that could not be.
    expected, z : ndarray of float64, shape (pairs,)
        Expected win probability, or equity, and z-score of each.
    mean, rms : float
        Mean and root mean square of the scores: 0 and 1 but for chance.
    worst : float
        The least likely score.
    worst_pair : tuple of int
        Numbers of the roller and the opponent that have it.
    worst_chance : float
        Bound of the chance that one of so many pairs is as far off, at most 1.
    chi_square_chance : float
        Chance of scores that are as large as these on the whole.
    """

    pairs: int
    skipped: int
    expected: Float64Array
    z: Float64Array
    mean: float
    rms: float
    worst: float
    worst_pair: tuple[int, int]
    worst_chance: float
    chi_square_chance: float

    @property
    def agrees(self) -> bool | None:
        """Whether chance alone explains the differences; None if no pair was tested."""
        if self.pairs == 0:
            return None
        return min(self.worst_chance, self.chi_square_chance) >= ALARM / 2

    @property
    def verdict(self) -> str:
        """The finding in one plain sentence."""
        if self.pairs == 0:
            return (
                f"cannot tell: no pair has an expected value and games enough for "
                f"{FEWEST_EVENTS} wins and {FEWEST_EVENTS} losses"
            )
        facts = (
            f"over {self.pairs:,} pair{'s' * (self.pairs != 1)} the z-scores have mean "
            f"{self.mean:+.3f} and rms {self.rms:.3f} "
            f"({_p(self.chi_square_chance)}); the worst is {self.worst:+.2f} "
            f"({_p(self.worst_chance)}, corrected for the number of pairs)"
        )
        if self.agrees:
            return f"agrees: {facts}"
        x, y = self.worst_pair
        return f"disagrees, worst pair {x} against {y}: {facts}"


def calibrate(outcomes: Outcomes) -> Calibration:
    """Compare simulated with expected win probabilities.

    Pairs without an expected value are left out, and so are those with fewer than
    `FEWEST_EVENTS` expected wins or losses, unless a sure result did not happen.
    """
    rarer = outcomes.games * np.minimum(outcomes.expected, 1 - outcomes.expected)
    scores = z_scores(outcomes.wins, outcomes.games, outcomes.expected)
    impossible = (rarer < outcomes.games * SURE) & (scores != 0)
    tested = (rarer >= FEWEST_EVENTS) | impossible
    chosen, z = outcomes[tested], scores[tested]

    # Imported where it is needed, for being slow; `scipy.stats` is far slower.
    from scipy.special import betainc, betaincc

    # Binomial tails as incomplete beta functions; `bdtr` is far off for 20 million games.
    wins, losses = chosen.wins, chosen.games - chosen.wins
    at_most = betaincc(wins + 1, losses, chosen.expected)
    at_least = betainc(wins, losses + 1, chosen.expected)
    # A tail that is certain may come out as nan, which fmin passes over.
    tails = 2 * np.fmin(at_most, at_least)
    return calibrate_scores(
        z,
        tails,
        expected=chosen.expected,
        pairs=np.stack([chosen.roller, chosen.opponent], axis=1),
        skipped=len(outcomes) - len(chosen),
    )


def calibrate_scores(
    z: Float64Array,
    tails: Float64Array,
    *,
    expected: Float64Array,
    pairs: NDArray[np.int64],
    skipped: int,
) -> Calibration:
    """Test the scores of a run both ways.

    Parameters
    ----------
    z, tails : ndarray of float64, shape (n,)
        Score of each pair, and the chance of one as far off either way.
    expected : ndarray of float64, shape (n,)
        What each pair's estimate must converge to.
    pairs : ndarray of int64, shape (n, 2)
        Numbers of their rollers and opponents.
    skipped : int
        Pairs that are not among these.
    """
    if len(z) == 0:
        nan = float("nan")
        return Calibration(0, skipped, z, z, nan, nan, nan, (-1, -1), nan, nan)

    from scipy.special import chdtrc

    at = int(tails.argmin())
    squares = float(np.sum(z**2))
    return Calibration(
        pairs=len(z),
        skipped=skipped,
        expected=expected,
        z=z,
        mean=float(z.mean()),
        rms=float(np.sqrt(squares / len(z))),
        worst=float(z[at]),
        worst_pair=(int(pairs[at, 0]), int(pairs[at, 1])),
        worst_chance=float(min(1.0, tails[at] * len(z))),
        chi_square_chance=float(chdtrc(len(z), squares)),
    )


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"
