"""Plays worth trying beside the fewest-rolls play, all home: found once and stored."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff import checks
from bearoff.plays import successors
from bearoff.storage import Arrays, CheckedArrays, load_or_build, require_shapes

VERSION = 1
"""Raised whenever the stored arrays change, which makes older ones stale."""

TRIED = 0.2
"""Rolls by which a play tried may need more than the fewest."""


class Choices(NamedTuple):
    """Plays tried beside the fewest-rolls play of each position and roll.

    Attributes
    ----------
    offsets : ndarray of int32, shape (positions * 21 + 1,)
        Those of roll ``r`` in position ``x`` are ``numbers[offsets[21 * x + r]:
        offsets[21 * x + r + 1]]``.
    numbers : ndarray of uint16
        Positions they lead to.
    """

    offsets: NDArray[np.int32]
    numbers: NDArray[np.uint16]


@lru_cache(maxsize=1)
def choices() -> Choices:
    """Return the plays of the home board, searched for on first use."""
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


@dataclass(frozen=True)
class Techniques:
    """Ways to make fewer games say more; each changes the error, none the mean.

    Attributes
    ----------
    luck : bool
        Take the luck of the rolls out of the results.
    first_rolls : {1, 36, 1296}
        How many games share out the first throws evenly among them: 36 the roller's, 1296
        both sides'; 1 leaves them to chance.
    truncate : bool
        Stop a game where exact values begin.
    """

    luck: bool = True
    first_rolls: int = 1296
    truncate: bool = True

    def __post_init__(self) -> None:
        checks.choice(self.luck, "luck", (False, True))
        checks.choice(self.first_rolls, "first_rolls", (1, 36, 1296))
        checks.choice(self.truncate, "truncate", (False, True))
