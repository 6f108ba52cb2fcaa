"""Rollouts: win probability and equities of any race, by games that waste no luck.

Where a two-sided table holds the race, it is asked and nothing is played. Elsewhere the
race is played from where it stands into the table, or to its end; see
`sim.rollout_lanes` for how, and docs/rollouts.md for what the answer means.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from bearoff.two_sided import Cube
from bearoff.two_sided_kept import kept_two_sided_tables
from sim.rollout_lanes import POINTS, STATES, Judge, Lanes, Techniques
from sim.rollout_sums import WIDTH, Moments, Sums, sums_of
from sim.workers import run_tasks, worker_count

Float64Array = NDArray[np.float64]
RollersCube = Literal["centred", "owned"]

CHUNK_GAMES = 6 * 1296
"""Games played side by side: enough to share positions, few enough for the cache."""

FIRST_WAVE = 4
"""Chunks of the first wave, from which the error is estimated."""

FIRST_UNITS = FIRST_WAVE * CHUNK_GAMES // 1296
"""Units of the first wave, at the least."""

CONFIDENCE = 0.95
"""Of the intervals that leave an action open."""


@dataclass(frozen=True)
class Estimate:
    """A number and its standard error.

    Attributes
    ----------
    value, standard_error : float
        The error is 0 where a table has the value.
    """

    value: float
    standard_error: float


@dataclass(frozen=True)
class RolledAction:
    """Cube action of a race that was rolled out.

    Attributes
    ----------
    cube : {"centred", "owned"}
        Where the cube is.
    no_double, double_take : Estimate
        Equities of the roller, in points at a cube of 1.
    gain : Estimate
        What doubling now gains over waiting, the opponent doing what is best for him.
    action : str
        As in `bearoff.CubeAction`.
    too_close : bool
        Whether the 95% interval of `gain`, or of the take if doubling is right, leaves
        the action open.
    """

    cube: RollersCube
    no_double: Estimate
    double_take: Estimate
    gain: Estimate
    action: str
    too_close: bool


@dataclass(frozen=True)
class Rollout:
    """What a rollout found.

    Attributes
    ----------
    win_probability : Estimate
        The roller's chance without a cube, both sides making the fewest rolls; the
        two-sided table's, both playing to win, where it holds the race.
    centred, owned : RolledAction
        Equities and action with the cube in the centre, and with the roller.
    games : int
        Games played; none where a table holds the race.
    table_checkers : int or None
        Checkers of the two-sided table that games were stopped at.
    seconds : float
        It took.
    """

    win_probability: Estimate
    centred: RolledAction
    owned: RolledAction
    games: int
    table_checkers: int | None
    seconds: float

    @property
    def standard_error(self) -> float:
        """Largest standard error of the equities."""
        equities = [self.centred.no_double, self.owned.no_double, self.owned.double_take]
        return max(estimate.standard_error for estimate in equities)


@dataclass(frozen=True)
class Goal:
    """When a rollout ends.

    Attributes
    ----------
    standard_error : float
        Of every equity; 0 to play `at_most` games.
    at_most : int
        Games, rounded up to whole chunks.
    """

    standard_error: float = 0.0005
    at_most: int = 10_000_000


def rollout(
    race: bearoff.Race,
    goal: Goal = Goal(),
    *,
    seed: int = 0,
    techniques: Techniques = Techniques(),  # noqa: B008
    table: bearoff.TwoSidedTable | None = None,
    workers: int | str = "auto",
    on_progress: Callable[[Moments], object] = lambda moments: None,
) -> Rollout:
    """Estimate a race's win probability, cubeful equities and cube action.

    Parameters
    ----------
    race : Race
        Of any number of points, without contact.
    goal : Goal
        When to stop.
    seed : int
        Of the dice; the answer depends on it, and on nothing of the machine's making.
    techniques : Techniques
        Ways to make fewer games say more.
    table : TwoSidedTable, optional
        With all planes; games stop where it holds them. `truncation_table` finds one.
    workers : int or "auto"
        Threads.
    on_progress : callable
        Called with the moments so far after each chunk of games.

    Returns
    -------
    Rollout

    Raises
    ------
    PositionError
        If a side has borne off, or the sides are in contact.
    """
    started = time.monotonic()
    race = on_24_points(race)
    judge = Judge(table, techniques)
    moments = known(judge, race)
    if moments is None:
        sums = play_to(judge, race, goal, seed, workers, on_progress)
        moments = Moments.of(sums, model_values(judge, race))
    return replace(told(moments, judge), seconds=time.monotonic() - started)


def told(moments: Moments, judge: Judge) -> Rollout:
    """Say what the moments of a race's games mean."""
    table = judge.table
    return Rollout(
        win_probability=Estimate(
            float(moments.means[0] + 1) / 2, moments.error(1, 0, 0, 0) / 2
        ),
        centred=_action(moments, "centred"),
        owned=_action(moments, "owned"),
        games=moments.games,
        table_checkers=table.checkers if judge.places and table else None,
        seconds=0.0,
    )


