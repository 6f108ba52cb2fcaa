"""Exact solution of when to double and take in a game of chance, in fractions."""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from scipy import sparse

from bearoff import checks
from research.chance_games.graph import ChanceGame, GraphError, Side, State
from research.chance_games.linear import solve_sparse

Cube = Literal["centred", "first", "second"]
CUBES: tuple[Cube, ...] = ("centred", "first", "second")
SIDES: tuple[Side, ...] = ("first", "second")

_SWEEPS = 20_000
_MOST_IMPROVEMENTS = 100

Values = dict[tuple[State, Cube], Fraction]
Policy = dict[tuple[State, Cube, Side], tuple[bool, bool]]
"""Decisions in each state: whether a side doubles, and whether the opponent takes."""


@dataclass(frozen=True)
class Decision:
    """Equities of the choices of a side that may double, in units of the cube value.

    Attributes
    ----------
    no_double, double_take : Fraction
        Equities without a double and after a double and a take. The equity after a pass is
        1.
    """

    no_double: Fraction
    double_take: Fraction

    @property
    def takes(self) -> bool:
        """Whether taking is at least as good as passing for the opponent."""
        return self.double_take <= 1

    @property
    def doubles(self) -> bool:
        """Whether doubling is at least as good as not doubling."""
        return min(self.double_take, Fraction(1)) >= self.no_double

    @property
    def error_of_doubling(self) -> Fraction:
        """Equity without a double minus equity after a double."""
        return self.no_double - min(self.double_take, Fraction(1))


@dataclass(frozen=True)
class Doubling:
    """Values and best decisions in a game with the doubling cube.

    Attributes
    ----------
    game : ChanceGame
    values : dict of (state, cube) to Fraction
        Value of each state for the first player before a possible double, in units of the
        cube value. The part `cube` of a key is "centred" or the owner of the cube.
    """

    game: ChanceGame
    values: Values

    def value(self, state: State, cube: Cube = "centred") -> Fraction:
        """Return the first player's value in a state, in units of the cube value.

        Raises
        ------
        GraphError
            If the game does not contain the state.
        """
        checks.choice(cube, "a cube", CUBES)
        if state in self.game.ends:
            return Fraction(self.game.ends[state])
        self._require(state)
        return self.values[state, cube]

    def decision(self, state: State, side: Side, cube: Cube = "centred") -> Decision | None:
        """Return the equities of a side's cube choices; None if the side may not double.

        Raises
        ------
        GraphError
            If the state is final, or the game does not contain it.
        """
        checks.choice(side, "a side", SIDES)
        checks.choice(cube, "a cube", CUBES)
        self._require(state)
        if cube not in ("centred", side) or not self.game.may_double(state, side):
            return None
        return _decision(self.game, self.values, state, cube, side)

    def _require(self, state: State) -> None:
        if state not in self.game.steps:
            raise GraphError(f"the state {state!r} is final, or not in the game")


def solve_doubling(game: ChanceGame) -> Doubling:
    """Find the exact values and best decisions in a game with a cube for both sides.

    Before each step, a side may double once if the game allows it, and if the cube is
    centred or its own. The other side passes and loses the value of the cube, or takes and
    owns the cube, after which the step follows. A first set of decisions comes from an
    iteration in floating point. The values of these decisions are solved in fractions, and
    the decisions are improved until none can be improved further, which proves that they
    are right.

    Parameters
    ----------
    game : ChanceGame

    Returns
    -------
    Doubling

    Raises
    ------
    GraphError
        If the game has no value, because the expected stake of repeated doubles is
        infinite, or if the iteration does not find the best decisions.

    Examples
    --------
    You hold 8 of 10 coins, and each flip wins or loses one coin. You double, and the
    opponent may take:

    >>> from research.chance_games import coins
    >>> solved = solve_doubling(coins(8, 2))
    >>> decision = solved.decision(8, "first")
    >>> decision.doubles, decision.takes, solved.value(8)
    (True, True, Fraction(1, 1))
    """
    policy = _policy(game, _iterated(game), {})
    for _ in range(_MOST_IMPROVEMENTS):
        values = _values_of(game, policy)
        better = _policy(game, values, policy)
        if better == policy:
            return Doubling(game, values)
        policy = better
    raise GraphError("no best decisions were found, because improved decisions repeat")


def _step(game: ChanceGame, values: Values, state: State, cube: Cube) -> Fraction:
    """Return the mean value after the next step of the game, if the cube is not turned."""
    return sum(
        (
            chance * (game.ends[target] if target in game.ends else values[target, cube])
            for target, chance in game.steps[state].items()
        ),
        Fraction(0),
    )


