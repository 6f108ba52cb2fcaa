"""Games without the cube, played by compiled code or by numpy, many games at a time.

Both sides have five checkers each on the six, five and four points, and use the same
policy.
"""

import numpy as np

import bearoff
from bearoff import sim
from bearoff.rolls import ROLL_OF_THROW

FIVES = int(bearoff.rank([0, 0, 0, 5, 5, 5]))
MATCH = sim.RaceMatch(6, 15, "fewest-rolls", "fewest-rolls", seed=1)


def by_kernel(games: int) -> float:
    """Return the roller's win rate in games played by this program's compiled code."""
    start = np.array([FIVES])
    counts = sim.play_games(MATCH, start, start, np.array([0]), np.array([games]))
    return float(counts[0, 1]) / games


def by_numpy(games: int, at_once: int = 50_000) -> float:
    """Return the roller's win rate in games that numpy plays all at the same time."""
    # As in the compiled code, a position is stored as 21 times its position number. Sides
    # that have borne off stay in the arrays, because removing them would take longer than
    # playing on.
    places = bearoff.one_sided_table().policy.reshape(-1).astype(np.uint32) * np.uint32(21)
    rolls = ROLL_OF_THROW.astype(np.uint32)
    rng = np.random.default_rng(1)
    wins = 0
    for first in range(0, games, at_once):
        lanes = min(at_once, games - first)
        needed = np.zeros((2, lanes), dtype=np.int32)
        for side in (0, 1):
            place = np.full(lanes, 21 * FIVES, dtype=np.uint32)
            while place.any():
                needed[side] += place > 0
                throws = rng.integers(0, 36, lanes, dtype=np.uint8)
                place = places.take(place + rolls.take(throws))
        wins += int((needed[0] <= needed[1]).sum())
    return wins / games
