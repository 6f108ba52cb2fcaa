"""What games are worth, at a score or for money, and the states of the cube that follow.

With m(n) the chance to win the match after n points won, a game that is over is worth m of
the cube's value, of twice that for a gammon. A player who wins the match with what the cube
shows cannot gain by turning it: that cube is *dead*. So states end where both would win it,
and automatic redoubles follow.

For money points are worth what they are, told as chances are: m(n) = (n + 2) / 4 at a cube
of 1, where no game is worth more than a gammon. A cube that is turned leads to a state that
was met before, at twice the points.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, NamedTuple

_MOST_AWAY = 64
"""Points that a player may need; no match equity table goes as far."""


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

    `scale` and `gammon` are those of `MoneyPayoffs`: values after a double are of the same
    match, and a gammon always counts.

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
    scale: ClassVar[tuple[float, float]] = (1.0, 0.0)

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

    def gammon(self, state: CubeState) -> int:
        """Return how many times the cube a gammon counts."""
        return 2

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


@dataclass(frozen=True)
class MoneyPayoffs:
    """What games for money are worth, as `Payoffs` says it of a match.

    Attributes
    ----------
    jacoby : bool
        Whether gammons count only once the cube has been turned.
    scale : (float, float)
        What a value after a double is worth before it: so many times it, and so much more.
    """

    jacoby: bool = False
    scale: ClassVar[tuple[float, float]] = (2.0, -0.5)
    decided: ClassVar[CubeState] = CubeState(4, False, False)

    def chance(self, points: int, player: int) -> float:
        """Return what so many points won are worth; all or nothing beyond a gammon."""
        return min(max((points + 2) / 4, 0.0), 1.0)

    def state(self, value: int, first_may: bool, second_may: bool) -> CubeState:
        """Return what state a cube is in, whatever it shows."""
        return CubeState(1, first_may, second_may)

    def gammon(self, state: CubeState) -> int:
        """Return how many times the cube a gammon counts."""
        return 1 if self.jacoby and state.first_may and state.second_may else 2

    def turned(self, state: CubeState, player: int) -> CubeState | None:
        """Return the state after a double of player 0 or 1; None if that one may not."""
        return self.state(1, player == 1, player == 0) if state.may(player) else None

    def states_below(self, state: CubeState) -> list[CubeState]:
        """Return a state behind those that it rests on, and that without a cube."""
        owned = [self.state(1, *may) for may in ((True, False), (False, True))]
        return list(dict.fromkeys([self.decided, *owned, state]))
