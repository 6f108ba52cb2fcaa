"""Simulated runs with known true values, which test the program's confidence intervals.

Each function plays many runs, and returns the estimate of each run with its standard error,
or the limits of its confidence interval. Convolutions or dynamic programs give the true
value. The runs use different game numbers, so no two runs share dice.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from joblib import Parallel, delayed
from numba import njit
from numpy.typing import NDArray

import bearoff
from bearoff.analysis.outcomes import Calibration, Outcomes, calibrate
from bearoff.analysis.scoring.scores import Clusters
from bearoff.matchup import CubeStrategy, JanowskiCube, NeverDoubles
from bearoff.sim.cubeful import CubeMatch, CubeSide, expected_equity, play_cubeful
from bearoff.sim.cubeful.cube_tally import difference_moments, points_moments
from bearoff.sim.pairs import Pairs
from bearoff.sim.play import RaceMatch, kernels, play_games, player, uniforms
from bearoff.sim.play.tally import GAMES, GAMMONS_LOST, GAMMONS_WON, WINS
from bearoff.sim.play.visits import random_starts, start_weights
from bearoff.sim.populations.decisions import merge
from bearoff.stakes import CubeOwner

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

CHECKERS = 5
"""Maximum number of checkers per side; it is small, so that all pairs of positions can be
enumerated."""


@dataclass(frozen=True)
class Pair:
    """Pair of position numbers, with the roller's true win probability or equity."""

    roller: int
    opponent: int
    truth: float


@cache
def pair_near(chance: float) -> Pair:
    """Return the pair of positions whose win probability is nearest to a given one."""
    numbers = np.arange(1, bearoff.position_count(6, CHECKERS))
    each = np.array(np.meshgrid(numbers, numbers)).reshape(2, -1)
    found = bearoff.fewest_rolls_win_probability(*each)
    at = int(np.abs(found - chance).argmin())
    return Pair(int(each[0, at]), int(each[1, at]), float(found[at]))


