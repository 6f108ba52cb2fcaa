"""Errors of the fast race model at match scores, compared with exact tables.

Pairs of at most eight checkers a side with similar pip counts are compared with values that
another solver computes in float64. In longer races, the model is more accurate, because
positions with equal pip counts differ less.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import Position, Race, Score, match_table, position_count, unrank
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.answers import Judge
from bearoff.sources import ModelSource, Races, TableSource
from bearoff.stakes import CubeOwner, Match, Terms, Values
from research.comparisons.pages import page_parser, write_page
from research.stated_errors import (
    CHECKERS as MOST_CHECKERS,
    EPC,
    REFERENCE,
    open_races,
    unusual_races,
    zones_of,
)

Int8Array = NDArray[np.int8]

CHECKERS, PAIRS, SEED = 8, 4000, 1

FEWEST = 100
"""Minimum number of compared values in a class of races that the table lists."""

LEAST = 4
"""Minimum number of checkers per side."""

PAGE = Path("results/race-model/at-scores.md")

UNUSUAL, UNUSUAL_SEED = 40_000, 20261128
"""Number of random unusual races from which races are chosen, and their random seed."""

AT_HOME, BEYOND = 150, 60
"""Maximum number of races in each class, with all checkers home and with checkers outside
home.
"""

FEW, PATIENCE = 6, 1.0
"""Maximum number of checkers per side in races with checkers outside home, and time limit
in seconds for solving such a race."""

SOLVED = (Score((3, 5)), Score((7, 7)), Score((2, 4)))
"""Match scores at which races with checkers outside home are solved."""

CASES = tuple(
    (Score(away, game), cube, value)
    for away, game in (
        ((2, 4), "normal"),
        ((4, 2), "normal"),
        ((3, 5), "normal"),
        ((7, 7), "normal"),
        ((3, 1), "post-crawford"),
        ((1, 3), "crawford"),
    )
    for cube, value in (("centred", 1), ("owned", 2), ("opponent", 2))
    if game != "crawford" or value == 1
)
"""Match scores, owners of the cube and cube values that are tested."""


@dataclass(frozen=True)
class Errors:
    """Errors of the model at one score and state of the cube, in EMG.

    Attributes
    ----------
    pairs : int
        Number of pairs compared.
    no_double, double_take : (float, float, float)
        Root mean square error, maximum error, and mean stated error.
    beyond : float
        Proportion of values whose error exceeds the stated error.
    agree : float
        Proportion of the model's decisions to double and to take that agree with the exact
        values.
    cost : float
        Mean cost of the model's doubles and takes, per decision.
    """

    pairs: int
    no_double: tuple[float, float, float]
    double_take: tuple[float, float, float]
    beyond: float
    agree: float
    cost: float


def drawn(count: int, rng: np.random.Generator) -> tuple[Int8Array, Int8Array]:
    """Draw races at home in which the two pip counts are close."""
    found: list[tuple[Int8Array, Int8Array]] = []
    points = np.arange(1, 7)
    while sum(len(x) for x, _ in found) < count:
        numbers = rng.integers(1, position_count(6, CHECKERS), (2, count))
        x, y = (unrank(side, 6, 15).astype(np.int8) for side in numbers)
        enough = (x.sum(axis=1) >= LEAST) & (y.sum(axis=1) >= LEAST)
        lead = np.abs(x @ points - y @ points)
        near = enough & (lead <= 0.2 * (x @ points) + 4)
        found.append((x[near], y[near]))
    sides = (np.concatenate(side)[:count] for side in zip(*found, strict=True))
    wide = (np.pad(side, ((0, 0), (0, 18))) for side in sides)
    return next(wide), next(wide)


def compare(score: Score, cube: str, value: int, pairs: int = PAIRS) -> Errors:
    """Compare the fast race model with the exact values at a match score."""
    rollers, opponents = drawn(pairs, np.random.default_rng(SEED))
    owners = np.full(pairs, CubeOwner.of(cube), dtype=np.int8)
    races = Races(rollers, opponents, owners, Terms(Match(score), value))
    exact = TableSource(match_table(CHECKERS, score.away, score.game)).values(races)
    model = ModelSource().values(races)
    costs = np.array(list(_costs(model, exact)))
    off = model.no_double - exact.no_double, model.double_take - exact.double_take
    stated = model.no_double_error, model.double_take_error
    known = [~np.isnan(part) for part in off]
    beyond = [
        np.abs(part[at]) > error[at]
        for part, error, at in zip(off, stated, known, strict=True)
    ]
    return Errors(
        pairs,
        _measured(off[0], stated[0]),
        _measured(off[1], stated[1]),
        float(np.concatenate(beyond).mean()),
        float((costs == 0).mean()) if costs.size else 1.0,
        float(costs.mean()) if costs.size else 0.0,
    )


def _costs(model: Values, exact: Values) -> Iterator[NDArray[np.float64]]:
    """Yield the equity lost by the model's doubling decisions, and then by its takes."""
    if exact.may_double.any():
        yield np.where(model.doubles, exact.wrong_double, exact.missed_double)
        yield np.where(model.takes, exact.wrong_take, exact.wrong_pass)


