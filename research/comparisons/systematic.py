"""How far rollouts are from exact values however many games they play.

Races that a table holds are rolled out as if it did not: into a smaller one, or into one
that holds them once both sides are home. Sides are drawn evenly by checker. The tables
must fit the cache: that of 15 checkers must be built, the others are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.bear_in import bear_in, widen
from bearoff.sim.rollouts import (
    Goal,
    Techniques,
    ValueModel,
    estimate,
    on_24_points,
    rollout,
    sums,
)
from research.comparisons.pages import page_parser, write_page

SEED = 20261122
GAMES = 7776
LOW, HIGH = 0.15, 0.9
"""Win probabilities between which the cube may matter."""

Float64Array = NDArray[np.float64]

MOST_SOLVED = 8
"""Checkers up to which a whole table is solved at a score."""

NAMES = ("win probability", "no double", "no redouble", "double, take")


@dataclass(frozen=True)
class Kind:
    """Races of one kind: where checkers stand, and where their games stop.

    Attributes
    ----------
    points, checkers : int
        Of the table with the exact values.
    least : int
        Fewest checkers of a side.
    into : int
        Checkers of the table of six points that games stop in; 0 for none.
    times : int
        How many times as many races are rolled out; the fewer checkers, the more differ.
    """

    points: int
    checkers: int
    least: int
    into: int
    times: int = 1


KINDS = (
    Kind(6, 5, 3, 0),
    Kind(6, 8, 6, 0),
    Kind(6, 15, 9, 0),
    Kind(6, 15, 9, 6),
    Kind(6, 15, 9, 8),
    Kind(12, 3, 1, 3, 3),
    Kind(12, 4, 4, 4),
    Kind(12, 5, 5, 5),
    Kind(9, 6, 6, 6),
    Kind(8, 8, 8, 8),
)


def table_of(checkers: int, points: int = 6) -> bearoff.TwoSidedTable:
    """Open a table, built unless it is there or large."""
    if checkers < bearoff.CHECKERS:
        bearoff.build_two_sided_table(checkers, points=points)
    return bearoff.two_sided_table(checkers, points)


def draw(
    kind: Kind, exact: bearoff.TwoSidedTable | bearoff.MatchTable | None, count: int
) -> NDArray[np.int8]:
    """Draw races of a kind, shape (count, 2, 24), that either side may win.

    By the chances of a table or, all home, of fewest-rolls play.
    """
    rng = np.random.default_rng(SEED)
    found: list[NDArray[np.int8]] = []
    while len(found) < count:
        sides = [
            np.bincount(rng.integers(0, kind.points, n), minlength=kind.points)
            for n in rng.integers(kind.least, kind.checkers + 1, 2)
        ]
        pair = [bearoff.rank(side) for side in sides]
        chance = float(
            bearoff.fewest_rolls_win_probability(*pair)
            if exact is None
            else exact.win_probability(*pair)
        )
        beyond = kind.points > bearoff.POINTS
        if LOW < chance < HIGH and not (beyond and not np.any(sides, axis=0)[6:].any()):
            found.append(widen(sides))
    return np.array(found)


AT_SCORES = (
    Kind(6, 5, 3, 0),
    Kind(6, 8, 6, 0),
    Kind(6, 10, 10, 0),
    Kind(6, 8, 7, 6),
    Kind(6, 10, 10, 6),
    Kind(12, 3, 1, 3, 3),
    Kind(12, 4, 4, 4),
    Kind(9, 6, 6, 6),
    Kind(8, 8, 8, 6),
)
SCORES = ((2, 4), (4, 2), (3, 5), (5, 3), (7, 7), (9, 5))
FEW_SCORES = ((3, 5), (7, 7))
"""For kinds whose exact values take long."""

SURE = 1.96
"""Standard errors within which 95% of normal estimates lie."""


@dataclass(frozen=True)
class Measured:
    """What was found of a kind: root mean squares, the standard error taken off.

    Attributes
    ----------
    kind : Kind
        Of the races.
    epc : float
        Mean EPC of the shorter side, in pips.
    rms, worst : tuple of float
        By `NAMES`.
    """

    kind: Kind
    epc: float
    rms: tuple[float, ...]
    worst: tuple[float, ...]


def measure(kind: Kind, count: int, games: int = GAMES) -> Measured:
    """Roll races of a kind out and compare them with the exact values."""
    exact = table_of(kind.checkers, kind.points)
    values = ValueModel(table_of(kind.into) if kind.into else None, Techniques())
    count *= kind.times
    races = draw(kind, exact, count)
    differences, squares = np.empty((count, 4)), np.empty((count, 4))
    scale = np.array([0.5, 1.0, 1.0, 2.0])
    for row, sides in enumerate(races):
        race = on_24_points(
            bearoff.Race(*(bearoff.Position(tuple(side.tolist())) for side in sides))
        )
        found = sums.Moments.of(
            estimate.play_to(values, race, Goal(0, games), SEED, 1),
            estimate.model_values(values, race),
        )
        x, y = (bearoff.rank(side[: kind.points]) for side in sides)
        right = [
            2 * exact.win_probability(x, y) - 1,
            exact.no_double(x, y, "centred"),
            exact.no_double(x, y, "owned"),
            exact.equity(x, y, "opponent"),
        ]
        differences[row] = (found.means[:4] - np.array(right, dtype=float)) * scale
        squares[row] = found.covariance.diagonal()[:4] * scale**2
    rms = np.sqrt(np.maximum((differences**2 - squares).mean(axis=0), 0))
    epc = bear_in().epc(races).min(axis=1).mean()
    return Measured(
        kind,
        float(epc),
        tuple(rms.tolist()),
        tuple(np.abs(differences).max(axis=0).tolist()),
    )


@dataclass(frozen=True)
class AtScores:
    """What was found of a kind at scores.

    Attributes
    ----------
    kind : Kind
        Of the races.
    epc : float
        Mean EPC of the shorter side, in pips.
    within : tuple of float
        Of the win probability, no double and double, take, in EMG: what 95% of the
        differences stay within, the standard error taken off, over `SURE`.
    worst : float
        The largest difference in EMG.
    covered : float
        Share of 95% intervals by the errors that rollouts state that hold the exact value.
    """

    kind: Kind
    epc: float
    within: tuple[float, float, float]
    worst: float
    covered: float


def at_scores(kind: Kind, count: int, games: int = GAMES) -> AtScores:
    """Roll races of a kind out at scores, where the cube is alive, and compare them."""
    rows: list[tuple[Float64Array, Float64Array, Float64Array]] = []
    epcs = []
    few = kind.checkers >= bearoff.CHECKERS - 5 or kind.points * kind.checkers >= 64
    for away in FEW_SCORES if few else SCORES:
        score = bearoff.Score(away)
        into = bearoff.match_table(kind.into, away) if kind.into else None
        for sides in draw_at_score(kind, count * kind.times):
            positions = (bearoff.Position(tuple(side.tolist())) for side in sides)
            race = bearoff.Race(*positions, score=score)
            exact = exact_at_score(kind, race, away)
            answer = rollout(race, Goal(0, games), seed=SEED, table=into, workers=1)
            assert answer.action is not None
            pair = [bearoff.rank(side[: kind.points]) for side in sides]
            estimates = answer.win_probability, answer.value, answer.action.double_take
            chances = float(exact.no_double(*pair)), float(exact.double_take(*pair))
            right = [
                float(exact.win_probability(*pair)),
                *(float(exact.equities.emg(chance, score)) for chance in chances),
            ]
            off = np.array([one.value for one in estimates]) - np.array(right)
            if away[1] <= 2:  # The opponent has no use for the cube once it is taken.
                off[2] = np.nan
            error = np.array([one.standard_error for one in estimates])
            stated = np.array([one.systematic_error or 0.0 for one in estimates])
            rows.append((off, error, stated))
            epcs.append(bear_in().epc(sides).min())
    off, error, stated = np.array(rows).transpose(1, 0, 2)
    squares = np.nanquantile((off / SURE) ** 2 - error**2, 0.95, axis=0)
    known = ~np.isnan(off[:, 1:])
    inside = (np.abs(off) <= SURE * np.hypot(error, stated))[:, 1:]
    return AtScores(
        kind,
        float(np.mean(epcs)),
        tuple(np.sqrt(np.maximum(squares, 0)).tolist()),
        float(np.nanmax(np.abs(off[:, 1:]))),
        float(inside[known].mean()),
    )


def draw_at_score(kind: Kind, count: int) -> NDArray[np.int8]:
    """Draw races of a kind; by fewest-rolls chances where no table is built in passing."""
    if kind.checkers <= MOST_SOLVED:
        exact = bearoff.match_table(kind.checkers, FEW_SCORES[0], points=kind.points)
        return draw(kind, exact, count)
    return draw(kind, None, count)


def exact_at_score(
    kind: Kind, race: bearoff.Race, away: tuple[int, int]
) -> bearoff.MatchTable:
    """Return what holds the exact values of a race at a score."""
    if kind.checkers <= MOST_SOLVED:
        return bearoff.match_table(kind.checkers, away, points=kind.points)
    return bearoff.match_race(race.on_points(bearoff.POINTS), away)


def page_at_scores(count: int) -> list[str]:
    """Write what is measured at scores."""
    scores = ", ".join("{}-{}".format(*away) for away in SCORES)
    rows = []
    for kind in AT_SCORES:
        found = at_scores(kind, count)
        print(found, flush=True)
        cells = [*_of(kind), f"{found.epc:.0f}", *(f"{one:.4f}" for one in found.within)]
        rows.append([*cells, f"{found.worst:.3f}", f"{found.covered:.1%}"])
    head = [*_RACES, "win probability", "no double", "double, take", "largest", "covered"]
    return [
        "## At scores",
        f"{count} races of each kind at each of {scores} (where exact values take long, "
        "only at 3-5 and 7-7), in EMG. Differences have long tails, so what is stated is "
        "not their root mean square, but what 95% of them stay within, over 1.96, the "
        "standard error taken off; *covered* is the share of 95% intervals, by the errors "
        "that rollouts state, that hold the exact equity.",
        markdown_table(head, rows),
    ]


_RACES = "races", "into the table of", "EPC"


def _of(kind: Kind) -> tuple[str, str]:
    """Say which races a kind has, and which table their games stop in."""
    least = f"{kind.least} to " if kind.least < kind.checkers else ""
    races = f"{least}{kind.checkers} checkers on {kind.points} points"
    return races, f"{kind.into} checkers" if kind.into else "none"


def page(found: Sequence[Measured], count: int, scores: Sequence[str] = ()) -> str:
    """Write the page."""
    rows = []
    for one in found:
        cells = [*_of(one.kind), f"{one.epc:.0f}", *(f"{rms:.4f}" for rms in one.rms)]
        rows.append([*cells, f"{max(one.worst):.3f}"])
    parts = [
        "# The error of rollouts that no number of games removes",
        f"{count} races of each kind, three times as many of the shortest beyond home, "
        f"{GAMES:,} games each, beside exact tables; from "
        "`python -m research.comparisons.systematic`. Root mean square differences, the "
        "standard error taken off, and the largest; *EPC* is the mean of the shorter side.",
        markdown_table([*_RACES, *NAMES, "largest"], rows),
    ]
    return markdown_page([*parts, *scores])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure all kinds and print the page."""
    parser = page_parser(__doc__, Path("results/rollouts/systematic.md"))
    parser.add_argument("--races", type=int, default=60, metavar="N", help="Of each kind.")
    parser.add_argument("--scores", action="store_true", help="Only at scores.")
    options = parser.parse_args(arguments)
    scores = page_at_scores(options.races // 3)
    print(*scores, sep="\n\n", flush=True)
    found = []
    for kind in () if options.scores else KINDS:
        found.append(measure(kind, options.races))
        print(found[-1], flush=True)
    write_page(page(found, options.races, scores), options.write)


if __name__ == "__main__":
    main()
