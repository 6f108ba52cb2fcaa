"""Simulation of a run of games with the doubling cube, for money or at a match score."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.matchup import CubeStrategy
from bearoff.sim.config import BatchConfig, terms_of
from bearoff.sim.cubeful import (
    PERFECT,
    CubeMatch,
    checkers_of,
    cube_tally,
    expected_equity,
    play_cube_block,
    solve_at,
)
from bearoff.sim.engine import Task, plan, worker_count
from bearoff.sim.pairs import build_pairs
from bearoff.sim.runs.outcomes import pair_rows
from bearoff.sim.runs.strategies import Strategies
from bearoff.sim.runs.sums import Sums, summing_of
from bearoff.sim.storage import schema
from bearoff.stakes import CubeOwner
from bearoff.storage import sealing

if TYPE_CHECKING:
    import pyarrow as pa

Float64Array = NDArray[np.float64]

_OWNERS = {
    "roller": CubeOwner.ROLLER,
    "opponent": CubeOwner.OPPONENT,
    "centred": CubeOwner.NOBODY,
}


class CubefulWork:
    """Simulation of games with the cube between two players.

    Parameters
    ----------
    strategies : mapping of str to CubeStrategy
        Cube strategies by name, in addition to built-in strategies and formulas.

    Raises
    ------
    ConfigError
        If a strategy is unknown, or cannot be distinguished from other strategies.
    StrategyError
        If a strategy fails.
    TableError
        If a player or a strategy needs a two-sided table that has not been built.
    RunError
        If the pairs of positions cannot be collected.
    """

    width = cube_tally.WIDTH
    counted = "games"

    def __init__(self, config: BatchConfig, strategies: Mapping[str, CubeStrategy]) -> None:
        if config.cube is None:
            raise bearoff.BearoffError("a run with the cube requires the key cube")
        self._cube = config.cube
        size = config.table.points, config.table.checkers
        terms = terms_of(config.match, config.cube.value, jacoby=config.cube.jacoby)
        named = Strategies(config, strategies, terms)
        at_score = terms.stakes.score is not None
        rival = config.cube.rival
        self._match = CubeMatch(
            *size,
            config.players.roller,
            config.players.opponent,
            config.seed,
            _OWNERS[config.cube.position],
            named.side(config.cube.roller),
            named.side(config.cube.opponent),
            None if rival is None else named.side(rival),
            terms,
        )
        for name in (config.players.roller, config.players.opponent):
            # A missing table must raise its error before the simulation starts.
            checkers_of(name, *size, terms)
        if at_score and (
            named.perfect or PERFECT in (config.players.roller, config.players.opponent)
        ):
            solve_at(terms, *size)
        self.strategies = named.contents
        self._table = bearoff.one_sided_table(*size)
        self.pairs = build_pairs(config)
        self.summing = summing_of(config)
        self._workers = worker_count(config.workers)
        self._solving = Lock()
        self.kind = schema.MATCHES if at_score else schema.CUBEFUL
        self.games = np.broadcast_to(np.int64(config.games or 0), len(self.pairs))

    @property
    def block_games(self) -> int:
        """Number of games in a block, which take about half a second to simulate."""
        return plan.CUBEFUL_BLOCK_GAMES

    def inputs(self) -> Iterable[memoryview]:
        """Return the pairs, weights and cube strategies, which the digest covers."""
        yield from self.pairs.inputs()
        if self.strategies:
            yield memoryview(sealing.canonical_json(self.strategies))

    def task(self, block: plan.Block) -> Task:
        pairs = self.pairs[block.pairs]
        task: Task = delayed(play_cube_block)(
            self._match, block, pairs.rollers, pairs.opponents
        )
        return task

    def table(self, part: slice, total: Sums) -> "pa.Table":
        """Return the rows of a result file, computed from sums over its games."""
        columns = self.summing.columns(total) | {"expected": self._expected_equity()[part]}
        return pair_rows(self._table, self.pairs, part, columns, self.kind)

    def _expected_equity(self) -> Float64Array:
        with self._solving:  # because `cached_property` has no lock since Python 3.12
            return self._expected

    @cached_property
    def _expected(self) -> Float64Array:
        """Expected equity of each pair of positions; NaN where it is unknown.

        These equities are computed only when the first result file is stored, because a run
        that is already finished does not need them.
        """
        found = expected_equity(
            self._match, self.pairs[:], int(self.games.sum()), self._workers
        )
        at_score = self._match.terms.stakes.score is not None
        return found if at_score else self._cube.value * found
