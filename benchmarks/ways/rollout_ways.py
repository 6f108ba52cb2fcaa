"""Rollouts of a race for a given time, by this program's methods and by GNU Backgammon."""

import time
from dataclasses import dataclass
from typing import Literal

import bearoff
from bearoff.sim.rollouts import Estimate, Goal, Rollout, Techniques, rollout
from benchmarks.ways.time_to_error import ALL, GNUBG, GNUBG_PLAIN, Measured, Quantity
from oracles import gnubg


@dataclass(frozen=True)
class Subject:
    """Race, owner of the cube, and standard errors that the methods must reach."""

    name: str
    race: bearoff.Race
    cube: Literal["centred", "opponent"]
    targets: dict[Quantity, float]


def _side(**checkers: int) -> bearoff.Position:
    counts = [0] * 24
    for point, count in checkers.items():
        counts[int(point[1:]) - 1] = count
    return bearoff.Position(tuple(counts))


FIVES = _side(p4=5, p5=5, p6=5)
TARGETS: dict[Quantity, float] = {"win probability": 2e-5, "equity": 2e-4}
SUBJECTS = (
    Subject("5-5-5 against 5-5-5", bearoff.Race(FIVES, FIVES), "centred", TARGETS),
    Subject(
        "100 pips against 110, checkers on up to 12 points",
        bearoff.Race(
            _side(p3=3, p5=3, p6=3, p8=3, p10=1, p12=2),
            _side(p4=2, p5=2, p6=4, p8=3, p9=1, p11=1, p12=2),
        ),
        "opponent",
        TARGETS,
    ),
)

LADDER = {
    "plain games": Techniques(luck=False, first_rolls=1, truncate=False),
    "first rolls shared out": Techniques(luck=False, first_rolls=1296, truncate=False),
    "luck taken out": Techniques(luck=True, first_rolls=1, truncate=False),
    "cut short at exact values": Techniques(luck=False, first_rolls=1, truncate=True),
    "luck and first rolls": Techniques(luck=True, first_rolls=1296, truncate=False),
    ALL: Techniques(),
}


OURS = "this program's players"
OURS_INTO_TABLE = "this program's players with perfect play in the table"

_PILOT = 31_104
_PILOT_GNUBG = {False: 1296, True: 144}
_ROTATION = 1296
"""Number of games over which GNU Backgammon distributes the first two rolls evenly."""


def home_numbers(race: bearoff.Race) -> list[int] | None:
    """Return the position numbers of both sides; None if a checker is outside home."""
    sides = (race.roller, race.opponent)
    if max(side.highest for side in sides) > bearoff.POINTS:
        return None
    return [int(bearoff.rank(side.counts[: bearoff.POINTS])) for side in sides]


def estimates_of(found: Rollout, cube: str) -> dict[Quantity, Estimate]:
    """Return the estimated win probability and equity, given the owner of the cube."""
    if cube == "centred":
        equity = found.at("centred").no_double
    else:
        doubled = found.at("centred").double_take
        equity = Estimate(doubled.value / 2, doubled.standard_error / 2)
    return {"win probability": found.win_probability, "equity": equity}


def by_rollout(
    name: str, subject: Subject, table: bearoff.TwoSidedTable, seconds: float, threads: int
) -> Measured:
    """Roll out a race for a given time, with the techniques of one of the methods."""
    techniques = LADDER[name]

    def play(games: int) -> Rollout:
        return rollout(
            subject.race,
            Goal(0.0, games),
            seed=list(LADDER).index(name),
            techniques=techniques,
            table=table,
            workers=threads,
        )

    play(1)  # The first game compiles code, and opens tables and models.
    pilot = play(_PILOT if seconds >= 1 else 1)
    games = max(1, int(pilot.games * seconds / pilot.seconds))
    start, cpu = time.perf_counter(), time.process_time()
    found = play(games)
    return Measured(
        name,
        OURS_INTO_TABLE if techniques.truncate else OURS,
        found.games,
        time.perf_counter() - start,
        time.process_time() - cpu,
        estimates_of(found, subject.cube),
    )


def by_gnubg(subject: Subject, settings: gnubg.Settings, seconds: float) -> Measured:
    """Let GNU Backgammon roll out a race, with evenly distributed first rolls."""
    few = _PILOT_GNUBG[settings.variance_reduction] if seconds >= 1 else 36
    pilot = gnubg.roll_out(subject.race, settings, few)
    games = max(36, int(pilot.games * seconds / pilot.seconds) // 36 * 36)
    rollouts = max(1, games // _ROTATION)
    done = gnubg.roll_out(subject.race, settings, min(games, _ROTATION), rollouts)
    quantity: Quantity = "equity" if settings.cubeful else "win probability"
    found = {quantity: Estimate(*done.estimate(settings.cubeful))}
    name = GNUBG if settings.variance_reduction else GNUBG_PLAIN
    return Measured(
        name, "GNU Backgammon's players", done.games, done.seconds, done.cpu_seconds, found
    )
