r"""Kinds of value at a match score: one for each cube state and each player on roll.

A value V is the match-winning chance of the player on roll, and N is this chance without a
double now. A prime marks the other player's chance after a play. The maximum is over the
plays, and the bar is the mean over the 36 throws:

.. math::

    N = \overline{\max(1 - V')}, \quad V = \max(N, \min(W, m(c)))

The second equation is for a player who may double; for a player who may not, :math:`V = N`.
The cube value is :math:`c`, and W is the chance of the player on roll after a double and a
take. After winning n points, the match-winning chance is m(n); n is negative for points
lost. A finished game has the value m(n) for the points won: n is the cube value, or twice
the cube value for a gammon. Money play satisfies the same equation with m(n) = n, so the
same solver is used. The solver's integer 0 stands for the mean of winning and losing a
gammon.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

from bearoff.scores import CubeState, Payoffs
from bearoff.two_sided.codings import ONE, TURNS, Coding
from bearoff.two_sided.planes import Doubling, GameEnds, Pass, SolvedPlane

_PLACES = {(True, True): "centred", (True, False): "owned", (False, True): "opponent"}


@dataclass(frozen=True)
class ScorePlanes:
    """Names and encodings of the values at a match score, for each state of the cube.

    Attributes
    ----------
    payoffs : Payoffs
        Payoffs of games at the match score.
    """

    payoffs: Payoffs

    def name(self, state: CubeState, player: int) -> str:
        """Return the name of the values for a cube state with player 0 or 1 on roll."""
        if state == self.payoffs.decided:
            return "wins"
        who = "ab" if self.payoffs.symmetric else "ab"[player]
        place = _PLACES.get((state.may(player), state.may(1 - player)), "dead")
        return f"{who}{state.value}-{place}"

    @cached_property
    def passes(self) -> tuple[Pass, ...]:
        """Solver runs for all states of the cube that can occur in a game."""
        return self.passes_of(self.payoffs.states)

    @cached_property
    def every_pass(self) -> tuple[Pass, ...]:
        """Solver runs for all states of the cube, even states that no game can reach."""
        cubes = [
            self.payoffs.highest >> k for k in range(self.payoffs.highest.bit_length())
        ]
        may = list(product((False, True), repeat=2))
        every = [self.payoffs.state(cube, *who) for cube in cubes for who in may]
        below = [s for state in every for s in self.payoffs.states_below(state)]
        return self.passes_of(list(dict.fromkeys([*self.payoffs.states, *below])))

    def passes_of(self, states: list[CubeState]) -> tuple[Pass, ...]:
        """Return the solver runs for the given states of the cube."""
        passes: dict[tuple[str, ...], Pass] = {}
        for state in states:
            planes = {self.name(state, k): self.plane(state, k) for k in (0, 1)}
            passes.setdefault(tuple(sorted(planes)), Pass(tuple(planes.values())))
        return tuple(passes.values())

    def plane(self, state: CubeState, player: int) -> SolvedPlane:
        """Describe the values for a cube state with player 0 or 1 on roll."""
        coding = self._coding(state, player)
        points = state.value
        ends = (self.payoffs.chance(n * points, player) for n in (1, 2, -1, -2))
        turned, doubling = self.payoffs.turned(state, player), None
        if turned is not None:
            cash = self.payoffs.chance(points, player)
            doubling = Doubling(self.plane(turned, player), 1.0, cash)
        return SolvedPlane(
            self.name(state, player),
            self.name(state, 1 - player),
            GameEnds(*map(coding.value, ends)),
            coding,
            doubling=doubling,
        )

    def _coding(self, state: CubeState, player: int) -> Coding:
        largest, gathered = self._errors(state)
        lost, won = (self.payoffs.chance(n * state.value, player) for n in (-2, 2))
        return Coding(
            64 if state.may(player) else 32,
            # Each turn adds a rounding error of at most half a solver unit. The bound
            # allows for `TURNS` + 2 turns.
            (TURNS / 2 + 1) * largest + gathered,
            None,
            1 / self._unit(state),
            (won + lost) / 2,
        )

    def _unit(self, state: CubeState) -> float:
        """Return the size of the solver's integer unit, as a match-winning chance."""
        won, lost = (self.payoffs.chance(n * state.value, 0) for n in (2, -2))
        return max(won - lost, 1e-9) / (4 * ONE)

    def _errors(self, state: CubeState) -> tuple[float, float]:
        """Return the largest solver unit and the rounding error that doubles add.

        The unit is the largest in `state` and in all states that doubles can lead to.
        """
        unit, gathered = self._unit(state), 0.0
        largest = unit
        for player in (0, 1):
            if turned := self.payoffs.turned(state, player):
                its_largest, its_gathered = self._errors(turned)
                largest = max(largest, its_largest)
                step = 32 * self._unit(turned)
                gathered = max(gathered, its_gathered + step / 2 + unit / 2)
        return largest, gathered


@lru_cache(maxsize=16)
def score_planes(payoffs: Payoffs) -> ScorePlanes:
    return ScorePlanes(payoffs)