def in_pieces(runs: int, games: int, play, most: int = 1 << 22) -> NDArray[np.int64]:
    """Play several runs of games in two threads; return the outcome counts of each run."""
    size = max(1, most // games)
    starts = range(0, runs, size)

    def piece(start: int) -> NDArray[np.int64]:
        rows = np.arange(start, min(start + size, runs), dtype=np.int64)
        return play(rows * games, np.full(len(rows), games, dtype=np.int64))

    return np.concatenate(Parallel(2, "threading")(delayed(piece)(at) for at in starts))


def wins_of(pair: Pair, games: int, runs: int, seed: int) -> Int64Array:
    """Return the number of games that the roller won in each run."""
    match = RaceMatch(6, 15, "fewest-rolls", "fewest-rolls", seed)

    def play(firsts: Int64Array, each: Int64Array) -> Int64Array:
        sides = (np.full(len(firsts), side) for side in (pair.roller, pair.opponent))
        return play_games(match, *sides, firsts, each)

    return np.asarray(in_pieces(runs, games, play)[:, WINS])


def cube_match(rival: CubeStrategy | None, seed: int) -> CubeMatch:
    """Return a game with a centred cube between two players who use Janowski's formula."""
    cube = CubeSide.of(JanowskiCube(0.7))
    return CubeMatch(
        6, 15, "fewest-rolls", "fewest-rolls", seed, CubeOwner.NOBODY, cube, cube,
        None if rival is None else CubeSide.of(rival),
    )  # fmt: skip


def equity_of(pair: Pair, match: CubeMatch) -> float:
    """Return the roller's mean points per game, computed by dynamic programming."""
    one = Pairs(np.array([pair.roller]), np.array([pair.opponent]), np.ones(1))
    return float(expected_equity(match, one, 10**9, 1)[0])


@dataclass(frozen=True, eq=False)
class Points:
    """Points won in many runs of games with the cube, and the true mean."""

    mean: Float64Array
    variance: Float64Array
    games: int
    truth: float


def points_of(pair: Pair, games: int, runs: int, seed: int) -> tuple[Points, Points]:
    """Return the roller's points in each run, and the gain over never doubling.

    The gain is the roller's points minus the points with a cube formula that never
    doubles, and takes with a win probability of at least 25%.
    """
    match = cube_match(NeverDoubles(), seed)

    def play(firsts: Int64Array, each: Int64Array) -> Int64Array:
        sides = (np.full(len(firsts), side) for side in (pair.roller, pair.opponent))
        return play_cubeful(match, *sides, firsts, each)

    counts = in_pieces(runs, games, play, most=1 << 20)
    truth = equity_of(pair, match)
    rival = CubeMatch(
        6, 15, "fewest-rolls", "fewest-rolls", seed, CubeOwner.NOBODY,
        CubeSide.of(NeverDoubles()), match.opponent_cube,
    )  # fmt: skip
    return (
        Points(*points_moments(counts, 1), games, truth),
        Points(*difference_moments(counts, 1), games, truth - equity_of(pair, rival)),
    )


@njit(nogil=True)
def _visits(policy, seed, starts, first, visited, games, plies):
    found = 0
    for k in range(len(starts)):
        more = kernels.visit_pairs(
            policy, seed, starts[k : k + 1], first + k, visited[found:]
        )
        for ply in range(more):
            games[found + ply] = first + k
            plies[found + ply] = ply
        found += more
    return found


@cache
def true_visits() -> Float64Array:
    """Return how often a game visits each pair of positions on average."""
    policy = player("fewest-rolls", 6, CHECKERS).policy
    assert policy is not None
    now = start_weights(6, CHECKERS)
    visits = np.zeros((len(now), len(now)))
    while now[1:].sum() > 1e-15:
        after = np.zeros_like(now)
        for roll, weight in enumerate(bearoff.WEIGHTS):
            np.add.at(after, policy[:, roll], now * weight / 36)
        visits += np.outer(now, now) + np.outer(now, after)
        now = after
    visits[0] = visits[:, 0] = 0
    return visits


def losses() -> dict[str, Float64Array]:
    """Return three arrays of artificial losses for every pair of positions.

    Each array has shape (positions, positions).
    """
    numbers = np.arange(bearoff.position_count(6, CHECKERS))
    chance = bearoff.fewest_rolls_win_probability(
        *np.meshgrid(numbers, numbers, indexing="ij")
    )
    pips = bearoff.unrank(numbers, 6, CHECKERS) @ np.arange(1, 7)
    lead = pips[None, :] - pips[:, None]
    estimated = 1 / (1 + np.exp(-(lead + 4) / 5))
    return {
        "error of a win probability": np.abs(estimated - chance),
        "price of doubles": np.where(
            (estimated > 0.7) != (chance > 0.7), np.abs(chance - 0.7), 0
        ),
        "share of bad errors": (np.abs(estimated - chance) > 0.2).astype(np.float64),
    }


def scores_of(games: int, runs: int, seed: int) -> dict[str, tuple[Float64Array, float]]:
    """Return the true mean of each example loss, with each run's estimate and its error."""
    policy = player("fewest-rolls", 6, CHECKERS).policy
    tables, weights = losses(), true_visits()

    def piece(run: int) -> list[tuple[float, float]]:
        starts = random_starts(6, CHECKERS, uniforms(seed, run, 2 * games).reshape(-1, 2))
        visited = np.empty((40 * games, 2), dtype=np.int64)
        numbers = np.empty(40 * games, dtype=np.int64)
        plies = np.empty(40 * games, dtype=np.int16)
        found = _visits(
            policy, np.uint64(seed), starts, run * games, visited, numbers, plies
        )
        met = merge(*visited[:found].T, numbers[:found], plies[:found])
        clusters = Clusters(met.weights.astype(np.float64), met.games)
        means = [
            clusters.mean(values[met.rollers, met.opponents]) for values in tables.values()
        ]
        return [(mean.value, mean.error) for mean in means]

    every = np.array(Parallel(2, "threading")(delayed(piece)(run) for run in range(runs)))
    return {
        name: (every[:, k], float((weights * values).sum() / weights.sum()))
        for k, (name, values) in enumerate(tables.items())
    }


def calibrations_of(pairs: int, games: int, runs: int, seed: int) -> list[Calibration]:
    """Apply the report's calibration test to several runs that are known to be correct."""
    size = bearoff.position_count(6, 15)
    draws = uniforms(seed, 0, 2 * pairs * runs).reshape(runs, 2, pairs)
    match = RaceMatch(6, 15, "fewest-rolls", "fewest-rolls", seed)

    def piece(run: int) -> Calibration:
        sides = 1 + np.floor(draws[run] * (size - 1)).astype(np.int64)
        nothing, each = np.zeros(pairs, dtype=np.int64), np.full(pairs, games)
        # Two runs may contain the same pair of positions, but never with the same dice.
        counts = play_games(match, *sides, nothing + run * games, each)
        unknown = np.zeros(pairs)
        outcomes = Outcomes(
            *sides,
            unknown,
            unknown,
            unknown,
            unknown,
            np.ones(pairs),
            counts[:, GAMES],
            counts[:, WINS],
            counts[:, GAMMONS_WON],
            counts[:, GAMMONS_LOST],
            bearoff.fewest_rolls_win_probability(*sides),
            6,
            15,
        )
        return calibrate(outcomes)

    return Parallel(2, "threading")(delayed(piece)(run) for run in range(runs))
