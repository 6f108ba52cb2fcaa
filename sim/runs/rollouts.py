"""Simulation of a run of rollouts, which give equities with standard errors.

One worker performs each rollout, which counts as one game of the run. The number of games
within a rollout depends only on the results so far, and these only on the dice.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import bear_in
from bearoff.sim.config import BatchConfig, terms_of
from bearoff.sim.cubeful import table_at
from bearoff.sim.engine import Task, plan
from bearoff.sim.pairs import build_pairs
from bearoff.sim.play import tally
from bearoff.sim.rollouts import (
    Estimate,
    Goal,
    Rollout,
    RolloutAction,
    Techniques,
    ValueModel,
    estimate,
    on_24_points,
    results,
    sums,
)
from bearoff.sim.runs.outcomes import Columns, to_table
from bearoff.sim.runs.sums import Sums, summing_of
from bearoff.sim.storage import schema
from bearoff.sources import PairTable
from bearoff.stakes import Cube, Match, RollersCube, Terms
from bearoff.two_sided import codings

if TYPE_CHECKING:
    import pyarrow as pa

Int64Array = NDArray[np.int64]

POINTS = schema.ROLLOUT_POINTS

_RestsOn = tuple[tuple[int, int] | None, Techniques, Terms, Cube, float]
"""Arguments of `value_model`: size of the two-sided table, methods of variance reduction,
stakes, cube owner, and largest EPC of a side."""


class RolloutWork:
    """Simulation of a run whose results are rollouts, for races on up to 24 points.

    Raises
    ------
    TableError
        If games should stop at a table that has not been built.
    PositionError
        If the sides of a pair are still in contact.
    RunError
        If the pairs of positions cannot be collected.
    """

    kind = schema.ROLLOUTS
    width = 1 + sums.WIDTH
    block_games = 1
    counted = "rollouts"
    strategies: Mapping[str, dict[str, Any]] = MappingProxyType({})

    def __init__(self, config: BatchConfig) -> None:
        asked = config.rollout
        if asked is None:
            raise ValueError("the configuration must have the key 'rollout'")
        terms = terms_of(config.match, asked.cube_value, jacoby=asked.jacoby)
        # At a match score, the cube is centred if its value is 1, and the roller owns a
        # higher cube.
        cube: Cube = "centred" if terms.cube_value == 1 else "owned"
        self._points, self._checkers = config.table.points, config.table.checkers
        self.pairs = build_pairs(config)
        self.summing = summing_of(config)
        races = [self._race(pair) for pair in range(len(self.pairs))]
        sides = [side.counts for race in races for side in (race.roller, race.opponent)]
        self._rests_on: _RestsOn = (
            (asked.table, asked.table_points) if asked.table else None,
            Techniques(asked.luck, asked.first_rolls, asked.truncate),
            terms,
            cube,
            float(bear_in().epc(np.array(sides, dtype=np.int8)).max()),
        )
        table = value_model(*self._rests_on).table
        if isinstance(table, bearoff.TwoSidedTable):
            for plane in codings.PLANES:
                # If equities are missing from the table, this call raises an error before
                # the folder of the run is created.
                table.error(plane)
        self._seed = config.seed
        if config.standard_error is None:
            self._goal = Goal(0.0, config.games or 1)
        else:
            wanted = config.standard_error
            self._goal = Goal(wanted.target, wanted.at_most)
        self.games = np.ones(len(self.pairs), dtype=np.int64)

    def inputs(self) -> Iterable[memoryview]:
        return self.pairs.inputs()

    def task(self, block: plan.Block) -> Task:
        race = self._race(block.first_pair)
        task: Task = delayed(roll_out_block)(
            block, race, self._rests_on, self._goal, self._seed
        )
        return task

    def table(self, part: slice, total: Sums) -> "pa.Table":
        races = [self._race(pair) for pair in range(part.start, part.stop)]
        values = value_model(*self._rests_on)
        found = [
            results.summarise(
                estimate.exact_values(values, race)
                or sums.Moments.of(row[1:], estimate.model_values(values, race)),
                values,
                values.cube,
                values.systematic_error(race),
            )
            for race, row in zip(races, total["counts"], strict=True)
        ]
        columns = self._pair_columns(part, races) | _rollout_columns(found)
        return to_table(columns, schema.outcome_schema(POINTS, schema.ROLLOUTS))

    def _race(self, pair: int) -> bearoff.Race:
        pairs = self.pairs[pair : pair + 1]
        numbers = int(pairs.rollers[0]), int(pairs.opponents[0])
        size = self._points, self._checkers
        sides = (bearoff.Position.from_number(number, *size) for number in numbers)
        return on_24_points(bearoff.Race(*sides))

    def _pair_columns(self, part: slice, races: list[bearoff.Race]) -> Columns:
        sides = {
            "roller": np.array([race.roller.counts for race in races], dtype=np.int8),
            "opponent": np.array([race.opponent.counts for race in races], dtype=np.int8),
        }
        columns: Columns = {
            "pair": np.arange(part.start, part.stop),
            "weight": self.pairs[part].weights,
        }
        for name, counts in sides.items():
            columns |= {
                name: bearoff.rank(counts),
                f"{name}_counts": counts,
                f"{name}_pips": counts.astype(np.int64) @ np.arange(1, POINTS + 1),
                f"{name}_epc": bear_in().epc(counts),
            }
        return columns


def roll_out_block(
    block: plan.Block,
    race: bearoff.Race,
    rests_on: "_RestsOn",
    goal: Goal,
    seed: int,
) -> tuple[plan.Block, tally.Counts]:
    """Roll out a race in a worker; return sums of 0 if a table contains the race."""
    values = value_model(*rests_on)
    counts = np.zeros((1, 1 + sums.WIDTH), dtype=np.int64)
    counts[0, 0] = 1
    if estimate.exact_values(values, race) is None:
        counts[0, 1:] = estimate.play_to(values, race, goal, seed, workers=1)
    return block, counts


@lru_cache(maxsize=2)
def value_model(
    size: tuple[int, int] | None,
    techniques: Techniques,
    terms: Terms,
    cube: Cube,
    longest_epc: float,
) -> ValueModel:
    """Return the tables and models for rollouts; each process caches them."""
    table: PairTable | None = None
    if size is not None and isinstance(terms.stakes, Match):
        table = table_at(terms.stakes, *size[::-1])
    elif size is not None:
        table = bearoff.two_sided_table(*size)
    values = ValueModel(table, techniques, terms, cube, longest_epc)
    values.solve()
    return values


def _action(found: Rollout, cube: RollersCube) -> RolloutAction:
    """Return the cube action for a cube owner; at a match score, for the actual owner.

    In the Crawford game, where nobody may double, the double has an equity of 0.
    """
    if found.terms.stakes.score is None:
        return found.at(cube)
    if found.action is not None:
        return found.action
    value, none = found.value, Estimate(0.0, 0.0)
    return RolloutAction(cube, value, value, none, "no double", too_close=False)


def _rollout_columns(found: list[Rollout]) -> Columns:
    centred = [_action(f, "centred") for f in found]
    owned = [_action(f, "owned") for f in found]
    estimates = {
        "win_probability": [f.win_probability for f in found],
        **{name: [getattr(f, name) for f in found] for name in schema.GAMMON_CHANCES},
        "cubeless": [f.cubeless for f in found],
        "no_double": [action.no_double for action in centred],
        "no_redouble": [action.no_double for action in owned],
        "double_take": [action.double_take for action in centred],
        "double_gain": [action.gain for action in centred],
        "redouble_gain": [action.gain for action in owned],
    }
    columns: Columns = {"games": np.array([f.games for f in found], dtype=np.int64)}
    for name, values in estimates.items():
        columns[name] = np.array([estimate.value for estimate in values])
        columns[f"{name}_error"] = np.array([e.standard_error for e in values])
    for name in schema.SYSTEMATIC:
        errors = [estimate.systematic_error or 0.0 for estimate in estimates[name]]
        columns[f"{name}_systematic"] = np.array(errors)
    for name, actions in (("double", centred), ("redouble", owned)):
        columns[f"{name}_action"] = np.array([action.action for action in actions])
        columns[f"{name}_too_close"] = np.array([action.too_close for action in actions])
    return columns
