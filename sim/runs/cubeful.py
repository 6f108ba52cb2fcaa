"""Games with the cube as work of a run: money play, and games at a score."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.matchup import CubeStrategy
from bearoff.storage import sealing
from sim.config import BatchConfig, terms_of
from sim.cubeful import (
    FIXED,
    PERFECT,
    CubeMatch,
    checkers_of,
    cube_tally,
    expected_equity,
    match_chances,
    play_cube_block,
    solve_at,
)
from sim.engine import Task, plan, worker_count
from sim.pairs import build_pairs
from sim.play import tally
from sim.runs.outcomes import Columns, pair_columns, to_table
from sim.runs.strategies import Strategies
from sim.storage import schema

if TYPE_CHECKING:
    import pyarrow as pa

Float64Array = NDArray[np.float64]

_OWNERS = {"roller": 0, "opponent": 1, "centred": 2}


class CubefulWork:
    """Games with the cube between two players; a `sim.runs.work.Work`.

    Parameters
    ----------
    config : BatchConfig
        Of the run, with a cube.
    strategies : mapping of str to CubeStrategy
        What names stand for, besides ``perfect``, ``never`` and formulas.

    Raises
    ------
    ConfigError
        If the configuration names an unknown strategy, or one that cannot be told from
        another.
    StrategyError
        If a strategy fails.
    TableError
        If a player or a strategy needs a two-sided table that is not built.
    RunError
        If the pairs cannot be gathered.
    """

    width = cube_tally.WIDTH
    counted = "games"

    def __init__(self, config: BatchConfig, strategies: Mapping[str, CubeStrategy]) -> None:
        if config.cube is None:
            raise bearoff.BearoffError("a run with the cube needs the key cube, got none")
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
            # A missing table is an error at once.
            checkers_of(name, *size, terms)
        if at_score and (
            named.perfect or PERFECT in (config.players.roller, config.players.opponent)
        ):
            solve_at(terms, *size)
        self.strategies = named.contents
        self._table = bearoff.one_sided_table(*size)
        self._pairs = build_pairs(config)
        self._workers = worker_count(config.workers)
        self._solving = Lock()
        self.kind = schema.MATCHES if at_score else schema.CUBEFUL
        self.games = np.broadcast_to(np.int64(config.games or 0), len(self._pairs))

    @property
    def block_games(self) -> int:
        """As many games as take about half a second."""
        return plan.CUBEFUL_BLOCK_GAMES

    def inputs(self) -> Iterable[memoryview]:
        """Return the pairs, their weights, and what strategies are."""
        yield from self._pairs.inputs()
        if self.strategies:
            yield memoryview(sealing.canonical_json(self.strategies))

    def task(self, block: plan.Block) -> Task:
        """Return the call that plays a block, with the positions of its pairs."""
        pairs = self._pairs[block.pairs]
        task: Task = delayed(play_cube_block)(
            self._match, block, pairs.rollers, pairs.opponents
        )
        return task

    def table(self, part: slice, counts: tally.Counts) -> "pa.Table":
        """Build the rows of a part, points counted with the value of the cube."""
        length, length_spread = tally.length_moments(counts)
        columns = pair_columns(self._table, self._pairs, part) | {
            "games": counts[:, tally.GAMES],
            "wins": counts[:, tally.WINS],
            "gammons_won": counts[:, cube_tally.GAMMONS_WON].sum(axis=1),
            "gammons_lost": counts[:, cube_tally.GAMMONS_LOST].sum(axis=1),
            "roller_doubles": counts[:, cube_tally.DOUBLES][:, 0],
            "opponent_doubles": counts[:, cube_tally.DOUBLES][:, 1],
            "roller_passes": counts[:, cube_tally.PASSES][:, 0],
            "opponent_passes": counts[:, cube_tally.PASSES][:, 1],
            "length_mean": length,
            "length_variance": length_spread,
            "expected": self._expected_equity()[part],
        }
        at_score = self._match.terms.stakes.score is not None
        columns |= self._at_score(counts) if at_score else self._money(counts)
        return to_table(columns, schema.outcome_schema(self._table.points, self.kind))

    def _money(self, counts: tally.Counts) -> Columns:
        """Return the columns of money play alone."""
        value = self._cube.value
        points, spread = cube_tally.points_moments(counts, value)
        columns: Columns = {
            "points_mean": points,
            "points_variance": spread,
            "cube": cube_tally.final_cubes(counts),
        }
        rivals = ("rival_points_mean", "difference_mean", "difference_variance")
        if self._cube.rival is None:
            return columns | dict.fromkeys(rivals, np.full(len(counts), np.nan))
        found = (
            cube_tally.rival_mean(counts, value),
            *cube_tally.difference_moments(counts, value),
        )
        return columns | dict(zip(rivals, found, strict=True))

    def _at_score(self, counts: tally.Counts) -> Columns:
        """Return the columns of games at a score alone."""
        mean, variance = cube_tally.match_moments(counts, match_chances(self._match.terms))
        columns: Columns = {"match_chance": mean, "match_chance_variance": variance}
        for name, what in (
            ("cube_won", cube_tally.WON),
            ("cube_lost", cube_tally.LOST),
            ("cube_gammons_won", cube_tally.GAMMONS_WON),
            ("cube_gammons_lost", cube_tally.GAMMONS_LOST),
        ):
            columns[name] = cube_tally.by_final_cube(counts, what)
        rivals = ("rival_match_chance", "difference_mean", "difference_variance")
        if self._cube.rival is None:
            return columns | dict.fromkeys(rivals, np.full(len(counts), np.nan))
        games = counts[:, tally.GAMES]
        rival = counts[:, cube_tally.RIVAL_POINTS] / FIXED / games
        square = counts[:, cube_tally.DIFFERENCE_SQUARED] / FIXED / games
        spread = np.maximum(square - (mean - rival) ** 2, 0.0)
        return columns | dict(zip(rivals, (rival, mean - rival, spread), strict=True))

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
        found = expected_equity(
            self._match, self._pairs[:], int(self.games.sum()), self._workers
        )
        at_score = self._match.terms.stakes.score is not None
        return found if at_score else self._cube.value * found
