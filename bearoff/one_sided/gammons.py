r"""Gammon chances in races in which all checkers of both players start at home.

A player who has not borne off a checker when the opponent bears off the last one loses a
gammon, which counts two points. Only a player with all 15 checkers on the board can lose a
gammon, so a two-sided table of fewer checkers has no gammons.

Let :math:`F_x(k)` be the probability that ``x`` bears off within ``k`` rolls, and
:math:`f_x(k)` the probability that it does in exactly ``k`` rolls. Let :math:`S_y(k)` be
the probability that ``y`` has not borne off a checker after ``k`` rolls, which is 0 unless
all its checkers are on the board. If the players do not react to each other, the roller
``x`` wins a gammon from ``y``, and loses a gammon to ``y``, with the probabilities

.. math:: \sum_{k \ge 1} f_x(k) \, S_y(k - 1), \qquad \sum_{k \ge 1} f_y(k) \, S_x(k)

`gammon_chance` returns both probabilities. `gammon_bound` returns upper bounds. The bounds
follow from the same formulas, with the largest values that any play gives to each
:math:`F_x(k)` and each :math:`S_y(k)`. The bounds hold for all plays, even if the players
know each other's dice and cooperate. The proof is in results/two-sided/gammon-chances.md.
`TwoSidedTable.gammon_probability` returns the chances under best play.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.one_sided.opening import one_sided_table
from bearoff.plays import Successors, least_score_policy, successors
from bearoff.positions import CHECKERS, POINTS, check_size, position_count, sides
from bearoff.rolls import ROLLS, THROWS, WEIGHTS
from bearoff.storage import CheckedArrays, load_or_build, require_shapes

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

VERSION = 1
"""Version of the stored arrays in the cache. Files of older versions are not used."""


@dataclass(frozen=True, eq=False)
class GammonChances:
    """Probabilities that the roller wins and loses a gammon, before the roll.

    Attributes
    ----------
    wins : ndarray of float64
        Probability that the roller wins a gammon.
    losses : ndarray of float64
        Probability that the roller loses a gammon.
    """

    wins: Float64Array
    losses: Float64Array


def gammon_chance(
    rollers: sides.Sides, opponents: sides.Sides, checkers: int = CHECKERS
) -> GammonChances:
    """Return the gammon chances if both players minimise their mean numbers of rolls.

    The chances are exact for fewest-rolls play, and a good estimate for best play.
    `fewest_rolls_win_probability` is the corresponding function for wins.

    Parameters
    ----------
    rollers, opponents : array_like of int, broadcast against each other
        Position numbers of the roller and of the opponent; number 0 is the position without
        checkers.
    checkers : int
        Number of checkers of each player at the start of the game. A player can lose a
        gammon only while all these checkers are on the board.

    Returns
    -------
    GammonChances

    Raises
    ------
    PositionError
        If a number is not that of a position of at most `checkers` checkers.

    Examples
    --------
    The roller has all 15 checkers on the 6 point, and the opponent has one checker left. A
    six, 5-1, 4-2 or 3-3 bears off a checker: 16 of 36 throws. After 2-2, the fewest-rolls
    play leaves all checkers on the board.

    >>> import bearoff
    >>> last, all_on = bearoff.rank([[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 15]])
    >>> round(float(gammon_chance(all_on, last).losses) * 36, 9)
    20.0
    """
    _, checkers = check_size(POINTS, checkers)
    x, y = sides.pairs(rollers, opponents, POINTS, checkers)
    if x.size <= _FEW:
        both, places = np.unique(np.stack([x, y]), return_inverse=True)
        after, before, idle = _tails(*_fewest_rolls_of(both, checkers))
        x, y = places.reshape(2, *x.shape)
        return _meet((after, before, idle), x, y)
    return _meet(fewest_rolls_tails(checkers), x, y)


_FEW = 16
"""Maximum number of pairs of positions in a call for which the distributions of only these
positions are computed. More pairs use distributions of all positions."""


HASTE = 16.0
"""Weight of the mean number of rolls to the first checker off in the sum that a player
minimises to save the gammon. The mean number of rolls to the last checker off has the
weight 1."""


@dataclass(frozen=True, eq=False)
class SavingPlay:
    """Plays of a player with all checkers home who tries to save the gammon.

    Attributes
    ----------
    policy : ndarray of uint16, shape (positions, 21)
        Position after each roll, as in `OneSidedTable.policy`. The play minimises mainly
        the mean number of rolls to the first checker off.
    first_off : ndarray of float64, shape (positions,)
        Mean number of rolls to the first checker off; 0 if a checker is off.
    idle : ndarray of float64, shape (positions, rolls)
        Probability that no checker has been borne off after ``n`` rolls, in column ``n``.
    """

    policy: NDArray[np.uint16]
    first_off: Float64Array
    idle: Float64Array

    @property
    def first_off_variance(self) -> Float64Array:
        """Variance of the number of rolls to the first checker off, shape (positions,)."""
        squares = self.idle @ (2.0 * np.arange(self.idle.shape[1]) + 1.0)
        return np.asarray(np.maximum(squares - self.first_off**2, 0.0))


@lru_cache(maxsize=1)
def saving_play() -> SavingPlay:
    """Return the plays by which a player with 15 checkers tries to save the gammon.

    Examples
    --------
    With all 15 checkers on the 6 point, 2-2 can bear off a checker by three moves. This is
    not the fewest-rolls play, but saves the gammon.

    >>> import bearoff
    >>> after = saving_play().policy[54263, bearoff.ROLLS.index((2, 2))]
    >>> int(bearoff.unrank(after).sum())
    14
    """
    found = load_or_build("saving-play", VERSION, _solve_saving, _check_saving)
    policy, full = found["policy"], full_positions()
    weights = np.array(WEIGHTS) / THROWS
    columns = [np.zeros(len(policy))]
    columns[0][full] = 1.0
    while columns[-1].any():
        columns.append(np.zeros(len(policy)))
        columns[-1][full] = columns[-2][policy[full]] @ weights
    return SavingPlay(policy, found["first_off"], np.stack(columns, axis=1))


def _check_saving(arrays: CheckedArrays) -> None:
    size = position_count(POINTS, CHECKERS)
    shapes = {"policy": ((size, len(ROLLS)), "u2"), "first_off": ((size,), "f8")}
    require_shapes(arrays, shapes)


def _solve_saving() -> dict[str, NDArray[Any]]:
    """Minimise the mean number of rolls to the first checker off, by policy iteration."""
    mean_rolls, full = one_sided_table().mean_rolls, full_positions()
    weights = np.array(WEIGHTS) / THROWS
    first_off = np.zeros(len(mean_rolls))
    first_off[full] = 1.0
    # A player who has borne off a checker can no longer lose a gammon, and then plays to
    # minimise the mean number of rolls.
    policy = least_score_policy(mean_rolls, POINTS, CHECKERS)
    while True:
        score = HASTE * first_off + mean_rolls
        policy[full] = least_score_policy(score, POINTS, CHECKERS, full.start)[full]
        needed = 1.0 + first_off[policy[full]] @ weights
        settled = np.abs(needed - first_off[full]).max() < _SETTLED
        first_off[full] = needed
        if settled:
            return {"policy": policy, "first_off": first_off}


_SETTLED = 1e-6
"""Tolerance of the policy iteration: largest change in the mean numbers of rolls at
convergence.
"""


def gammon_bound(
    rollers: sides.Sides, opponents: sides.Sides, checkers: int = CHECKERS
) -> GammonChances:
    """Return upper bounds on the gammon chances, valid for all plays of both players.

    ``wins`` and ``losses`` are the upper bounds. Without a cube, gammons raise the roller's
    equity by at most ``wins`` points, and lower the equity by at most ``losses`` points.
    The bounds assume that the loser keeps all checkers on the board as long as possible.
    The bounds are therefore tight for few checkers and loose for many. The parameters are
    those of `gammon_chance`.

    Examples
    --------
    >>> import bearoff
    >>> three, all_on = bearoff.rank([[0, 0, 3, 0, 0, 0], [0, 0, 0, 0, 0, 6]])
    >>> found = gammon_bound(three, all_on, checkers=6)
    >>> round(float(found.wins), 4), float(found.losses)
    (0.7025, 0.0)
    """
    _, checkers = check_size(POINTS, checkers)
    found = load_or_build(
        f"gammon-bound-{checkers:02}",
        VERSION,
        lambda: _most(checkers),
        lambda arrays: _check(arrays, checkers),
    )
    tails = _tails(found["finish"], found["idle"])
    return _meet(tails, *sides.pairs(rollers, opponents, POINTS, checkers))


def _check(arrays: CheckedArrays, checkers: int) -> None:
    rows = ((position_count(POINTS, checkers), None), "f8")
    require_shapes(arrays, {"finish": rows, "idle": rows})


def full_positions(checkers: int = CHECKERS) -> slice:
    """Return the range of position numbers with all checkers on the board.

    Examples
    --------
    >>> full_positions()
    slice(38760, 54264, None)
    """
    _, checkers = check_size(POINTS, checkers)
    fewer = position_count(POINTS, checkers - 1) if checkers > 1 else 1
    return slice(fewer, position_count(POINTS, checkers))


def _meet(
    tails: tuple[Float64Array, Float64Array, Float64Array], x: Int64Array, y: Int64Array
) -> GammonChances:
    """Compute gammon chances as sums over the possible numbers of rolls of the game."""
    shape, x, y = x.shape, x.ravel(), y.ravel()
    after, before, idle = tails
    wins = np.einsum("ij,ij->i", after[x], before[y])
    losses = np.einsum("ij,ij->i", after[y], idle[x])
    chances = (np.minimum(sums, 1.0).reshape(shape) for sums in (wins, losses))
    return GammonChances(*chances)


def _tails(
    finish: Float64Array, idle: Float64Array
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Return the arrays `after`, `before` and `idle` that `fewest_rolls_tails` describes.

    `finish` and `idle` have one row per position and one column per number of rolls.
    `finish` contains the probabilities that all checkers are off after this number of
    rolls, and `idle` that no checker is off.
    """
    # The game is a gammon if the opponent still has all checkers on the board.
    before = np.concatenate([idle[:, :1], idle[:, :-1]], axis=1)
    return np.diff(finish, axis=1, prepend=0.0), before, idle


