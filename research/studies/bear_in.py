"""Errors of the bear-in model, compared with exact values and with played games."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import (
    CHECKERS,
    PIPS_PER_ROLL,
    WEIGHTS,
    OneSidedTable,
    one_sided_table,
    rank,
    unrank,
)
from bearoff.analysis.output import markdown_page, markdown_table, write_text
from bearoff.bear_in import BOARD, SPREADS, bear_in, play_home, random_sides, widen
from bearoff.rolls import HOME, ROLL_OF_THROW, THROWS

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

BANDS = (0, 60, 80, 100, 120, 140, 160, 200, 240, 400)
"""Limits of the classes into which sides are divided by pip count."""

EVEN = (SPREADS[-1],)

_CHANCES = np.array(WEIGHTS) / THROWS


@dataclass(frozen=True)
class Comparison:
    """Errors of the bear-in model on sides whose exact values are known, in pips and rolls.

    `lost` is the mean EPC that the model's plays lose, averaged over the rolls.
    """

    name: str
    sides: int
    rms: float
    bias: float
    worst: float
    lost: float
    most_lost: float
    std_rms: float


@dataclass(frozen=True)
class Band:
    """Results of simulated games of sides whose pip counts are in a given range.

    `bias` is the mean result of the games minus the model's EPC, with its standard error,
    after the luck of the dice has been subtracted. `plain` is the same including luck.
    `spread` is the root mean square of the luck that remains in a game.
    """

    name: str
    low: int
    high: int
    games: int
    epc: float
    bias: float
    error: float
    plain: float
    plain_error: float
    spread: float


def compare(table: OneSidedTable, numbers: Int64Array, name: str) -> Comparison:
    """Compare the bear-in model with an exact table, on sides given by position numbers."""
    player, points = bear_in(), table.points
    sides = widen(unrank(numbers, points, table.checkers))
    error = player.epc(sides) - table.epc_of(numbers)
    after, _ = player.expand(sides)
    played = table.epc_of(rank(after[..., :points])) @ _CHANCES + PIPS_PER_ROLL
    lost = played - table.epc_of(numbers)
    stds = player.std_rolls(sides) - table.std_rolls_of(numbers)
    return Comparison(
        name,
        len(numbers),
        _rms(error),
        float(error.mean()),
        float(np.abs(error).max()),
        float(lost.mean()),
        float(lost.max()),
        _rms(stds),
    )


def visited(
    table: OneSidedTable, starts: Int64Array, rng: np.random.Generator
) -> Int64Array:
    """Return the sides with checkers outside home that occur in play from `starts`."""
    now, met = starts, list[Int64Array]()
    while True:
        sides = unrank(now, table.points, table.checkers)
        now = now[sides[:, HOME:].any(axis=1)]
        if not len(now):
            return np.concatenate(met)
        met.append(now)
        roll = ROLL_OF_THROW[rng.integers(0, THROWS, len(now))]
        now = table.policy_of(now)[np.arange(len(now)), roll].astype(np.int64)


def against_table(points: int, sides: int, seed: int) -> list[Comparison]:
    """Compare the bear-in model with an exact table, on sides from random games."""
    table, rng = one_sided_table(points), np.random.default_rng(seed)
    found = []
    for name, spreads in (("even", EVEN), ("all", SPREADS)):
        starts = random_sides(sides, rng, points, spreads)
        numbers = visited(table, rank(starts[:, :points]), rng)
        found.append(compare(table, numbers, f"reached from {name} starts"))
        counts = unrank(numbers, points)
        whole = counts.sum(axis=1) == CHECKERS
        for chosen, which in ((whole, "all 15 checkers"), (~whole, "fewer checkers")):
            if chosen.any():
                found.append(
                    compare(
                        table, numbers[chosen], f"of these positions, those with {which}"
                    )
                )
        outside = counts[:, HOME:].sum(axis=1)
        for low, high in ((1, 1), (2, 3), (4, 6), (7, CHECKERS)):
            chosen = (outside >= low) & (outside <= high)
            some = f"{low} to {high} checkers" if high > low else f"{low} checker"
            part = f"of these positions, those with {some} beyond home"
            if chosen.any():
                found.append(compare(table, numbers[chosen], part))
    uniform = rng.integers(0, len(table), 2 * sides)
    uniform = uniform[unrank(uniform, points)[:, HOME:].any(axis=1)]
    found.append(
        compare(
            table,
            uniform,
            "all positions of the table with checkers beyond home, with equal weight",
        )
    )
    return found


def against_games(sides: int, seed: int) -> list[Band]:
    """Play games of random sides on 24 points; compare the model with the results."""
    rng, found = np.random.default_rng(seed), []
    for name, spreads in (("even", EVEN), ("all", SPREADS)):
        starts = random_sides(sides, rng, BOARD, spreads)
        pips = starts @ np.arange(1, BOARD + 1)
        games = play_home(bear_in(), starts, rng)
        last = slice(len(games.sides) - len(starts), None)
        estimate = games.estimates[last] * PIPS_PER_ROLL
        adjusted = games.mean_rolls[last] * PIPS_PER_ROLL - estimate
        plain = games.plain[last] * PIPS_PER_ROLL - estimate
        for low, high in pairwise(BANDS):
            chosen = (pips >= low) & (pips < high)
            if chosen.sum() < 2:
                continue
            found.append(
                Band(
                    name,
                    low,
                    high,
                    int(chosen.sum()),
                    float(estimate[chosen].mean()),
                    *_mean_and_error(adjusted[chosen]),
                    *_mean_and_error(plain[chosen]),
                    _rms(adjusted[chosen]),
                )
            )
    return found


def _rms(values: Float64Array) -> float:
    return float(np.sqrt((values**2).mean()))


def _mean_and_error(values: Float64Array) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


@dataclass(frozen=True)
class BearInStudy:
    """Settings and results of the study of the bear-in model."""

    sides: int
    points: int
    seed: int
    comparisons: list[Comparison]
    bands: list[Band]


def study_bear_in(
    sides: int,
    points: int,
    seed: int,
    progress: Callable[[float], None] = lambda done: None,
) -> BearInStudy:
    """Compare the bear-in model with an exact table and with games.

    Parameters
    ----------
    sides : int
        Number of starting positions of each kind, for the table and for the games.
    points : int
        Number of points of the exact table, at least 7.
    seed : int
        Seed of the starting positions and the dice.
    progress : callable
        Function called with the completed fraction, 0 to 1.

    Raises
    ------
    PositionError, TableError
        If there is no exact one-sided table with this number of points.
    """
    bands = against_games(sides, seed)
    progress(0.5)
    comparisons = against_table(points, sides, seed)
    progress(1.0)
    return BearInStudy(sides, points, seed, comparisons, bands)


def write_bear_in_study(study: BearInStudy, folder: str | Path) -> Path:
    """Write the page of the bear-in study into a folder; return its path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = (
        f"python -m research.bear_in --sides {study.sides} --points {study.points} "
        f"--seed {study.seed}"
    )
    parts = [
        "# Errors of the bear-in model",
        "The bear-in model estimates the EPC and the number of rolls of sides with "
        f"checkers beyond home. `{command}` compares the model's estimates with exact "
        "values and with simulated games. EPC is in pips. *Even* starting positions "
        "have their checkers spread out. *All* starting positions also include "
        "positions with stacks and gaps (see `bearoff.bear_in.games.random_sides`).",
        f"## Against the exact table of {study.points} points",
        "Errors in pips are the model's EPC minus the exact EPC. The loss per roll is "
        "the exact EPC after the model's play minus the exact EPC after the best play. "
        "The last column is the rms error of the model's standard deviation of the "
        "number of rolls.",
        markdown_table(
            ["sides", "number", "rms error, pips", "mean error", "largest",
             "loss per roll, pips", "largest loss",
             "rms error of the standard deviation of the number of rolls"],
            [
                [c.name, f"{c.sides:,}", f"{c.rms:.3f}", f"{c.bias:+.3f}",
                 f"{c.worst:.2f}", f"{c.lost:.4f}", f"{c.most_lost:.3f}",
                 f"{c.std_rms:.4f}"]
                for c in study.comparisons
            ],
        ),
        "## Against games from the whole board",
        "In each game, the model bears off one side. The table shows the mean number "
        "of rolls in the games, as EPC, minus the model's EPC, with its standard "
        "error. The column *games minus model* is corrected for the luck of the dice, "
        "and the column *uncorrected* is not. The last column is the root mean square, "
        "over the games, of the luck that the correction leaves in a game.",
        markdown_table(
            ["starts", "pips", "games", "EPC", "games minus model, pips",
             "uncorrected, pips", "remaining luck per game, pips"],
            [
                [b.name, f"{b.low} to {b.high - 1}", f"{b.games:,}", f"{b.epc:.1f}",
                 f"{b.bias:+.3f} ± {b.error:.3f}",
                 f"{b.plain:+.3f} ± {b.plain_error:.3f}", f"{b.spread:.3f}"]
                for b in study.bands
            ],
        ),
    ]  # fmt: skip
    return write_text(markdown_page(parts), folder / "bear-in.md")