def play_to(
    judge: Judge,
    race: bearoff.Race,
    goal: Goal,
    seed: int,
    workers: int | str,
    on_progress: Callable[[Moments], object] = lambda moments: None,
) -> Sums:
    """Play waves of games, each as large as the last leaves to be done, up to a goal.

    How many waves and how large depends on the sums alone, not on the workers.
    """
    sums = np.zeros(WIDTH, dtype=np.int64)
    centre = model_values(judge, race)
    count = worker_count(workers)
    done = 0
    while wave := next_wave(sums, centre, goal):
        tasks = (
            delayed(play_chunk)(judge, race, centre, seed, chunk)
            for chunk in range(done, done + wave)
        )
        for part in run_tasks(tasks, "threading", count):
            sums += part
            on_progress(Moments.of(sums, centre))
        done += wave
    return sums


def play_chunk(
    judge: Judge, race: bearoff.Race, centre: Float64Array, seed: int, chunk: int
) -> Sums:
    """Play one chunk of a race's games and add them up."""
    lanes = Lanes(judge, race, seed, chunk * CHUNK_GAMES, CHUNK_GAMES)
    return sums_of(lanes.play(), centre, judge.techniques.first_rolls)


def next_wave(
    sums: Sums, centre: Float64Array, goal: Goal, chunk_games: int = CHUNK_GAMES
) -> int:
    """Chunks that the goal still needs, at most as many as are done; 0 to stop."""
    done = int(sums[0]) // chunk_games
    allowed = -(-goal.at_most // chunk_games) - done
    if not done:
        return min(FIRST_WAVE, allowed)
    error = worst_error(Moments.of(sums, centre))
    if error <= goal.standard_error:
        return 0
    if goal.standard_error == 0:
        return min(done, allowed)
    needed = done * (error / goal.standard_error) ** 2
    return int(min(max(np.ceil(needed - done), 1), done, allowed))


_NO_DOUBLE = {"centred": (0, 1, 0, 0), "owned": (0, 0, 1, 0)}
_DOUBLE_TAKE = (0, 0, 0, 2)
_EQUITIES = (*_NO_DOUBLE.values(), _DOUBLE_TAKE)
"""Weights of the states of the cube in each equity that is told."""


def sure_errors(units: int) -> float:
    """Standard errors within which 95% of estimates from so many units lie.

    By Student's distribution. A rollout ends when its error looks small, so an error is
    rather too small when it ends: beyond the first wave only half of the units count,
    which makes up for it; see docs/reliability.md.

    Examples
    --------
    >>> round(sure_errors(6), 2), round(sure_errors(40), 2), round(sure_errors(1000), 2)
    (2.57, 2.07, 1.96)
    """
    from scipy.special import stdtrit

    counted = max(units / 2, min(units, FIRST_UNITS))
    return float(stdtrit(max(counted - 1, 1), (1 + CONFIDENCE) / 2))


_WIDEST = 13.0
"""Standard errors within which 95% of estimates lie, however few their units: 12.7."""


def _is_open(value: float, error: float, units: int) -> bool:
    """Whether the interval of an estimate reaches beyond 0."""
    # Most are far from 0, and the quantile is slow to load.
    return abs(value) < _WIDEST * error and abs(value) < sure_errors(units) * error


def worst_error(moments: Moments) -> float:
    """Largest standard error of the equities that a rollout tells."""
    return max(moments.error(*weights) for weights in _EQUITIES)


def _action(moments: Moments, cube: RollersCube) -> RolledAction:
    def estimate(weights: tuple[int, ...]) -> Estimate:
        return Estimate(float(weights @ moments.means), moments.error(*weights))

    waiting, taken = np.array(_NO_DOUBLE[cube]), np.array(_DOUBLE_TAKE)
    no_double, double_take = estimate(tuple(waiting)), estimate(tuple(taken))
    passes = double_take.value > 1
    if passes:
        gain = Estimate(1 - no_double.value, no_double.standard_error)
    else:
        gain = estimate(tuple(taken - waiting))
    doubles = gain.value >= 0
    open_double = _is_open(gain.value, gain.standard_error, moments.units)
    open_take = _is_open(double_take.value - 1, double_take.standard_error, moments.units)
    double = "redouble" if cube == "owned" else "double"
    action = f"{double}, {'pass' if passes else 'take'}" if doubles else f"no {double}"
    return RolledAction(
        cube,
        no_double,
        double_take,
        gain,
        action,
        bool(open_double or (doubles and open_take)),
    )


def known(judge: Judge, race: bearoff.Race) -> Moments | None:
    """Return exact values of the race where the table holds it, else None."""
    table = judge.table
    if table is None or not judge.places:
        return None
    for side in (race.roller, race.opponent):
        if any(side.counts[bearoff.POINTS :]) or home_number(side) >= judge.places:
            return None
    x, y = home_number(race.roller), home_number(race.opponent)
    means = [
        2 * float(table.win_probability(x, y)) - 1,
        float(table.no_double(x, y, "centred")),
        float(table.no_double(x, y, "owned")),
        float(table.equity(x, y, "opponent")),
    ]
    size = len(STATES)
    return Moments(0, 0, np.array(means), np.zeros((size, size)))


def model_values(judge: Judge, race: bearoff.Race) -> Float64Array:
    """Value of the race by the fast model, for each of `STATES`."""
    x, y = (
        float(judge.bear_in.epc(np.array(side.counts, dtype=np.int8)))
        for side in (race.roller, race.opponent)
    )
    cubes: tuple[Cube | None, ...] = (None, "centred", "owned", "opponent")
    return np.array([float(judge.model.equity(x, y, cube)) for cube in cubes])


def home_number(side: bearoff.Position) -> int:
    """Return the number that the checkers of the home board would have alone."""
    return int(bearoff.rank(side.counts[: bearoff.POINTS]))


def on_24_points(race: bearoff.Race) -> bearoff.Race:
    """Return the race with 24 points a side.

    Raises
    ------
    PositionError
        If a side has borne off, or the sides are in contact.
    """
    sides = [race.roller, race.opponent]
    for name, side in zip(("roller", "opponent"), sides, strict=True):
        if not side.on_board:
            raise bearoff.PositionError(
                f"a rollout needs a checker on the board on both sides, the {name} has "
                "borne off"
            )
    highest = sides[0].highest + sides[1].highest
    if highest > POINTS:
        raise bearoff.PositionError(
            f"the sides are in contact: the rearmost checkers stand on points "
            f"{sides[0].highest} and {sides[1].highest}, which add up to more than "
            f"{POINTS}; a race has no contact"
        )
    wide = [bearoff.Position(side.counts + (0,) * (POINTS - side.points)) for side in sides]
    return bearoff.Race(*wide)


def truncation_table() -> bearoff.TwoSidedTable | None:
    """Open the largest two-sided table in the cache that has all planes, if any does."""
    kept = [table for table in kept_two_sided_tables() if table.has_cube]
    return bearoff.two_sided_table(kept[-1].checkers) if kept else None
