"""Values of many decisions: exact ones from a two-sided table, the model's elsewhere.

The table of 15 checkers may be larger than the memory. The values for one opponent lie
together there, so decisions are looked up in the order of the table on the disk, piece by
piece, and each piece is a checkpoint.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import bear_in
from bearoff.race_model import ERRORS, race_model
from bearoff.two_sided import codings
from sim.engine import run_tasks, worker_count
from sim.populations.decisions import RaceDecisions
from sim.populations.population import SOURCES, Values
from sim.rollouts import Techniques, ValueModel, short_rollout, truncation_table
from sim.storage import RunError, load_checkpoint, save_checkpoint

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Progress = Callable[[str, float], object]

PIECE, ROLLOUTS_AT_A_TIME = 1 << 16, 512
"""Decisions of a piece."""


def table_values(
    table: bearoff.TwoSidedTable,
    met: RaceDecisions,
    checkpoints: "Checkpoints",
    progress: Progress,
) -> Values:
    """Look up decisions with all checkers home.

    Parameters
    ----------
    table : TwoSidedTable
        With all planes; it must hold every pair.
    met : RaceDecisions
        Numbered on 6 points.
    checkpoints : Checkpoints
        Where finished pieces are stored.
    progress : callable
        Called with the name of the task and the share done, 0 to 1.
    """
    slots = table.places.slots
    x, y = met.rollers, met.opponents

    no_double_of = _NoDouble(table)

    def no_double_values(rows: Int64Array) -> Float64Array:
        # To the side that rolls next, a cube owned by the roller is the opponent's.
        sides = slots[x[rows]].astype(np.int64), slots[y[rows]].astype(np.int64)
        return np.stack(
            [no_double_of.values(*sides, plane) for plane in ("centred", "opponent")]
        )

    def static_values(rows: Int64Array) -> Float64Array:
        sides = x[rows], y[rows]
        return np.stack([table.win_probability(*sides), table.double_take(*sides)])

    # Values after a play lie with the opponent who then rolls, the others with the roller.
    by_opponent = np.lexsort((slots[x], slots[y]))
    by_roller = np.lexsort((slots[y], slots[x]))
    no_double, no_redouble = checkpoints.compute(
        "no-double", no_double_values, by_opponent, progress
    )
    win_probability, double_take = checkpoints.compute(
        "static", static_values, by_roller, progress
    )
    error = max(table.error("centred"), table.error("owned"), 2 * table.error("opponent"))
    return Values(
        win_probability,
        no_double,
        no_redouble,
        double_take,
        np.full(len(met), error),
        np.full(len(met), SOURCES.index("table"), dtype=np.int8),
    )


class _NoDouble:
    """Equities of not doubling, compiled: `TwoSidedTable.no_double` for millions."""

    def __init__(self, table: bearoff.TwoSidedTable) -> None:
        self._table = table

    def values(
        self, rollers: Int64Array, opponents: Int64Array, plane: str
    ) -> Float64Array:
        """Return the equities for pairs of slots.

        ``plane`` is where the cube is for the opponent, who rolls next.
        """
        from sim.populations import kernels

        table = self._table
        coding = codings.CODINGS[plane]
        weights = np.array(bearoff.WEIGHTS, dtype=np.float64)
        moves = kernels.Moves(*table.successors, weights)
        planes = kernels.Planes(
            table.places.size,
            table.codes("cubeless"),
            table.codes(plane),
            float(coding.zero),
            float(coding.step),
        )
        values = np.empty(len(rollers))
        kernels.no_double_values(rollers, opponents, moves, planes, values)
        return values


def model_values(
    met: RaceDecisions, checkpoints: "Checkpoints", progress: Progress
) -> Values:
    """Ask the fast model about decisions numbered on 24 points."""
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
    return Values(
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
) -> Values:
    """Roll out some decisions numbered on 24 points, 1,296 games each.

    Games stop in the largest two-sided table in the cache. Each decision throws the dice
    of its own race.
    """
    values = ValueModel(truncation_table(), Techniques())

    def one(place: int) -> tuple[int, list[float]]:
        row = rows[place]
        numbers = int(met.rollers[row]), int(met.opponents[row])
        race = bearoff.Race(*(bearoff.Position.from_number(n, 24) for n in numbers))
        means, error = short_rollout(race, seed, values)
        cubeless, no_double, no_redouble, taken = (float(mean) for mean in means)
        return place, [(1 + cubeless) / 2, no_double, no_redouble, 2 * taken, 2 * error]

    def roll(few: Int64Array) -> Float64Array:
        tasks = (delayed(one)(place) for place in few)
        found = dict(run_tasks(tasks, "threading", worker_count(workers)))
        return np.array([found[place] for place in few]).T

    every = np.arange(len(rows))
    found = checkpoints.compute("rollouts", roll, every, progress, size=ROLLOUTS_AT_A_TIME)
    win_probability, no_double, no_redouble, double_take, error = found
    return Values(
        win_probability,
        no_double,
        no_redouble,
        double_take,
        error,
        np.full(len(rows), SOURCES.index("rollout"), dtype=np.int8),
    )


class Checkpoints:
    """Checkpoints of a long task, one for each piece.

    Parameters
    ----------
    folder : Path
        Where they are stored; it exists.
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
        """Do the work for all rows in this order and return the results by row.

        Parameters
        ----------
        name : str
            Of the task.
        work : callable
            Returns some numbers for each of the given rows, shape (numbers, rows).
        order : ndarray of int64, shape (n,)
            Every row once.
        progress : callable
            Called with the name and the share done, 0 to 1.
        size : int
            Rows of a piece.

        Returns
        -------
        ndarray of float64, shape (numbers, n)
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
            raise RunError(f"there is nothing to do for {name}")
        return found
