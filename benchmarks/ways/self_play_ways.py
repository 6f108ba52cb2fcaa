"""Games played by the simulation's compiled code, and the time that common dice save."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff import sim
from bearoff.matchup import JanowskiCube
from bearoff.sim.cubeful import CubeMatch, CubeSide, play_cubeful
from bearoff.sim.cubeful.cube_tally import difference_moments, points_moments
from bearoff.sim.play.tally import WINS, Counts
from bearoff.sim.rollouts import Estimate
from bearoff.stakes import CubeOwner
from benchmarks.ways.rollout_ways import OURS
from benchmarks.ways.time_to_error import Measured, seconds_to

Pair = list[NDArray[np.int64]]
Play = Callable[[NDArray[np.int64], NDArray[np.int64]], Counts]

CUBEFUL_SELF_PLAY = "plain games, cubeful self-play"

_PILOT = 200_000
_NOBODY = CubeOwner.NOBODY
_PLAYER, _RIVAL = 0.68, 0.6
"""Cube efficiencies assumed by the two players that are compared."""


def in_threads(play: Play, seconds: float, threads: int) -> tuple[Counts, float, float]:
    """Play games from one pair of positions in several threads for a given time.

    Parameters
    ----------
    play : callable
        Function of two integers, the number of the first game and the number of games,
        which plays these games.
    seconds : float
        Approximate duration of the games in seconds.
    threads : int
        Number of threads; each of them plays different games.

    Returns
    -------
    counts : ndarray of int64
        Counts that `play` returns, summed over all games.
    seconds, cpu_seconds : float
        Wall time and CPU time in seconds.
    """

    def run(games: int) -> tuple[Counts, float, float]:
        def share(thread: int) -> Counts:
            return play(np.array([thread * games]), np.array([games]))

        start, cpu = time.perf_counter(), time.process_time()
        with ThreadPoolExecutor(threads) as pool:
            counts: Counts = np.sum(list(pool.map(share, range(threads))), axis=0)
        return counts, time.perf_counter() - start, time.process_time() - cpu

    run(1)
    pilot = _PILOT if seconds >= 1 else 1000
    return run(max(1, int(pilot * seconds / run(pilot)[1])))


def by_self_play(numbers: list[int], seconds: float, threads: int) -> Measured:
    """Play games of a home race without a cube, by the compiled kernel."""
    match = sim.RaceMatch(
        bearoff.POINTS, bearoff.CHECKERS, "fewest-rolls", "fewest-rolls", 1
    )
    play = partial(sim.play_games, match, *_pair(numbers))
    counts, *taken = in_threads(play, seconds, threads)
    games = int(counts[0, 0])
    chance = int(counts[0, WINS]) / games
    found = Estimate(chance, (chance * (1 - chance) / games) ** 0.5)
    return Measured(
        "plain games, self-play kernel", OURS, games, *taken, {"win probability": found}
    )


def by_cubeful_self_play(numbers: list[int], seconds: float, threads: int) -> Measured:
    """Play games with a cube, turned by Janowski's model, in the compiled code."""
    play = partial(play_cubeful, _match(rival=False), *_pair(numbers))
    counts, *taken = in_threads(play, seconds, threads)
    (mean,), (variance,) = points_moments(counts, value=1)
    games = int(counts[0, 0])
    found = Estimate(float(mean), float(variance / games) ** 0.5)
    players = "players who double by Janowski's model"
    return Measured(CUBEFUL_SELF_PLAY, players, games, *taken, {"equity": found})


def common_dice(
    numbers: list[int], target: float, alone: Measured, seconds: float, threads: int
) -> Iterator[str]:
    """Yield the time needed to compare two players with common and with independent dice.

    Parameters
    ----------
    numbers : list of int
        Position numbers of the roller and the opponent.
    target : float
        Target for the standard error of the difference between the two players.
    alone : Measured
        Results of the games of the first player.
    seconds : float
        Approximate duration of the games in seconds.
    threads : int
        Number of threads.
    """
    play = partial(play_cubeful, _match(rival=True), *_pair(numbers))
    counts, wall, _ = in_threads(play, seconds, threads)
    (mean,), (variance,) = difference_moments(counts, value=1)
    error = float(variance / counts[0, 0]) ** 0.5
    apart = 2**0.5 * alone.estimates["equity"].standard_error
    yield (
        f"A roller who doubles with an assumed cube efficiency of {_PLAYER:g} instead of "
        f"{_RIVAL:g} gains per game {mean:+.6f} ± {error:.6f}. With the same dice for "
        f"both efficiencies, a standard error of this gain of {target:.0e} takes "
        f"{seconds_to(target, wall, error):,.3g} s; with different dice this standard "
        f"error would take {seconds_to(target, 2 * alone.seconds, apart):,.3g} s."
    )


def _match(rival: bool) -> CubeMatch:
    side, other = (CubeSide.of(JanowskiCube(one)) for one in (_PLAYER, _RIVAL))
    return CubeMatch(
        points=bearoff.POINTS,
        checkers=bearoff.CHECKERS,
        roller="fewest-rolls",
        opponent="fewest-rolls",
        seed=1,
        owner=_NOBODY,
        roller_cube=side,
        opponent_cube=side,
        rival_cube=other if rival else None,
    )


def _pair(numbers: list[int]) -> Pair:
    return [np.array([number]) for number in numbers]
