"""Simulation of the games from which a population is built, with checkpoints."""

from contextlib import closing
from dataclasses import fields
from pathlib import Path

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

from bearoff.sim.engine import run_tasks, worker_count
from bearoff.sim.populations.contact import BLOCK, race_starts
from bearoff.sim.populations.cube import PIPS
from bearoff.sim.populations.harvest import (
    BEYOND,
    HOME,
    HarvestedPairs,
    harvest_blocks,
    joined,
)
from bearoff.sim.populations.net_games import net_starts
from bearoff.sim.populations.recipes import PopulationRecipe, ground
from bearoff.sim.populations.values import Progress
from bearoff.sim.storage import RunError, load_checkpoint, save_checkpoint

Int64Array = NDArray[np.int64]

UNIT = 8
"""Number of blocks of games in a task. Each task stores a checkpoint."""

_NAMES = tuple(field.name for field in fields(HarvestedPairs))


def play_games(
    wanted: PopulationRecipe, folder: Path, workers: int | str, progress: Progress
) -> tuple[dict[str, HarvestedPairs], Int64Array]:
    """Play the games of a population that are not yet stored in a checkpoint.

    Returns
    -------
    visits : dict of str to HarvestedPairs
        Pairs of positions that occur in the games. The key `HOME` stands for pairs with all
        checkers in the home boards, and `BEYOND` for all other pairs. For a population
        without a cube, only one of the keys exists.
    races : ndarray of int64
        Numbers of the games that became races, in ascending order.
    """
    blocks = -(-wanted.size // BLOCK)
    firsts = range(0, blocks, UNIT)
    paths = [folder / f"games-{first // UNIT:05d}" for first in firsts]
    missing = [
        (f, p) for f, p in zip(firsts, paths, strict=True) if load_checkpoint(p) is None
    ]
    tasks = (
        delayed(_play)(wanted, first, min(UNIT, blocks - first), path)
        for first, path in missing
    )
    done = len(paths) - len(missing)
    with closing(run_tasks(tasks, "threading", worker_count(workers))) as finished:
        for _ in finished:
            done += 1
            progress("games", done / len(paths))
    visits: dict[str, list[HarvestedPairs]] = {kind: [] for kind in _grounds(wanted)}
    races = []
    for path in paths:
        stored = load_checkpoint(path)
        if stored is None:
            raise RunError(
                f"the checkpoint {path} was damaged while it was in use; build the "
                "population again"
            )
        for kind, pieces in visits.items():
            pieces.append(HarvestedPairs(*(stored[f"{kind}_{name}"] for name in _NAMES)))
        races.append(stored["races"])
    numbers = np.concatenate(races)
    whole = {kind: joined(pieces) for kind, pieces in visits.items()}
    return (
        {kind: pairs.chosen(pairs.games < wanted.size) for kind, pairs in whole.items()},
        numbers[numbers < wanted.size],
    )


def _grounds(wanted: PopulationRecipe) -> tuple[str, ...]:
    return (HOME, BEYOND) if wanted.kind.cube else (ground(wanted),)


def _play(wanted: PopulationRecipe, first: int, blocks: int, path: Path) -> None:
    lengths = PIPS if wanted.kind.cube else None
    starts_of = net_starts if wanted.kind.net else race_starts
    harvest = harvest_blocks(wanted.seed, first, blocks, lengths, starts_of)
    met = {HOME: harvest.home, BEYOND: harvest.beyond}
    arrays = {
        f"{kind}_{name}": getattr(met[kind], name)
        for kind in _grounds(wanted)
        for name in _NAMES
    }
    save_checkpoint(path, races=harvest.races, **arrays)
