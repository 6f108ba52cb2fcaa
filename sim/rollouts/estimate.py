"""Rollouts: estimate the win probability, equities and cube action of a race.

If a two-sided table contains the race, its exact values are returned without playing a
game. Otherwise each game is played until the table contains its position, or to the end.
`sim.rollouts.lanes` describes the games, and docs/rollouts.md the meaning of the results.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff import checks
from bearoff.bear_in import bear_in
from bearoff.sim.engine import run_tasks, worker_count
from bearoff.sim.rollouts.lanes import Lanes
from bearoff.sim.rollouts.results import (
    CHUNK_GAMES,
    FIRST_WAVE,
    Rollout,
    summarise,
    worst_error,
)
from bearoff.sim.rollouts.sums import WIDTH, Moments, Sums, sums_of
from bearoff.sim.rollouts.values import COLUMNS, POINTS, STATES, Techniques, ValueModel
from bearoff.sources import PairTable, terms_of
from bearoff.two_sided import tables_with_cube

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class Goal:
    """Condition that ends a rollout: a standard error or a maximum number of games.

    Attributes
    ----------
    standard_error : float
        Standard error that no equity may exceed at the end; 0 to play the maximum number of
        games.
    at_most : int
        Maximum number of games of the rollout, rounded up to a multiple of `CHUNK_GAMES`.
    """

    standard_error: float = 0.0005
    at_most: int = 10_000_000

    def __post_init__(self) -> None:
        checks.real(self.standard_error, "standard_error", 0, np.inf)
        checks.integer(self.at_most, "at_most", 1, 10**12, bearoff.BearoffError)


def rollout(
    race: bearoff.Race,
    goal: Goal = Goal(),
    *,
    equities: bearoff.MatchEquities | None = None,
    seed: int = 0,
    techniques: Techniques = Techniques(),  # noqa: B008
    table: PairTable | None = None,
    workers: int | str = "auto",
    on_progress: Callable[[Moments], bool | None] = lambda moments: None,
) -> Rollout:
    """Estimate the win probability, equities and cube action of a race by a rollout.

    Parameters
    ----------
    race : Race
        Race, with its match score and cube. For money play, the race also states whether
        the Jacoby rule applies. Its positions may have any number of points.
    goal : Goal
        Condition that ends the rollout. At a match score, the standard error is in EMG.
    equities : MatchEquities, optional
        Match equity table for a race at a match score. By default, the one of `table`, or
        Kazaross-XG2.
    seed : int
        Seed of the dice, from 0 to 2^64 - 1. A rollout with the same seed has the same
        results on every machine.
    techniques : Techniques
        Methods of variance reduction. The default is all methods.
    table : TwoSidedTable or MatchTable, optional
        Table of exact equities. A game stops when the table contains its position. Use
        `truncation_table` for money, and `bearoff.match_table` at a match score.
    workers : int or "auto"
        Number of threads.
    on_progress : callable
        Function that is called after each chunk of games, with the mean estimates of all
        games so far. If the function returns True, the rollout stops.

    Returns
    -------
    Rollout

    Raises
    ------
    BearoffError
        If the seed is out of range.
    PositionError
        If a side has borne off all checkers, or the sides are in contact.
    ScoreError
        If the table was built for another score, or the match equity table is too short for
        the match.

    Examples
    --------
    Each side has six checkers, and the roller needs 2 points to win the match, the
    opponent 4. Games stop at positions with up to five checkers per side:

    >>> import bearoff
    >>> sides = 2 * [bearoff.Position.parse("2,2,2,0,0,0")]
    >>> race = bearoff.Race(*sides, score=bearoff.Score((2, 4)))
    >>> table = bearoff.match_table(5, (2, 4))
    >>> answer = rollout(race, Goal(0.01), table=table)
    >>> answer.action.action, answer.standard_error < 0.01
    ('double, take', True)
    >>> gain = answer.lost(answer.action.gain)
    >>> print(f"{gain.value:.3f} of the match, {answer.action.gain.value:.3f} EMG")
    0.014 of the match, 0.130 EMG
    """
    checks.integer(seed, "seed", 0, 2**64 - 1, bearoff.BearoffError)
    started = time.monotonic()
    race = on_24_points(race)
    values = values_for(race, table, techniques, equities)
    moments = exact_values(values, race)
    if moments is None:
        sums = play_to(values, race, goal, seed, workers, on_progress)
        moments = Moments.of(sums, model_values(values, race))
    found = summarise(moments, values, race.cube, values.systematic_error(race))
    return replace(found, seconds=time.monotonic() - started)


def values_for(
    race: bearoff.Race,
    table: PairTable | None = None,
    techniques: Techniques = Techniques(),  # noqa: B008
    equities: bearoff.MatchEquities | None = None,
) -> ValueModel:
    """Return the tables and models with which a race on 24 points is rolled out."""
    if race.cube_growth is not None:
        raise bearoff.ScoreError(
            f"a cube limit of {race.cube_limit} is too low for a rollout; use bearoff "
            "race, or a higher limit"
        )
    if equities is None and table is not None:
        equities = table.terms().stakes.equities
    epcs = [float(bear_in().epc(side.counts)) for side in (race.roller, race.opponent)]
    values = ValueModel(table, techniques, terms_of(race, equities), race.cube, max(epcs))
    values.solve()
    return values


def play_to(
    values: ValueModel,
    race: bearoff.Race,
    goal: Goal,
    seed: int,
    workers: int | str,
    on_progress: Callable[[Moments], bool | None] = lambda moments: None,
) -> Sums:
    """Play games of a race until the rollout's goal is reached; return sums of estimates.

    Games are played in waves. The size of a wave depends only on the results of the games
    before, and not on the number of workers.
    """
    sums = np.zeros(WIDTH, dtype=np.int64)
    centre = model_values(values, race)
    count = worker_count(workers)
    done = 0
    while wave := next_wave(sums, centre, goal):
        tasks = (
            delayed(play_chunk)(values, race, centre, seed, chunk)
            for chunk in range(done, done + wave)
        )
        with closing(run_tasks(tasks, "threading", count)) as parts:
            for part in parts:
                sums += part
                if on_progress(Moments.of(sums, centre)):
                    return sums
        done += wave
    return sums


def play_chunk(
    values: ValueModel, race: bearoff.Race, centre: Float64Array, seed: int, chunk: int
) -> Sums:
    """Play one chunk of 7,776 games of a race, and return the sums of their estimates."""
    lanes = Lanes(values, race, seed, chunk * CHUNK_GAMES, CHUNK_GAMES)
    return sums_of(lanes.play(), centre, values.techniques.first_rolls)


_MOST_RATIO = 1e9
"""Maximum ratio of the current standard error to the target standard error. A larger ratio
is treated as this maximum."""


def next_wave(
    sums: Sums, centre: Float64Array, goal: Goal, chunk_games: int = CHUNK_GAMES
) -> int:
    """Return how many chunks of games to play next; 0 if the rollout's goal is reached."""
    done = int(sums[0]) // chunk_games
    allowed = -(-goal.at_most // chunk_games) - done
    if not done:
        return min(FIRST_WAVE, allowed)
    error = worst_error(Moments.of(sums, centre))
    if error <= goal.standard_error:
        return 0
    if goal.standard_error == 0:
        return min(done, allowed)
    # The ratio of the current to the target standard error is limited, because its square
    # would overflow for a very small target.
    needed = done * min(error / goal.standard_error, _MOST_RATIO) ** 2
    return int(min(max(np.ceil(needed - done), 1), done, allowed))


def games_needed(moments: Moments, goal: Goal) -> int:
    """Estimate the total number of games needed for a target standard error.

    The total is at least the number of games in the first wave, which is always completed.
    """
    error, games = worst_error(moments), float(moments.games)
    if goal.standard_error == 0:
        games = goal.at_most
    elif np.isfinite(error):
        games *= min(error / goal.standard_error, _MOST_RATIO) ** 2
    chunks = max(FIRST_WAVE, int(-(-games // CHUNK_GAMES)))
    return min(chunks, -(-goal.at_most // CHUNK_GAMES)) * CHUNK_GAMES


def short_rollout(
    race: bearoff.Race, seed: int, values: ValueModel
) -> tuple[Float64Array, float]:
    """Play 1,296 games, one for each combination of both sides' first throws.

    Returns
    -------
    means : ndarray of float64, shape (4,)
        Estimated equities for the four initial cubes in `STATES`.
    error : float
        Largest standard error of the equities. The estimate of this error ignores that the
        first throws are balanced, so it exceeds the actual error.
    """
    games = 36 * 36
    estimates = Lanes(values, on_24_points(race), seed, 0, games).play()
    estimates = estimates[:, : len(STATES)]
    spread = estimates.std(axis=0) / np.sqrt(games)
    return estimates.mean(axis=0), float(spread.max())


def exact_values(values: ValueModel, race: bearoff.Race) -> Moments | None:
    """Return the exact equities of a race; None if the table does not contain it."""
    sides = np.array([race.roller.counts, race.opponent.counts], dtype=np.int8)
    x, y = values.in_table(sides).tolist()
    if x < 0 or y < 0:
        return None
    return Moments(0, 0, values.exact(x, y), np.zeros((len(COLUMNS),) * 2))


def model_values(values: ValueModel, race: bearoff.Race) -> Float64Array:
    """Return the fast model's equities of a race, with 0 for all gammon probabilities."""
    x, y = (
        float(values.bear_in.epc(np.array(side.counts, dtype=np.int8)))
        for side in (race.roller, race.opponent)
    )
    equities = values.typical(x, y)
    return np.array([*equities, *[0.0] * (len(COLUMNS) - len(STATES))])


def on_24_points(race: bearoff.Race) -> bearoff.Race:
    """Return the same race with positions of 24 points.

    Raises
    ------
    PositionError
        If a side has borne off all checkers, or the sides are in contact.
    """
    sides = [race.roller, race.opponent]
    for name, side in zip(("roller", "opponent"), sides, strict=True):
        if not side.on_board:
            raise bearoff.PositionError(
                "a rollout requires both sides to have checkers on the board, but the "
                f"{name} has borne off all of them"
            )
    highest = sides[0].highest + sides[1].highest
    if highest > POINTS:
        raise bearoff.PositionError(
            "a race must have no contact, but the rearmost checkers are on points "
            f"{sides[0].highest} and {sides[1].highest}, whose sum exceeds {POINTS}"
        )
    return race.on_points(POINTS)


def truncation_table(
    race: bearoff.Race, tables: Sequence[bearoff.TwoSidedTable] | None = None
) -> bearoff.TwoSidedTable | None:
    """Return the cached two-sided table that the games of a race reach earliest.

    Games stop earliest at the table that both sides reach with the fewest pips, counted for
    the side that needs more pips. Pips to bear off surplus checkers are included.

    Parameters
    ----------
    race : Race
    tables : sequence of TwoSidedTable, optional
        Two-sided tables of equities with a cube. The default is all cached tables.

    Returns
    -------
    TwoSidedTable or None
        Table at which games stop earliest, the first one if several are equal; None if
        there is no table.
    """
    tables = tables_with_cube() if tables is None else tables
    sides = race.roller, race.opponent
    return min(
        tables,
        key=lambda table: max(_pips_to(side, table) for side in sides),
        default=None,
    )


_PIPS_OFF = 5
"""Approximate number of pips that are needed to bear off a checker."""


def _pips_to(side: bearoff.Position, table: bearoff.TwoSidedTable) -> int:
    """Return the approximate number of pips a side needs until a table contains it."""
    off = max(side.on_board - table.checkers, 0)
    last = min(table.points, bearoff.POINTS) if off else table.points
    outside = sum(n * max(point - last, 0) for point, n in enumerate(side.counts, start=1))
    return outside + off * _PIPS_OFF
