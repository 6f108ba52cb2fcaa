"""Games with the cube as work of a run: money play."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.matchup import (
    CubeStrategy,
    JanowskiCube,
    NeverDoubles,
    PerfectCube,
    ThresholdCube,
)
from sim.config import (
    BatchConfig,
    ConfigError,
    cube as cube_config,
    errors,
)
from sim.cubeful import (
    PERFECT,
    CubeMatch,
    CubeSide,
    checkers_of,
    cube_tally,
    expected_equity,
    perfect_table,
    play_cube_block,
)
from sim.engine import Task, plan, worker_count
from sim.pairs import build_pairs
from sim.play import tally
from sim.runs.outcomes import pair_columns, to_table
from sim.storage import schema

if TYPE_CHECKING:
    import pyarrow as pa

Float64Array = NDArray[np.float64]

NEVER = "never"
"""Name of the strategy that never doubles."""

_OWNERS = {"roller": 0, "opponent": 1, "centred": 2}


class CubefulWork:
    """Games with the cube between two players; a `sim.runs.work.Work`.

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

    kind = schema.CUBEFUL
    width = cube_tally.WIDTH
    counted = "games"

    def __init__(self, config: BatchConfig, strategies: Mapping[str, CubeStrategy]) -> None:
        if config.cube is None:
            raise bearoff.BearoffError("a run with the cube needs the key cube, got none")
        if config.match is not None:
            raise bearoff.ScoreError(
                "games with the cube are not played at a score yet; remove match"
            )
        self._cube = config.cube
        size = config.table.points, config.table.checkers
        named = _Strategies(strategies, size, jacoby=config.cube.jacoby)
        rival = config.cube.rival
        self._match = CubeMatch(
            *size,
            config.players.roller,
            config.players.opponent,
            config.seed,
            _OWNERS[config.cube.position],
            named.side(config.cube.roller, "cube.roller"),
            named.side(config.cube.opponent, "cube.opponent"),
            None if rival is None else named.side(rival, "cube.rival"),
            config.cube.jacoby,
        )
        for name in (config.players.roller, config.players.opponent):
            checkers_of(
                name, *size, jacoby=config.cube.jacoby
            )  # A missing table is an error at once.
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

    def table(self, part: slice, counts: tally.Counts) -> "pa.Table":
        """Build the rows of a part, points counted with the value of the cube."""
        value = self._cube.value
        points, spread = cube_tally.points_moments(counts, value)
        length, length_spread = tally.length_moments(counts)
        columns = pair_columns(self._table, self._pairs, part) | {
            "games": counts[:, tally.GAMES],
            "wins": counts[:, tally.WINS],
            "gammons_won": counts[:, cube_tally.GAMMONS_WON].sum(axis=1),
            "gammons_lost": counts[:, cube_tally.GAMMONS_LOST].sum(axis=1),
            "points_mean": points,
            "points_variance": spread,
            "cube": cube_tally.final_cubes(counts),
            "roller_doubles": counts[:, cube_tally.DOUBLES][:, 0],
            "opponent_doubles": counts[:, cube_tally.DOUBLES][:, 1],
            "roller_passes": counts[:, cube_tally.PASSES][:, 0],
            "opponent_passes": counts[:, cube_tally.PASSES][:, 1],
            "length_mean": length,
            "length_variance": length_spread,
            "expected": self._expected_equity()[part],
        }
        rivals: dict[str, Any] = dict.fromkeys(
            ("rival_points_mean", "difference_mean", "difference_variance"),
            np.full(len(counts), np.nan),
        )
        if self._cube.rival is not None:
            difference, difference_spread = cube_tally.difference_moments(counts, value)
            rivals = {
                "rival_points_mean": cube_tally.rival_mean(counts, value),
                "difference_mean": difference,
                "difference_variance": difference_spread,
            }
        return to_table(
            columns | rivals, schema.outcome_schema(self._table.points, self.kind)
        )

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
        return self._cube.value * expected_equity(
            self._match, self._pairs[:], int(self.games.sum()), self._workers
        )


class _Strategies:
    """What the strategies of a configuration stand for."""

    def __init__(
        self,
        strategies: Mapping[str, CubeStrategy],
        size: tuple[int, int],
        *,
        jacoby: bool,
    ) -> None:
        self._named = strategies
        self._jacoby = jacoby
        self._size = size

    def side(self, given: Any, path: str) -> CubeSide:
        """Return a side that follows the configuration at `path`."""
        if not isinstance(given, cube_config.StateStrategy):
            return CubeSide.of(self._strategy(given, path))
        return CubeSide(
            *(
                self._strategy(getattr(given, state), f"{path}.{state}")
                for state in ("centred", "owned", "take")
            )
        )

    def _strategy(self, given: Any, path: str) -> CubeStrategy:
        if isinstance(given, cube_config.ThresholdStrategy):
            at = given.thresholds
            return ThresholdCube(at.double, at.redouble, 1 - at.take)
        if isinstance(given, cube_config.JanowskiStrategy):
            return JanowskiCube(given.janowski)
        if given == PERFECT:
            return PerfectCube(perfect_table(*self._size).checkers, self._jacoby)
        if given == NEVER:
            return NeverDoubles()
        if given not in self._named:
            sentence = cube_config.unknown_strategy(given, self._named)
            raise ConfigError([errors.Problem(None, None, path, sentence)])
        return self._named[given]
