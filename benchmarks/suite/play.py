"""Speeds of simulated games, of rollouts, and of lists of legal plays."""

import bearoff
from bearoff.analysis import formulas
from benchmarks.suite.measure import Benchmark, Setting, Side
from benchmarks.ways import cubeful_ways, game_ways
from benchmarks.ways.rollout_ways import SUBJECTS, by_gnubg, by_rollout
from benchmarks.ways.time_to_error import ALL, Measured, seconds_to
from oracles import gnubg, legal_ways

_SUBJECT = SUBJECTS[1]
"""Long race, not contained in any table, in which the opponent owns the cube."""


def _self_play(setting: Setting) -> tuple[Side, Side]:
    games, few = setting.size(4_000_000, 1000), setting.size(500_000, 1000)
    return (
        setting.timed(lambda: game_ways.by_kernel(games), games),
        setting.timed(lambda: game_ways.by_numpy(few), few),
    )


def _cubeful_self_play(setting: Setting) -> tuple[Side, Side]:
    games, few = setting.size(400_000, 1000), setting.size(50_000, 1000)
    keith = formulas.get("keith")
    return (
        setting.timed(lambda: cubeful_ways.by_sim(games, keith, keith), games),
        setting.timed(lambda: cubeful_ways.by_numpy(few, keith, keith), few),
    )


def _rollout(setting: Setting) -> tuple[Side, Side]:
    return _rolled_out(ALL, setting), _rolled_out("plain games", setting)


def _rollout_gnubg(setting: Setting) -> tuple[Side, Side]:
    settings = gnubg.Settings(variance_reduction=True, cubeful=True, cube=_SUBJECT.cube)
    # GNU Backgammon takes a tenth of a second to start, so it runs for twice the time,
    # which makes the start matter little.
    seconds = 2 * _seconds(setting)
    return (
        _rolled_out(ALL, setting),
        lambda: _seconds_to_error(by_gnubg(_SUBJECT, settings, seconds)),
    )


def _legal_plays(setting: Setting) -> tuple[Side, Side]:
    boards = legal_ways.random_boards(setting.size(2000, 4), 1)
    few = boards[: setting.size(10, 1)]
    return (
        setting.timed(
            lambda: legal_ways.count_plays(boards), legal_ways.count_plays(boards)
        ),
        setting.timed(
            lambda: legal_ways.count_enumerated(few), legal_ways.count_plays(few)
        ),
    )


def _rolled_out(way: str, setting: Setting) -> Side:
    checkers, seconds = setting.size(8, 2), _seconds(setting)
    bearoff.build_two_sided_table(checkers)
    table = bearoff.two_sided_table(checkers)
    return lambda: _seconds_to_error(by_rollout(way, _SUBJECT, table, seconds, threads=1))


def _seconds(setting: Setting) -> float:
    return 0.01 if setting.quick else 1.5


def _seconds_to_error(measured: Measured) -> float:
    """Return the CPU seconds until the standard error is a thousandth of a point."""
    error = measured.estimates["equity"].standard_error
    return seconds_to(1e-3, measured.cpu_seconds, error)


BENCHMARKS = (
    Benchmark(
        "self-play",
        "game",
        "4,000,000 games of 5-5-5 against 5-5-5 by the kernel",
        "the same games played in lockstep with vectorised numpy",
        _self_play,
    ),
    Benchmark(
        "cubeful-self-play",
        "game",
        "400,000 games of 5-5-5 against 5-5-5, with cube decisions by Keith's count on "
        "both sides",
        "the same games played in lockstep with numpy; each game's cube decision is a "
        "separate call",
        _cubeful_self_play,
    ),
    Benchmark(
        "rollout",
        "error of 0.001 points",
        "a race of 100 pips against 110, all techniques: time until the equity reaches a "
        "given standard error",
        "plain games",
        _rollout,
        rounds=5,
    ),
    Benchmark(
        "rollout-gnubg",
        "error of 0.001 points",
        "a race of 100 pips against 110, all techniques: time until the equity reaches a "
        "given standard error",
        "GNU Backgammon's rollout at 0 ply, variance reduced",
        _rollout_gnubg,
        rounds=3,
        peer="gnubg",
    ),
    Benchmark(
        "legal-plays",
        "board after a play",
        "all legal plays of 2,000 random boards and 21 rolls",
        "all sequences of moves, tried one after another in Python",
        _legal_plays,
    ),
)
