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
        Legal plays for each position and roll, all equally likely; None if the player does
        not play at random.
    solved : bearoff.OneSidedTable or ndarray of float64
        Distributions of the number of rolls, as a one-sided table or an array.
    """

    name: str
    policy: NDArray[np.unsignedinteger] | None
    lot: bearoff.plays.Successors | None
    solved: bearoff.OneSidedTable | Float64Array

    @property
    def distribution(self) -> Float64Array:
        """Probability that each position needs exactly 0, 1, 2, ... rolls to bear off.

        The result is a float64 array of shape (positions, most rolls + 1).
        """
        if isinstance(self.solved, bearoff.OneSidedTable):
            return self.solved.distribution
        return self.solved

    @cached_property
    def places(self) -> NDArray[np.uint32]:
        """Fixed plays as a flat array for `kernels.play_policies`, with rows of 21 entries.

        Row ``IDLE_ROWS + n`` belongs to position ``n``. Its 21 entries are the flat indices
        at which the rows of the positions after each roll start. Rows 0 to `IDLE_ROWS`
        belong to sides without checkers: every further turn leads to the row before. The
        row in which a side ends thus shows how many turns it did not need.
        """
        if self.policy is None:
            raise ValueError(f"the player {self.name} has no fixed plays")
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
            raise ValueError(f"the player {self.name} has neither fixed nor random plays")
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
    Bearing off as many checkers as possible needs more rolls on average:

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
    from bearoff.sim.play import pair_kernels

    solved = roller.solved
    if (
        roller is opponent
        and isinstance(solved, bearoff.OneSidedTable)
        and "distribution" not in solved.arrays
    ):
        # Only the distributions of `rollers` and `opponents` are decompressed. The whole
        # table could need too much memory.
        return solved.fewest_rolls_win_probability(rollers, opponents)
    wins = np.empty(len(rollers))
    pair_kernels.first_off(
        roller.distribution, opponent.distribution, rollers, opponents, wins
    )
    return wins
