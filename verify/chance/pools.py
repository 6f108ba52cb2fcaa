"""Rollouts of races whose exact values are known, made from one large pool of games."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

import bearoff
from bearoff.sim.rollouts import Goal, Techniques, ValueModel, on_24_points
from bearoff.sim.rollouts.estimate import model_values, next_wave
from bearoff.sim.rollouts.lanes import Lanes
from bearoff.sim.rollouts.results import CHUNK_GAMES
from bearoff.sim.rollouts.sums import WIDTH, Moments, Sums, sums_of
from bearoff.sim.rollouts.values import COLUMNS
from oracles import rollout_twin

Float64Array = NDArray[np.float64]


EQUITIES = ("no double", "no redouble", "double, take")

WEIGHTS = np.array(
    [
        [factor * (name == column) for column in COLUMNS]
        for name, factor in (("centred", 1), ("owned", 1), ("opponent", 2))
    ]
)
"""For each of the `EQUITIES`, the weights with which a rollout's mean results are added."""


@dataclass(frozen=True)
class Case:
    """Race and the settings of its rollout.

    Attributes
    ----------
    name : str
        Description of the race, shown on the page.
    roller, opponent : str
        Numbers of checkers on the 1 point, 2 point and so on, separated by commas.
    techniques : Techniques
        Settings of the rollout, such as variance reduction.
    share : float
        Number of games of this race, relative to the games of other races.
    least : float
        Minimum proportion of confidence intervals that must include the true value.
    allowed : float
        Largest accepted bias, in standard errors of the estimate of one run.
    """

    name: str
    roller: str
    opponent: str
    techniques: Techniques
    share: int = 1
    least: float = 0.935
    allowed: float = 0.02

    @property
    def race(self) -> bearoff.Race:
        """Race of this case on a board of 24 points."""
        sides = (bearoff.Position.parse(text, 6) for text in (self.roller, self.opponent))
        return on_24_points(bearoff.Race(*sides))

    @property
    def values(self) -> ValueModel:
        """Fast model, which supplies the position values in the rollout."""
        return ValueModel(None, self.techniques)

    @property
    def chunk_games(self) -> int:
        """Number of games in a chunk: six times the number of first rolls.

        With only 36 games for the first rolls, thousands of runs are cheap. However, the
        means of so few games are less normally distributed than those of actual rollouts.
        """
        return 6 * self.techniques.first_rolls


SMALL = Techniques(first_rolls=36)


LUCKY = Techniques(luck=False, first_rolls=36, truncate=False)


# These limits are for one-sided races, in which nearly all groups of 36 games have the same
# result.
HARSH = {"least": 0.88, "allowed": 0.2}


CASES = (
    Case("close race, usual blocks", "2,1,0,0,1,1", "2,0,1,0,1,0", Techniques(), share=2),
    Case("close race", "2,1,0,0,1,1", "2,0,1,0,1,0", SMALL),
    Case("close race, without variance reduction", "1,1,0,1,0,1", "0,2,1,0,1,0", LUCKY),
    Case("close double, without variance reduction", "0,1,0,1,1,0", "0,1,0,0,0,1", LUCKY),
    Case("close redouble, without variance reduction", "0,0,2,0,1,0", "0,0,1,0,0,1", LUCKY),
    Case("close take, without variance reduction", "0,1,1,0,0,1", "1,0,0,2,0,0", LUCKY),
    Case("race won except after rare rolls", "0,0,1,1,0,1", "2,2,1,0,1,0", SMALL, **HARSH),
    Case(
        "race won except after rare rolls, without variance reduction",
        "0,0,2,0,0,0",
        "1,1,1,1,0,0",
        LUCKY,
        **HARSH,
    ),
)


@cache
def truth_of(case: Case) -> Float64Array:
    """Return the exact equities of a case's race, in the order of `EQUITIES`."""
    values = rollout_twin.expected(case.race)
    return np.array([values[1], values[2], 2 * values[3]])


def play_pool(case: Case, games: int, seed: int) -> list[Sums]:
    """Play at least a given number of games in two threads; return each chunk's sums."""
    values, race, size = case.values, case.race, case.chunk_games
    centre = model_values(values, race)

    def piece(first: int) -> list[Sums]:
        estimates = Lanes(values, race, seed, first, CHUNK_GAMES).play()
        return [
            sums_of(estimates[at : at + size], centre, values.techniques.first_rolls)
            for at in range(0, CHUNK_GAMES, size)
        ]

    piece(0)  # The tables are opened before several threads use them.
    firsts = range(0, games, CHUNK_GAMES)
    pieces = Parallel(2, "threading")(delayed(piece)(first) for first in firsts)
    return [sums for piece in pieces for sums in piece]


def stopped_runs(case: Case, pool: list[Sums], goal: Goal) -> list[Moments]:
    """Split a pool of games into runs that end by the program's stopping rule."""
    centre = model_values(case.values, case.race)
    found: list[Moments] = []
    at = 0
    while True:
        sums = np.zeros(WIDTH, dtype=np.int64)
        while wave := next_wave(sums, centre, goal, case.chunk_games):
            if at + wave > len(pool):
                return found
            sums = sums + np.sum(pool[at : at + wave], axis=0)
            at += wave
        found.append(Moments.of(sums, centre))
