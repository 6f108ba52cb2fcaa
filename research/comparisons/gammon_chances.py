"""Errors of gammon chances by estimates and by rollouts, from full enumeration.

The winner has all checkers home and plays for the fewest rolls. The loser has 15 checkers,
most of them home. The best play of the loser is found by full enumeration, with rules that
are written again in this module. The result is compared with rollouts, and with the
estimate that answers and rollouts use.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.sim.rollouts import Goal, rollout
from bearoff.sources import gammon_chances
from research.comparisons.pages import page_parser, write_page

SEED = 20261123
GAMES = 1296
LOW, HIGH = 0.03, 0.97
"""Minimum and maximum gammon chance of the races that are compared."""

Points = tuple[int, ...]
"""Points of a side's checkers, in ascending order."""


@dataclass(frozen=True)
class Kind:
    """Class of races in which the loser's checkers are drawn at random.

    Attributes
    ----------
    name : str
    outside : tuple of int
        Minimum and maximum number of checkers outside the home board.
    highest : int
        Highest point that a checker of the loser may occupy.
    most_rolls : int
        Maximum number of rolls that the winner needs.
    least_rolls : int
        Minimum number of rolls that the winner needs.
    """

    name: str
    outside: tuple[int, int]
    highest: int
    most_rolls: int
    least_rolls: int = 0


KINDS = (
    Kind("all home", (0, 0), 6, 3),
    Kind("1 checker outside home, at most on the 12 point", (1, 1), 12, 3),
    Kind("2 checkers outside home, at most on the 12 point", (2, 2), 12, 3),
    Kind("3 or 4 checkers outside home, at most on the 10 point", (3, 4), 10, 3),
    Kind("1 or 2 checkers outside home, none beyond the 18 point", (1, 2), 18, 3),
    Kind(
        "1 checker outside home, at most on the 12 point; winner needs four rolls",
        (1, 1),
        12,
        4,
        4,
    ),
)


@cache
def plays(side: Points, roll: tuple[int, int]) -> frozenset[Points] | None:
    """Return a side's positions after all plays of a roll; None if a play bears off."""
    high, low = roll
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found: set[Points] = set()
    for order in orders:
        reached = {side}
        for die in order:
            if any((side[-1] <= 6 and die >= side[-1]) or (die in side and side[-1] <= 6)
                   for side in reached):  # fmt: skip
                return None
            reached = {
                tuple(sorted((*side[:place], point - die, *side[place + 1 :])))
                for side in reached
                for place, point in enumerate(side)
                if point > die
            }
        found |= reached
    return frozenset(found)


def gammon_lost(loser: Points, winner: Points) -> float:
    """Return the exact gammon chance with the winner on roll.

    The loser plays to save the gammon.
    """
    policy = bearoff.one_sided_table().policy

    @cache
    def lost(side: Points, number: int) -> float:
        """Return the probability that the loser is gammoned, with the winner on roll."""
        total = 0.0
        for after, weight in zip(policy[number].tolist(), bearoff.WEIGHTS, strict=True):
            total += weight * (lost_on_roll(side, after) if after else 1.0)
        return total / 36

    @cache
    def lost_on_roll(side: Points, number: int) -> float:
        """Return the probability that the loser is gammoned, with the loser on roll."""
        total = 0.0
        for roll, weight in zip(bearoff.ROLLS, bearoff.WEIGHTS, strict=True):
            reached = plays(side, roll)
            if reached is not None:
                surely = not policy[number].any()  # The opponent wins with any play.
                least = 1.0 if surely else min(lost(after, number) for after in reached)
                total += weight * least
        return total / 36

    return lost(loser, int(bearoff.rank(np.bincount(winner, minlength=7)[1:])))


def rolled_out(loser: Points, winner: Points) -> float:
    """Return the gammon chance according to a rollout, with the winner on roll."""
    sides = (bearoff.Position(tuple(_counts(side).tolist())) for side in (winner, loser))
    return rollout(bearoff.Race(*sides), Goal(0, GAMES)).gammon_won.value


def draw(kind: Kind, count: int) -> list[tuple[Points, Points]]:
    """Draw pairs of a loser and a winner, with gammon chances from `LOW` to `HIGH`."""
    rng = np.random.default_rng(SEED)
    found: list[tuple[Points, Points]] = []
    while len(found) < count:
        outside = int(rng.integers(kind.outside[0], kind.outside[1] + 1))
        chances = rng.dirichlet(np.full(6, rng.choice([0.5, 1.0, 3.0])))
        inside = rng.choice(np.arange(1, 7), bearoff.CHECKERS - outside, p=chances)
        far = rng.integers(7, kind.highest + 1, outside)
        winner = rng.integers(1, 7, rng.integers(1, 2 * kind.most_rolls))
        sides = [tuple(sorted(map(int, side))) for side in ([*inside, *far], winner)]
        number = bearoff.rank(np.bincount(winner, minlength=7)[1:])
        rolls = bearoff.one_sided_table().distribution_of(number)
        most = int(np.flatnonzero(rolls)[-1])
        if not kind.least_rolls <= most <= kind.most_rolls:
            continue
        if not LOW < _estimate(*sides) < HIGH:
            continue
        found.append((sides[0], sides[1]))
    return found


