"""Plain races as work of a run: without a cube, whoever is off first has won."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from sim import plan
from sim.blocks import Match, play_block
from sim.config_batch import BatchConfig
from sim.counts import WIDTH, Counts
from sim.optimal import expected
from sim.outcomes import race_table
from sim.pairs import build_pairs
from sim.schema import RACES
from sim.workers import Task

if TYPE_CHECKING:
    import pyarrow as pa

Int64Array = NDArray[np.int64]


class RaceWork:
    """Races between two players; a `sim.work.Work`.

    Parameters
    ----------
    config : BatchConfig
        Of the run.

    Raises
    ------
    TableError
        If a player needs a two-sided table that is not built.
    RunError
        If the pairs cannot be gathered.
    """

    kind = RACES
    width = WIDTH
    counted = "games"

    def __init__(self, config: BatchConfig) -> None:
        size = (config.table.points, config.table.checkers)
        self._table = bearoff.one_sided_table(*size)
        self._match = Match(
            *size, config.players.roller, config.players.opponent, config.seed
        )
        self._pairs = build_pairs(config)
        self._expected = expected(
            (self._match.roller, self._match.opponent),
            *size,
            self._pairs.rollers,
            self._pairs.opponents,
        )
        self.games = self._games_of_pairs(config)

    @property
    def block_games(self) -> int:
        """As many games as take about a third of a second."""
        return plan.BLOCK_GAMES

    def inputs(self) -> Iterable[bytes]:
        """Return the pairs and their weights."""
        return self._pairs.inputs()

    def task(self, block: plan.Block) -> Task:
        """Return the call that plays a block, with the positions of its pairs."""
        pairs = self._pairs.rollers[block.pairs], self._pairs.opponents[block.pairs]
        task: Task = delayed(play_block)(self._match, block, *pairs)
        return task

    def table(self, part: slice, counts: Counts) -> "pa.Table":
        """Build the rows of a part; see `sim.outcomes.race_table`."""
        return race_table(self._table, self._pairs, part, counts, self._expected[part])

    def _games_of_pairs(self, config: BatchConfig) -> Int64Array:
        if config.standard_error is None:
            return np.full(len(self._pairs), config.games, dtype=np.int64)
        # Where nothing but the games tells it, as many as the least certain pair needs.
        chance = np.nan_to_num(self._expected, nan=0.5)
        return plan.games_for_standard_error(
            chance, config.standard_error.target, config.standard_error.at_most
        )
