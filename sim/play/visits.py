"""Starting positions of simulated races, and how often positions occur in these races.

A race starts with all checkers in the home board, each independently on point ``p`` with a
probability proportional to ``p``. This favours high points, as after a bear-in, and allows
every position. Both sides then make fewest-rolls plays.
"""

from math import lgamma

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.plays import pip_levels
from bearoff.sim.play.draws import weighted_choice
from bearoff.sim.play.players import player

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


def start_weights(points: int, checkers: int) -> Float64Array:
    """Return the probability that a race starts from each position, shape (positions,).

    Examples
    --------
    >>> weights = start_weights(6, 15)
    >>> round(float(weights.sum()), 9), float(weights[0])
    (1.0, 0.0)
    """
    numbers = np.arange(bearoff.position_count(points, checkers))
    counts = bearoff.unrank(numbers, points, checkers).astype(np.int64)
    shares = np.arange(1, points + 1) / (points * (points + 1) / 2)
    log_factorial = np.array([lgamma(n + 1) for n in range(checkers + 1)])
    logs = log_factorial[checkers] - log_factorial[counts].sum(axis=1)
    logs += counts @ np.log(shares)
    return np.where(counts.sum(axis=1) == checkers, np.exp(logs), 0.0)


def visit_weights(points: int, checkers: int) -> Float64Array:
    """Return how often each position occurs in a race on average, shape (positions,).

    Examples
    --------
    Position 0, in which all checkers are off, occurs once in every race:

    >>> round(float(visit_weights(6, 15)[0]), 9)
    1.0
    """
    from bearoff.sim.play import pair_kernels

    visits = start_weights(points, checkers)
    weights = np.array(bearoff.WEIGHTS, dtype=np.float64)
    policy = player("fewest-rolls", points, checkers).policy
    pair_kernels.carry_visits(policy, weights, visits)
    return visits


def random_starts(points: int, checkers: int, draws: Float64Array) -> Int64Array:
    """Draw starting positions for both sides, shape (games, 2), from uniform numbers."""
    return weighted_choice(start_weights(points, checkers), draws.ravel()).reshape(-1, 2)


def met_pairs(
    points: int, checkers: int, seed: int, starts: Int64Array, first_game: int
) -> Int64Array:
    """Play one game from each starting pair; return all pairs that occur, shape (n, 2)."""
    from bearoff.sim.play import kernels

    policy = player("fewest-rolls", points, checkers).policy
    # The two sides roll alternately, so a game has at most twice as many rolls as one side
    # can need.
    room = 2 * (pip_levels.most_rolls(points * checkers, checkers) + 1)
    visited = np.empty((room * len(starts), 2), dtype=np.int64)
    found = kernels.visit_pairs(policy, np.uint64(seed), starts, first_game, visited)
    return visited[:found].copy()
