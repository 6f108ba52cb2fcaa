"""Equity lost because rollouts evaluate only the plays that the fast model selects.

Rollouts evaluate only plays that are nearly best according to the fast model. In this
measurement, exact values take the place of rollouts. A loss by the best selected play is
therefore caused by the selection alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import bearoff
from bearoff import MatchTable
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.answers import Judge
from bearoff.rolls import ROLLS
from bearoff.scores import Game
from bearoff.sources import Kind, Races, TableSource, play_values, plays_of
from bearoff.stakes import Cube
from research.comparisons.pages import page_parser, write_page

SEED = 20261123
CHECKERS = 6

SCORES: tuple[tuple[tuple[int, int], Game], ...] = (
    ((2, 4), "normal"),
    ((4, 2), "normal"),
    ((3, 5), "normal"),
    ((7, 7), "normal"),
    ((3, 1), "crawford"),
    ((1, 4), "crawford"),
    ((1, 3), "post-crawford"),
    ((4, 1), "post-crawford"),
    ((1, 1), "normal"),
)

CUBES: tuple[tuple[Cube, int], ...] = (("centred", 1), ("owned", 2), ("opponent", 2))


class Looked(TableSource[MatchTable]):
    """Table of exact values that the program treats as if they were rolled out."""

    kind: Kind = "rollout"


@dataclass(frozen=True)
class Lost:
    """Equity, in EMG, that the plays chosen by the program lose in one kind of races.

    Attributes
    ----------
    kind : tuple of str
        Match score, and state of the cube.
    losses : ndarray of float64, shape (races,)
    """

    kind: tuple[str, str]
    losses: np.ndarray


def races_at(
    away: tuple[int, int], game: Game, cube: Cube, value: int, count: int
) -> Iterator[bearoff.Race]:
    """Draw random races with dice, at a match score and with a given state of the cube."""
    rng = np.random.default_rng((SEED, *away, len(game), len(cube)))
    for _ in range(count):
        sides = (
            np.bincount(rng.integers(0, bearoff.POINTS, n), minlength=bearoff.POINTS)
            for n in rng.integers(2, CHECKERS + 1, 2)
        )
        yield bearoff.Race(
            *(bearoff.Position(tuple(side.tolist())) for side in sides),
            cube=cube,
            cube_value=value,
            score=bearoff.Score(away, game),
            dice=ROLLS[rng.integers(len(ROLLS))],
        )


def lost(judge: Judge, source: TableSource[MatchTable], race: bearoff.Race) -> float:
    """Return the equity that the program's first play loses against the best play."""
    races = Races.of([race])
    rows, sides = plays_of(races.rollers, np.array([ROLLS.index(race.dice)]))
    exact = play_values(TableSource(source.table), races, rows, sides)
    first = judge.answer(race, source=source).plays[0]
    after = np.array(first.play.after.counts, dtype=np.int8)
    chosen = (sides[:, : len(after)] == after).all(axis=1)
    loss = float(exact.equities.max() - exact.equities[chosen][0])
    return loss if loss > exact.tie else 0.0


def measure(count: int) -> list[Lost]:
    """Measure the equity lost in random races, for each match score and cube owner."""
    judge, found = Judge(()), []
    for away, game in SCORES:
        source = Looked(bearoff.match_table(CHECKERS, away, game))
        score = bearoff.Score(away, game)
        for cube, value in CUBES if score.has_cube else CUBES[:1]:
            races = races_at(away, game, cube, value, count)
            losses = np.array([lost(judge, source, race) for race in races])
            name = cube if value == 1 else f"{cube}, at {value}"
            found.append(Lost((str(score), name), losses))
    return found


def page(found: Sequence[Lost]) -> str:
    races = sum(len(one.losses) for one in found)
    worst = max(float(one.losses.max()) for one in found)
    rows = [
        [
            *one.kind,
            *(str(len(one.losses)), str(np.count_nonzero(one.losses))),
            *(f"{one.losses.mean():.6f}", f"{one.losses.max():.4f}"),
        ]
        for one in found
    ]
    head = [
        "score",
        "cube",
        "races",
        "races in which the best play was not among the few",
        "mean loss",
    ]
    parts = [
        "# Selection of plays for rollouts at match scores",
        "For a given roll, a rollout compares only a few plays, which the fast model "
        "selects. `python -m research.comparisons.screening` measures how much the best "
        "of these plays loses compared with the best of all plays, in EMG. All values "
        f"are exact. Each of the {races:,} races has a roll to play, and 2 to {CHECKERS} "
        f"checkers a side, all at home. The largest loss is {worst:.4f}.",
        markdown_table([*head, "largest loss"], rows),
    ]
    return markdown_page(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/agreement/screening.md"))
    parser.add_argument(
        "--races",
        type=int,
        default=175,
        metavar="N",
        help="number of races for each score and state of the cube",
    )
    options = parser.parse_args(arguments)
    write_page(page(measure(options.races)), options.write)


if __name__ == "__main__":
    main()
