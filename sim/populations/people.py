"""Population of human cube decisions in recorded matches, evaluated for money play.

The population contains a decision for every turn in which the side on roll may double. All
decisions are in the test split, so that no formula is fitted to them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import bear_in
from bearoff.game.records import MatchRecord, race_decisions
from bearoff.sim.populations.decisions import SPLITS, RaceDecisions, merge
from bearoff.sim.populations.file import SCHEMA_VERSION, write_population
from bearoff.sim.populations.population import DecisionValues, Population
from bearoff.sim.populations.values import Checkpoints, rollout_values, table_values
from bearoff.sim.storage import RunError, provenance

Progress = Callable[[str, float], object]
Int64Array = NDArray[np.int64]

NAME = "people"
"""Name of the population of cube decisions from public matches."""

ONLINE = "people-online"
"""Name of the population of cube decisions from other matches, for example those of one
user."""

TEXT = "cube decisions of players in races of public matches"

BOARD = 24

_TESTS, _OF = 4, 5
"""A game whose number modulo 5 is 4 belongs to the test split."""


def build_people(
    matches: Sequence[MatchRecord],
    output: str | Path,
    command: str,
    *,
    name: str = NAME,
    at_home: bool = False,
    seed: int = 1,
    checkers: int = bearoff.CHECKERS,
    progress: Progress = lambda name, done: None,
) -> Path:
    """Write the population of cube decisions in recorded matches, and return its path.

    Parameters
    ----------
    matches : sequence of MatchRecord
        Recorded matches whose races are evaluated.
    output : str or Path
        Output folder, in which the file is named ``<name>.parquet``.
    command : str
        Command that builds the population, which is stored in the metadata.
    name : str
        Name of the population: `NAME` or `ONLINE`.
    at_home : bool
        Whether to leave out races that are not in the two-sided table, which would need
        rollouts.
    seed : int
        Random seed of the rollouts.
    checkers : int
        Number of checkers per side in the two-sided table.
    progress : callable
        Function that is called with the name of the current task and its completed
        fraction, from 0 to 1.

    Raises
    ------
    RunError
        If the matches contain no cube decision in a race.
    TableError
        If the two-sided table has not been built.
    """
    met, games = _met(matches)
    ours, theirs = (bearoff.unrank(s, BOARD) for s in (met.rollers, met.opponents))
    home = (ours + theirs)[:, bearoff.POINTS :].sum(axis=1) == 0
    home &= np.maximum(ours.sum(axis=1), theirs.sum(axis=1)) <= checkers
    if at_home:
        if not home.any():
            raise RunError(
                "the matches contain no decisions about doubling in a race that the table "
                "covers"
            )
        met, ours, theirs = met.chosen(home), ours[home], theirs[home]
        home = home[home]
    folder = Path(output) / f".{name}"
    folder.mkdir(parents=True, exist_ok=True)
    checkpoints = Checkpoints(folder)
    x, y = (bearoff.rank(side[home][:, : bearoff.POINTS]) for side in (ours, theirs))
    exact = replace(met.chosen(home), rollers=x, opponents=y)
    table = bearoff.two_sided_table(checkers)
    values = _empty(len(met))
    if len(exact):
        valued = table_values(table, exact, checkpoints, progress)
        values = values.replaced(np.flatnonzero(home), valued)
    beyond = np.flatnonzero(~home)
    if len(beyond):
        rolled = rollout_values(met, beyond, seed, "auto", checkpoints, progress)
        values = values.replaced(beyond, rolled)
    epcs = bear_in().epc(ours), bear_in().epc(theirs)
    about = _about(name, met, games, command, len(matches), seed)
    path = Path(output) / f"{name}.parquet"
    write_population(path, Population(about, met, ours, theirs, *epcs, values, None))
    for stored in folder.iterdir():
        stored.unlink()
    folder.rmdir()
    return path


def _met(matches: Sequence[MatchRecord]) -> tuple[RaceDecisions, int]:
    """Return the doubling decisions in races, and the number of games that contain any."""
    pairs: list[tuple[int, int, int]] = []
    plies: list[int] = []
    games: dict[tuple[int, int], int] = {}
    for number, match in enumerate(matches):
        for decision in race_decisions(match)[0]:
            if decision.kind != "double":
                continue
            game = number, decision.moment.game.number
            place = games.setdefault(game, len(games))
            race = decision.race.on_points(BOARD)
            plies.append(sum(done[2] == place for done in pairs))
            pairs.append((race.roller.number, race.opponent.number, place))
    if not pairs:
        raise RunError("the matches contain no decisions about doubling in a race")
    x, y, of = np.array(pairs, dtype=np.int64).T
    met = merge(x, y, _OF * of + _TESTS, np.array(plies, dtype=np.int16))
    return met, len(games)


def _empty(size: int) -> DecisionValues:
    none = np.zeros(size)
    return DecisionValues(none, none, none, none, none, np.zeros(size, dtype=np.int8))


def _about(
    name: str, met: RaceDecisions, games: int, command: str, matches: int, seed: int
) -> dict[str, Any]:
    head, changed = provenance.commit()
    return {
        "schema_version": SCHEMA_VERSION,
        "basis": {"name": name, "matches": matches, "seed": seed},
        "name": name,
        "text": TEXT,
        "seed": seed,
        "size": matches,
        "unit": "matches",
        "points": BOARD,
        "decisions": len(met),
        "visits": int(met.weights.sum()),
        "games": dict.fromkeys(SPLITS[:-1], 0) | {SPLITS[-1]: games},
        "digest": met.digest(),
        "command": command,
        "versions": provenance.versions(),
        "commit": head,
        "changed": changed,
    }
