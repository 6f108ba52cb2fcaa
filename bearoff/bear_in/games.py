"""Bear-ins of one player, played by the bear-in model until all checkers are home."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.bear_in.coefficients import BOARD
from bearoff.bear_in.model import BearIn, check_counts
from bearoff.errors import BearoffError, PositionError
from bearoff.positions import CHECKERS
from bearoff.rolls import HOME, ROLL_OF_THROW, THROWS, WEIGHTS

Int8Array = NDArray[np.int8]
Float64Array = NDArray[np.float64]

_CHANCES = np.array(WEIGHTS) / THROWS


SPREADS = (0.3, 1.0, 3.0)
"""Dirichlet parameters of random positions, from stacked checkers to evenly spread
checkers."""


def random_sides(
    n: int,
    rng: np.random.Generator,
    points: int = BOARD,
    spreads: Sequence[float] = SPREADS,
) -> Int8Array:
    """Draw random positions with a checker outside the home board, int8, shape (n, 24).

    The highest point is uniformly distributed from 7 to `points`. Three of four positions
    have 15 checkers, the others 1 to 14. The probabilities of the points are from a
    Dirichlet distribution with one of the parameters in `spreads`; lower points are
    favoured by a factor of up to e^4.
    """
    n = checks.integer(n, "n", 0, 1 << 40, BearoffError)
    points = checks.integer(points, "points", HOME + 1, BOARD, PositionError)
    spreads = checks.reals(spreads, "spreads", 0).tolist()
    top = rng.integers(HOME + 1, points + 1, n)
    spread = rng.choice(spreads, n)
    chances = rng.gamma(np.broadcast_to(spread[:, None], (n, BOARD))) + 1e-9
    chances *= np.exp(-rng.uniform(0, 4, n)[:, None] * np.arange(BOARD) / top[:, None])
    chances[np.arange(BOARD) >= top[:, None]] = 0.0
    chances /= chances.sum(axis=1, keepdims=True)
    checkers = np.where(rng.random(n) < 0.75, CHECKERS, rng.integers(1, CHECKERS, n))
    sides = rng.multinomial(checkers - 1, chances).astype(np.int8)
    sides[np.arange(n), top - 1] += 1
    return sides


def random_moves(sides: Int8Array, rng: np.random.Generator) -> Int8Array:
    """Move up to four random checkers of each position by random dice, where legal."""
    moved = sides.copy()
    dice = rng.integers(1, 7, (len(sides), 2))
    for move in range(4):
        die = dice[:, min(move, 1)]
        choice = (
            rng.random(moved.shape) * (moved > 0) * (die[:, None] < np.arange(1, BOARD + 1))
        )
        source = choice.argmax(axis=1)
        may = np.flatnonzero((choice.max(axis=1) > 0) & (rng.random(len(sides)) < 0.6))
        moved[may, source[may]] -= 1
        moved[may, source[may] - die[may]] += 1
    return moved


@dataclass(frozen=True, eq=False)
class BearInExamples:
    """Positions with checkers outside the home board, each with estimates from one game.

    Attributes
    ----------
    sides : ndarray of int8, shape (n, 24)
        Checkers on each point.
    estimates : ndarray of float64, shape (n,)
        Mean number of rolls as estimated by the model that chose the plays.
    mean_rolls : ndarray of float64, shape (n,)
        Unbiased estimate of the mean number of rolls under the model's plays. It is the
        model's estimate, corrected by the model's errors at this position and at all later
        positions of the game.
    plain : ndarray of float64, shape (n,)
        Estimate of the mean number of rolls from a single played game. The estimate is the
        number of rolls until all checkers were home, plus the exact mean number of later
        rolls.
    variance : ndarray of float64, shape (n,)
        Estimate of the variance of the number of rolls from a single played game. The
        estimate is the exact variance once all checkers were home, plus the variance that
        each earlier roll contributed.
    """

    sides: Int8Array
    estimates: Float64Array
    mean_rolls: Float64Array
    plain: Float64Array
    variance: Float64Array


def play_home(
    player: BearIn, sides: Int8Array, rng: np.random.Generator, each: float = 1.0
) -> BearInExamples:
    """Play each position until all checkers are home; return all positions on the way.

    In the result, the positions in `sides` come last and in their original order. Positions
    with all checkers home are left out. Each roll adds `each` to the quantity that the
    player minimises.
    """
    sides = check_counts(sides)
    games, now = np.arange(len(sides)), sides
    luck, plain, variance = np.zeros((3, len(sides)))
    steps = []
    while True:
        outside = now[:, HOME:].any(axis=1)
        plain[games[~outside]] = player.mean_rolls(now[~outside])
        variance[games[~outside]] = player.std_rolls(now[~outside]) ** 2
        games, now = games[outside], np.ascontiguousarray(now[outside])
        if not len(now):
            break
        after, means = player.expand(now)
        value, expected = player.mean_rolls(now), means @ _CHANCES
        spread = (means - expected[:, None]) ** 2 @ _CHANCES
        steps.append((games, now, value, each + expected - value, spread))
        roll = ROLL_OF_THROW[rng.integers(0, THROWS, len(now))]
        now = after[np.arange(len(now)), roll]
    found = []
    for games, met, value, own_luck, own_variance in reversed(steps):
        luck[games] += own_luck
        plain[games] += each
        variance[games] += own_variance
        found.append(
            BearInExamples(met, value, value + luck[games], plain[games], variance[games])
        )
    return join(found)


def join(parts: list[BearInExamples]) -> BearInExamples:
    """Concatenate the arrays of several `BearInExamples` into one object."""
    fields = [vars(part) for part in parts]
    return BearInExamples(
        **{name: np.concatenate([field[name] for field in fields]) for name in fields[0]}
    )
