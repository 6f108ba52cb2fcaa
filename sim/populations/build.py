"""Construction of a population of race decisions, from simulated games to its file.

Long computations store checkpoints in a folder beside the population's file, so that an
interrupted build can be resumed. The checkpoints are removed when the file has been
written.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from shutil import rmtree
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import DATA as BEAR_IN, bear_in
from bearoff.matchup import CubeStrategy
from bearoff.sim.cubeful import table_at
from bearoff.sim.populations.cube import at_home, beyond_home
from bearoff.sim.populations.decisions import SPLITS, RaceDecisions, split_of
from bearoff.sim.populations.file import (
    SCHEMA_VERSION,
    open_population,
    read_about,
    write_population,
)
from bearoff.sim.populations.games import play_games
from bearoff.sim.populations.harvest import BEYOND, HOME
from bearoff.sim.populations.population import Population
from bearoff.sim.populations.recipes import (
    GAMES,
    PopulationRecipe,
    drawn,
    ground,
    harvested,
    population_recipe,
    rolled_out,
)
from bearoff.sim.populations.values import (
    Checkpoints,
    model_values,
    rollout_values,
    score_values,
    table_values,
)
from bearoff.sim.storage import RunError, provenance
from bearoff.stakes import Match
from bearoff.storage import claimed, remove_unfinished, sealing
from bearoff.two_sided import codings

Progress = Callable[[str, float], object]
Int64Array = NDArray[np.int64]


@dataclass(frozen=True)
class BuiltPopulation:
    """Result of building a population of race decisions.

    Attributes
    ----------
    path : Path
        Parquet file that contains the population.
    about : dict
        Metadata of the population, as stored in its file.
    seconds : float
        Duration of the build in seconds; 0 if the file already existed.
    """

    path: Path
    about: dict[str, Any]
    seconds: float


def build_population(
    wanted: PopulationRecipe,
    output: str | Path,
    *,
    workers: int | str = "auto",
    progress: Progress = lambda name, done: None,
    strategy: CubeStrategy | None = None,
) -> BuiltPopulation:
    """Build a population of race decisions, unless its file already exists.

    Parameters
    ----------
    wanted : Recipe
        Recipe of the population; see `sim.populations.recipes.population_recipe`.
    output : str or Path
        Output folder, in which the file is named ``<name>.parquet``.
    workers : int or "auto"
        Number of threads, which does not affect the result.
    progress : callable
        Function that is called with the name of the current task and its completed
        fraction, from 0 to 1.
    strategy : CubeStrategy, optional
        Cube strategy of one side, for a population named ``cubeful-by-NAME``.

    Raises
    ------
    RunError
        If the file contains another population, another build is running, or the file
        cannot be written. Finished work is not lost.
    TableError
        If the population needs a two-sided table that has not been built.
    """
    output = Path(output)
    path = output / f"{wanted.name}.parquet"
    basis = sealing.digest(sealing.canonical_json(_basis(wanted)))
    folder = output / f".{wanted.name}-{basis[:12]}"
    found = _existing_metadata(path, wanted)
    if found is not None and not folder.exists():
        return BuiltPopulation(path, found, 0.0)
    started = monotonic()
    table = None
    if wanted.score is None and wanted.kind.points == bearoff.POINTS:
        table = _table(wanted)
    lock = output / f".{wanted.name}.lock"
    busy = f"another build of {path} is under way; wait for it"
    try:
        with claimed(output, lock, RunError, lambda: busy):
            found = _existing_metadata(path, wanted)
            if found is not None:
                # The build that wrote this file may have been killed before it deleted its
                # checkpoints.
                _clear_away(path, folder)
                return BuiltPopulation(path, found, 0.0)
            folder.mkdir(exist_ok=True)
            if wanted.low is not None and wanted.high is not None:
                races = _races(wanted, output, workers, progress)
                population = _within(wanted, races, wanted.low, wanted.high)
            else:
                population = _built(wanted, table, folder, workers, progress, strategy)
            write_population(path, population)
            _clear_away(path, folder)
    except (OSError, MemoryError) as error:
        why = f"not enough memory: {error}" if isinstance(error, MemoryError) else error
        raise RunError(
            f"the build of {path} stopped: {why}; finished work is stored, so run the same "
            "command again to continue"
        ) from error
    return BuiltPopulation(path, population.about, monotonic() - started)


def _clear_away(path: Path, folder: Path) -> None:
    remove_unfinished(path.parent, path.name)
    if folder.exists():
        rmtree(folder)


def _existing_metadata(path: Path, wanted: PopulationRecipe) -> dict[str, Any] | None:
    """Return the metadata of a population if its file exists, otherwise None."""
    if not path.exists():
        return None
    about = read_about(path)
    differing = ", ".join(
        f"{key} {about['basis'].get(key)} instead of {value}"
        for key, value in _basis(wanted).items()
        if about["basis"].get(key) != value
    )
    if differing:
        raise RunError(
            f"{path} contains another population, with {differing} (digest "
            f"{about['digest'][:12]}); delete the file, or use another --to"
        )
    return about


def _basis(wanted: PopulationRecipe) -> dict[str, Any]:
    """Return the recipe and the bear-in model, which together determine the decisions."""
    played = wanted.kind.unit == GAMES
    basis = {**wanted.as_json(), "bear_in": _coefficients() if played else None}
    if wanted.score is not None:  # because equities depend on the match equity table
        basis["payoffs"] = Match(wanted.score).payoffs.label
    return basis


@lru_cache(maxsize=1)
def _coefficients() -> str:
    return sealing.digest(files("bearoff.bear_in").joinpath(BEAR_IN).read_bytes())


def _table(wanted: PopulationRecipe) -> bearoff.TwoSidedTable:
    command = f"bearoff tables build --two-sided --checkers {wanted.checkers}"
    try:
        table = bearoff.two_sided_table(wanted.checkers)
    except bearoff.TableError as error:
        raise bearoff.TableError(
            f"the population {wanted.name} requires a two-sided table: {error}; or use "
            "fewer --checkers"
        ) from error
    missing = [plane for plane in codings.PLANES if plane not in table.planes]
    if missing:
        raise bearoff.TableError(
            f"the two-sided table for {wanted.checkers} checkers lacks the values "
            f"{', '.join(missing)}; run: {command}"
        )
    return table


def _built(
    wanted: PopulationRecipe,
    table: bearoff.TwoSidedTable | None,
    folder: Path,
    workers: int | str,
    progress: Progress,
    strategy: CubeStrategy | None,
) -> Population:
    checkpoints = Checkpoints(folder)
    cube, values = None, None
    if wanted.kind.cube:
        both, races = play_games(wanted, folder, workers, progress)
        if table is not None:
            found = at_home(
                both[HOME], both[BEYOND], table, checkpoints, progress, strategy
            )
        else:
            found = beyond_home(both[BEYOND], wanted.seed, workers, checkpoints, progress)
        met, values, cube = found.decisions, found.values, found.cube
    elif wanted.kind.unit == GAMES:
        both, races = play_games(wanted, folder, workers, progress)
        met = harvested(wanted, both[ground(wanted)])
    else:
        met, races = drawn(wanted), np.arange(wanted.size, dtype=np.int64)
    if not len(met):
        raise RunError(
            f"none of the {wanted.size:,} simulated games contained a decision that "
            f"belongs to the population {wanted.name}"
        )
    if wanted.score is not None:
        stakes = Match(wanted.score)
        solved = table_at(stakes, wanted.kind.points, wanted.checkers)
        values = score_values(solved, stakes, met, checkpoints, progress)
    elif values is None:
        values = (
            table_values(table, met, checkpoints, progress)
            if table is not None
            else model_values(met, checkpoints, progress)
        )
    if wanted.rollouts:
        rows = rolled_out(wanted, met)
        rolled = rollout_values(met, rows, wanted.seed, workers, checkpoints, progress)
        values = values.replaced(rows, rolled)
    points = wanted.kind.points
    ours, theirs = (bearoff.unrank(side, points) for side in (met.rollers, met.opponents))
    about = _about(wanted, met, races)
    return Population(about, met, ours, theirs, _epc(ours), _epc(theirs), values, cube)


def _races(
    wanted: PopulationRecipe, output: Path, workers: int | str, progress: Progress
) -> Population:
    """Return the population of all races of this size and seed; build it if necessary."""
    base = population_recipe(
        wanted.name.replace("near", "races", 1),
        size=wanted.size,
        seed=wanted.seed,
        checkers=wanted.checkers,
    )
    built = build_population(base, output, workers=workers, progress=progress)
    return open_population(built.path)


def _within(
    wanted: PopulationRecipe, races: Population, low: float, high: float
) -> Population:
    chance = races.values.win_probability
    chosen = races.chosen((low <= chance) & (chance <= high))
    if not len(chosen):
        raise RunError(
            f"none of the {wanted.size:,} games contained a decision with a win "
            f"probability from {low} to {high}; use wider limits, or more games"
        )
    return replace(chosen, about=_metadata(wanted, chosen.decisions, races.about["games"]))


def _epc(counts: NDArray[np.int8]) -> NDArray[np.float64]:
    if counts.shape[1] == bearoff.POINTS:
        return np.asarray(bearoff.one_sided_table().epc[bearoff.rank(counts)])
    return bear_in().epc(counts)


def _about(
    wanted: PopulationRecipe, met: RaceDecisions, races: Int64Array
) -> dict[str, Any]:
    games = np.bincount(split_of(races), minlength=len(SPLITS))
    return _metadata(wanted, met, dict(zip(SPLITS, (int(n) for n in games), strict=True)))


def _metadata(
    wanted: PopulationRecipe, met: RaceDecisions, games: dict[str, int]
) -> dict[str, Any]:
    head, changed = provenance.commit()
    options = [f"--size {wanted.size}", f"--seed {wanted.seed}"]
    options.append(f"--checkers {wanted.checkers}")
    if wanted.low is not None:
        options += [f"--low {wanted.low}", f"--high {wanted.high}"]
    if wanted.rollouts:
        options.append(f"--rollouts {wanted.rollouts}")
    at = {} if wanted.score is None else {"score": _written(wanted.score)}
    return {
        "schema_version": SCHEMA_VERSION,
        "basis": _basis(wanted),
        "name": wanted.name,
        "text": wanted.kind.text + "".join(f", at {score}" for score in at.values()),
        **at,
        "seed": wanted.seed,
        "size": wanted.size,
        "unit": wanted.kind.unit,
        "points": wanted.kind.points,
        "decisions": len(met),
        "visits": int(met.weights.sum()),
        "games": games,
        "digest": met.digest(),
        "command": f"bearoff populations build {wanted.name} {' '.join(options)}",
        "versions": provenance.versions(),
        "commit": head,
        "changed": changed,
    }


def _written(score: bearoff.Score) -> str:
    game = {"normal": "", "crawford": " Crawford", "post-crawford": " post-Crawford"}
    return "{}-{}".format(*score.away) + game[score.game]
