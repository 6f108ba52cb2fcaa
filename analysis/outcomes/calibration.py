r"""Test of whether simulated win probabilities agree with their expected values.

Each pair of positions gives a z-score. In a correct run, the z-scores are approximately
independent draws from a standard normal distribution. Two significance tests are applied:

- Is a single pair wrong? The number of wins is binomial, and its tail probability is
  computed exactly. By Bonferroni's bound, the smallest two-sided tail of m pairs is below
  :math:`a / 2m` with probability at most :math:`a / 2`.
- Are many pairs slightly wrong? The sum of the squared z-scores follows the chi-square
  distribution with m degrees of freedom. The sum exceeds the upper :math:`a / 2` quantile
  of this distribution with probability :math:`a / 2`.

A correct run therefore fails at least one of the two tests with probability at most a =
`ALARM`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.outcomes.intervals import z_scores
from bearoff.analysis.outcomes.outcomes import Outcomes

ALARM = 0.01
"""Maximum probability that a correct simulation fails the calibration test."""

FEWEST_EVENTS = 20
"""Minimum expected number of wins, and of losses, with which a win rate is considered
normally distributed."""

SURE = 1e-12
"""Distance from 0 or 1 below which a probability is considered certain."""

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calibration:
    """Result of testing whether a run's simulated values agree with expected values.

    Attributes
    ----------
    pairs : int
        Number of tested pairs of positions: those with an expected value and enough games.
    skipped : int
        Number of pairs of positions that could not be tested.
    expected, z : ndarray of float64, shape (pairs,)
        Expected win probability (or equity) of each tested pair of positions, and its
        z-score.
    mean, rms : float
        Mean and root mean square of the z-scores; about 0 and 1 in a correct run.
    worst : float
        Z-score with the smallest tail probability.
    worst_pair : tuple of int
        Position numbers of the roller and the opponent in the pair with the most extreme
        z-score.
    worst_chance : float
        Upper bound (Bonferroni) of the probability that some z-score is this extreme in a
        correct run.
    chi_square_chance : float
        Probability of a sum of squared z-scores at least as large as the observed one, in a
        correct run.
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
        """Whether the run passes both significance tests; None if nothing was tested."""
        if self.pairs == 0:
            return None
        return min(self.worst_chance, self.chi_square_chance) >= ALARM / 2

    @property
    def verdict(self) -> str:
        """Result of the comparison with expected values, in one sentence."""
        if self.pairs == 0:
            return (
                "cannot be tested: no pair has an expected value and enough games for "
                f"{FEWEST_EVENTS} wins and {FEWEST_EVENTS} losses"
            )
        facts = (
            f"over {self.pairs:,} pair{'s' * (self.pairs != 1)}, the z-scores have a mean "
            f"of {self.mean:+.3f} and an rms of {self.rms:.3f} "
            f"({_p(self.chi_square_chance)}), and the one farthest from 0 is "
            f"{self.worst:+.2f} ({_p(self.worst_chance)}, corrected for the number of "
            "pairs)"
        )
        if self.agrees:
            return f"agrees with the expected values: {facts}"
        x, y = self.worst_pair
        return f"disagrees with the expected values, most for {x} against {y}: {facts}"


def calibrate(outcomes: Outcomes) -> Calibration:
    """Compare a run's simulated win probabilities with their expected values.

    Pairs without an expected value are skipped. Pairs with fewer than `FEWEST_EVENTS`
    expected wins or expected losses are also skipped. The exception is a pair whose
    expected result is certain, if another result occurred.
    """
    rarer = outcomes.games * np.minimum(outcomes.expected, 1 - outcomes.expected)
    scores = z_scores(outcomes.wins, outcomes.games, outcomes.expected)
    impossible = (rarer < outcomes.games * SURE) & (scores != 0)
    tested = (rarer >= FEWEST_EVENTS) | impossible
    chosen, z = outcomes[tested], scores[tested]

    # The import of `scipy.special` is slow, so it is inside the function. Importing
    # `scipy.stats` would be even slower.
    from scipy.special import betainc, betaincc

    # `scipy.special.bdtr` is inaccurate for 20 million games, so binomial tails are
    # computed by incomplete beta functions.
    wins, losses = chosen.wins, chosen.games - chosen.wins
    at_most = betaincc(wins + 1, losses, chosen.expected)
    at_least = betainc(wins, losses + 1, chosen.expected)
    # scipy may return NaN for a tail whose probability is 1; `fmin` then takes the other
    # tail.
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
    """Test the largest z-score and the sum of squared z-scores of a run."""
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
