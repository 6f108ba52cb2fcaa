"""Errors of the fast race model, compared with the exact values of a two-sided table.

Pairs are drawn for each band of the roller's EPC, with opponents' EPCs from 25% below to
25% above the band. All whole pips of EPC have equal weight. Positions with the same whole
pip are weighted by frequency in races (`bearoff.race_model.chain.race_visits`), or equally.
All drawn rollers are combined with all drawn opponents, because the table is then read
nearly in its own order. Only pairs in which the roller wins 5% to 95% of games are used,
because most methods are right in other pairs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bearoff import (
    POINTS,
    OneSidedTable,
    TwoSidedTable,
    cube_actions,
    cubeful_equity,
    one_sided_table,
    position_count,
    two_sided_table,
)
from bearoff.race_model import (
    RaceModel,
    estimate_optimal_win_probability,
    race_model,
    race_visits,
)
from bearoff.stakes import CubeOwner, RollersCube, Terms, Values

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

BANDS = (10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0)
"""Limits in pips of the bands of EPC from which rollers are drawn."""

SPREAD = 0.25
"""Maximum distance of the opponent's EPC from the roller's band of EPC, as a fraction of
the limits of this band."""

OPEN = 0.05
"""Minimum win probability of both sides in pairs that are used."""

NEAR = 0.1
"""Maximum gain or loss in points of a decision that counts as close."""

WEIGHTINGS = ("visits", "uniform")

METHODS = (
    "EPC",
    "EPC and standard deviation",
    "fewest-rolls chance",
    "optimal chance",
    "Janowski",
)
"""Methods that are compared, named after the information that they use."""

CUBES: tuple[RollersCube, RollersCube] = ("centred", "owned")


@dataclass(frozen=True, eq=False)
class Cell:
    """Errors of all methods in pairs of positions whose rollers have similar EPCs.

    Attributes
    ----------
    weighting : str
        Name of the weights with which positions were drawn.
    low, high : float
        Limits of the band of rollers' EPC, in pips.
    near : ndarray of bool, shape (pairs,)
        Whether the pair has a close decision, in which the choices differ by less than
        `NEAR`.
    chance, no_double, double_take : ndarray of float32, shape (methods, pairs)
        Errors of the win probability, of the equity without a double with a centred cube,
        and of the equity after a double and a take.
    lost : ndarray of float32, shape (methods, 3, pairs)
        Points lost by the method's doubles, redoubles and takes.
    """

    weighting: str
    low: float
    high: float
    near: NDArray[np.bool_]
    chance: NDArray[np.float32]
    no_double: NDArray[np.float32]
    double_take: NDArray[np.float32]
    lost: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.near)


@dataclass(frozen=True, eq=False)
class RaceModelStudy:
    """Results of the study of the fast race model.

    Attributes
    ----------
    checkers : int
        Checkers per side of the two-sided table.
    seed : int
        Random seed.
    cells : tuple of Cell
        Results for each set of weights and each band of EPC.
    """

    checkers: int
    seed: int
    cells: tuple[Cell, ...]

    def of(self, weighting: str) -> list[Cell]:
        """Return the results for one set of weights, beginning with the shortest races."""
        return [cell for cell in self.cells if cell.weighting == weighting]


def study_race_model(
    checkers: int,
    *,
    sides: int = 200,
    seed: int = 1,
    progress: Callable[[float], None] = lambda done: None,
) -> RaceModelStudy:
    """Compare the fast race model with a two-sided table of a given number of checkers.

    Parameters
    ----------
    checkers : int
        Number of checkers per side of a two-sided table that was built with the cube.
    sides : int
        Number of rollers, and of opponents, that are drawn for each band of EPC. All pairs
        of a roller and an opponent are used.
    seed : int
        Random seed.
    progress : callable
        Function called with the completed fraction, 0 to 1.

    Raises
    ------
    TableError
        If the table has not been built, or is damaged.
    """
    table, fewest = two_sided_table(checkers), one_sided_table()
    size = position_count(POINTS, checkers)
    weights = {"visits": race_visits(fewest)[:size], "uniform": np.ones(size)}
    random = np.random.default_rng(seed)
    cells: list[Cell] = []
    bands = list(pairwise(BANDS))
    for weighting in WEIGHTINGS:
        for k, (low, high) in enumerate(bands):
            drawn = [
                _draw(fewest.epc[:size], weights[weighting], edges, sides, random)
                for edges in ((low, high), (low * (1 - SPREAD), high * (1 + SPREAD)))
            ]
            if all(len(side) for side in drawn):
                exact = _exact(table, *drawn)
                cells.append(_compare(fewest, weighting, (low, high), exact))
            done = WEIGHTINGS.index(weighting) * len(bands) + k + 1
            progress(done / (len(WEIGHTINGS) * len(bands)))
    return RaceModelStudy(checkers, seed, tuple(cells))


def _draw(
    epc: Float64Array,
    weights: Float64Array,
    edges: tuple[float, float],
    count: int,
    random: np.random.Generator,
) -> Int64Array:
    """Draw positions in a range of EPC; every whole number of pips is equally likely."""
    low, high = edges
    at = np.flatnonzero((epc >= low) & (epc < high))
    if not len(at):
        return at
    pips = np.floor(epc[at]).astype(np.int64)
    chances = weights[at] / np.bincount(pips, weights[at])[pips]
    # Sorting the positions places consecutive pairs close to each other on disk.
    return np.sort(random.choice(at, count, p=chances / chances.sum()))


@dataclass(frozen=True, eq=False)
class _Exact:
    """Exact cube actions of pairs of positions, as flat arrays sorted by opponent."""

    pairs: tuple[Int64Array, Int64Array]
    actions: dict[str, Values]


def _exact(table: TwoSidedTable, rollers: Int64Array, opponents: Int64Array) -> _Exact:
    """Read the exact values of all pairs in which both sides may win."""
    x, y = (side.ravel() for side in np.meshgrid(rollers, opponents, indexing="ij"))
    chance = table.win_probability(x, y)
    undecided = (chance >= OPEN) & (chance <= 1 - OPEN)
    x, y = x[undecided], y[undecided]
    # The values after a play are stored with the opponent, who is then on roll. The table
    # is read nearly in its own order if pairs are sorted by opponent.
    order = np.argsort(y, kind="stable")
    x, y = x[order], y[order]
    return _Exact((x, y), {cube: cube_actions(table, x, y, cube) for cube in CUBES})


def _compare(
    fewest: OneSidedTable,
    weighting: str,
    band: tuple[float, float],
    exact: _Exact,
) -> Cell:
    """Compare all methods with the exact values of pairs of positions."""
    right, right_owned = (exact.actions[cube] for cube in CUBES)
    near = np.abs(right.double_take - 1) < NEAR
    for actions in (right, right_owned):
        near |= np.abs(actions.double - actions.no_double) < NEAR
    chance, no_double, double_take, lost = [], [], [], []
    for method in METHODS:
        model, model_owned = (
            _cube_actions(fewest, method, exact.pairs, cube) for cube in CUBES
        )
        chance.append(model.win_probability - right.win_probability)
        no_double.append(model.no_double - right.no_double)
        double_take.append(model.double_take - right.double_take)
        lost.append(
            [
                np.where(model.doubles, right.wrong_double, right.missed_double),
                np.where(
                    model_owned.doubles, right_owned.wrong_double, right_owned.missed_double
                ),
                np.where(model.takes, right.wrong_take, right.wrong_pass),
            ]
        )
    return Cell(
        weighting,
        *band,
        near,
        *(np.array(e, dtype=np.float32) for e in (chance, no_double, double_take, lost)),
    )


def _cube_actions(
    fewest: OneSidedTable,
    method: str,
    pairs: tuple[Int64Array, Int64Array],
    cube: RollersCube,
) -> Values:
    """Return the cube actions in pairs of positions according to a method."""
    x, y = pairs
    chance = fewest.fewest_rolls_win_probability(x, y)
    if method == "Janowski":
        found = Values.empty(Terms(), np.full(x.shape, CubeOwner.of(cube), dtype=np.int8))
        found.win_probability[:] = chance
        found.no_double[:] = cubeful_equity(chance, cube)
        found.double_take[:] = 2 * cubeful_equity(chance, "opponent")
        return found
    model: RaceModel = race_model()
    sides = fewest.epc[x], fewest.epc[y]
    if method == "EPC and standard deviation":
        sides = model.matching_std_rolls(*sides, fewest.std_rolls[x], fewest.std_rolls[y])
    elif method == "fewest-rolls chance":
        sides = model.matching_win_probability(*sides, chance)
    elif method == "optimal chance":
        chance = estimate_optimal_win_probability(chance, *sides)
        sides = model.matching_win_probability(*sides, chance)
    return model.cube_actions(*sides, cube)
