r"""Gammons between two sides who started with all their checkers on the home board.

A side that has taken no checker off when the other bears off its last loses a gammon, two
points. So a gammon can be lost only by a side with all 15 on the board, and no pair of a
two-sided table of fewer checkers holds one.

Let :math:`F_x(k)` be the chance that ``x`` is off within ``k`` rolls, :math:`f_x` its
differences, and :math:`S_y(k)` the chance that ``y`` has taken no checker off after ``k``
rolls, 0 from the start unless all are on the board. The roller ``x`` wins a gammon from
``y``, and loses one to ``y``, with the chances

.. math:: \sum_{k \ge 1} f_x(k) \, S_y(k - 1), \qquad \sum_{k \ge 1} f_y(k) \, S_x(k)

if neither side's play depends on the other's: `gammon_chance`. With the *most* each of
:math:`F_x(k)` and :math:`S_y(k)` can be under any play, separately for each ``k``, the
same sums bound the chances whatever is played, even by two sides who see each other's
dice and work together: `gammon_bound`. results/two-sided/gammon-chances.md has the proof;
`TwoSidedTable.gammon_probability` the chances of the best play.
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
"""Raised whenever the stored arrays change, which makes older ones stale."""


@dataclass(frozen=True, eq=False)
class Gammons:
    """Chances of gammons, from the roller's side, before the roll.

    Attributes
    ----------
    wins : ndarray of float64
        That the roller wins one.
    losses : ndarray of float64
        That the roller loses one.
    """

    wins: Float64Array
    losses: Float64Array


def gammon_chance(
    rollers: sides.Sides, opponents: sides.Sides, checkers: int = CHECKERS
) -> Gammons:
    """Chances of gammons when both sides play fewest-rolls.

    What `fewest_rolls_win_probability` is to winning: true of these two players, a good
    estimate of the best ones.

    Parameters
    ----------
    rollers, opponents : array_like of int, broadcast against each other
        Numbers of the side on roll and of the other; number 0 has borne off.
    checkers : int
        With how many each side starts, and loses a gammon while all are on the board.

    Returns
    -------
    Gammons

    Raises
    ------
    PositionError
        If a number is no position of so many checkers.

    Examples
    --------
    All fifteen on the six point, on roll against one checker: a checker comes off with
    a six, 5-1, 4-2 and 3-3, 16 throws of 36 (with 2-2 the fewest-rolls play keeps all on).

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
"""Pairs of which each is followed by itself, rather than all positions at once."""


HASTE = 16.0
"""Rolls to bear off all that a roll to the first checker off is worth to a saving side."""


@dataclass(frozen=True, eq=False)
class SavingPlay:
    """How a side plays that is about to lose a gammon, all checkers home.

    Attributes
    ----------
    policy : ndarray of uint16, shape (positions, 21)
        As `OneSidedTable.policy`: to the fewest rolls to the first checker off, and of
        about equal ones to the fewest to the last.
    first_off : ndarray of float64, shape (positions,)
        Mean rolls to the first checker off; 0 once one is.
    idle : ndarray of float64, shape (positions, rolls)
        Chance to have none off after so many rolls.
    """

    policy: NDArray[np.uint16]
    first_off: Float64Array
    idle: Float64Array

    @property
    def first_off_variance(self) -> Float64Array:
        """Variance of the rolls to the first checker off, shape (positions,)."""
        squares = self.idle @ (2.0 * np.arange(self.idle.shape[1]) + 1.0)
        return np.asarray(np.maximum(squares - self.first_off**2, 0.0))


