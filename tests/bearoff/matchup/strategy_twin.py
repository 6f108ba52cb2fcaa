"""Simple solver of games between two given strategies, in exact fractions.

A side is a tuple of its checkers' points, as in `oracles.reference`. Values are equities of
the side on roll before its turn. After each turn, the two sides are exchanged. The cube is
"centred", "mine" or "his".
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import SimpleNamespace

import numpy as np

from bearoff.matchup.strategies import CubeDecision
from oracles.reference import (
    THROWS,
    Checkers,
    checkers_of,
    fewest_rolls_play,
    paper_list,
    successors,
)

Plays = Callable[[Checkers, int, int], Iterable[Checkers]]
FLIPPED = {"centred": "centred", "mine": "his", "his": "mine"}


@dataclass(frozen=True)
class Lots:
    """`CubeStrategy` with random but reproducible decisions."""

    seed: int

    @property
    def name(self):
        return f"lots {self.seed}"

    def at(self, roller, opponent):
        """Return whether to double, redouble and take."""
        lot = random.Random(f"{self.seed} {roller} {opponent}")
        return lot.random() < 0.4, lot.random() < 0.4, lot.random() < 0.6

    def decide(self, rollers, opponents):
        pairs = zip(rollers.tolist(), opponents.tolist(), strict=True)
        answers = [self.at(checkers_of(tuple(x)), checkers_of(tuple(y))) for x, y in pairs]
        return CubeDecision(*np.array(answers, dtype=np.bool_).reshape(-1, 3).T)


@dataclass(frozen=True, eq=False)
class Twin:
    """Player with given plays and cube decisions.

    The function `decides` makes the cube decisions; if it is None, the best decisions are
    made.
    """

    plays: Plays
    decides: Callable[[Checkers, Checkers], tuple[bool, bool, bool]] | None


@cache
def fewest_rolls(position, first, second):
    return [fewest_rolls_play(position, first, second)]


@cache
def clumsy(position, first, second):
    """Return the play that leads to the highest position number."""
    ends = successors(position, first, second)
    return [max(ends, key=lambda end: paper_list(end, len(position)))]


GAMMON = SimpleNamespace(checkers=15, jacoby=False)
"""Number of checkers at the start, and whether the Jacoby rule applies."""


def value(me, him, x, y, cube):
    return turn(me, him, x, y, cube)[0]


@cache
def turn(me, him, x, y, cube):
    """Return the equity of the player on roll, whether to double, and whether to take."""
    if not x or not y:
        gammon = len(x or y) == GAMMON.checkers
        points = 1 + (gammon and not (GAMMON.jacoby and cube == "centred"))
        return Fraction(points if not x else -points), False, False
    waiting = mean(me, him, x, y, cube)
    taken = 2 * mean(me, him, x, y, "his")
    takes = taken <= 1 if him.decides is None else him.decides(x, y)[2]
    doubled = taken if takes else Fraction(1)
    if cube == "his":
        return waiting, False, takes
    if me.decides is None:
        turns = doubled >= waiting
    else:
        turns = me.decides(x, y)[0 if cube == "centred" else 1]
    return (doubled if turns else waiting), turns, takes


@cache
def mean(me, him, x, y, cube):
    total = Fraction(0)
    for first, second in THROWS:
        if first <= second:  # a roll other than a double occurs in two ways
            ends = me.plays(x, first, second)
            worst = min(value(him, me, y, end, FLIPPED[cube]) for end in ends)
            total -= worst * (1 + (first < second))
    return total / 36


def decisions(me, him):
    """Return a function that gives player `me`'s cube decisions for a pair of positions."""

    def at(x, y):
        _, doubles, takes = turn(me, him, x, y, "centred")
        return doubles, turn(me, him, x, y, "mine")[1], takes

    return at
