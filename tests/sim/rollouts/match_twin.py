"""What rollouts at a score must converge to, worked out in full by plain recursion.

Shares with `sim.rollouts` the policies and the values of typical races, which define how
the games are played, and nothing of how they are played, judged or added up.
"""

from functools import cache

import bearoff
from sim.rollouts.at_score import MatchValues, Node
from tests.sim.rollouts.rollout_twin import (
    OFF,
    Counts,
    Stakes,
    between,
    chosen_plays,
    gammons,
    mean,
    places,
    points,
)


class MatchTwin:
    """Games at one score from one cube; values are the roller's, in EMG."""

    def __init__(self, values: MatchValues) -> None:
        self._values = values
        self._score = values.score
        self.value = cache(self._value)

    def won(self, side: int, count: int) -> float:
        """What so many points are worth to the side that wins them."""
        sign = 1 - 2 * side
        return sign * self._values.after(sign * count)

    def stakes(self, side: int) -> Stakes:
        """What losing a gammon costs a side with the cube as it is at the start."""
        value = self._values.terms.cube_value
        lost = [-self.won(1 - side, n * value) for n in (1, 2, 3)]
        return lost[0] - lost[1], lost[1] - lost[2]

    def after_rolls(self, mover: Counts, other: Counts, side: int, node: Node) -> float:
        """Mean of what typical races say the side that moves is worth after its rolls."""
        solved = self._values.solved
        plane = solved.planes[solved.nodes.index(node)][1 - side]
        won, lost = self.won(1 - side, node.value), -self.won(side, node.value)
        dead = self.doubled(node, 0) is None and self.doubled(node, 1) is None
        return -mean(
            [
                (won + lost) / 2 + equity * (won - lost) / 2
                if dead
                else between(plane, x, y)
                for x, y, equity in places(mover, other, self.stakes(side))
            ]
        )

    def doubled(self, node: Node, side: int) -> Node | None:
        """The cube after a double, None if the side may not or has no use for it."""
        mine = ("owned", "opponent")[side]
        if node.cube not in ("centred", mine) or not self._score.has_cube:
            return None
        if self._score.away[side] <= node.value:
            return None
        dead = 1
        while dead < max(self._score.away):
            dead *= 2
        return Node(min(2 * node.value, dead), ("opponent", "owned")[side])

    def _value(
        self, mover: Counts, other: Counts, side: int, node: Node, may_double: bool
    ) -> float:
        sign = 1 - 2 * side
        taken = self.doubled(node, side) if may_double else None
        if taken is not None:
            cash = self.won(side, node.value)
            waits = self.after_rolls(mover, other, side, node)
            takes = self.after_rolls(mover, other, side, taken)
            wins, losses = gammons(mover, other, self.stakes(side))

            def extra(value: int) -> float:
                mine = self.won(side, 2 * value) - self.won(side, value)
                theirs = self.won(1 - side, 2 * value) - self.won(1 - side, value)
                return wins * mine - losses * theirs

            takes += extra(taken.value)
            if extra(node.value) != 0:
                cubeless = -mean(
                    [equity for _, _, equity in places(mover, other, self.stakes(side))]
                )
                high, low = cash, -self.won(1 - side, node.value)
                never = (high + low) / 2 + cubeless * (high - low) / 2 + extra(node.value)
                waits = max(min(waits + extra(node.value), cash), never)
            if min(takes, cash) >= waits:
                if takes > cash:
                    return sign * cash
                node = taken
        return mean(
            [
                sign * self.won(side, points(other) * node.value)
                if after == OFF
                else self.value(other, after, 1 - side, node, True)
                for after in chosen_plays(mover, other, self.stakes(side))
            ]
        )

    def expected(self, race: bearoff.Race) -> dict[str, float]:
        """What no double gives, the cube centred and owned, and a double that is taken."""
        sides = [
            (*side.counts, *(0,) * (24 - side.points))
            for side in (race.roller, race.opponent)
        ]
        names = ("cubeless", "centred", "owned", "opponent")
        return {
            name: self.value(*sides, 0, self._values.solved.nodes[place], False)
            for name, start, place in zip(
                names, self._values.starts, self._values.solved.starts, strict=True
            )
            if start is not None and start.cube is not None
        }
