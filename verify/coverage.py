"""Trial: 95% confidence intervals contain the true value in about 95% of the runs.

    python -m verify coverage --write

The trial plays thousands of runs of each kind for which the true value is known, and counts
how many intervals contain the true value. Rollouts stop by a rule of their own, and
`verify.stopping` tests their intervals.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bearoff.analysis.outcomes.calibration import ALARM
from bearoff.analysis.outcomes.cubeful import standard_error
from bearoff.analysis.outcomes.intervals import CONFIDENCE, normal_quantile, wilson_interval
from bearoff.analysis.output import markdown_table
from verify.chance import intervals
from verify.common.trial import BadOptionError, Trial, Verdict, option

Float64Array = NDArray[np.float64]

LEAST = 0.915
"""Minimum proportion of confidence intervals that must contain the true value."""

CHANCES = (0.002, 0.03, 0.5, 0.9, 0.99)
WIN_GAMES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
CUBE_GAMES = (10, 100, 1_000, 10_000)
SCORE_GAMES = (100, 1_000, 10_000)


@dataclass(frozen=True)
class Covered:
    """Coverage of the confidence intervals of one quantity in many runs.

    Attributes
    ----------
    what : str
        Description of the estimated quantity.
    truth : float
        True value.
    games, runs : int
        Number of games in each simulated run, and number of simulated runs.
    held : int
        Number of runs whose interval contains the true value.
    before : float
        Number of runs whose interval by the formula of an earlier version of the program
        contains the true value.
    """

    what: str
    truth: float
    games: int
    runs: int
    held: int
    before: float

    @property
    def share(self) -> float:
        """Proportion of runs whose confidence interval contains the true value."""
        return self.held / self.runs

    @property
    def passed(self) -> bool:
        """Whether the coverage is at least `LEAST`, apart from chance."""
        return bool(stats.binom.cdf(self.held, self.runs, LEAST) > 1e-4)


def win_probabilities(seed: int, most: int, runs: int) -> Iterator[Covered]:
    """Yield how often confidence intervals of win probabilities contain the true value."""
    for chance in CHANCES:
        pair = intervals.pair_near(chance)
        for games in WIN_GAMES:
            some = min(runs, most // games)
            if some < 100:
                continue
            wins = intervals.wins_of(pair, games, some, seed)
            low, high = wilson_interval(wins, games)
            plain = _wilson(wins, games)
            yield Covered(
                "win probability",
                pair.truth,
                games,
                some,
                _held(low, high, pair.truth),
                _held(*plain, pair.truth) / some,
            )


def _wilson(wins: NDArray[np.int64], games: int) -> tuple[Float64Array, Float64Array]:
    """Return Wilson's published confidence intervals; the program's intervals are wider."""
    z = normal_quantile(CONFIDENCE)
    share = wins / games
    centre = share + z**2 / (2 * games)
    half = z * np.sqrt(share * (1 - share) / games + z**2 / (4 * games**2))
    return (centre - half) / (1 + z**2 / games), (centre + half) / (1 + z**2 / games)


def equities(seed: int, most: int, runs: int) -> Iterator[Covered]:
    """Yield how often the confidence interval of an equity contains the true value.

    The gain in equity over never doubling is checked in the same way.
    """
    z = normal_quantile(CONFIDENCE)
    for chance in CHANCES:
        pair = intervals.pair_near(chance)
        for games in CUBE_GAMES:
            some = min(runs, most // games)
            if some < 100:
                continue
            both = intervals.points_of(pair, games, some, seed)
            for what, found in zip(
                ("equity", "gain over another formula"), both, strict=True
            ):
                each = np.full(some, games)
                error = z * standard_error(found.variance, each, value=1)
                seen = z * np.sqrt(found.variance / games)
                yield Covered(
                    what,
                    found.truth,
                    games,
                    some,
                    _held(found.mean - error, found.mean + error, found.truth),
                    _held(found.mean - seen, found.mean + seen, found.truth) / some,
                )


def scores(seed: int, most: int, runs: int) -> Iterator[Covered]:
    """Yield how often confidence intervals of a formula's mean loss contain the truth."""
    z = normal_quantile(CONFIDENCE)
    for games in SCORE_GAMES:
        some = min(runs, most // games)
        if some < 100:
            continue
        for what, (found, truth) in intervals.scores_of(games, some, seed).items():
            mean, error = found[:, 0], z * found[:, 1]
            held = _held(mean - error, mean + error, truth)
            yield Covered(f"formula: {what}", truth, games, some, held, held / some)


def _held(low: Float64Array, high: Float64Array, truth: float) -> int:
    # The tolerance allows for rounding errors, for estimates whose statistical error is 0.
    return int(((low <= truth + 1e-9) & (truth - 1e-9 <= high)).sum())


def false_alarms(seed: int, runs: int) -> tuple[int, int]:
    """Return how many correct runs the calibration test rejects, and how many it checks."""
    found = intervals.calibrations_of(40, 1000, runs, seed)
    return sum(calibration.agrees is False for calibration in found), len(found)


def row_of(covered: Covered) -> list[str]:
    """Return a row of the table of coverages, including the coverage's standard error."""
    error = np.sqrt(covered.share * (1 - covered.share) / covered.runs)
    return [
        covered.what,
        f"{covered.truth:+.4f}",
        f"{covered.games:,}",
        f"{covered.runs:,}",
        f"{covered.share:.1%} ± {error:.1%}" + ("" if covered.passed else " **too few**"),
        f"{covered.before:.1%}",
    ]


def carry_out(options: argparse.Namespace) -> Verdict:
    if options.runs < 2 or options.games < 1:
        raise BadOptionError("the trial needs at least two runs of each kind and one game")
    seed, most, runs = options.seed, options.games, options.runs
    found = [
        *win_probabilities(seed, most, runs),
        *equities(seed, most // 50, runs),
        *scores(seed, most // 100, runs // 2),
    ]
    alarms, sound = false_alarms(seed, runs // 2)
    few = [covered for covered in found if not covered.passed]
    # There are too many false alarms if, at the expected rate, fewer than one in ten
    # thousand trials would have as many.
    noisy = stats.binom.sf(alarms - 1, sound, ALARM) < 1e-4
    bad = bool(few or noisy)
    head = ["estimate of", "truth", "games per run", "runs", "covered", "before"]
    body = f"""
{"**Some intervals are too short.**" if bad else "No interval is too short."} The seed is
{seed}.

The column *covered* shows the share of runs whose 95% interval contains the true value,
with the binomial standard error of this share. *Before* is the same share for the intervals
of an earlier version of the program, on the same games. Over all
{sum(c.runs for c in found):,} runs, the share is
{sum(c.held for c in found) / sum(c.runs for c in found):.2%}.

{markdown_table(head, [row_of(covered) for covered in found])}

A report compares a run with exact values, and may wrongly reject less than {ALARM:.0%} of
the correct runs. Of {sound:,} correct runs of 40 pairs, {alarms:,} were rejected, which is
{alarms / sound:.2%}.
"""
    return Verdict(body, bad)


TRIAL = Trial(
    "Coverage of intervals",
    carry_out,
    (
        option(
            "--runs", type=int, default=10_000, help="maximum number of runs of each kind"
        ),
        option(
            "--games",
            type=int,
            default=800_000_000,
            help="maximum number of games of each kind",
        ),
    ),
)
