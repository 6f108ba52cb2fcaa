"""Collection of a run's pairs of positions from the sources in its configuration.

Each source gives pairs of position numbers. The pairs are merged, with the weights of equal
pairs added, and sorted, so that a stored run can be searched. Random draws use the run's
seed and the index of the source.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.sim.config import BatchConfig, pairs as sources
from bearoff.sim.pairs.file import read_pairs
from bearoff.sim.pairs.table import EveryPair, Pairs, RunPairs
from bearoff.sim.play import uniforms, visits, weighted_choice
from bearoff.sim.storage import RunError

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


_HARVEST_GAMES = 10_000
"""Number of games that are simulated at once to draw pairs, which limits memory."""


class _Draws:
    """Random numbers for one source of pairs; each call uses another stream."""

    def __init__(self, seed: int, source: int) -> None:
        self.seed = seed
        self._stream = source << 32

    def uniforms(self, size: int) -> Float64Array:
        self._stream += 1
        return uniforms(self.seed, self._stream, size)


def build_pairs(config: BatchConfig) -> RunPairs:
    """Return the pairs of positions of a run, sorted and without duplicates.

    Parameters
    ----------
    config : BatchConfig
        Configuration of the run. This function reads the files that it names, and simulates
        games for a source that draws pairs from games.

    Returns
    -------
    RunPairs
        Pairs of positions, at least one; no position is empty.

    Raises
    ------
    RunError
        If a source gives no pair, simulated games contain too few pairs, or a file cannot
        be read.

    Examples
    --------
    >>> from bearoff import sim
    >>> config = sim.load_config({
    ...     "run": "x", "games": 1, "seed": 1,
    ...     "pairs": [{"random": {"pairs": 3, "checkers": {"from": 2, "to": 2}}}],
    ... })
    >>> len(build_pairs(config))
    3
    """
    size = (config.table.points, config.table.checkers)
    only = config.pairs[0]
    if len(config.pairs) == 1 and isinstance(only, sources.EverySource):
        return EveryPair(only.every.rollers.range, only.every.opponents.range)
    found = []
    for index, source in enumerate(config.pairs):
        draws = _Draws(config.seed, index)
        if isinstance(source, sources.ListSource):
            pairs = [(r.roller.number, r.opponent.number) for r in source.races]
            found.append(np.array(pairs, dtype=np.int64))
        elif isinstance(source, sources.FileSource):
            found.append(read_pairs(source.file, *size))
        elif isinstance(source, sources.GridSource):
            found.append(_grid(source, bearoff.one_sided_table(*size), draws))
        elif isinstance(source, sources.RandomSource):
            found.append(_random(source, bearoff.one_sided_table(*size), draws))
        elif isinstance(source, sources.EverySource):
            every = EveryPair(source.every.rollers.range, source.every.opponents.range)[:]
            found.append(np.stack([every.rollers, every.opponents], axis=1))
        else:
            found.append(_harvested(source, size, draws))
        if not len(found[-1]):
            raise RunError(
                f"pairs[{index}] contains no pairs, because no position meets its "
                "conditions"
            )
    return _merge(np.concatenate(found), bearoff.position_count(*size))


def _merge(pairs: Int64Array, positions: int) -> Pairs:
    if positions**2 >= 1 << 63:
        # Position numbers on a board of 24 points are so large that the sort key of a pair
        # would exceed 64 bits. The ranks of the numbers replace them.
        known, places = np.unique(pairs, return_inverse=True)
        found = _merge(places.reshape(-1, 2).astype(np.int64), len(known))
        return Pairs(known[found.rollers], known[found.opponents], found.weights)
    keys = pairs[:, 0] * positions + pairs[:, 1]
    keys.sort()
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    weights = np.diff(firsts, append=len(keys)).astype(np.float64)
    return Pairs(*np.divmod(keys[firsts], positions), weights)


def _position_weights(draw: str, table: bearoff.OneSidedTable) -> Float64Array:
    """Return the weight of each position in a random draw, shape (positions,)."""
    if draw == "visits":
        weights = visits.visit_weights(table.points, table.checkers)
    else:
        weights = np.ones(len(table))
    weights[0] = 0.0
    return weights


def _random(
    source: sources.RandomSource, table: bearoff.OneSidedTable, draws: _Draws
) -> Int64Array:
    wanted = source.random
    counts = bearoff.unrank(np.arange(len(table)), table.points, table.checkers)
    on_board = counts.sum(axis=1, dtype=np.int64)
    weights = _position_weights(wanted.draw, table)
    weights[(on_board < wanted.checkers.from_) | (on_board > wanted.checkers.to)] = 0.0
    weights[(table.pips < wanted.pips.from_) | (table.pips > wanted.pips.to)] = 0.0
    if not weights.any():
        return np.empty((0, 2), dtype=np.int64)
    return weighted_choice(weights, draws.uniforms(2 * wanted.pairs)).reshape(-1, 2)


def _grid(
    source: sources.GridSource, table: bearoff.OneSidedTable, draws: _Draws
) -> Int64Array:
    grid = source.grid
    weights = _position_weights(grid.draw, table)
    counts = table.pips.astype(np.float64) if grid.by == "pips" else table.epc
    reach = (0.0, 0.0) if grid.by == "pips" else (grid.roller.step / 2, grid.lead.step / 2)
    near = _finder(counts)
    uniform = draws.uniforms(2 * grid.per_cell * len(grid.cells))
    pairs = []
    for cell, (roller, opponent) in enumerate(grid.cells):
        sides = (near(roller, reach[0]), near(opponent, reach[1]))
        if not all(weights[side].any() for side in sides):
            continue  # because no position has the pip count or EPC of this cell
        part = uniform[2 * grid.per_cell * cell :][: 2 * grid.per_cell]
        chosen = [
            side[weighted_choice(weights[side], half)]
            for side, half in zip(sides, np.split(part, 2), strict=True)
        ]
        pairs.append(np.stack(chosen, axis=1))
    return np.concatenate(pairs) if pairs else np.empty((0, 2), dtype=np.int64)


def _finder(counts: Float64Array) -> Callable[[float, float], Int64Array]:
    """Return a function that finds all positions within a range of pip counts or EPCs."""
    order = np.argsort(counts, kind="stable")
    ordered = counts[order]

    def near(count: float, reach: float) -> Int64Array:
        low = np.searchsorted(ordered, count - reach, side="left")
        high = np.searchsorted(ordered, count + reach, side="right")
        return order[low:high]

    return near


def _harvested(
    source: sources.HarvestSource, size: tuple[int, int], draws: _Draws
) -> Int64Array:
    """Return a random sample of the pairs of positions that occur in simulated games."""
    wanted = source.harvest
    listed = np.array(
        [(race.roller.number, race.opponent.number) for race in wanted.races],
        dtype=np.int64,
    )
    keys, drawn = np.empty(0), np.empty((0, 2), dtype=np.int64)
    for first in range(0, wanted.games, _HARVEST_GAMES):
        games = np.arange(first, min(first + _HARVEST_GAMES, wanted.games))
        if len(listed):
            starts = listed[games % len(listed)]
        else:
            starts = visits.random_starts(
                *size, draws.uniforms(2 * len(games)).reshape(-1, 2)
            )
        met = visits.met_pairs(*size, draws.seed, starts, first)
        keys = np.concatenate([keys, draws.uniforms(len(met))])
        drawn = np.concatenate([drawn, met])
        smallest = np.argsort(keys, kind="stable")[: wanted.pairs]
        keys, drawn = keys[smallest], drawn[smallest]
    if len(drawn) < wanted.pairs:
        raise RunError(
            f"{wanted.games} simulated games contained only {len(drawn)} pairs of "
            f"positions, but {wanted.pairs} are required; increase games, or reduce pairs"
        )
    return drawn
