"""Page on the time that rollouts need to reach a standard error, by method and program.

Each method rolls a race out for some seconds. Errors decrease with the square root of the
number of games, so the time in which another error is reached can be computed. All methods
use the same number of threads. GNU Backgammon's program `gnubg` is searched on the PATH and
in /usr/games, and left out if it is not found.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import bearoff
from bearoff.runtime import processor
from bearoff.sim.rollouts import Goal, rollout
from bearoff.sim.storage.provenance import commit, versions
from bearoff.two_sided import cached_two_sided_tables
from benchmarks.ways.rollout_ways import (
    LADDER,
    OURS,
    OURS_INTO_TABLE,
    SUBJECTS,
    Subject,
    by_gnubg,
    by_rollout,
    home_numbers,
)
from benchmarks.ways.self_play_ways import (
    CUBEFUL_SELF_PLAY,
    by_cubeful_self_play,
    by_self_play,
    common_dice,
)
from benchmarks.ways.time_to_error import (
    GNUBG,
    Measured,
    agreement,
    seconds_to,
    table_lines,
)
from oracles import gnubg

PATH = Path("rollouts", "time-to-error.md")


@dataclass(frozen=True)
class Given:
    """Settings that are the same for all measured methods of rolling out a race.

    Attributes
    ----------
    seconds : float
        Duration of each measurement in seconds.
    checkers : int
        Number of checkers per side in the two-sided table at which games stop.
    gnubg : bool
        Whether to measure GNU Backgammon as well.
    threads : int
    """

    seconds: float = 20.0
    checkers: int = 8
    gnubg: bool = True
    threads: int = os.cpu_count() or 1


_PREFACE = """\
Each method of rolling out plays games for about {seconds:g} s, after its code is compiled.
The time to reach a given standard error is computed from these games, because standard
errors decrease with the square root of the number of games. Values are those of the roller
before the roll, and equities are in points at a cube value of 1.

- *First rolls shared out* distributes all pairs of the two sides' first throws evenly over
  1,296 games. *Luck taken out* subtracts the luck of each roll. The luck is computed by the
  fast model, or by convolution if both sides are home and there is no cube. *Cut short*
  ends a game when exact values are known: in the table of {checkers} checkers a side, or,
  without a cube, as soon as both sides are home. One rollout of this program estimates the
  win probability and the equities of all states of the cube.
- If all checkers are home, the win probability of fewest-rolls play can be computed exactly
  by a convolution. If luck is taken out or games are cut short, the win probability of a
  rollout with all checkers home is this exact value, without a standard error.
- If the machine's load at the start is above the number of threads, other processes were
  running, and CPU seconds are more meaningful than wall-clock seconds.
- *Self-play* simulates games as in batches, in which the players turn the cube by
  Janowski's model.
- GNU Backgammon plays and doubles at 0 ply, with rotated dice. If GNU Backgammon doubles at
  its default of 2 plies, a rollout of the first race takes ten times as long. Where GNU
  Backgammon allows it, its games stop in its own exact database of 6 checkers. GNU
  Backgammon's one-sided database would answer home-board races without a cube exactly, and
  is turned off here. One rollout of GNU Backgammon estimates the equity for only one state
  of the cube, such as a centred cube. For plain games with rotated dice, GNU Backgammon
  states too large a standard error. If there are 20 or more of its rollouts, their standard
  error is computed here from the spread of their results. GNU Backgammon plays to win, not
  for fewest rolls, and uses the cube differently, so its values differ slightly from those
  of this program.