def _decision(
    game: ChanceGame, values: Values, state: State, cube: Cube, side: Side
) -> Decision:
    """Return the equities of a side's choices, from the viewpoint of this side."""
    sign, other = (1, "second") if side == "first" else (-1, "first")
    no_double = _step(game, values, state, cube)
    if side == "first" and cube == "centred" and game.may_double(state, "second"):
        # If both players may double, the second player decides after the first.
        reply = _decision(game, values, state, cube, "second")
        no_double = min(no_double, -min(reply.double_take, Fraction(1)))
    owned: Cube = "second" if other == "second" else "first"
    return Decision(sign * no_double, sign * 2 * _step(game, values, state, owned))


def _choices(game: ChanceGame) -> list[tuple[State, Cube, Side]]:
    """Return all combinations of state, cube owner and side where the side may double."""
    cubes: dict[Side, tuple[Cube, ...]] = {
        "first": ("centred", "first"),
        "second": ("centred", "second"),
    }
    return [
        (state, cube, side)
        for state in game.steps
        for side in SIDES
        for cube in cubes[side]
        if game.may_double(state, side)
    ]


def _policy(game: ChanceGame, values: Values, old: Policy) -> Policy:
    """Return the best decisions, given the `values` of all states.

    If both choices in a decision are equally good, the choice in `old` is kept.
    """
    policy = {}
    for key in _choices(game):
        state, cube, side = key
        found = _decision(game, values, state, cube, side)
        doubles, takes = found.error_of_doubling < 0, found.double_take < 1
        if key in old:
            doubles = old[key][0] if found.error_of_doubling == 0 else doubles
            takes = old[key][1] if found.double_take == 1 else takes
        policy[key] = doubles, takes
    return policy


def _values_of(game: ChanceGame, policy: Policy) -> Values:
    """Return the exact values of all states if both sides make given cube decisions."""
    rows: dict[Hashable, dict[Hashable, Fraction]] = {}
    constants: dict[Hashable, Fraction] = {}
    for state, chances in game.steps.items():
        for cube in CUBES:
            worth, factor, after = Fraction(0), 1, cube
            # If both players may double, the first player decides first.
            for side in SIDES:
                doubles, takes = policy.get((state, cube, side), (False, False))
                if doubles and takes:
                    factor, after = 2, "second" if side == "first" else "first"
                elif doubles:
                    worth, factor = Fraction(1 if side == "first" else -1), 0
                if doubles:
                    break
            row: dict[Hashable, Fraction] = {}
            for target, chance in chances.items() if factor else ():
                if target in game.ends:
                    worth += factor * chance * game.ends[target]
                else:
                    row[target, after] = factor * chance
            rows[state, cube], constants[state, cube] = row, worth
    _check_stakes(rows)
    solved = solve_sparse(rows, constants)
    return {(state, cube): solved[state, cube] for state in game.steps for cube in CUBES}


def _check_stakes(rows: dict[Hashable, dict[Hashable, Fraction]]) -> None:
    """Raise an error if the expected stake is infinite because doubles are too frequent.

    The sum of the powers of a nonnegative matrix is finite if and only if the corresponding
    equations have a positive solution.
    """
    try:
        stakes = solve_sparse(rows, dict.fromkeys(rows, Fraction(1)))
        bounded = all(stake > 0 for stake in stakes.values())
    except ZeroDivisionError:
        bounded = False
    if not bounded:
        raise GraphError(
            "the game has no value: both sides double so often that the mean stake has no "
            "bound; let it end sooner, or let fewer states double"
        )


def _iterated(game: ChanceGame) -> Values:
    """Return approximate values of all states, by iterating backwards for many steps."""
    states = list(game.steps)
    index = {state: k for k, state in enumerate(states)}
    steps = sparse.lil_matrix((len(states), len(states)))
    ends = np.zeros(len(states))
    for state, chances in game.steps.items():
        for target, chance in chances.items():
            if target in index:
                steps[index[state], index[target]] = float(chance)
            else:
                ends[index[state]] += float(chance * game.ends[target])
    matrix = steps.tocsr()
    may = {side: np.array([game.may_double(s, side) for s in states]) for side in SIDES}
    values = np.zeros((len(states), 3))
    for _ in range(_SWEEPS):
        after = matrix @ values + ends[:, None]
        first = np.where(may["first"], np.minimum(1, 2 * after[:, 2]), -np.inf)
        second = np.where(may["second"], np.maximum(-1, 2 * after[:, 1]), np.inf)
        best = np.column_stack(
            [
                np.maximum(np.minimum(after[:, 0], second), first),
                np.maximum(after[:, 1], first),
                np.minimum(after[:, 2], second),
            ]
        )
        change = np.abs(best - values).max()
        values = best
        if change < 1e-13:
            break
    return {
        (state, cube): Fraction(float(values[index[state], c]))
        for state in states
        for c, cube in enumerate(CUBES)
    }
