"""Trial: bias and coverage of rollouts that stop as soon as their errors are small enough.

    python -m verify stopping --write

A batch has a fixed number of games, so stopping cannot bias it. A rollout plays waves of
games until the standard errors of all equities are at most the requested one. Here games
are played once, in chunks, and the chunks are combined into thousands of runs. Each run
stops by the program's own rule. The true values come from an exact recursion over all rolls
and plays.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from bearoff.analysis.outcomes.intervals import CONFIDENCE
from bearoff.analysis.output import markdown_table
from bearoff.sim.rollouts import (
    Goal,
    RolloutAction,
    worst_error,
)
from bearoff.sim.rollouts.estimate import model_values
from bearoff.sim.rollouts.results import FIRST_WAVE, summarise, sure_errors
from bearoff.sim.rollouts.sums import Moments, Sums
from bearoff.sim.rollouts.systematic import EXACT
from verify.chance.pools import (
    CASES,
    EQUITIES,
    WEIGHTS,
    Case,
    Float64Array,
    play_pool,
    stopped_runs,
    truth_of,
)
from verify.common.trial import Trial, Verdict, option


@dataclass(frozen=True)
class Stopped:
    """Results of all runs that stopped at the same requested standard error.

    Attributes
    ----------
    case : Case
        Race, and the techniques of its rollout.
    goal : float
        Requested standard error; 0 for runs that stop after the first wave of games.
    runs : int
        Number of runs.
    units : float
        Mean number of units in a run. A unit is one game for each first roll.
    bias, bias_error : ndarray of float64, shape (3,)
        Bias of the estimated `EQUITIES`, and standard error of the bias, both in standard
        errors of the estimate of one run.
    off : float
        Root mean square error of the least accurate equity, divided by the requested error.
    held : ndarray of int64, shape (3,)
        Number of runs whose 95% interval contains the true value. The width of the interval
        is the number of standard errors that `sure_errors` returns.
    before : ndarray of int64, shape (3,)
        Number of runs whose interval of 1.96 standard errors contains the true value. This
        interval does not allow for the stopping rule.
    """

    case: Case
    goal: float
    runs: int
    units: float
    bias: Float64Array
    bias_error: float
    off: float
    held: NDArray[np.int64]
    before: NDArray[np.int64]

    @property
    def passed(self) -> bool:
        """Whether the runs' bias and the coverage of the intervals may be due to chance."""
        # Among some dozens of estimates, an error of 4.5 standard errors occurs by chance
        # in only one of thousands of trials.
        most = self.case.allowed + 4.5 * self.bias_error
        held = stats.binom.cdf(self.held, self.runs, self.case.least)
        return bool((np.abs(self.bias) <= most).all() and (held > 1e-4).all())


def measure(case: Case, pool: list[Sums], goal: Goal) -> Stopped:
    """Stop runs at a requested standard error; compare their estimates with true values."""
    runs, truth = stopped_runs(case, pool, goal), truth_of(case)
    off = np.array([WEIGHTS @ run.means for run in runs]) - truth
    errors = np.array([[run.error(*row) for row in WEIGHTS] for run in runs])
    sure = np.array([sure_errors(run.units) for run in runs])[:, None]
    # If every game has the same result, the only error is the rounding error of 32-bit
    # probabilities.
    rounding = 2e-6
    spread = np.maximum(off.std(axis=0), rounding)
    return Stopped(
        case,
        goal.standard_error,
        len(runs),
        float(np.mean([run.units for run in runs])),
        off.mean(axis=0) / spread,
        1 / float(np.sqrt(len(runs))),
        float(np.sqrt((off**2).mean(axis=0)).max() / goal.standard_error)
        if goal.standard_error
        else float("nan"),
        (np.abs(off) <= sure * errors + rounding).sum(axis=0),
        (np.abs(off) <= special.ndtri(0.975) * errors + rounding).sum(axis=0),
    )


WAVES = (0.5, 1.3, 2.0, 4.0)
"""Lengths of rollouts for which standard errors are requested, in units of the first wave
of games."""


def goals_of(case: Case, pool: list[Sums]) -> list[Goal]:
    """Return the stopping rules: one wave of games, then an error for each of `WAVES`."""
    centre = model_values(case.values, case.race)
    whole = Moments.of(np.sum(pool, axis=0), centre)
    first = worst_error(whole) * np.sqrt(len(pool) / FIRST_WAVE)
    none = Goal(standard_error=0.0, at_most=FIRST_WAVE * case.chunk_games)
    return [none, *(Goal(first / np.sqrt(waves), 10**9) for waves in WAVES)]


@dataclass(frozen=True)
class Decided:
    """Cube actions that rollouts report, and how many of these actions are wrong.

    Attributes
    ----------
    case, cube : str
        Race, and state of the cube.
    gain : float
        True gain of doubling.
    error : float
        Mean standard error of the gain in the runs.
    runs, sure, wrong, wrong_at_all : int
        Number of all runs, of runs that report a cube action as certain, of runs whose
        reported action is certain but wrong, and of runs whose reported action is wrong.
    """

    case: str
    cube: str
    gain: float
    error: float
    runs: int
    sure: int
    wrong: int
    wrong_at_all: int

    @property
    def passed(self) -> bool:
        """Whether the cube actions reported as certain are wrong rarely enough."""
        return bool(stats.binom.sf(self.wrong - 1, self.runs, 1 - CONFIDENCE) > 1e-4)


