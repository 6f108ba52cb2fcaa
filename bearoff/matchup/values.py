r"""Equities of a race between two given players, by exact dynamic programming.

Each player has a given checker play and a cube strategy, so the equity of every pair of
positions is determined. All equities are *player A's* equities for money, in points at a
cube value of 1. A loser who still has all 15 checkers loses twice the cube value. Under the
Jacoby rule, this loser loses only the cube value if the cube is centred. The player on roll
plays each roll according to the given checker play. Before the roll, the mean equity is

.. math:: \bar V_k = \textstyle\sum_r \tfrac{w_r}{36} V'_k, \qquad k = C, A, B

Here, k is the owner of the cube: nobody (C), A or B. :math:`V'` is the equity after the
play, with the other player on roll. :math:`V` is the equity before the cube action. With A
on roll, :math:`V_B = \bar V_B`. If A does not double, :math:`V_C = \bar V_C` and :math:`V_A
= \bar V_A`. If A doubles, :math:`V_C` or :math:`V_A` is :math:`2 \bar V_B` if B takes, and
1 if B passes. If B is on roll and doubles, the equity is :math:`2 \bar V_A` if A takes, and
-1 if A passes.

Every play lowers the pip count, so the solver visits A's positions once, in ascending order
of pip count. For each position of A, equities with A on roll follow from equities of A's
later positions with B on roll. Then, equities with B on roll follow from equities with A on
roll.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import BearoffError, PositionError
from bearoff.matchup.sides import DOUBLE, REDOUBLE, TAKE, RacePlayer, SidePositions, side_of
from bearoff.matchup.solver import (
    DecisionBits,
    Progress,
    ask,
    check_room,
    ends,
    solve,
)
from bearoff.matchup.strategies import CubeDecision, EquilibriumCube
from bearoff.positions import POINTS, position_count
from bearoff.runtime import cores
from bearoff.stakes import cube_among

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
OnRoll = Literal["A", "B"]
CubeAt = Literal["centred", "A", "B"]

CUBES: tuple[CubeAt, ...] = ("centred", "A", "B")
"""Owners of the cube (nobody, player A, player B), in the order of the last axis of
`StrategyValues.planes`."""

_ROWS_AT_A_TIME = 64
"""Number of A's positions in one call of the kernel that computes equities with A on roll.
"""


@dataclass(frozen=True, eq=False)
class StrategyValues:
    """Equities of player A in a race against player B, for every pair of their positions.

    Attributes
    ----------
    a, b : RacePlayer
        Players A and B.
    side_a, side_b : SidePositions
        Positions that each player can reach.
    planes : ndarray of float64 or float32, shape (positions of A, positions of B, 3)
        A's equities with B on roll. The axes are A's position, B's position and the owner
        of the cube (`CUBES`). Equities with A on roll are computed from `planes` when
        needed.
    bits : DecisionBits
        Cube decisions for every pair of positions.
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
    """

    a: RacePlayer
    b: RacePlayer
    side_a: SidePositions
    side_b: SidePositions
    planes: NDArray[np.floating] = field(repr=False)
    bits: DecisionBits = field(repr=False)
    jacoby: bool = False
    _perfect: "StrategyValues | None" = field(default=None, repr=False)

    def equity(
        self,
        a: ArrayLike,
        b: ArrayLike,
        on_roll: OnRoll = "A",
        cube: CubeAt = "centred",
    ) -> Float64Array:
        """Return the equity of player A before the roll, in points at a cube value of 1.

        Parameters
        ----------
        a, b : array_like of int, broadcast against each other
            Position numbers of A and of B. A player with number 0 has won.
        on_roll : {"A", "B"}
            Player on roll, who may double first.
        cube : {"centred", "A", "B"}
            Owner of the cube.

        Raises
        ------
        PositionError
            If a position cannot be reached from the starting positions.
        BearoffError
            If `on_roll` or `cube` has an unknown value.
        """
        checks.choice(on_roll, "on_roll", ("A", "B"))
        cube = cube_among(cube, CUBES)
        x, y = checks.broadcast(a=self.side_a.places(a), b=self.side_b.places(b))
        k = CUBES.index(cube)
        if on_roll == "B":
            return np.asarray(self.planes[x, y, k], dtype=np.float64)
        rows, at = np.unique(x, return_inverse=True)
        at = at.reshape(x.shape)
        equity = np.empty(x.shape)
        for start in range(0, len(rows), _ROWS_AT_A_TIME):
            part = rows[start : start + _ROWS_AT_A_TIME]
            values = self._rows_of_a(part)
            chosen = (at >= start) & (at < start + len(part))
            equity[chosen] = values[at[chosen] - start, y[chosen], k]
        return equity

    def decisions(self, a: ArrayLike, b: ArrayLike, on_roll: OnRoll = "A") -> CubeDecision:
        """Return the cube actions of the player on roll and the other player's replies.

        The parameters are those of `equity`. Both players must have a checker on the board.
        """
        checks.choice(on_roll, "on_roll", ("A", "B"))
        x, y = checks.broadcast(a=self.side_a.places(a), b=self.side_b.places(b))
        if not x.all() or not y.all():
            raise PositionError(
                "a cube decision requires both sides to have checkers on the board, but "
                "in one of the pairs the game is over"
            )
        bits = (self.bits.on_roll_a if on_roll == "A" else self.bits.on_roll_b)[x, y]
        return CubeDecision(*((bits & bit) > 0 for bit in (DOUBLE, REDOUBLE, TAKE)))

    def gain(
        self,
        a: ArrayLike,
        b: ArrayLike,
        on_roll: OnRoll | Literal["either"] = "either",
        cube: CubeAt = "centred",
    ) -> Float64Array:
        """Return B's gain per game, compared with perfect cube decisions of both players.

        The gain is A's equity if both players make perfect cube decisions, with the same
        checker play, minus A's equity in this game. With `EquilibriumCube` or
        `BestResponse` for B, the gain is nonnegative and due to A's errors alone.

        Parameters
        ----------
        a, b : array_like of int, broadcast against each other
            Position numbers at the start of the game.
        on_roll : {"either", "A", "B"}
            Player who begins; "either" for the mean of both cases.
        cube : {"centred", "A", "B"}
            Owner of the cube at the start.

        Returns
        -------
        ndarray of float64
            Player A's gain for each starting position, in points at a cube value of 1.
        """
        checks.choice(on_roll, "on_roll", ("either", "A", "B"))
        if on_roll == "either":
            both = self.gain(a, b, "A", cube) + self.gain(a, b, "B", cube)
            return np.asarray(both / 2)
        perfect = self.perfect.equity(a, b, on_roll, cube)
        return np.asarray(perfect - self.equity(a, b, on_roll, cube))

    def mean_gain(
        self, a: ArrayLike, b: ArrayLike, weights: Float64Array | None = None
    ) -> float:
        """Return the mean of `gain` over starting positions, with either player first.

        Parameters
        ----------
        a, b : array_like of int, broadcast against each other
            Position numbers at the start of the game.
        weights : ndarray of float, optional
            Weight of each starting position. By default, all weights are equal.
        """
        return float(np.average(self.gain(a, b), weights=weights))

    @cached_property
    def perfect(self) -> "StrategyValues":
        """Equities of the race if both players make perfect cube decisions."""
        if self._perfect is not None:
            return self._perfect
        if self.a.free and self.b.free:
            return self
        return _perfect_game(
            self.a,
            self.b,
            self.side_a,
            self.side_b,
            self.planes.dtype.type,
            self.jacoby,
            cores(),
            _quiet,
        )

    def _rows_of_a(self, rows: Int64Array) -> Float64Array:
        from bearoff.matchup import kernels

        shape = (len(rows), len(self.side_b), len(CUBES))
        values = np.empty(shape)
        kernels.rows_of_a(
            rows,
            self.planes.reshape(len(self.side_a), -1),
            self.side_a.turns,
            self.bits.on_roll_a,
            ends(self.side_a, self.jacoby),
            values.reshape(len(rows), -1),
        )
        return values


def _quiet(stage: str, done: float) -> None: ...


def strategy_values(
    a: RacePlayer,
    b: RacePlayer,
    *,
    starts: ArrayLike | None = None,
    checkers: int | None = None,
    points: int = POINTS,
    jacoby: bool = False,
    dtype: type[np.floating] = np.float64,
    workers: int | None = None,
    progress: Progress = _quiet,
) -> StrategyValues:
    """Compute the equities of every pair of positions in a race between two players.

    Parameters
    ----------
    a, b : RacePlayer
        Players A and B. Their cube strategies are called for many pairs at once, from
        several threads.
    starts : array_like of int, shape (n, 2) or (2,), optional
        Position numbers of A and B at the start. All positions that A can reach are
        evaluated against all positions that B can reach.
    checkers : int, optional
        Maximum number of checkers per player. All positions with at most this number are
        starting positions.
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
    dtype : float64 or float32
        Data type of the stored equities; sums are computed in float64. With float32, the
        result takes half the memory and has errors of about 1e-7.
    workers : int, optional
        Number of threads. By default, the number of processors.
    progress : callable
        Function that is called with the name of the stage and its completed fraction, from
        0 to 1.

    Raises
    ------
    BearoffError
        If both or neither of `starts` and `checkers` are given.
    PositionError, TableError
        If a starting position or a policy is invalid, or the equities do not fit into
        memory.

    Examples
    --------
    A perfect opponent gains this equity per game against a player who never doubles, if
    both players start with four checkers on the 6 point:

    >>> from bearoff.matchup.strategies import NeverDoubles
    >>> import bearoff
    >>> start = int(bearoff.rank([0, 0, 0, 0, 0, 4]))
    >>> values = strategy_values(
    ...     RacePlayer(NeverDoubles()), RacePlayer(EquilibriumCube()), starts=[start, start]
    ... )
    >>> round(float(values.gain(start, start)), 4)
    0.2183
    """
    for name, player in (("a", a), ("b", b)):
        checks.instance(player, name, RacePlayer, BearoffError)
    checks.choice(dtype, "dtype", (np.float64, np.float32))
    if (starts is None) == (checkers is None):
        raise BearoffError("specify either starts or checkers, and not both")
    if checkers is not None:
        from_a = from_b = np.arange(position_count(points, checkers))
    else:
        pairs = checks.integers([] if starts is None else starts, "starts")
        if pairs.shape[-1:] != (2,) or pairs.ndim > 2:
            raise PositionError(
                "starts must be pairs of position numbers with shape (n, 2), got shape "
                f"{pairs.shape}"
            )
        from_a, from_b = pairs.reshape(-1, 2).astype(np.int64).T
    side_a = side_of(a.checkers, from_a, points)
    names = isinstance(a.checkers, str) and isinstance(b.checkers, str)
    same_plays = a.checkers == b.checkers if names else a.checkers is b.checkers
    same = same_plays and np.array_equal(from_a, from_b)
    side_b = side_a if same else side_of(b.checkers, from_b, points)
    threads = workers or cores()
    # Perfect cube decisions assume a perfect opponent. If only one player is perfect, a
    # game between perfect players is solved first to find this player's cube decisions.
    perfect_first = a.free != b.free and EquilibriumCube() in (a.cube, b.cube)
    check_room(side_a, side_b, dtype, games=1 + perfect_first)
    perfect = None
    bits = DecisionBits.none(side_a, side_b)
    if perfect_first:
        perfect = _perfect_game(a, b, side_a, side_b, dtype, jacoby, threads, progress)
        bits.copy_a(perfect.bits) if a.free else bits.copy_b(perfect.bits)
    ask(a.fixed_cube, b.fixed_cube, side_a, side_b, bits, threads, progress)
    free = (False, False) if perfect_first else (a.free, b.free)
    report = partial(progress, "values")
    planes = solve(side_a, side_b, bits, free, dtype, jacoby, threads, report)
    return StrategyValues(a, b, side_a, side_b, planes, bits, jacoby, perfect)


def _perfect_game(
    a: RacePlayer,
    b: RacePlayer,
    side_a: SidePositions,
    side_b: SidePositions,
    dtype: type[np.floating],
    jacoby: bool,
    workers: int,
    progress: Progress,
) -> StrategyValues:
    """Solve a race between two players as if both made perfect cube decisions."""
    bits = DecisionBits.none(side_a, side_b)
    report = partial(progress, "equilibrium")
    planes = solve(side_a, side_b, bits, (True, True), dtype, jacoby, workers, report)
    a, b = (replace(player, cube=EquilibriumCube()) for player in (a, b))
    return StrategyValues(a, b, side_a, side_b, planes, bits, jacoby)
