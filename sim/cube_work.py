"""Games with the cube as work of a run: money play, gammons not counted."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.cube_strategies import (
    CubeStrategy,
    JanowskiCube,
    NeverDoubles,
    PerfectCube,
    ThresholdCube,
)
from sim import plan
from sim.config_batch import BatchConfig
from sim.config_cube import (
    JanowskiStrategy,
    StateStrategy,
    ThresholdStrategy,
    unknown_strategy,
)
from sim.config_errors import ConfigError, Problem
from sim.counts import GAMES, WINS, Counts, length_moments
from sim.cube_checkers import PERFECT, checkers_of, perfect_table
from sim.cube_counts import (
    DOUBLES,
    PASSES,
    WIDTH,
    difference_moments,
    final_cubes,
    points_moments,
    rival_mean,
)
from sim.cube_expected import known_equity
from sim.cube_play import CubeMatch, play_cube_block
from sim.cube_sides import CubeSide
from sim.outcomes import pair_columns, to_table
from sim.pairs import build_pairs
from sim.schema import CUBEFUL, outcome_schema
from sim.workers import Task, worker_count

if TYPE_CHECKING:
    import pyarrow as pa

Float64Array = NDArray[np.float64]

NEVER = "never"
"""Name of the strategy that never doubles."""

_OWNERS = {"roller": 0, "opponent": 1, "centred": 2}


class CubefulWork:
    """Games with the cube between two players; a `sim.work.Work`.

    Parameters
    ----------
    config : BatchConfig
        Of the run, with a cube.
    strategies : mapping of str to CubeStrategy
        What names stand for, besides ``perfect`` and ``never``.

    Raises
    ------
    ConfigError
        If the configuration names an unknown strategy.
    TableError
        If a player or a strategy needs a two-sided table that is not built.
    RunError
        If the pairs cannot be gathered.
    """

    kind = CUBEFUL
    width = WIDTH
    counted = "games"

    def __init__(self, config: BatchConfig, strategies: Mapping[str, CubeStrategy]) -> None:
        if config.cube is None:
            raise bearoff.BearoffError("a run with the cube needs the key cube, got none")
        self._cube = config.cube
        size = config.table.points, config.table.checkers
        known = _Strategies(strategies, size)
        rival = config.cube.rival
        self._match = CubeMatch(
            *size,
            config.players.roller,
            config.players.opponent,
            config.seed,
            _OWNERS[config.cube.position],
            known.side(config.cube.roller, "cube.roller"),
            known.side(config.cube.opponent, "cube.opponent"),
            None if rival is None else known.side(rival, "cube.rival"),
        )
        for name in (config.players.roller, config.players.opponent):
            checkers_of(name, *size)  # A table that is missing is told of at once.
        self._table = bearoff.one_sided_table(*size)
        self._pairs = build_pairs(config)
        self._workers = worker_count(config.workers)
        self._solving = Lock()
        self.games = np.broadcast_to(np.int64(config.games or 0), len(self._pairs))

    @property
    def block_games(self) -> int:
        """As many games as take about half a second."""
        return plan.CUBEFUL_BLOCK_GAMES

    def inputs(self) -> Iterable[memoryview]:
        """Return the pairs and their weights."""
        return self._pairs.inputs()

    def task(self, block: plan.Block) -> Task:
        """Return the call that plays a block, with the positions of its pairs."""
        pairs = self._pairs[block.pairs]
        task: Task = delayed(play_cube_block)(
            self._match, block, pairs.rollers, pairs.opponents
        )
        return task

    def table(self, part: slice, counts: Counts) -> "pa.Table":
        """Build the rows of a part, points counted with the value of the cube."""
        value = self._cube.value
        points, spread = points_moments(counts, value)
        length, length_spread = length_moments(counts)
        columns = pair_columns(self._table, self._pairs, part) | {
            "games": counts[:, GAMES],
            "wins": counts[:, WINS],
            "points_mean": points,
            "points_variance": spread,
            "cube": final_cubes(counts),
            "roller_doubles": counts[:, DOUBLES][:, 0],
            "opponent_doubles": counts[:, DOUBLES][:, 1],
            "roller_passes": counts[:, PASSES][:, 0],
            "opponent_passes": counts[:, PASSES][:, 1],
            "length_mean": length,
            "length_variance": length_spread,
            "expected": self._expected_equity()[part],
        }
        rivals: dict[str, Any] = dict.fromkeys(
            ("rival_points_mean", "difference_mean", "difference_variance"),
            np.full(len(counts), np.nan),
        )
        if self._cube.rival is not None:
            difference, difference_spread = difference_moments(counts, value)
            rivals = {
                "rival_points_mean": rival_mean(counts, value),
                "difference_mean": difference,
                "difference_variance": difference_spread,
            }
        return to_table(columns | rivals, outcome_schema(self._table.points, self.kind))

    def _expected_equity(self) -> Float64Array:
        """Return what is worked out once, whichever of the storing threads asks first."""
        with self._solving:  # `cached_property` has no lock since Python 3.12.
            return self._expected

    @cached_property
    def _expected(self) -> Float64Array:
        """Equity that the games of each pair converge to; not-a-number if unknown.

        It is worked out with the first part that is stored, since a finished run that is
        called again does not need it.
        """
        return self._cube.value * known_equity(
            self._match, self._pairs[:], int(self.games.sum()), self._workers
        )


class _Strategies:
    """What the strategies of a configuration stand for."""

    def __init__(
        self, strategies: Mapping[str, CubeStrategy], size: tuple[int, int]
    ) -> None:
        self._named = strategies
        self._size = size

    def side(self, said: Any, path: str) -> CubeSide:
        """Return a side that follows what was said of it at `path`."""
        if not isinstance(said, StateStrategy):
            return CubeSide.of(self._strategy(said, path))
        return CubeSide(
            *(
                self._strategy(getattr(said, state), f"{path}.{state}")
                for state in ("centred", "owned", "take")
            )
        )

    def _strategy(self, said: Any, path: str) -> CubeStrategy:
        if isinstance(said, ThresholdStrategy):
            at = said.thresholds
            return ThresholdCube(at.double, at.redouble, 1 - at.take)
        if isinstance(said, JanowskiStrategy):
            return JanowskiCube(said.janowski)
        if said == PERFECT:
            return PerfectCube(perfect_table(*self._size).checkers)
        if said == NEVER:
            return NeverDoubles()
        if said not in self._named:
            sentence = unknown_strategy(said, self._named)
            raise ConfigError([Problem(None, None, path, sentence)])
        return self._named[said]
