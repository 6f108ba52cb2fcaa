"""Tables of home-board positions and the fast model, which all rollouts share.

Alternatives to the fewest-rolls play are searched once and stored.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import widen
from bearoff.one_sided import gammons, tail_sums
from bearoff.plays import successors
from bearoff.race_model import race_model
from bearoff.storage import Arrays, CheckedArrays, load_or_build, require_shapes

if TYPE_CHECKING:
    from bearoff.sim.rollouts.kernels import HomeBoard

Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]

VERSION = 1
"""Version of the stored arrays; arrays of other versions are recomputed."""

TRIED = 0.2
"""Maximum difference in the mean number of rolls between a fewest-rolls play and an
alternative that is considered."""


class Choices(NamedTuple):
    """Plays to consider instead of the fewest-rolls play, for each position and roll.

    Attributes
    ----------
    offsets : ndarray of int32, shape (positions * 21 + 1,)
        Start indices: ``numbers[offsets[21 * x + r]: offsets[21 * x + r + 1]]`` are the
        plays for roll ``r`` in position ``x``.
    numbers : ndarray of uint16
        Position numbers after the plays.
    """

    offsets: NDArray[np.int32]
    numbers: NDArray[np.uint16]


@lru_cache(maxsize=1)
def choices() -> Choices:
    """Return the plays to consider in the home board; they are computed once."""
    found = load_or_build("plays-tried", VERSION, _search, _check)
    return Choices(found["offsets"], found["numbers"])


def _check(arrays: CheckedArrays) -> None:
    rolls = bearoff.position_count() * len(bearoff.ROLLS)
    require_shapes(arrays, {"offsets": ((rolls + 1,), "i4"), "numbers": ((None,), "u2")})


def _search() -> Arrays:
    every = successors(bearoff.POINTS, bearoff.CHECKERS)
    table = bearoff.one_sided_table()
    fewest = np.repeat(table.policy.ravel(), np.diff(every.offsets))
    more = table.mean_rolls[every.numbers] - table.mean_rolls[fewest]
    tried = (more < TRIED) & (every.numbers != fewest)
    before = np.concatenate([[0], np.cumsum(tried)])
    return {
        "offsets": before[every.offsets].astype(np.int32),
        "numbers": every.numbers[tried],
    }


@lru_cache(maxsize=1)
def slopes() -> Float32Array:
    """Return the change in the fast model's cubeless equity per bin of lead.

    The shape is that of a plane of the model. A bin of lead means half a bin less for the
    roller and half a bin more for the opponent; the slope is a central difference.
    """
    plane = race_model().planes[0]
    found = np.ones_like(plane)
    found[1:-1, 1:-1] = (plane[:-2, 2:] - plane[2:, :-2]) / 2
    # The slope is near 0 where the equity hardly depends on the lead. The minimum prevents
    # a division by 0.
    return np.asarray(np.maximum(found, 1e-4))


@lru_cache(maxsize=1)
def rolls_needed() -> tuple[Float32Array, Float32Array]:
    """Return the probabilities that positions need exactly, and at least, n rolls."""
    exactly = bearoff.one_sided_table().distribution
    return exactly.astype(np.float32), tail_sums(exactly).astype(np.float32)


@lru_cache(maxsize=1)
def policy() -> NDArray[np.uint16]:
    """Return the fewest-rolls plays as an array for compiled code."""
    return np.array(bearoff.one_sided_table().policy)


@lru_cache(maxsize=1)
def board() -> "HomeBoard":
    """Return the tables of home-board positions for compiled code."""
    from bearoff.sim.rollouts.kernels import HomeBoard

    return HomeBoard(np.array(bearoff.one_sided_table().epc), policy(), *rolls_needed())


@lru_cache(maxsize=1)
def home_counts() -> NDArray[np.int8]:
    """Return the checkers on 24 points of every home-board position."""
    places = bearoff.position_count(bearoff.POINTS, bearoff.CHECKERS)
    return widen(bearoff.unrank(np.arange(places)))


@lru_cache(maxsize=1)
def first_off_at_home() -> Float64Array:
    """Return mean and variance of the rolls until the first checker is off, shape (2, n).

    Positions with a checker off have mean minus infinity and variance 1.
    """
    play = gammons.saving_play()
    saved = play.first_off == 0
    variance = np.where(saved, 1.0, play.first_off_variance)
    return np.array([np.where(saved, -np.inf, play.first_off), variance])


@lru_cache(maxsize=1)
def saving_tails() -> tuple[Float64Array, Float64Array]:
    """Return the probabilities of bearing off no checker in n - 1 and in n rolls.

    The side plays to save a gammon.
    """
    idle = np.zeros_like(bearoff.one_sided_table().distribution)
    found = gammons.saving_play().idle
    idle[:, : found.shape[1]] = found
    return np.concatenate([idle[:, :1], idle[:, :-1]], axis=1), idle