@lru_cache(maxsize=1)
def saving_play() -> SavingPlay:
    """Return how a side of 15 plays to save the gammon, solved on first use.

    Examples
    --------
    All fifteen on the six point, 2-2: 6/off is no fewest-rolls play, but saves.

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
    """Improve play until it is best for its own rolls to the first checker off."""
    mean_rolls, full = one_sided_table().mean_rolls, full_positions()
    weights = np.array(WEIGHTS) / THROWS
    first_off = np.zeros(len(mean_rolls))
    first_off[full] = 1.0
    while True:
        score = HASTE * first_off + mean_rolls
        policy = least_score_policy(score, POINTS, CHECKERS)
        needed = 1.0 + first_off[policy[full]] @ weights
        settled = np.abs(needed - first_off[full]).max() < _SETTLED
        first_off[full] = needed
        if settled:
            return {"policy": policy, "first_off": first_off}


_SETTLED = 1e-6
"""Rolls by which play is improved no further."""


def gammon_bound(
    rollers: sides.Sides, opponents: sides.Sides, checkers: int = CHECKERS
) -> Gammons:
    """Most that the chances of gammons can be, whatever both sides play.

    Equities that leave gammons out err by at most these: cubeless, with a gammon at two
    points, the roller's equity lies from ``losses`` below to ``wins`` above. The bound
    is close where few checkers are left and poor where many are: it supposes a side that
    keeps all its checkers on as long as it can.

    Parameters
    ----------
    rollers, opponents, checkers
        As for `gammon_chance`.

    Returns
    -------
    Gammons

    Raises
    ------
    PositionError
        If a number is no position of so many checkers.

    Examples
    --------
    >>> import bearoff
    >>> three, all_on = bearoff.rank([[0, 0, 3, 0, 0, 0], [0, 0, 0, 0, 0, 15]])
    >>> found = gammon_bound(three, all_on)
    >>> round(float(found.wins), 4), float(found.losses)
    (0.7033, 0.0)
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
    """Return the numbers of the positions with all checkers on the board.

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
) -> Gammons:
    """Sum over the rolls; see the head of the module, and `_tails`."""
    shape, x, y = x.shape, x.ravel(), y.ravel()
    after, before, idle = tails
    wins = np.einsum("ij,ij->i", after[x], before[y])
    losses = np.einsum("ij,ij->i", after[y], idle[x])
    chances = (np.minimum(sums, 1.0).reshape(shape) for sums in (wins, losses))
    return Gammons(*chances)


def _tails(
    finish: Float64Array, idle: Float64Array
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Chance to be off after exactly so many rolls, to be idle one roll before, and then.

    `finish` and `idle` have a row for each position and a column for each number of
    rolls: the chance to be off within it, and to have taken none off.
    """
    # A side that has borne off before the roll has won by what is left of the other.
    before = np.concatenate([idle[:, :1], idle[:, :-1]], axis=1)
    return np.diff(finish, axis=1, prepend=0.0), before, idle


@lru_cache(maxsize=2)
def fewest_rolls_tails(
    checkers: int = CHECKERS,
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Return what `gammon_chance` multiplies, for all positions at once.

    Returns
    -------
    after, before, idle : ndarray of float64, shape (positions, rolls)
        ``after[x] @ before[y]`` is the chance that roller ``x`` wins a gammon from
        ``y``, and ``after[y] @ idle[x]`` that the roller loses one.
    """
    return _tails(*_fewest_rolls(check_size(POINTS, checkers)[1]))


def _fewest_rolls(checkers: int) -> tuple[Float64Array, Float64Array]:
    """Chances to be off, and to have none off, of fewest-rolls play."""
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
    """Chances as of `_fewest_rolls`, of some positions alone."""
    table = one_sided_table(POINTS, checkers)
    finish = table.distribution[numbers].cumsum(axis=1)
    idle = np.zeros_like(finish)
    first = full_positions(checkers).start
    reached = new = np.unique(numbers[numbers >= first])
    while len(new):  # What play leads to with all still on.
        after = np.unique(table.policy[new])
        new = np.setdiff1d(after[after >= first], reached)
        reached = np.union1d(reached, new)
    if not len(reached):
        return finish, idle
    rows = np.flatnonzero(numbers >= first)
    places = np.searchsorted(reached, numbers[rows])
    # What is no longer among them comes behind the last, which is never idle.
    leads = table.policy[reached]
    leads = np.where(leads >= first, np.searchsorted(reached, leads), len(reached))
    # In whole blocks, as all positions are: sums of a broken one may round otherwise.
    leads = np.pad(leads, ((0, -len(leads) % 8), (0, 0)), constant_values=len(reached))
    column = np.append(np.ones(len(leads)), 0.0)
    column[len(reached) :] = 0.0
    weights = np.array(WEIGHTS) / THROWS
    for k in range(idle.shape[1]):
        idle[rows, k] = column[places]
        column[:-1] = column[leads] @ weights
    return finish, idle


def _most(checkers: int) -> dict[str, Float64Array]:
    """Most chances to be off, and to have none off, of any play, for each roll apart."""
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
    """Mean over the throws of the best that each roll leads to, from a position on."""
    starts = every.offsets[first * len(ROLLS) : -1]
    reached = values[every.numbers[starts[0] :]]
    best = np.maximum.reduceat(reached, starts - starts[0]).reshape(-1, len(ROLLS))
    return np.asarray(best @ np.array(WEIGHTS) / THROWS)
