"""Simulation of a run of races without a doubling cube."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.sim.config import BatchConfig
from bearoff.sim.engine import Task, plan
from bearoff.sim.pairs import build_pairs
from bearoff.sim.play import RaceMatch, optimal, play_block, tally
from bearoff.sim.runs.outcomes import pair_rows
from bearoff.sim.runs.sums import Sums, summing_of
from bearoff.sim.storage import schema

if TYPE_CHECKING:
    import pyarrow as pa

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_AT_ONCE = 1 << 16
"""Number of pairs of positions whose games are planned at once, to limit memory."""


class RaceWork:
    """Simulation of races without a doubling cube between two players.

    Raises
    ------
    TableError
        If a player needs a two-sided table that has not been built.
    RunError
        If the pairs of positions cannot be collected.
    """

    kind = schema.RACES
    width = tally.WIDTH
    counted = "games"
    strategies: Mapping[str, dict[str, Any]] = MappingProxyType({})

    def __init__(self, config: BatchConfig) -> None:
        size = (config.table.points, config.table.checkers)
        self._table = bearoff.one_sided_table(*size)
        self._match = RaceMatch(
            *size, config.players.roller, config.players.opponent, config.seed
        )
        self.pairs = build_pairs(config)
        self.summing = summing_of(config)
        self._expected(slice(0, 1))  # raises an error if a table is missing
        self.games = self._games_of_pairs(config)

    @property
    def block_games(self) -> int:
        """Number of games in a block, which take about a third of a second to simulate."""
        return plan.BLOCK_GAMES

    def inputs(self) -> Iterable[memoryview]:
        return self.pairs.inputs()

    def task(self, block: plan.Block) -> Task:
        pairs = self.pairs[block.pairs]
        task: Task = delayed(play_block)(self._match, block, pairs.rollers, pairs.opponents)
        return task

    def table(self, part: slice, total: Sums) -> "pa.Table":
        columns = self.summing.columns(total) | {"expected": self._expected(part)}
        return pair_rows(self._table, self.pairs, part, columns, self.kind)

    def _expected(self, part: slice) -> Float64Array:
        match, pairs = self._match, self.pairs[part]
        return optimal.expected(
            (match.roller, match.opponent),
            match.points,
            match.checkers,
            pairs.rollers,
            pairs.opponents,
        )

    def _games_of_pairs(self, config: BatchConfig) -> Int64Array:
        wanted = config.standard_error
        if wanted is None:
            # `broadcast_to` repeats one number without copying it, so the array needs
            # almost no memory.
            return np.broadcast_to(np.int64(config.games or 0), len(self.pairs))
        games = np.empty(len(self.pairs), dtype=np.int64)
        for part in plan.part_ranges(len(games), _AT_ONCE):
            # An unknown win probability is replaced by one half, which requires the most
            # games.
            chance = np.nan_to_num(self._expected(part), nan=0.5)
            games[part] = plan.games_for_standard_error(
                chance, wanted.target, wanted.at_most
            )
        return games