def _measured(
    off: NDArray[np.float64], stated: NDArray[np.float64]
) -> tuple[float, float, float]:
    off, stated = off[~np.isnan(off)], stated[~np.isnan(off)]
    if not off.size:
        return (np.nan,) * 3
    return (
        float(np.sqrt((off**2).mean())),
        float(np.abs(off).max()),
        float(stated.mean()),
    )


def drawn_by_zone() -> tuple[Int8Array, NDArray[np.intp]]:
    """Draw unusual races that were not used to fit the model, and return their zones too.

    Returns
    -------
    sides : ndarray of int8, shape (n, 2, 24)
    zones : ndarray of int64, shape (n, 3)
        Class of each race, as three numbers: whether a checker is outside home, the index
        of the class by number of checkers, and the index of the class by EPC.
    """
    known = {one.tobytes() for one in np.load(REFERENCE)["sides"]}
    sides = open_races(unusual_races(UNUSUAL, UNUSUAL_SEED))
    places, epcs, few = zones_of(sides)
    zones = np.array([places > 0, few, epcs], dtype=np.intp).T
    most = np.where(zones[:, 0] > 0, FEW, CHECKERS)
    seen: Counter[tuple[int, ...]] = Counter()
    kept = []
    for row in np.flatnonzero(sides.sum(axis=2).max(axis=1) <= most):
        zone = tuple(zones[row].tolist())
        if sides[row].tobytes() not in known and seen[zone] < (
            BEYOND if zone[0] else AT_HOME
        ):
            seen[zone] += 1
            kept.append(row)
    return sides[kept], zones[kept]


def ratios_of(found: Values, exact: Values) -> NDArray[np.float64]:
    """Return actual errors divided by stated errors, for no double and for double/take."""
    return np.array(
        [
            np.abs(found.no_double - exact.no_double) / found.no_double_error,
            np.abs(found.double_take - exact.double_take) / found.double_take_error,
        ]
    )


