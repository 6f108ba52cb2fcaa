"""Equities of many decisions, from a two-sided table, the fast model or rollouts.

A two-sided table of 15 checkers may be larger than memory. In the table, all equities of
the same roller's position are stored together. Decisions are therefore looked up in the
order in which the table stores them. A checkpoint is stored after every `PIECE` decisions.
"""

from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import bear_in
from bearoff.race_model import ERRORS, race_model
from bearoff.sim.engine import run_tasks, worker_count
from bearoff.sim.populations.decisions import RaceDecisions
from bearoff.sim.populations.population import SOURCES, DecisionValues
from bearoff.sim.rollouts import Techniques, ValueModel, short_rollout, truncation_table
from bearoff.sim.storage import RunError, load_checkpoint, save_checkpoint
from bearoff.sources import PairTable
from bearoff.stakes import Match, RollersCube, Terms
from bearoff.two_sided import tables_with_cube

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Progress = Callable[[str, float], object]

PIECE, ROLLOUTS_AT_A_TIME = 1 << 16, 512
"""Number of decisions between two checkpoints: without rollouts, and with rollouts.
"""


def table_values(
    table: bearoff.TwoSidedTable,
    met: RaceDecisions,
    checkpoints: "Checkpoints",
    progress: Progress,
) -> DecisionValues:
    """Look up equities for money play in a two-sided table of home positions."""
    slots = table.places.slots
    x, y = met.rollers, met.opponents

    def ask(rows: Int64Array) -> Float64Array:
        sides = x[rows], y[rows]
        return np.stack(
            [
                table.win_probability(*sides),
                table.no_double(*sides, "centred"),
                table.no_double(*sides, "owned"),
                table.double_take(*sides),
            ]
        )

    by_place = np.lexsort((slots[y], slots[x]))
    found = checkpoints.compute("table", ask, by_place, progress)
    win_probability, no_double, no_redouble, double_take = found
    error = max(table.error("centred"), table.error("owned"), 2 * table.error("opponent"))
    return DecisionValues(
        win_probability,
        no_double,
        no_redouble,
        double_take,
        np.full(len(met), error),
        np.full(len(met), SOURCES.index("table"), dtype=np.int8),
    )


def score_values(
    table: PairTable,
    stakes: Match,
    met: RaceDecisions,
    checkpoints: "Checkpoints",
    progress: Progress,
) -> DecisionValues:
    """Look up equities in EMG at a match score in a two-sided table of home positions.

    Doubles are with a centred cube at 1, and redoubles with the roller's cube at 2.
    """
    asked: tuple[tuple[RollersCube, Terms], ...] = (
        ("centred", Terms(stakes)),
        ("owned", Terms(stakes, 2)),
    )

    def ask(rows: Int64Array) -> Float64Array:
        found = [
            table.values(met.rollers[rows], met.opponents[rows], *one, gammons=False)
            for one in asked
        ]
        centred, owned = found
        errors = [
            error
            for each in found
            for error in (each.no_double_error, each.double_take_error)
        ]
        return np.stack(
            [
                centred.win_probability,
                centred.no_double,
                owned.no_double,
                centred.double_take,
                owned.double_take,
                np.max(errors, axis=0),
            ]
        )

    by_place = np.lexsort((met.opponents, met.rollers))
    found = checkpoints.compute("table", ask, by_place, progress)
    win_probability, no_double, no_redouble, double_take, redouble_take, error = found
    return DecisionValues(
        win_probability,
        no_double,
        no_redouble,
        double_take,
        error,
        np.full(len(met), SOURCES.index("table"), dtype=np.int8),
        redouble_take,
    )


def model_values(
    met: RaceDecisions, checkpoints: "Checkpoints", progress: Progress
) -> DecisionValues:
    """Estimate the equities of decisions on 24 points by the fast model."""
    model, sides = race_model(), bear_in()

    def ask(rows: Int64Array) -> Float64Array:
        counts = [bearoff.unrank(side[rows], 24) for side in (met.rollers, met.opponents)]
        epc = [sides.epc(c) for c in counts]
        typical = model.matching_std_rolls(*epc, *(sides.std_rolls(c) for c in counts))
        return np.stack(
            [
                model.win_probability(*typical),
                model.no_double(*typical, "centred"),
                model.no_double(*typical, "owned"),
                2 * model.equity(*typical, "opponent"),
            ]
        )

    found = checkpoints.compute("model", ask, np.arange(len(met)), progress)
    win_probability, no_double, no_redouble, double_take = found
    return DecisionValues(
        win_probability,
        no_double,
        no_redouble,
        double_take,
        np.full(len(met), max(ERRORS)),
        np.full(len(met), SOURCES.index("model"), dtype=np.int8),
    )


def rollout_values(
    met: RaceDecisions,
    rows: Int64Array,
    seed: int,
    workers: int | str,
    checkpoints: "Checkpoints",
    progress: Progress,
) -> DecisionValues:
    """Estimate the equities of selected decisions by rollouts of 1,296 games each.

    Games stop at positions in the smallest cached two-sided table that contains both sides.
    The dice of a decision depend only on its race.
    """
    tables = tables_with_cube()

    @cache
    def values_of(table: bearoff.TwoSidedTable | None) -> ValueModel:
        return ValueModel(table, Techniques())

    def one(place: int) -> tuple[int, list[float]]:
        row = rows[place]
        numbers = int(met.rollers[row]), int(met.opponents[row])
        race = bearoff.Race(*(bearoff.Position.from_number(n, 24) for n in numbers))
        values = values_of(truncation_table(race, tables))
        means, error = short_rollout(race, seed, values)
        cubeless, no_double, no_redouble, taken = (float(mean) for mean in means)
        return place, [(1 + cubeless) / 2, no_double, no_redouble, 2 * taken, 2 * error]

    def roll(few: Int64Array) -> Float64Array:
        tasks = (delayed(one)(place) for place in few)
        with closing(run_tasks(tasks, "threading", worker_count(workers))) as results:
            found = dict(results)
        return np.array([found[place] for place in few]).T

    every = np.arange(len(rows))
    found = checkpoints.compute("rollouts", roll, every, progress, size=ROLLOUTS_AT_A_TIME)
    win_probability, no_double, no_redouble, double_take, error = found
    return DecisionValues(
        win_probability,
        no_double,
        no_redouble,
        double_take,
        error,
        np.full(len(rows), SOURCES.index("rollout"), dtype=np.int8),
    )


class Checkpoints:
    """Checkpoint files, from which a long computation can be resumed.

    Parameters
    ----------
    folder : Path
        Folder for the checkpoint files, which must exist.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def compute(
        self,
        name: str,
        work: Callable[[Int64Array], Float64Array],
        order: Int64Array,
        progress: Progress,
        size: int = PIECE,
    ) -> Float64Array:
        """Compute the values of all rows, with a checkpoint after every `size` rows.

        The result is a float64 array of the shape (values, rows).
        """
        found: Float64Array | None = None
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            path = self.folder / f"{name}-{start // size:05d}"
            stored = load_checkpoint(path)
            if stored is None:
                stored = {"piece": work(rows)}
                save_checkpoint(path, **stored)
            piece = stored["piece"]
            if found is None:
                found = np.empty((len(piece), len(order)))
            found[:, rows] = piece
            progress(name, min(start + size, len(order)) / len(order))
        if found is None:
            raise RunError(f"the population {name} has no positions to evaluate")
        return found
