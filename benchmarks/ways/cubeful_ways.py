"""Games with the cube, played by this program or by numpy, many games at a time.

Both sides have five checkers each on the six, five and four points. The time includes the
first evaluation of each pair.
"""

import numpy as np

import bearoff
from bearoff.matchup import CubeStrategy
from bearoff.rolls import ROLL_OF_THROW
from bearoff.sim.cubeful import CubeMatch, CubeSide, play_cubeful
from bearoff.sim.cubeful.cube_tally import points_moments
from bearoff.stakes import CubeOwner

FIVES = int(bearoff.rank([0, 0, 0, 5, 5, 5]))


def by_sim(games: int, roller: CubeStrategy, opponent: CubeStrategy) -> float:
    """Return the roller's equity in games played by this program, with empty caches."""
    sides = CubeSide.of(roller), CubeSide.of(opponent)
    match = CubeMatch(6, 15, "fewest-rolls", "fewest-rolls", 1, CubeOwner.NOBODY, *sides)
    start = np.array([FIVES])
    counts = play_cubeful(match, start, start, np.array([0]), np.array([games]))
    return float(points_moments(counts, 1)[0][0])


def by_numpy(games: int, roller: CubeStrategy, opponent: CubeStrategy) -> float:
    """Return the roller's equity in games by numpy, which computes every decision anew."""
    policy = bearoff.one_sided_table().policy
    rng = np.random.default_rng(1)
    at = np.full((2, games), FIVES)
    owner, cube = np.full(games, 2), np.ones(games, dtype=np.int64)
    points, live, side = np.zeros(games, dtype=np.int64), np.arange(games), 0
    strategies = roller, opponent
    while len(live):
        mine, theirs = (bearoff.unrank(at[k, live]) for k in (side, 1 - side))
        says, answers = (strategies[k].decide(mine, theirs) for k in (side, 1 - side))
        doubles = np.where(owner[live] == 2, says.double, says.redouble)
        doubles &= owner[live] != 1 - side
        passed = live[doubles & ~answers.take]
        points[passed] = (1 - 2 * side) * cube[passed]
        taken = live[doubles & answers.take]
        cube[taken] *= 2
        owner[taken] = 1 - side
        live = live[~(doubles & ~answers.take)]
        rolls = ROLL_OF_THROW[rng.integers(0, 36, len(live))]
        at[side, live] = policy[at[side, live], rolls]
        off = live[at[side, live] == 0]
        points[off] = (1 - 2 * side) * cube[off]
        live = live[at[side, live] > 0]
        side = 1 - side
    return float(points.mean())
