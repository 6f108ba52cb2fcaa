"""Players whose plays depend only on their own position, not on the opponent's.

Benjamin and Ross's player minimises the mean number of rolls; the others are baselines.
Each player has a distribution of the number of rolls, so win probabilities can be computed
exactly.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.sim.play.arguments import IDLE_ROWS, PlayChoices

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OneSidedPlayer:
    """Player whose plays depend only on the player's own position.

    Attributes
    ----------
    policy : ndarray of uint16 or uint32, shape (positions, 21), or None
        Position number after the play, for each position and roll; None for random plays.
    lot : bearoff.Successors or None
        Legal plays among which a random player chooses with equal probability; None for
        other players.
    solved : bearoff.OneSidedTable or ndarray of float64
        Distributions of the number of rolls, as a one-sided table or an array.
    """

    name: str
    policy: NDArray[np.unsignedinteger] | None
    lot: bearoff.plays.Successors | None
    solved: bearoff.OneSidedTable | Float64Array

    @property
    def distribution(self) -> Float64Array:
        """Probability that each position needs exactly n rolls.

        The result is a float64 array of shape (positions, most rolls + 1).
        """
        if isinstance(self.solved, bearoff.OneSidedTable):
            return self.solved.distribution
        return self.solved

    @cached_property
    def places(self) -> NDArray[np.uint32]:
        """Policy as a flat array for `kernels.play_policies`, 21 entries per position.

        Position ``n`` is row ``IDLE_ROWS + n``. The entries of a row are the start indices
        of the rows that the rolls lead to. A side that is off moves down one row per turn,
        so its row is the number of turns since then.
        """
        if self.policy is None:
            raise ValueError(f"the player {self.name} has no policy")
        rows = np.empty((IDLE_ROWS + len(self.policy), len(bearoff.ROLLS)), dtype=np.uint32)
        rows[: IDLE_ROWS + 1] = np.maximum(np.arange(-1, IDLE_ROWS), 0)[:, None]
        np.add(self.policy[1:], np.uint32(IDLE_ROWS), out=rows[IDLE_ROWS + 1 :])
        rows *= np.uint32(len(bearoff.ROLLS))
        return rows.reshape(-1)

    @cached_property
    def choices(self) -> PlayChoices:
        """Positions to which the player may move from each position with each roll."""
        if self.lot is not None:
            return PlayChoices.of(self.lot)
        if self.policy is None:
            raise ValueError(
                f"the player {self.name} has neither a policy nor random plays"
            )
        offsets = np.arange(self.policy.size + 1, dtype=np.int64)
        return PlayChoices(offsets, self.policy.reshape(-1))


def _fewest_rolls(points: int, checkers: int) -> OneSidedPlayer:
    table = bearoff.one_sided_table(points, checkers)
    return OneSidedPlayer("fewest-rolls", table.policy, None, table)


def _most_checkers_off(points: int, checkers: int) -> OneSidedPlayer:
    table = bearoff.one_sided_table(points, checkers)
    numbers = np.arange(len(table))
    on_board = bearoff.unrank(numbers, points, checkers).sum(axis=1, dtype=np.int64)
    scores = on_board * (1 + int(table.pips.max())) + table.pips
    policy = bearoff.plays.least_score_policy(scores, points, checkers)
    return OneSidedPlayer(
        "most-checkers-off", policy, None, bearoff.plays.policy_distribution(policy)
    )


def _fewest_pips(points: int, checkers: int) -> OneSidedPlayer:
    pips = bearoff.one_sided_table(points, checkers).pips
    policy = bearoff.plays.least_score_policy(pips, points, checkers)
    return OneSidedPlayer(
        "fewest-pips", policy, None, bearoff.plays.policy_distribution(policy)
    )


def _random_play(points: int, checkers: int) -> OneSidedPlayer:
    choices = bearoff.plays.successors(points, checkers)
    return OneSidedPlayer(
        "random-play", None, choices, bearoff.plays.play_distribution(choices)
    )


PLAYERS: dict[str, Callable[[int, int], OneSidedPlayer]] = {
    "fewest-rolls": _fewest_rolls,
    "most-checkers-off": _most_checkers_off,
    "fewest-pips": _fewest_pips,
    "random-play": _random_play,
}
"""Functions that create the players, by name. Their arguments are the table's numbers of
points and checkers."""


@lru_cache(maxsize=8)
def player(name: str, points: int, checkers: int) -> OneSidedPlayer:
    """Return the player with a given name for a table size; each process creates it once.

    Raises
    ------
    KeyError
        If `PLAYERS` has no player with this name.

    Examples
    --------
    Bearing off as many checkers as possible loses a little:

    >>> mean = lambda p: float(p.distribution[8887] @ range(p.distribution.shape[1]))
    >>> mean(player("most-checkers-off", 6, 15)) - mean(player("fewest-rolls", 6, 15)) > 0
    True
    """
    return PLAYERS[name](points, checkers)


def expected_wins(
    roller: OneSidedPlayer,
    opponent: OneSidedPlayer,
    rollers: NDArray[np.int64],
    opponents: NDArray[np.int64],
) -> Float64Array:
    """Return the roller's win probabilities for two players, by convolution, shape (n,)."""
    from bearoff.sim.play import (
        pair_kernels,  # Import compiled code only where games are played.
    )

    solved = roller.solved
    if (
        roller is opponent
        and isinstance(solved, bearoff.OneSidedTable)
        and "distribution" not in solved.arrays
    ):
        # Decompressing the whole table could need much memory, so only the distributions of
        # these positions are decompressed.
        return solved.fewest_rolls_win_probability(rollers, opponents)
    wins = np.empty(len(rollers))
    pair_kernels.first_off(
        roller.distribution, opponent.distribution, rollers, opponents, wins
    )
    return wins