def _counts(side: Points) -> NDArray[np.int8]:
    return np.bincount(side, minlength=25)[1:].astype(np.int8)


def _estimate(loser: Points, winner: Points) -> float:
    chance = gammon_chances(_counts(winner)[None], _counts(loser)[None], on_roll=True)
    return float(chance[0])


@dataclass(frozen=True)
class Measured:
    """Gammon chances in the races of a class by three methods, with one entry per race.

    Attributes
    ----------
    kind : Kind
    best, played, estimated : ndarray of float64
        Gammon chances if the loser plays best, by rollouts, and by the program's estimate.
    """

    kind: Kind
    best: NDArray[np.float64]
    played: NDArray[np.float64]
    estimated: NDArray[np.float64]

    @property
    def cells(self) -> list[str]:
        """Statistics of a class of races, as cells of a table row."""
        lost, off = self.played - self.best, self.estimated - self.best
        share = np.abs(off) / self.best
        return [
            self.kind.name,
            f"{self.best.mean():.3f}",
            f"{lost.mean():.5f}",
            f"{np.abs(lost).max():.5f}",
            f"{np.sqrt((off**2).mean()):.4f}",
            f"{np.abs(off).max():.4f}",
            f"{np.quantile(share, 0.95):.2f}",
        ]


def measure(kind: Kind, count: int) -> Measured:
    """Compute gammon chances by enumeration, by rollouts and by the program's estimate."""
    found = []
    for loser, winner in draw(kind, count):
        best = gammon_lost(loser, winner)
        played = rolled_out(loser, winner)
        found.append((best, played, _estimate(loser, winner)))
        plays.cache_clear()
    columns = np.array(found).T
    return Measured(kind, *columns)


ISSUE = (
    (1, 1, 1, 2, 2, 2, 2),
    {
        "17/12 8/4": (1, 1, 2, 2, 3, 3, 3, 4, 6, 6, 6, 6, 8, 8, 12),
        "17/12 12/8": (1, 1, 2, 2, 3, 3, 3, 6, 6, 6, 6, 8, 8, 8, 8),
    },
)
"""Position from a match: the winner's checkers, and the loser's checkers after each of two
plays of 5-4."""


def page(found: Sequence[Measured], count: int, example: Sequence[str]) -> str:
    head = ["loser", "best", "rollout minus best, mean", "rollout minus best, largest"]
    head += ["error of the estimate, rms", "error of the estimate, largest"]
    head += [
        "error of the estimate in 95% of races, at most, as a share of the gammon chance"
    ]
    parts = [
        "# Gammon chances compared with enumeration",
        f"`python -m research.comparisons.gammon_chances` draws {count} races of each "
        "kind. The winner is on roll with all checkers home, and bears off within three "
        "rolls, or within four rolls if the row says so. The gammon chance is between "
        f"{LOW:.0%} and {HIGH:.0%}. The column *best* shows the loser's mean chance of "
        "losing a gammon with the best play. *Rollout minus best* shows how much larger "
        f"the chance of losing a gammon is in a rollout of {GAMES:,} games. The last "
        "three columns show the error of the estimate that answers give without a "
        "rollout: its root mean square, its maximum, and its bound for 95% of the races "
        "as a share of the gammon chance.",
        markdown_table(head, [one.cells for one in found]),
    ]
    return markdown_page([*parts, *example])


def of_the_match() -> list[str]:
    """Return a section with the exact gammon chances after two plays from a match."""
    winner, after = ISSUE
    rows = []
    for name, loser in after.items():
        cells = gammon_lost(loser, winner), _estimate(loser, winner)
        rows.append([name, *(f"{cell:.3f}" for cell in cells)])
    return [
        "## A play from a match",
        "The loser has checkers on the points 1,1,2,2,3,3,3,6,6,6,6,8,8,8,17 and plays "
        "5-4 against 1,1,1,2,2,2,2. eXtreme Gammon at two plies finds chances of 18.4% "
        "and 31.2% of losing a gammon after the two plays.",
        markdown_table(
            ["play", "chance of losing a gammon, best play", "estimate of this chance"],
            rows,
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/rollouts/gammon-chances.md"))
    parser.add_argument(
        "--races", type=int, default=20, metavar="N", help="races of each class"
    )
    options = parser.parse_args(arguments)
    found = []
    for kind in KINDS:
        found.append(measure(kind, options.races))
        print(found[-1].cells, flush=True)
    write_page(page(found, options.races, of_the_match()), options.write)


if __name__ == "__main__":
    main()
