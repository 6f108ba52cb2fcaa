"""Building a population: games are played, decisions merged, valued and written.

What takes long is kept piece by piece in a folder beside the population, so a build that
was interrupted goes on; once the population is written the folder goes.
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
from filelock import Timeout
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import DATA as BEAR_IN
from bearoff.bear_in import bear_in
from bearoff.locks import locked
from bearoff.two_sided_codings import PLANES
from sim.contact import BLOCK
from sim.decisions import PARTS, Decisions, part_of
from sim.files import RunError, remove_unfinished
from sim.harvest import HOME, Visits, harvest_blocks
from sim.population_file import (
    SCHEMA_VERSION,
    Population,
    open_population,
    read_about,
    write_population,
)
from sim.population_values import Pieces, model_values, rollout_values, table_values
from sim.populations import (
    GAMES,
    Recipe,
    drawn,
    ground,
    harvested,
    recipe,
    rolled_out,
)
from sim.provenance import canonical_json, commit, digest, versions
from sim.sealed import keep_arrays, kept_arrays
from sim.workers import run_tasks, worker_count

Progress = Callable[[str, float], object]
Int64Array = NDArray[np.int64]

UNIT = 8
"""Blocks of games that are played at a time and kept if the build is interrupted."""


@dataclass(frozen=True)
class Built:
    """What came of a build.

    Attributes
    ----------
    path : Path
        Of the population.
    about : dict
        Its metadata.
    seconds : float
        The build took; 0 if the population was there.
    """

    path: Path
    about: dict[str, Any]
    seconds: float


def build_population(
    wanted: Recipe,
    output: str | Path,
    *,
    workers: int | str = "auto",
    progress: Progress = lambda name, done: None,
) -> Built:
    """Build a population, unless it is there.

    Parameters
    ----------
    wanted : Recipe
        What to build; see `sim.populations.recipe`.
    output : str or Path
        Folder that gets ``<name>.parquet``.
    workers : int or "auto"
        Threads that play games; the population does not depend on them.
    progress : callable
        Called with what is under way and how much of it is done, 0 to 1.

    Raises
    ------
    RunError
        If the file holds another population, another build is at it, or it cannot be
        written; what is done stays done.
    TableError
        If it needs a two-sided table that is not built.
    """
    output = Path(output)
    path = output / f"{wanted.name}.parquet"
    folder = output / f".{wanted.name}-{digest(canonical_json(_basis(wanted)))[:12]}"
    found = _there(path, wanted)
    if found is not None and not folder.exists():
        return Built(path, found, 0.0)
    started = monotonic()
    table = _table(wanted) if wanted.kind.points == bearoff.POINTS else None
    output.mkdir(parents=True, exist_ok=True)
    try:
        with locked(output / f".{wanted.name}.lock", timeout=0):
            found = _there(path, wanted)
            if found is not None:
                # Whoever wrote it may have been killed before the folder was gone.
                _clear_away(path, folder)
                return Built(path, found, 0.0)
            folder.mkdir(exist_ok=True)
            if wanted.low is not None and wanted.high is not None:
                races = _races(wanted, output, workers, progress)
                population = _within(wanted, races, wanted.low, wanted.high)
            else:
                population = _built(wanted, table, folder, workers, progress)
            write_population(path, population)
            _clear_away(path, folder)
    except Timeout:
        raise RunError(f"another build of {path} is under way; wait for it") from None
    except (OSError, MemoryError) as error:
        why = f"not enough memory: {error}" if isinstance(error, MemoryError) else error
        raise RunError(
            f"building {path} stopped: {why}; finished pieces are kept, and the same "
            "command goes on"
        ) from error
    return Built(path, population.about, monotonic() - started)


def _clear_away(path: Path, folder: Path) -> None:
    """Remove what only a build under way needs; last its folder, which tells of it."""
    remove_unfinished(path.parent, path.name)
    if folder.exists():  # Whoever held the lock before may have done it.
        rmtree(folder)


def _there(path: Path, wanted: Recipe) -> dict[str, Any] | None:
    """Return the metadata of the population if it is there, None if nothing is."""
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
            f"{path} holds another population, with {differing} (digest "
            f"{about['digest'][:12]}); delete it or give another --output"
        )
    return about


def _basis(wanted: Recipe) -> dict[str, Any]:
    """Return all that the pairs depend on: the recipe, and how sides are borne in."""
    played = wanted.kind.unit == GAMES
    return {**wanted.as_json(), "bear_in": _coefficients() if played else None}


@lru_cache(maxsize=1)
def _coefficients() -> str:
    """Return the digest of the coefficients that races are played by."""
    return digest(files("bearoff").joinpath(BEAR_IN).read_bytes())


def _table(wanted: Recipe) -> bearoff.TwoSidedTable:
    command = f"bearoff tables build --two-sided --checkers {wanted.checkers}"
    try:
        table = bearoff.two_sided_table(wanted.checkers)
    except bearoff.TableError as error:
        raise bearoff.TableError(
            f"the population {wanted.name} is valued by a two-sided table: {error}; or ask "
            "for fewer --checkers"
        ) from error
    missing = [plane for plane in PLANES if plane not in table.planes]
    if missing:
        raise bearoff.TableError(
            f"the two-sided table of {wanted.checkers} checkers lacks the planes "
            f"{', '.join(missing)}; run: {command}"
        )
    return table


def _built(
    wanted: Recipe,
    table: bearoff.TwoSidedTable | None,
    folder: Path,
    workers: int | str,
    progress: Progress,
) -> Population:
    if wanted.kind.unit == GAMES:
        visits, races = _harvest(wanted, folder, workers, progress)
        met = harvested(wanted, visits)
    else:
        met, races = drawn(wanted), np.arange(wanted.size, dtype=np.int64)
    if not len(met):
        raise RunError(f"no game of {wanted.size:,} met a decision of {wanted.name}")
    keep = Pieces(folder)
    values = (
        table_values(table, met, keep, progress)
        if table is not None
        else model_values(met, keep, progress)
    )
    if wanted.rollouts:
        rows = rolled_out(wanted, met)
        rolled = rollout_values(met, rows, wanted.seed, workers, keep, progress)
        values = values.replaced(rows, rolled)
    points = wanted.kind.points
    ours, theirs = (bearoff.unrank(side, points) for side in (met.rollers, met.opponents))
    about = _about(wanted, met, races)
    return Population(about, met, ours, theirs, _epc(ours), _epc(theirs), values)


def _races(
    wanted: Recipe, output: Path, workers: int | str, progress: Progress
) -> Population:
    """Return the races of this size and seed, built if they are not there."""
    base = recipe("races", size=wanted.size, seed=wanted.seed, checkers=wanted.checkers)
    built = build_population(base, output, workers=workers, progress=progress)
    return open_population(built.path)


def _within(wanted: Recipe, races: Population, low: float, high: float) -> Population:
    """Choose the races with a win probability within bounds."""
    chance = races.values.win_probability
    kept = races.chosen((low <= chance) & (chance <= high))
    if not len(kept):
        raise RunError(
            f"no decision of {wanted.size:,} games has a win probability from {low} to "
            f"{high}; ask for wider bounds or more games"
        )
    return replace(kept, about=_metadata(wanted, kept.decisions, races.about["games"]))


def _harvest(
    wanted: Recipe, folder: Path, workers: int | str, progress: Progress
) -> tuple[list[Visits], Int64Array]:
    """Play the games that are not kept yet; return their visits and the races' numbers."""
    blocks = -(-wanted.size // BLOCK)
    firsts = range(0, blocks, UNIT)
    paths = [folder / f"games-{first // UNIT:05d}" for first in firsts]
    missing = [(f, p) for f, p in zip(firsts, paths, strict=True) if kept_arrays(p) is None]
    tasks = (
        delayed(_play)(wanted, first, min(UNIT, blocks - first), path)
        for first, path in missing
    )
    done = len(paths) - len(missing)
    for _ in run_tasks(tasks, "threading", worker_count(workers)):
        done += 1
        progress("games", done / len(paths))
    visits, races = [], []
    for path in paths:
        kept = kept_arrays(path)
        if kept is None:
            raise RunError(f"{path} was damaged while it was in use; build again")
        visits.append(Visits(*(kept[n] for n in ("x", "y", "games", "plies"))))
        races.append(kept["races"])
    numbers = np.concatenate(races)
    return visits, numbers[numbers < wanted.size]


def _play(wanted: Recipe, first: int, blocks: int, path: Path) -> None:
    harvest = harvest_blocks(wanted.seed, first, blocks)
    met = harvest.home if ground(wanted) == HOME else harvest.beyond
    keep_arrays(
        path,
        x=met.rollers,
        y=met.opponents,
        games=met.games,
        plies=met.plies,
        races=harvest.races,
    )


def _epc(counts: NDArray[np.int8]) -> NDArray[np.float64]:
    if counts.shape[1] == bearoff.POINTS:
        return np.asarray(bearoff.one_sided_table().epc[bearoff.rank(counts)])
    return bear_in().epc(counts)


def _about(wanted: Recipe, met: Decisions, races: Int64Array) -> dict[str, Any]:
    games = np.bincount(part_of(races), minlength=len(PARTS))
    return _metadata(wanted, met, dict(zip(PARTS, (int(n) for n in games), strict=True)))


def _metadata(wanted: Recipe, met: Decisions, games: dict[str, int]) -> dict[str, Any]:
    head, changed = commit()
    options = [f"--size {wanted.size}", f"--seed {wanted.seed}"]
    options.append(f"--checkers {wanted.checkers}")
    if wanted.low is not None:
        options += [f"--low {wanted.low}", f"--high {wanted.high}"]
    if wanted.rollouts:
        options.append(f"--rollouts {wanted.rollouts}")
    return {
        "schema_version": SCHEMA_VERSION,
        "basis": _basis(wanted),
        "name": wanted.name,
        "text": wanted.kind.text,
        "seed": wanted.seed,
        "size": wanted.size,
        "unit": wanted.kind.unit,
        "points": wanted.kind.points,
        "decisions": len(met),
        "visits": int(met.weights.sum()),
        "games": games,
        "digest": met.digest(),
        "command": f"bearoff populations build {wanted.name} {' '.join(options)}",
        "versions": versions(),
        "commit": head,
        "changed": changed,
    }
