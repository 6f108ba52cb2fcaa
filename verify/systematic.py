"""How far rollouts are from exact values however many games they play.

Run as ``python -m verify.systematic``; ``--write`` keeps the page. Races that a table holds
are rolled out as if it did not: into a smaller one, or into one that holds them once both
sides are home. Sides are drawn evenly by checker. The tables must fit the cache: that of 15
checkers must be built, the others are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import bear_in, widen
from sim.rollouts import (
    Goal,
    Techniques,
    ValueModel,
    estimate,
    match_rollout,
    on_24_points,
    sums,
)
from verify.common.report import leave, page_parser

SEED = 20261122
GAMES = 7776
LOW, HIGH = 0.15, 0.9
"""Win probabilities between which the cube may matter."""

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
    """

    points: int
    checkers: int
    least: int
    into: int


KINDS = (
    Kind(6, 5, 3, 0),
    Kind(6, 8, 6, 0),
    Kind(6, 15, 9, 0),
    Kind(6, 15, 9, 6),
    Kind(6, 15, 9, 8),
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


def draw(kind: Kind, exact: bearoff.TwoSidedTable, count: int) -> NDArray[np.int8]:
    """Draw races of a kind, shape (count, 2, 24)."""
    rng = np.random.default_rng(SEED)
    found: list[NDArray[np.int8]] = []
    while len(found) < count:
        sides = [
            np.bincount(rng.integers(0, kind.points, n), minlength=kind.points)
            for n in rng.integers(kind.least, kind.checkers + 1, 2)
        ]
        chance = float(exact.win_probability(*(bearoff.rank(side) for side in sides)))
        beyond = kind.points > bearoff.POINTS
        if LOW < chance < HIGH and not (beyond and not np.any(sides, axis=0)[6:].any()):
            found.append(widen(sides))
    return np.array(found)


AT_SCORES = (Kind(6, 5, 3, 0), Kind(6, 8, 6, 0))
SCORES = ((2, 4), (4, 2), (3, 5), (5, 3), (7, 7), (9, 5))


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


def at_scores(kind: Kind, count: int, games: int = GAMES) -> tuple[list[str], list[str]]:
    """Return root mean squares of no double and of double, take at `SCORES`, in EMG."""
    drawn = draw(kind, table_of(kind.checkers), count)
    found: tuple[list[str], list[str]] = [], []
    for away in SCORES:
        exact = bearoff.match_table(kind.checkers, away)
        off = np.empty((2, count))
        for row, sides in enumerate(drawn):
            positions = (bearoff.Position(tuple(side.tolist())) for side in sides)
            race = bearoff.Race(*positions, score=exact.score)
            answer = match_rollout(race, Goal(0, games), seed=SEED, workers=1)
            assert answer.action is not None
            pair = [bearoff.rank(side[: kind.points]) for side in sides]
            right = exact.no_double(*pair), exact.double_take(*pair)
            estimates = answer.value, answer.action.double_take
            for k, (found_one, chance) in enumerate(zip(estimates, right, strict=True)):
                emg = float(exact.equities.emg(float(chance), exact.score))
                off[k, row] = (found_one.value - emg) ** 2 - found_one.standard_error**2
        for cells, squares in zip(found, off, strict=True):
            cells.append(f"{max(squares.mean(), 0) ** 0.5:.4f}")
    return found


def page_at_scores(count: int) -> str:
    """Write what is measured at scores."""
    lines = [
        "",
        "## At scores",
        "",
        f"{count} of the races of 3 to 5 and of 6 to 8 checkers, into no table, in EMG.",
        "",
        f"| checkers | | {' | '.join('{}-{}'.format(*away) for away in SCORES)} |",
        f"|:---|:---|{'---:|' * len(SCORES)}",
    ]
    for kind in AT_SCORES:
        cells = at_scores(kind, count)
        for name, row in zip(("no double", "double, take"), cells, strict=True):
            of = f"{kind.least} to {kind.checkers}"
            lines.append(f"| {' | '.join([of, name, *row])} |")
    return "\n".join(lines) + "\n"


def page(found: Sequence[Measured], count: int) -> str:
    """Write the page."""
    lines = [
        "# How far rollouts are off however many games they play",
        "",
        f"{count} races of each kind, {GAMES:,} games each, beside exact tables; from "
        "`python -m verify.systematic`. Root mean square differences, the "
        "standard error taken off, and the largest; *EPC* is the mean of the shorter side.",
        "",
        "| races | into the table of | EPC | " + " | ".join(NAMES) + " | largest |",
        "|:---|:---|---:|---:|---:|---:|---:|---:|",
    ]
    for one in found:
        kind = one.kind
        least = f"{kind.least} to " if kind.least < kind.checkers else ""
        races = f"{least}{kind.checkers} checkers on {kind.points} points"
        into = f"{kind.into} checkers" if kind.into else "none"
        cells = [races, into, f"{one.epc:.0f}", *(f"{rms:.4f}" for rms in one.rms)]
        lines.append(f"| {' | '.join([*cells, f'{max(one.worst):.3f}'])} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure all kinds and print the page."""
    parser = page_parser(__doc__, Path("results/rollouts/systematic.md"))
    parser.add_argument("--races", type=int, default=60, metavar="N", help="Of each kind.")
    parser.add_argument("--scores", action="store_true", help="Only at scores.")
    options = parser.parse_args(arguments)
    scores = page_at_scores(options.races // 3)
    print(scores, flush=True)
    found = []
    for kind in () if options.scores else KINDS:
        found.append(measure(kind, options.races))
        print(found[-1], flush=True)
    text = page(found, options.races) + scores
    leave(text, options.write)


if __name__ == "__main__":
    main()
