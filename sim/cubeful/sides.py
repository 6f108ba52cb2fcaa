"""Cube strategies of one side or of both sides in simulated games."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.matchup import CubeAnswer, CubeDecision, CubeStrategy
from bearoff.sim.cubeful.at_score import PerfectAtScore

BoolArray = NDArray[np.bool_]
CountsArray = NDArray[np.integer]


@dataclass(frozen=True)
class CubeSide:
    """Cube strategies of one side: for doubling, redoubling and taking.

    Attributes
    ----------
    centred, owned : CubeStrategy
        Strategies for turning a centred cube, and for turning an owned cube.
    take : CubeStrategy
        Strategy for taking or passing the opponent's doubles.
    """

    centred: CubeStrategy
    owned: CubeStrategy
    take: CubeStrategy

    @classmethod
    def of(cls, strategy: CubeStrategy) -> "CubeSide":
        """Return a side with the same strategy for doubling, redoubling and taking."""
        return cls(strategy, strategy, strategy)

    @property
    def name(self) -> str:
        """Names of the side's cube strategies."""
        return f"{self.centred.name}, {self.owned.name}, {self.take.name}"

    def now(self, side: int, level: int) -> "CubeSide":
        """Return the strategies after a number of doubles, for a given side on roll.

        Only perfect strategies at a match score depend on the number of doubles and on the
        side on roll.
        """

        def now(one: CubeStrategy) -> CubeStrategy:
            return one.now(side, level) if isinstance(one, PerfectAtScore) else one

        return CubeSide(now(self.centred), now(self.owned), now(self.take))

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return the cube decisions for pairs of positions."""
        return CubeDecision(*decisions(self, self, rollers, opponents))


def decisions(
    roller: CubeSide, opponent: CubeSide, rollers: CountsArray, opponents: CountsArray
) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Return the decisions of both sides' cube strategies; call each strategy only once."""
    answers: list[tuple[CubeStrategy, CubeAnswer]] = []

    def answer(strategy: CubeStrategy) -> CubeAnswer:
        for asked, given in answers:
            if asked is strategy:
                return given
        answers.append((strategy, strategy.decide(rollers, opponents)))
        return answers[-1][1]

    asked = (
        ("double", roller.centred, answer(roller.centred).double),
        ("redouble", roller.owned, answer(roller.owned).redouble),
        ("take", opponent.take, answer(opponent.take).take),
    )
    for what, strategy, given in asked:
        if np.shape(given) != (len(rollers),) or np.asarray(given).dtype != np.bool_:
            raise bearoff.BearoffError(
                f"the cube strategy {strategy.name!r} must return, as {what}, an array of "
                f"{len(rollers)} booleans, got {np.asarray(given).dtype} of shape "
                f"{np.shape(given)}"
            )
    return asked[0][2], asked[1][2], asked[2][2]
