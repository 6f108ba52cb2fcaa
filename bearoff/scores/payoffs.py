"""Payoffs of finished games for money or at a score, and the possible cube states.

Let m(n) be the match-winning chance after n points won. The payoff of a finished game is m
of the cube value, or of twice the cube value for a gammon. A player who would win the match
at the present cube value gains nothing by doubling; for this player, the cube is *dead*. A
cube that is dead for both players is never turned. Automatic redoubles follow from these
rules.

For money, payoffs are points that are scaled to the range of probabilities: m(n) = (n + 2)
/ 4 at a cube value of 1, where no game counts more than a gammon. After a double, the cube
value is 1 again, and the values count twice.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, NamedTuple

_MOST_AWAY = 64
"""Maximum number of points that a player needs, as in every match equity table."""


class CubeState(NamedTuple):
    """Cube value, and whether each player may double and can gain by doubling."""

    value: int
    first_may: bool
    second_may: bool

    def may(self, player: int) -> bool:
        """Return whether player 0 or 1 may double and can gain by doubling."""
        return (self.first_may, self.second_may)[player]


class _Chain:
    """Cube states of games in which the cube value matters: at a score or with a limit."""

    decided: CubeState

    def state(self, value: int, first_may: bool, second_may: bool) -> CubeState:
        """Return a cube state; with a dead cube, neither player may double."""
        raise NotImplementedError

    def turned(self, state: CubeState, player: int) -> CubeState | None:
        """Return the state after player 0 or 1 doubles; None if doubling gains nothing."""
        if not state.may(player):
            return None
        return self.state(2 * state.value, player == 1, player == 0)

    def states_below(self, state: CubeState) -> list[CubeState]:
        """Return a cube state and all states that it depends on, in order of solving."""
        turned = [self.turned(state, player) for player in (0, 1)]
        below = [s for one in turned if one for s in self.states_below(one)]
        return list(dict.fromkeys([self.decided, *below, state]))


@dataclass(frozen=True)
class Payoffs(_Chain):
    """Match-winning chances after a game at a score, from the first player's viewpoint.

    The members are those of `MoneyPayoffs`. At a match score, `scale` does not change
    values after a double, and gammons always count.

    Attributes
    ----------
    away : tuple of int
        Points that the first and the second player need to win the match.
    game : str
        Kind of game: ``normal``, ``crawford`` or ``post-crawford``. The Crawford game has
        no cube.
    equities : str
        Name of the match equity table of these chances.
    won, lost : tuple of float
        Match-winning chances after 1, 2, 4, ... points won or lost, up to twice `highest`.
    """

    away: tuple[int, ...]
    game: str
    equities: str
    won: tuple[float, ...]
    lost: tuple[float, ...]
    scale: ClassVar[tuple[float, float]] = (1.0, 0.0)

    def __post_init__(self) -> None:
        if len(self.away) != 2 or not all(0 < n <= _MOST_AWAY for n in self.away):
            raise ValueError(
                f"away must be two numbers from 1 to {_MOST_AWAY}, got {self.away}"
            )
        if self.game not in ("normal", "crawford", "post-crawford"):
            raise ValueError(
                f"game must be normal, crawford or post-crawford, got {self.game!r}"
            )
        size = self.highest.bit_length() + 1
        chances = (*self.lost[::-1], *self.won)
        if len(self.won) != size or len(self.lost) != size:
            raise ValueError(
                f"won and lost must have {size} match-winning chances each, got "
                f"{len(self.won)} and {len(self.lost)}"
            )
        if not 0 <= chances[0] <= chances[-1] <= 1 or list(chances) != sorted(chances):
            raise ValueError(
                "won and lost must be match-winning chances that improve with the number "
                "of points won"
            )

    @property
    def highest(self) -> int:
        """Smallest cube value with which a single game wins the match for either player."""
        return 1 << (max(self.away) - 1).bit_length()

    @property
    def symmetric(self) -> bool:
        """Whether both players have the same payoffs at this score."""
        mirrored = zip(self.won, self.lost, strict=True)
        return self.away[0] == self.away[1] and all(
            abs(won + lost - 1) < 1e-12 for won, lost in mirrored
        )

    @property
    def label(self) -> str:
        """Part of file names: points away, kind of game, and checksum of the payoffs."""
        game = "" if self.game == "normal" else f"-{self.game}"
        digest = sha256(repr((self.won, self.lost)).encode()).hexdigest()
        return f"{self.away[0]}-{self.away[1]}{game}-{digest[:8]}"

    def chance(self, points: int, player: int) -> float:
        """Return the match-winning chance of player 0 or 1 after points won or lost.

        The number of points must be a power of two, negative for points lost.
        """
        if player == 1:
            return 1.0 - self.chance(-points, 0)
        chances = self.won if points > 0 else self.lost
        return chances[min(abs(points).bit_length(), len(chances)) - 1]

    def state(self, value: int, first_may: bool, second_may: bool) -> CubeState:
        """Return a cube state; with a dead cube, neither player may double."""
        value, live = min(value, self.highest), self.game != "crawford"
        return CubeState(
            value,
            first_may and live and self.away[0] > value,
            second_may and live and self.away[1] > value,
        )

    def gammon(self, state: CubeState) -> int:
        """Return the points for a gammon, as a multiple of the cube value."""
        return 2

    @property
    def decided(self) -> CubeState:  # type: ignore[override]
        """Cube state in which whoever wins the game wins the match."""
        return CubeState(self.highest, False, False)

    @property
    def states(self) -> list[CubeState]:
        """All cube states that can occur at this score, in the order of solving."""
        cubes = [self.highest >> k for k in range(1, self.highest.bit_length() - 1)]
        states = [self.decided]
        if self.game != "crawford":
            may = (True, False), (False, True)
            states += [self.state(cube, *who) for cube in cubes for who in may]
        return list(dict.fromkeys([*states, self.state(1, True, True)]))


@dataclass(frozen=True)
class MoneyPayoffs:
    """Payoffs of games for money, scaled from 0 to 1, with the methods of `Payoffs`.

    Attributes
    ----------
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
    scale : (float, float)
        Factor and summand that convert values after a double to the scale of values before
        the double.
    span : int
        Difference in points between the payoffs 0 (a gammon lost) and 1 (a gammon won).
    """

    jacoby: bool = False
    scale: ClassVar[tuple[float, float]] = (2.0, -0.5)
    span: ClassVar[int] = 4
    decided: ClassVar[CubeState] = CubeState(4, False, False)

    def chance(self, points: int, player: int) -> float:
        """Return the payoff of points won or lost, limited to the payoff of a gammon."""
        return min(max((points + 2) / 4, 0.0), 1.0)

    def state(self, value: int, first_may: bool, second_may: bool) -> CubeState:
        """Return the cube state with a value; for money, all cube values are equivalent."""
        return CubeState(1, first_may, second_may)

    def gammon(self, state: CubeState) -> int:
        """Return the points for a gammon, as a multiple of the cube value."""
        return 1 if self.jacoby and state.first_may and state.second_may else 2

    def turned(self, state: CubeState, player: int) -> CubeState | None:
        """Return the cube state after player 0 or 1 doubles; None if this is illegal."""
        return self.state(1, player == 1, player == 0) if state.may(player) else None

    def states_below(self, state: CubeState) -> list[CubeState]:
        """Return a cube state and all states that it depends on, in order of solving."""
        owned = [self.state(1, *may) for may in ((True, False), (False, True))]
        return list(dict.fromkeys([self.decided, *owned, state]))


@dataclass(frozen=True)
class LimitedPayoffs(_Chain):
    """Payoffs of money games with a cube limit, scaled from 0 to 1 like probabilities.

    Attributes
    ----------
    limit : int
        Largest value of the cube divided by its present value; a power of two.
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
    scale : (float, float)
        Factor and summand that convert values after a double to the scale of values before
        the double.
    """

    limit: int
    jacoby: bool = False
    scale: ClassVar[tuple[float, float]] = (1.0, 0.0)

    @property
    def span(self) -> int:
        """Difference in points between a gammon lost and a gammon won at the cube limit."""
        return 4 * self.limit

    @property
    def decided(self) -> CubeState:  # type: ignore[override]
        """Artificial cube state in which a win has the payoff 1 and a loss the payoff 0."""
        return CubeState(2 * self.limit, False, False)

    def chance(self, points: int, player: int) -> float:
        """Return the payoff of points won, at most a gammon's payoff at the cube limit."""
        return min(max(points / self.span + 0.5, 0.0), 1.0)

    def state(self, value: int, first_may: bool, second_may: bool) -> CubeState:
        """Return the cube state with a value; at the limit, neither player may double."""
        live = value < self.limit
        return CubeState(min(value, self.limit), first_may and live, second_may and live)

    def gammon(self, state: CubeState) -> int:
        """Return the points for a gammon, as a multiple of the cube value."""
        return 1 if self.jacoby and state.first_may and state.second_may else 2


AnyPayoffs = Payoffs | MoneyPayoffs | LimitedPayoffs
"""Type of payoffs: for money, for money with a cube limit, or at a match score."""