def measured_by_zone() -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the ratios of actual to stated errors in unusual races, with their zones."""
    sides, zones = drawn_by_zone()
    home = zones[:, 0] == 0
    found, of = [], []
    mine, theirs = (np.ascontiguousarray(side) for side in sides[home].swapaxes(0, 1))
    for score, cube, value in CASES:
        owners = np.full(len(mine), CubeOwner.of(cube), dtype=np.int8)
        races = Races(mine, theirs, owners, Terms(Match(score), value))
        table = TableSource(match_table(CHECKERS, score.away, score.game))
        found.append(ratios_of(ModelSource().values(races), table.values(races)))
        of.append(zones[home])
    judge = Judge((), patience=PATIENCE)
    for one, zone in zip(sides[~home], zones[~home], strict=True):
        positions = [Position(tuple(side.tolist())) for side in one]
        for score in SOLVED:
            race = Race(*positions, score=score)
            source = judge.source(race)
            if source is judge.model:
                break
            races = judge.races([race])
            found.append(ratios_of(judge.model.values(races), source.values(races)))
            of.append(zone[None])
    return np.concatenate(found, axis=1), np.concatenate(of)


def table_by_zone() -> str:
    """Return a table of how often errors exceed the stated errors, by class of races."""
    ratios, zones = measured_by_zone()
    checkers, epcs = pairwise((0, *MOST_CHECKERS)), list(pairwise((0, *EPC, np.inf)))
    names = [f"{low + 1} to {high}" for low, high in checkers]
    rows = []
    for beyond, few, band in np.ndindex(2, len(names), len(epcs)):
        at = np.all((beyond, few, band) == zones, axis=1)
        if at.sum() < FEWEST:
            continue
        low, high = epcs[band]
        cells = [("home", "beyond")[beyond], names[few], f"{low:g} to {high:g}"]
        cells.append(f"{at.sum():,}")
        for part in ratios:
            values = part[at & ~np.isnan(part)]
            cells += [f"{(values > k).mean():.1%}" if len(values) else "-" for k in (1, 2)]
        rows.append(cells)
    head = ["farthest checker", "checkers", "EPC", "values"]
    head += ["no double: above the stated error", "above twice this error"]
    head += ["double/take: above the stated error", "above twice this error"]
    return markdown_table(head, rows)


def page() -> str:
    head = ["score, roller first", "cube", "no double, rms", "largest", "stated"]
    head += ["double/take, rms", "largest", "stated", "beyond", "decided alike"]
    rows = []
    for score, cube, value in CASES:
        found = compare(score, cube, value)
        errors = [f"{part:.4f}" for part in (*found.no_double, *found.double_take)]
        shares = f"{found.beyond:.2%}", f"{found.agree:.2%}", f"{found.cost:.5f}"
        cells = [str(score), f"{cube}, {value}", *errors, *shares]
        rows.append([cell.replace("nan", "-") for cell in cells])
    return markdown_page(
        [
            "# The fast model at scores",
            "`python -m research.comparisons.model_at_scores --write` compares the "
            f"fast model with exact values in {PAIRS:,} random pairs of {LEAST} to "
            f"{CHECKERS} checkers a side (seed {SEED}). The two pip counts of a pair "
            "differ by at most a fifth of the roller's pip count, plus 4. The errors "
            "and costs are in normalised equity (EMG).",
            markdown_table([*head, "cost of a decision"], rows),
            "In a row, *stated* is the error that the program shows with an answer, and "
            "*beyond* is the share of values whose error exceeds the stated error. "
            "*Decided alike* is the share of decisions to double or to take in which "
            "the model and the exact values agree. The last column is the mean cost, in "
            "EMG, of a decision to double or to take that follows the model.",
            "## By zone",
            "The table shows how often errors exceed the stated error, and twice the "
            "stated error, in unusual races (with stacks, gaps, or one or two checkers "
            "left behind). These races were not used to fit the model or its stated "
            f"errors (seed {UNUSUAL_SEED}). Races at home are compared at all scores "
            "and cube positions of the first table. Races beyond home have at most "
            f"{FEW} checkers a side, and are solved with a centred cube at "
            f"{', '.join(str(score) for score in SOLVED)}. *Checkers* is the number of "
            "checkers of the side that has more, and *EPC* is the smaller of the two "
            "sides' EPCs.",
            table_by_zone(),
        ]
    )


def main(arguments: list[str] | None = None) -> None:
    options = page_parser(__doc__, PAGE).parse_args(arguments)
    write_page(page(), options.write)


if __name__ == "__main__":
    main()
