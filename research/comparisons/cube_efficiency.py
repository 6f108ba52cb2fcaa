"""Cube efficiency for classes of positions, fitted to GNU Backgammon's evaluations.

The value of a cube is the efficiency times the value of a live cube, plus one minus the
efficiency times the value of a dead cube. The efficiency is fitted by least squares, given
GNU Backgammon's outcome probabilities and equities.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bearoff import RACE_EFFICIENCY
from bearoff.game import Board
from bearoff.game.search import CONTACT_EFFICIENCY, cube_of
from bearoff.game.state import GameState
from bearoff.stakes import PASS, ladder_kernels

Float64Array = NDArray[np.float64]

_CRASHED = 7
"""A side counts as crashed if at most this number of its checkers are above the 3 point."""

_FEWEST = 20
"""Minimum number of positions in a class for which a cube efficiency is fitted."""


def kind(board: Board) -> str:
    """Return the class of a position, such as ``"races"`` or ``"other contact"``."""
    if board.race is not None:
        return "races"
    if any(board.off):
        return "a side has borne off"
    sides = board.roller, board.opponent
    if any(sum(side[3:]) <= _CRASHED for side in sides):
        return "a side has crashed"
    if any(side[-1] for side in sides):
        return "a checker on the bar"
    return "other contact"


def shipped(states: Sequence[GameState]) -> Float64Array:
    """Return the cube efficiencies that this program's players use, shape (n,)."""
    races = [state.board.race is not None for state in states]
    return np.where(races, RACE_EFFICIENCY, CONTACT_EFFICIENCY)


def at_once(
    states: Sequence[GameState], chances: Float64Array, lives: Float64Array
) -> Float64Array:
    """Return equities without and with a double, estimated from outcome probabilities.

    Parameters
    ----------
    states : sequence of GameState
    chances : ndarray of float64, shape (n, 5)
    lives : ndarray of float64, shape (n,)
        Cube efficiency in each position.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        Equities without and with a double, in EMG. If the cube cannot be turned, the equity
        with a double is minus infinity.
    """
    found = np.empty((len(states), 2))
    for row, state, given, live in zip(found, states, chances, lives, strict=True):
        cube = cube_of(state)
        ladder = cube.ladders()[0]
        filled = np.empty((len(ladder), 4))
        ladder_kernels.fill(ladder, given, filled)
        held = ladder_kernels.held
        row[0] = held(ladder, filled, 0, cube.owner, given, live)
        row[1] = held(ladder, filled, 1, -1, given, live) if len(ladder) > 1 else -np.inf
    return found


def losses(judge: Float64Array, values: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Return the equity that doubling decisions and takes lose, given the true equities.

    The decisions follow from the equities `values`, and the losses from the true equities
    `judge`. Decisions to take are included only where a double is right.
    """
    doubled = np.minimum(judge[:, 1], PASS)
    doubles = np.minimum(values[:, 1], PASS) >= values[:, 0]
    lost = np.maximum(judge[:, 0], doubled) - np.where(doubles, doubled, judge[:, 0])
    takes, offered = values[:, 1] <= PASS, doubled >= judge[:, 0]
    answer = np.where(takes, judge[:, 1], PASS) - doubled
    return lost, answer[offered]


def fitted(judge: Float64Array, dead: Float64Array, live: Float64Array) -> float:
    """Return the cube efficiency, from 0 to 1, that fits given equities best."""
    known = np.isfinite(dead) & np.isfinite(live)
    apart, beyond = live[known] - dead[known], judge[known] - dead[known]
    return float(np.clip(apart @ beyond / (apart @ apart), 0.0, 1.0))


def rows(states: Sequence[GameState], judge: Float64Array) -> list[list[str]]:
    """Return a table row for each class of positions, with its fitted cube efficiency.

    ``judge``, shape (n, 7), has GNU Backgammon's equities without and with a double, and
    its outcome probabilities.
    """
    kinds = np.array([kind(state.board) for state in states])
    even = np.arange(len(states)) % 2 == 0
    zero, usual = np.zeros(len(states)), shipped(states)
    dead, live, values = (
        at_once(states, judge[:, 2:], lives) for lives in (zero, zero + 1, usual)
    )
    found = []
    for name in sorted(set(kinds.tolist())):
        of_kind = kinds == name
        if min((of_kind & even).sum(), (of_kind & ~even).sum()) < _FEWEST:
            continue
        one, other = of_kind & even, of_kind & ~even
        share = fitted(judge[one, :2], dead[one], live[one])
        kept = [state for state, chosen in zip(states, other, strict=True) if chosen]
        fit = at_once(kept, judge[other, 2:], np.full(len(kept), share))
        lost = [
            np.concatenate(losses(judge[other, :2], each)) for each in (values[other], fit)
        ]
        means = [1000 * each.mean() for each in lost]
        error = 1000 * (lost[1] - lost[0]).std(ddof=1) / len(lost[0]) ** 0.5
        found.append(
            [
                name,
                f"{of_kind.sum():,}",
                f"{share:.2f}",
                f"{usual[one][0]:.2f}",
                f"{means[0]:.1f}",
                f"{means[1]:.1f}",
                f"{means[1] - means[0]:+.1f} ± {error:.1f}",
            ]
        )
    return found