@lru_cache(maxsize=2)
def fewest_rolls_tails(
    checkers: int = CHECKERS,
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Return three arrays for the gammon chances of all pairs of positions.

    All three arrays have the shape (positions, rolls). ``after[x] @ before[y]`` is the
    probability that roller ``x`` wins a gammon from ``y``, and ``after[y] @ idle[x]`` is
    the probability that the roller loses a gammon.
    """
    return _tails(*_fewest_rolls(check_size(POINTS, checkers)[1]))


def _fewest_rolls(checkers: int) -> tuple[Float64Array, Float64Array]:
    """Return the chances that all checkers, or none, are off after each number of rolls."""
    table = one_sided_table(POINTS, checkers)
    finish = table.distribution.cumsum(axis=1)
    idle = np.zeros_like(finish)
    full = full_positions(checkers)
    idle[full, 0] = 1.0
    weights = np.array(WEIGHTS) / THROWS
    for k in range(1, idle.shape[1]):
        idle[full, k] = idle[:, k - 1][table.policy[full]] @ weights
    return finish, idle


def _fewest_rolls_of(
    numbers: Int64Array, checkers: int
) -> tuple[Float64Array, Float64Array]:
    """Compute the arrays of `_fewest_rolls` for some positions only."""
    table = one_sided_table(POINTS, checkers)
    finish = table.distribution[numbers].cumsum(axis=1)
    idle = np.zeros_like(finish)
    first = full_positions(checkers).start
    reached = new = np.unique(numbers[numbers >= first])
    while len(new):  # Add the positions after plays that bear off no checker.
        after = np.unique(table.policy[new])
        new = np.setdiff1d(after[after >= first], reached)
        reached = np.union1d(reached, new)
    if not len(reached):
        return finish, idle
    rows = np.flatnonzero(numbers >= first)
    places = np.searchsorted(reached, numbers[rows])
    # All positions with a checker borne off share the last index of `column`, because the
    # probability that all their checkers are on the board is 0.
    leads = table.policy[reached]
    leads = np.where(leads >= first, np.searchsorted(reached, leads), len(reached))
    # The array is padded to a multiple of 8 rows, because numpy may round sums of other
    # lengths differently.
    leads = np.pad(leads, ((0, -len(leads) % 8), (0, 0)), constant_values=len(reached))
    column = np.append(np.ones(len(leads)), 0.0)
    column[len(reached) :] = 0.0
    weights = np.array(WEIGHTS) / THROWS
    for k in range(idle.shape[1]):
        idle[rows, k] = column[places]
        column[:-1] = column[leads] @ weights
    return finish, idle


def _most(checkers: int) -> dict[str, Float64Array]:
    """Compute the largest chances under any plays that all checkers, or none, are off."""
    every = successors(POINTS, checkers)
    rolls = one_sided_table(POINTS, checkers).distribution.shape[1]
    finish = np.zeros((position_count(POINTS, checkers), rolls))
    finish[0] = 1.0
    idle = np.zeros_like(finish)
    full = full_positions(checkers)
    idle[full, 0] = 1.0
    for k in range(1, rolls):
        finish[1:, k] = _best_mean(finish[:, k - 1], every, 1)
        idle[full, k] = _best_mean(idle[:, k - 1], every, full.start)
    return {"finish": finish, "idle": idle}


def _best_mean(values: Float64Array, every: Successors, first: int) -> Float64Array:
    """Return the mean of the values after the best play of each of the 36 throws."""
    starts = every.offsets[first * len(ROLLS) : -1]
    # Values of a whole column are next to each other in a copy, which makes reading faster.
    reached = np.ascontiguousarray(values)[every.numbers[starts[0] :]]
    best = np.maximum.reduceat(reached, starts - starts[0]).reshape(-1, len(ROLLS))
    return np.asarray(best @ np.array(WEIGHTS) / THROWS)
