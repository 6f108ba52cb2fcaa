r"""What games are worth at a score, and the planes that follow from it.

Values are chances to win the match. Each state of the cube makes a pair of planes, one for
each player on roll; with a bar for the mean over the throws, the maximum over the plays
and a prime for the other player's plane at the pair that the play leads to,

.. math::

    N = \overline{\max(1 - V')}, \quad V = \max(N, \min(W, m(c)))

with the cube at :math:`c` for a player who may double, and else :math:`V = N`. W is the
same player's plane with the cube at 2c and the other's, m(n) the chance after n points won.
A game that is over is worth m of the cube's value, of twice that for a gammon. That is
the money solver's equation, money being m(n) = n, so the same passes solve it: 0 stands for
the middle of what can be won and lost with a gammon.

A player who wins the match with what the cube shows cannot gain by turning it: that cube
is *dead*. So states end where both would win it, and automatic redoubles follow.
"""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import product
from typing import NamedTuple

from bearoff.two_sided.codings import ONE, TURNS, Coding
from bearoff.two_sided.planes import Doubling, Ends, Pass, SolvedPlane

_MOST_AWAY = 64
"""Points that a player may need; no match equity table goes as far."""

_PLACES = {(True, True): "centred", (True, False): "owned", (False, True): "opponent"}


class CubeState(NamedTuple):
    """What the cube shows, and whether turning it may help the first and second player."""

    value: int
    first_may: bool
    second_may: bool

    def may(self, player: int) -> bool:
        """Whether player 0 or 1 may double to any use."""
        return (self.first_may, self.second_may)[player]


