"""Selection of decisions for the trainer's questions, from games with the cube.

Run as ``python -m research.training.drills cubeful.parquet cubeful-long.parquet``, with the
two-sided table of 15 checkers in the cache; docs/formulas.md explains how to build both
populations. Decisions are drawn by their frequency without replacement, with a fixed seed.
"""

import sys
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from bearoff import CHECKERS, POINTS, ROLLS, WEIGHTS, Position, Race, rank, two_sided_table
from bearoff.answers import Judge
from bearoff.app.output import say
from bearoff.app.serve.drills.sample import (
    CLEAR,
    FILE,
    Decisions,
    RolledRaces,
    Sample,
    write_sample,
)
from bearoff.sim.populations import SOURCES, Population, open_population
from research.running import run_program

SEED = 16
DOUBLES, TAKES, RACES = (1100, 500), (800, 400), (1200, 400)
"""Numbers of doubles, takes and races to draw, with all checkers home and with checkers
outside home."""

PLAYS = 1200

WORST = 0.3
"""Maximum cost, in points, of the mistake in a drawn decision; larger mistakes are too
obvious."""

_LIKELY = (0.03, 0.97)
"""Minimum and maximum win probability of the roller in the drawn decisions."""

_BOARD = 24


def draw(home: Population, long: Population, judge: Judge) -> Sample:
    """Draw doubles, takes, races and plays from populations; `judge` rates plays."""
    rng = np.random.default_rng(SEED)
    groups = []
    for rows_of, wanted in ((_doubles, DOUBLES), (_takes, TAKES), (_races, RACES)):
        parts = [
            rows_of(whole, rng, count)
            for whole, count in zip((home, long), wanted, strict=True)
        ]
        groups.append(_joined(parts))
    double, take, race = groups
    return Sample(double, take, race, _plays(home, rng, judge))


def _chosen(
    rng: np.random.Generator, weights: NDArray[np.float64], count: int
) -> NDArray[np.int64]:
    """Draw different rows with probabilities in proportion to their frequencies."""
    share = weights / weights.sum()
    return np.sort(rng.choice(len(share), count, replace=False, p=share))


def _errors(whole: Population) -> NDArray[np.float64]:
    rolled = whole.values.sources == SOURCES.index("rollout")
    return np.where(rolled, 2.0, 1.0) * whole.values.error


def _known(whole: Population) -> NDArray[np.bool_]:
    return np.asarray(whole.values.sources != SOURCES.index("model"))


def _doubles(whole: Population, rng: np.random.Generator, count: int) -> Decisions:
    """Draw doubling decisions whose right answer is certain."""
    values, cube = whole.values, whole.cube
    assert cube is not None
    doubled = np.minimum(values.double_take, 1.0)
    waits = np.concatenate([values.no_double, values.no_redouble])
    visits = np.concatenate([cube.centred, cube.owned]).astype(np.float64)
    cost = np.abs(np.tile(doubled, 2) - waits)
    least = np.maximum(CLEAR, np.tile(2 * _errors(whole), 2))
    visits[(cost < least) | (cost > WORST) | ~np.tile(_known(whole), 2)] = 0
    rows = _chosen(rng, visits, count)
    return _decisions(whole, rows % len(whole), owned=rows >= len(whole))


def _takes(whole: Population, rng: np.random.Generator, count: int) -> Decisions:
    values, cube = whole.values, whole.cube
    assert cube is not None
    cost = np.abs(values.double_take - 1)
    least = np.maximum(CLEAR, _errors(whole))
    asked = (cost >= least) & (cost <= WORST) & _known(whole)
    rows = _chosen(rng, np.where(asked, cube.doubled, 0).astype(np.float64), count)
    return _decisions(whole, rows, owned=np.zeros(count, dtype=np.bool_))


def _races(whole: Population, rng: np.random.Generator, count: int) -> Decisions:
    chance = whole.values.win_probability
    asked = (chance > _LIKELY[0]) & (chance < _LIKELY[1]) & _known(whole)
    weights = np.where(asked, whole.decisions.weights, 0).astype(np.float64)
    rows = _chosen(rng, weights, count)
    return _decisions(whole, rows, owned=np.zeros(count, dtype=np.bool_))


def _decisions(
    whole: Population, rows: NDArray[np.int64], owned: NDArray[np.bool_]
) -> Decisions:
    values = whole.values
    waits = np.where(owned, values.no_redouble[rows], values.no_double[rows])
    return Decisions(
        _on_board(whole.roller_counts[rows]),
        _on_board(whole.opponent_counts[rows]),
        owned,
        values.win_probability[rows].astype(np.float32),
        waits.astype(np.float32),
        values.double_take[rows].astype(np.float32),
        _errors(whole)[rows].astype(np.float32),
        values.sources[rows] == SOURCES.index("rollout"),
    )


def _on_board(counts: NDArray[np.int8]) -> NDArray[np.int8]:
    whole = np.zeros((len(counts), _BOARD), dtype=np.int8)
    whole[:, : counts.shape[1]] = counts
    return whole


def _joined(parts: list[Decisions]) -> Decisions:
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    return Decisions(*(np.concatenate(column) for column in columns))


def _plays(whole: Population, rng: np.random.Generator, judge: Judge) -> RolledRaces:
    """Draw rolls with a best play that is clearly better than all other plays."""
    weights = whole.decisions.weights.astype(np.float64)
    order = rng.choice(len(whole), 20 * PLAYS, replace=False, p=weights / weights.sum())
    thrown = rng.choice(len(ROLLS), len(order), p=np.array(WEIGHTS) / sum(WEIGHTS))
    sides: list[NDArray[np.int8]] = []
    dice, after, equities, firsts = [], [], [], [0]
    for row, roll in zip(order.tolist(), thrown.tolist(), strict=True):
        pair = whole.roller_counts[row], whole.opponent_counts[row]
        race = Race(*(Position(tuple(side.tolist())) for side in pair), dice=ROLLS[roll])
        answer = judge.answer(race)
        if answer.kind != "exact":
            raise SystemExit(f"no table contains {race.roller} against {race.opponent}")
        plays = answer.plays
        if len(plays) < 2 or plays[1].cost < max(CLEAR, plays[1].error):
            continue
        sides.append(_on_board(np.array(pair)))
        dice.append(ROLLS[roll])
        numbers = [[*p.play.after.counts[:POINTS]] for p in plays]
        after += rank(np.array(numbers)).tolist()
        equities += [play.equity for play in plays]
        firsts.append(len(after))
        if len(dice) == PLAYS:
            break
    return RolledRaces(
        np.array([pair[0] for pair in sides]),
        np.array([pair[1] for pair in sides]),
        np.array(dice, dtype=np.int8),
        np.array(firsts, dtype=np.int32),
        np.array(after, dtype=np.int32),
        np.array(equities, dtype=np.float32),
    )


def main(
    home: Annotated[
        str, typer.Argument(metavar="HOME", help="Population with all checkers home.")
    ],
    long: Annotated[
        str, typer.Argument(metavar="LONG", help="Population with checkers outside home.")
    ],
) -> None:
    """Draw the decisions of the trainer's drills from two populations.

    The two-sided table of 15 checkers must be built.

    \b
    python -m research.training.drills cubeful.parquet cubeful-long.parquet
    """
    judge = Judge([two_sided_table(CHECKERS)])
    write_sample(FILE, draw(open_population(home), open_population(long), judge))
    say(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    sys.exit(run_program(main))
