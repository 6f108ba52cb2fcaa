"""A simulated win probability, with its interval and the value it must converge to."""

from dataclasses import dataclass
from typing import Self

from analysis.intervals import CONFIDENCE, wilson_interval, z_scores


@dataclass(frozen=True)
class WinEstimate:
    """What the games say about one pair, from the roller's side and before the roll.

    Attributes
    ----------
    wins, games : int
        Games the roller won, and games played.
    probability : float
        Simulated win probability, wins / games.
    low, high : float
        Wilson interval of it.
    confidence : float
        Of the interval.
    expected : float or None
        The value that the wins of these two players converge to, by convolution of
        their own roll distributions; None where the run has none.
    fewest_rolls : float or None
        The same between two fewest-rolls players, whoever played here.
    """

    wins: int
    games: int
    probability: float
    low: float
    high: float
    confidence: float
    expected: float | None
    fewest_rolls: float | None

    @classmethod
    def from_games(
        cls,
        wins: int,
        games: int,
        expected: float | None = None,
        fewest_rolls: float | None = None,
        confidence: float = CONFIDENCE,
    ) -> Self:
        """Estimate from counts.

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
        )

    @property
    def z_score(self) -> float | None:
        """Standard errors from the expected to the simulated value; None without one."""
        if self.expected is None:
            return None
        return float(z_scores(self.wins, self.games, self.expected))

    def __str__(self) -> str:
        text = (
            f"{self.probability:.2%} ({self.low:.2%} to {self.high:.2%} at "
            f"{self.confidence:.0%} confidence, {self.games:,} games)"
        )
        if self.expected is not None:
            text += f", expected {self.expected:.2%}"
        if self.fewest_rolls is not None:
            text += f", fewest-rolls {self.fewest_rolls:.2%}"
        return text