@dataclass(frozen=True)
class Payoffs:
    """What games are worth at a score, from the first player's side.

    Attributes
    ----------
    away : tuple of int
        Points that the first player and the second need.
    game : str
        ``normal``, ``crawford`` or ``post-crawford``; no cube in Crawford's game.
    equities : str
        Name of the match equity table.
    won, lost : tuple of float
        Chance to win the match after 1, 2, 4 and so on points won, or lost, up to twice
        the `highest` cube.
    """

    away: tuple[int, ...]
    game: str
    equities: str
    won: tuple[float, ...]
    lost: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.away) != 2 or not all(0 < n <= _MOST_AWAY for n in self.away):
            raise ValueError(f"away must be two numbers from 1 to {_MOST_AWAY}")
        if self.game not in ("normal", "crawford", "post-crawford"):
            raise ValueError(f"there is no game {self.game!r}")
        size = self.highest.bit_length() + 1
        chances = (*self.lost[::-1], *self.won)
        if len(self.won) != size or len(self.lost) != size:
            raise ValueError(f"won and lost must have {size} chances each")
        if not 0 <= chances[0] <= chances[-1] <= 1 or list(chances) != sorted(chances):
            raise ValueError("won and lost must be chances, none better for fewer points")

    @property
    def highest(self) -> int:
        """Cube at which either player wins the match with the game."""
        return 1 << (max(self.away) - 1).bit_length()

    @property
    def symmetric(self) -> bool:
        """Whether both players have the same to win and to lose."""
        mirrored = zip(self.won, self.lost, strict=True)
        return self.away[0] == self.away[1] and all(
            abs(won + lost - 1) < 1e-12 for won, lost in mirrored
        )

    @property
    def label(self) -> str:
        """Name for files: the score, the game, and a digest of the chances."""
        game = "" if self.game == "normal" else f"-{self.game}"
        digest = sha256(repr((self.won, self.lost)).encode()).hexdigest()
        return f"{self.away[0]}-{self.away[1]}{game}-{digest[:8]}"

    def chance(self, points: int, player: int) -> float:
        """Chance of player 0 or 1 who has won so many points; lost, if negative.

        Points are a power of two.
        """
        if player == 1:
            return 1.0 - self.chance(-points, 0)
        chances = self.won if points > 0 else self.lost
        return chances[min(abs(points).bit_length(), len(chances)) - 1]

    def state(self, value: int, first_may: bool, second_may: bool) -> CubeState:
        """Return what state a cube is in: a dead one nobody may turn."""
        value, live = min(value, self.highest), self.game != "crawford"
        return CubeState(
            value,
            first_may and live and self.away[0] > value,
            second_may and live and self.away[1] > value,
        )

    def turned(self, state: CubeState, player: int) -> CubeState | None:
        """Return the state after a double of player 0 or 1; None if it is of no use."""
        if not state.may(player):
            return None
        return self.state(2 * state.value, player == 1, player == 0)

    @property
    def decided(self) -> CubeState:
        """The state in which who wins the game wins the match."""
        return CubeState(self.highest, False, False)

    @property
    def states(self) -> list[CubeState]:
        """All states that a match can come to, those first that others rest on."""
        cubes = [self.highest >> k for k in range(1, self.highest.bit_length() - 1)]
        states = [self.decided]
        if self.game != "crawford":
            may = (True, False), (False, True)
            states += [self.state(cube, *who) for cube in cubes for who in may]
        return list(dict.fromkeys([*states, self.state(1, True, True)]))

    def states_below(self, state: CubeState) -> list[CubeState]:
        """Return a state behind those that it rests on, and that without a cube."""
        turned = [self.turned(state, player) for player in (0, 1)]
        below = [s for one in turned if one for s in self.states_below(one)]
        return list(dict.fromkeys([self.decided, *below, state]))

    def name(self, state: CubeState, player: int) -> str:
        """Name the plane of player 0 or 1 on roll: a or b, ab if they are the same."""
        if state == self.decided:
            return "wins"
        who = "ab" if self.symmetric else "ab"[player]
        place = _PLACES.get((state.may(player), state.may(1 - player)), "dead")
        return f"{who}{state.value}-{place}"

    @cached_property
    def passes(self) -> tuple[Pass, ...]:
        """The passes that solve all states of a match."""
        return self.passes_of(self.states)

    @cached_property
    def every_pass(self) -> tuple[Pass, ...]:
        """Those of any cube there can be, such as one owned before it was turned, too."""
        cubes = [self.highest >> k for k in range(self.highest.bit_length())]
        may = list(product((False, True), repeat=2))
        every = [self.state(cube, *who) for cube in cubes for who in may]
        below = [s for state in every for s in self.states_below(state)]
        return self.passes_of(list(dict.fromkeys([*self.states, *below])))

    def passes_of(self, states: list[CubeState]) -> tuple[Pass, ...]:
        """Return the passes that solve some states."""
        passes: dict[tuple[str, ...], Pass] = {}
        for state in states:
            planes = {self.name(state, k): self.plane(state, k) for k in (0, 1)}
            passes.setdefault(tuple(sorted(planes)), Pass(tuple(planes.values())))
        return tuple(passes.values())

    def plane(self, state: CubeState, player: int) -> SolvedPlane:
        """Return the plane of player 0 or 1 on roll."""
        coding = self._coding(state, player)
        points = state.value
        ends = (self.chance(n * points, player) for n in (1, 2, -1, -2))
        turned, doubling = self.turned(state, player), None
        if turned is not None:
            cash = self.chance(points, player)
            doubling = Doubling(self.plane(turned, player), 1.0, cash)
        return SolvedPlane(
            self.name(state, player),
            self.name(state, 1 - player),
            Ends(*map(coding.value, ends)),
            coding,
            doubling=doubling,
        )

    def _coding(self, state: CubeState, player: int) -> Coding:
        largest, gathered = self._errors(state)
        lost, won = (self.chance(n * state.value, player) for n in (-2, 2))
        return Coding(
            64 if state.may(player) else 32,
            # Twice 14.75 turns however 15 checkers are played, and how the game ends.
            (TURNS / 2 + 1) * largest + gathered,
            None,
            1 / self._unit(state),
            (won + lost) / 2,
        )

    def _unit(self, state: CubeState) -> float:
        """Chance that a unit is worth: two gammons won are 2 * `ONE` from the middle."""
        at_stake = self.chance(2 * state.value, 0) - self.chance(-2 * state.value, 0)
        return max(at_stake, 1e-9) / (4 * ONE)

    def _errors(self, state: CubeState) -> tuple[float, float]:
        """Largest unit of the states that one rests on, and what their codes add up to."""
        unit, gathered = self._unit(state), 0.0
        largest = unit
        for player in (0, 1):
            if turned := self.turned(state, player):
                its_largest, its_gathered = self._errors(turned)
                largest = max(largest, its_largest)
                step = 32 * self._unit(turned)
                gathered = max(gathered, its_gathered + step / 2 + unit / 2)
        return largest, gathered
