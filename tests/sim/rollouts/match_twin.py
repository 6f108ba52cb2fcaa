"""Exact values to which rollouts at a match score converge, computed by plain recursion.

The module shares with `sim.rollouts` only the policies and the values of typical races,
which define how the games are played. The code that plays, judges and sums is separate.
"""

from functools import cache
from typing import NamedTuple

from bearoff.race_model import typical_races
from bearoff.stakes import Cube
from oracles import rollout_twin
from oracles.rollout_twin import OFF, between, gammons, mean, places, points


class Node(NamedTuple):
    """Cube value and owner, from the viewpoint of the first roller."""

    value: int
    cube: Cube


_SEEN_BY_OTHER = {"centred": "centred", "owned": "opponent", "opponent": "owned"}


class MatchTwin:
    """Expected values of rollouts at one match score, as equities of the first roller in
    EMG.
    """

    def __init__(self, values):
        self._terms = values.terms
        self._score, self._cube = values.terms.stakes.score, values.cube
        self._after = values.terms.stakes.equities.after
        self._typical = typical_races(values.terms.stakes, values.longest_epc or 400.0)
        self.value = cache(self._value)
        self._plane = cache(self._emg_plane)

    def won(self, side, count):
        """Return the equity of a side after it has won this number of points."""
        sign = 1 - 2 * side
        return sign * self._emg(self._after(self._score, sign * count))

    def _emg(self, chance):
        """Return the first roller's equity, in EMG, for a match-winning chance."""
        value = self._terms.cube_value
        high, low = (self._after(self._score, n) for n in (value, -value))
        return (chance - (high + low) / 2) / ((high - low) / 2)

    def _emg_plane(self, node, side):
        """Return the equities of typical races for the side on roll."""
        cube = node.cube if side == 0 else _SEEN_BY_OTHER[node.cube]
        chance = (self._typical.planes(node.value, cube, side).value + 1.0) / 2
        return self._emg(chance) if side == 0 else -self._emg(1.0 - chance)

    def stakes(self, side):
        """Return the additional cost of losing a gammon instead of a single game, and of a
        backgammon instead of a gammon.
        """
        value = self._terms.cube_value
        lost = [-self.won(1 - side, n * value) for n in (1, 2, 3)]
        return lost[0] - lost[1], lost[1] - lost[2]

    def after_rolls(self, mover, other, side, node):
        """Return the mean equity of a side over its next roll."""
        won, lost = self.won(1 - side, node.value), -self.won(side, node.value)
        dead = self.doubled(node, 0) is None and self.doubled(node, 1) is None
        reached = places(mover, other, self.stakes(side))
        if dead:
            return -mean([won * (1 + e) / 2 + lost * (1 - e) / 2 for _, _, e in reached])
        plane = self._plane(node, 1 - side)
        return -mean([between(plane, x, y) for x, y, _ in reached])

    def doubled(self, node, side):
        """Return the state of the cube after a double, or None if the side has no sensible
        double.
        """
        mine = ("owned", "opponent")[side]
        if node.cube not in ("centred", mine) or not self._score.has_cube:
            return None
        if self._score.away[side] <= node.value:
            return None
        return self._at_most(Node(2 * node.value, ("opponent", "owned")[side]))

    def _value(self, mover, other, side, node, may_double):
        sign = 1 - 2 * side
        taken = self.doubled(node, side) if may_double else None
        if taken is not None:
            cash = self.won(side, node.value)
            waits = self.after_rolls(mover, other, side, node)
            takes = self.after_rolls(mover, other, side, taken)
            chances = gammons(mover, other, self.stakes(side))

            def extra(value):
                wins, losses = (
                    sum(
                        chance * (self.won(one, (n + 1) * value) - self.won(one, n * value))
                        for n, chance in enumerate(each, 1)
                    )
                    for one, each in zip((side, 1 - side), chances, strict=True)
                )
                return wins - losses

            takes += extra(taken.value)
            if extra(node.value) != 0:
                reached = places(mover, other, self.stakes(side))
                cubeless = -mean([equity for _, _, equity in reached])
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
                for after in rollout_twin.chosen_plays(mover, other, self.stakes(side))
            ]
        )

    def expected(self, race):
        """Return the equities of no double and, if the roller may double, of
        double/take.
        """
        sides = [(*s.counts, *(0,) * (24 - s.points)) for s in (race.roller, race.opponent)]
        value, cube = self._terms.cube_value, self._cube
        with rollout_twin.on_board_of(race):
            found = {cube: self.value(*sides, 0, Node(value, cube), False)}
            if cube != "opponent" and self._score.has_cube:
                taken = Node(2 * value, "opponent")
                found["opponent"] = self.value(*sides, 0, self._at_most(taken), False)
        return found

    def _at_most(self, node):
        """Return the state of the cube with the smallest cube value that is equivalent in
        the match.
        """
        dead = 1
        while dead < max(self._score.away):
            dead *= 2
        return node._replace(value=min(node.value, dead))