def decide(case: Case, pool: list[Sums], goal: Goal) -> Iterator[Decided]:
    """Compare the cube actions that rollouts report with the correct cube actions."""
    answers = [
        summarise(run, case.values, "centred", EXACT)
        for run in stopped_runs(case, pool, goal)
    ]
    nothing, redouble, take = truth_of(case)
    for cube, waits in (("centred", nothing), ("owned", redouble)):
        actions: list[RolloutAction] = [answer.at(cube) for answer in answers]
        gain = min(take, 1.0) - waits
        name = "redouble" if cube == "owned" else "double"
        right = f"no {name}"
        if gain >= 0:
            right = f"{name}, {'pass' if take > 1 else 'take'}"
        wrong = np.array([action.action != right for action in actions])
        sure = np.array([not action.too_close for action in actions])
        yield Decided(
            case.name,
            cube,
            float(gain),
            float(np.mean([action.gain.standard_error for action in actions])),
            len(actions),
            int(sure.sum()),
            int((wrong & sure).sum()),
            int(wrong.sum()),
        )


def row_of(stopped: Stopped) -> list[str]:
    worst = int(np.abs(stopped.bias).argmax())
    return [
        stopped.case.name,
        f"{stopped.goal:.1e}" if stopped.goal else "none",
        f"{stopped.runs:,}",
        f"{stopped.units:,.0f}",
        f"{stopped.bias[worst]:+.3f} ± {stopped.bias_error:.3f}",
        f"{stopped.off:.3f}" if stopped.goal else "",
        " ".join(f"{held / stopped.runs:.1%}" for held in stopped.before),
        " ".join(f"{held / stopped.runs:.1%}" for held in stopped.held)
        + ("" if stopped.passed else " **wrong**"),
    ]


def decision_row(decided: Decided) -> list[str]:
    return [
        decided.case,
        decided.cube,
        f"{decided.gain:+.4f}",
        f"{decided.error:.4f}",
        f"{decided.runs:,}",
        f"{decided.wrong_at_all / decided.runs:.1%}",
        f"{decided.sure / decided.runs:.1%}",
        f"{decided.wrong / decided.runs:.2%}" + ("" if decided.passed else " **too many**"),
    ]


def carry_out(options: argparse.Namespace) -> Verdict:
    seed = options.seed
    stops: list[Stopped] = []
    decisions: list[Decided] = []
    for case in CASES:
        pool = play_pool(case, case.share * options.games, seed)
        goals = goals_of(case, pool)
        stops += [measure(case, pool, goal) for goal in goals]
        decisions += decide(case, pool, goals[2])
    bad = not all([*(stop.passed for stop in stops), *(one.passed for one in decisions)])
    head = [
        "race",
        "goal",
        "runs",
        "blocks per run",
        "bias",
        "error / goal",
        "within 1.96 errors",
        "within stated interval",
    ]
    asked = ["race", "cube", "doubling gains", "± error", "runs", "wrong", "sure"]
    body = f"""
{"**Something is wrong.**" if bad else "No bias was found, and intervals are wide enough."}
The seed is {seed}.

A rollout stops when its standard errors reach a goal. This trial measures whether the
results are biased because a rollout stops when its standard errors are small. The first
race is rolled out in blocks of 1,296 games, as by `bearoff rollout`. All races except the
first are rolled out in blocks of 36 games, so that thousands of runs take little time. The
mean of 36 games is farther from a normal distribution than the mean of a block in `bearoff
rollout`.

- *Goal* is the requested standard error.
- *Bias* is the largest bias of the three equities ({"; ".join(EQUITIES)}), in standard
  errors of one run.
- *Error / goal* is the root mean square error of the least accurate equity, divided by the
  goal. This ratio should be at most about 1.
- The last two columns show, for each of the three equities, the share of runs whose 95%
  interval includes the true equity. The first of these columns is for intervals of 1.96
  standard errors, and the second for the wider intervals with which the program decides
  what is too close to call.

{markdown_table(head, [row_of(found) for found in stops])}

## Actions

The table shows the cube actions of the runs with the third goal of each race. *Doubling
gains* is the roller's true gain in equity by a double, and *± error* is the mean standard
error of this gain in the runs. *Wrong* is the share of runs that report the wrong cube
action. *Sure* is the share of runs that report their action without "too close to call".
*Sure and wrong* is the share of runs that do both, and should be at most 5%.

{markdown_table([*asked, "sure and wrong"], [decision_row(found) for found in decisions])}
"""
    return Verdict(body, bad)


TRIAL = Trial(
    "Stopping",
    carry_out,
    (
        option(
            "--games",
            type=int,
            default=8_000_000,
            help="number of games of each race, divided into runs",
        ),
    ),
)