"""


def measure(
    subject: Subject,
    table: bearoff.TwoSidedTable,
    given: Given,
) -> list[Measured]:
    """Measure all methods of rolling out a race."""

    def each() -> Iterator[Measured]:
        seconds, threads = given.seconds, given.threads
        numbers = home_numbers(subject.race)
        if numbers is not None:
            yield by_self_play(numbers, seconds, threads)
            yield by_cubeful_self_play(numbers, seconds, threads)
        for name in LADDER:
            yield by_rollout(name, subject, table, seconds, threads)
        if not given.gnubg:
            return
        for cubeful in (False, True):
            for reduced in (False, True):
                settings = gnubg.Settings(reduced, cubeful, subject.cube, threads)
                yield by_gnubg(subject, settings, seconds)

    rows = []
    for measured in each():
        print(f"{measured.name}: {measured.seconds:.1f} s", file=sys.stderr, flush=True)
        rows.append(measured)
    return rows


def full_table(subject: Subject) -> Iterator[str]:
    """Yield the exact values in the complete two-sided table, if the cache contains it."""
    numbers = home_numbers(subject.race)
    cached = [
        table
        for table in cached_two_sided_tables()
        if table.is_complete and table.score is None
    ]
    if numbers is None or not cached or cached[-1].checkers < bearoff.CHECKERS:
        return
    start = time.perf_counter()
    table = bearoff.two_sided_table(cached[-1].checkers)
    chance = float(table.win_probability(*numbers))
    waiting = float(table.no_double(*numbers, "centred"))
    yield (
        f"The table of {table.checkers} checkers answers this race exactly, in "
        f"{1000 * (time.perf_counter() - start):.0f} ms including the time to open the "
        "table. If both sides play and double perfectly, the win probability is "
        f"{chance:.6f}, and the equity with a centred cube before doubling is "
        f"{waiting:.6f}."
    )


def goal_reached(
    subject: Subject, table: bearoff.TwoSidedTable, rows: list[Measured], threads: int
) -> Iterator[str]:
    """Yield a sentence on the time of a rollout that stops at a given standard error."""
    target = subject.targets["equity"]
    found = rollout(subject.race, Goal(target), table=table, workers=threads)
    shared = found.at("centred")
    apart = np.hypot(shared.no_double.standard_error, shared.double_take.standard_error)
    yield (
        f"A call of `rollout` with a goal of {target:.0e} for the standard errors of all "
        f"equities took {found.seconds:.2f} s and {found.games:,} games; the largest "
        f"standard error was {found.standard_error:.1e}. The standard error of the gain "
        f"from a first double is {shared.gain.standard_error:.1e}, because the equities "
        "with and without the double are from the same games; with separate games, this "
        f"standard error would be {apart:.1e}."
    )
    peer = [row for row in rows if row.name == GNUBG and "equity" in row.estimates]
    for row in peer:
        error = row.estimates["equity"].standard_error
        theirs = seconds_to(target, row.seconds, error)
        yield (
            f"GNU Backgammon needs {theirs:,.0f} s for the same standard error of a single "
            f"equity, which is {theirs / found.seconds:,.0f} times as long."
        )


def agreements(subject: Subject, rows: list[Measured]) -> Iterator[str]:
    """Yield lines of text on how well the methods agree on the values of one race."""
    numbers = home_numbers(subject.race)
    exact = None
    if numbers is not None:
        exact = OURS, float(bearoff.fewest_rolls_win_probability(*numbers))
    # Without a cube, games that end by a look-up in the table have the same mean value as
    # complete games.
    ours = [
        replace(row, players=OURS) if row.players == OURS_INTO_TABLE else row
        for row in rows
    ]
    yield from agreement("win probability", ours, exact)
    yield from agreement("equity", rows)


def players_compared(subject: Subject, rows: list[Measured], given: Given) -> Iterator[str]:
    """Yield lines of text on how much time common dice save in comparing two strategies."""
    numbers = home_numbers(subject.race)
    alone = [row for row in rows if row.name == CUBEFUL_SELF_PLAY]
    if numbers is not None and alone:
        yield ""
        yield from common_dice(
            numbers, subject.targets["equity"], alone[0], given.seconds, given.threads
        )


def report(given: Given) -> Iterator[str]:
    """Measure all methods on all races, and yield the lines of the page."""
    if given.gnubg:
        peer = f"GNU Backgammon {gnubg.version()}"
    else:
        peer = "GNU Backgammon not installed"
    bearoff.build_two_sided_table(given.checkers)
    table = bearoff.two_sided_table(given.checkers)
    yield "# Time in which rollouts reach a standard error"
    yield ""
    yield (
        f"Machine: {processor()}, with {given.threads} threads for each method. Versions: "
        f"{', '.join(' '.join(pair) for pair in versions().items())}; {peer}. Commit "
        f"{commit()[0] or 'unknown'}. Load of the machine at the start: "
        f"{os.getloadavg()[0]:.1f}."
    )
    yield ""
    yield from _PREFACE.format(seconds=given.seconds, checkers=given.checkers).split("\n")
    for subject in SUBJECTS:
        rows = measure(subject, table, given)
        yield f"## {subject.name}"
        yield ""
        where = "in the centre" if subject.cube == "centred" else "with the opponent"
        yield f"Position ID `{subject.race.position_id}`; the cube is {where}."
        for quantity, target in subject.targets.items():
            yield ""
            yield from table_lines(quantity, target, rows)
        yield ""
        yield from agreements(subject, rows)
        yield ""
        yield from goal_reached(subject, table, rows, given.threads)
        yield from players_compared(subject, rows, given)
        yield from full_table(subject)
        yield ""


def page(quick: bool = False) -> str:
    if quick:
        return "\n".join(report(Given(0.01, 2, gnubg=False, threads=1)))
    return "\n".join(report(Given(gnubg=gnubg.find("gnubg") is not None)))
