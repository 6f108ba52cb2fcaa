"""Exact expected values of the program's rollouts, by a simple recursion over all rolls.

The module shares with `sim.rollouts.lanes` the policies and the fast model's values, which
define how the games are played, but no code that plays, judges or sums them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from statistics import NormalDist

import numpy as np

import bearoff
from bearoff.bear_in.model import bear_in
from bearoff.bear_in.saving import first_off as beyond_home, saving_bear_in, soonest
from bearoff.plays import Successors, successors
from bearoff.race_model import RaceModel, race_model
from bearoff.sim.rollouts.boards import board_of, tried as most_rolls
from bearoff.sim.rollouts.gammons import CARELESS, RISK, SOON
from bearoff.sim.rollouts.kernels import CLOSE, SHORT

Counts = tuple[int, ...]

PIPS_PER_ROLL = 49 / 6
OFF = (0,) * 24

HOME_POINTS = 6
HOME_SIZE = HOME_POINTS, 15
size = HOME_SIZE
"""Numbers of points and of checkers of the one-sided table."""


@contextmanager
def on_board_of(race: bearoff.Race) -> Iterator[None]:
    """Set the board size to that of a race within a with block."""
    board = board_of((race.roller, race.opponent))
    _use((board.points, board.checkers))
    try:
        yield
    finally:
        _use(HOME_SIZE)


def _use(wanted: tuple[int, int]) -> None:
    global size
    if wanted != size:
        size = wanted
        for function in list(globals().values()):
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def table() -> bearoff.OneSidedTable:
    """Return the one-sided table for the current board size."""
    return bearoff.one_sided_table(*size)


@cache
def number_of(counts: Counts) -> int:
    """Return the number of a position in the one-sided table."""
    return int(bearoff.rank(counts[: size[0]]))


@cache
def position_of(number: int) -> Counts:
    """Return a position's checkers on 24 points, from its number in the one-sided table."""
    return (*map(int, bearoff.unrank(number, size[0])), *(0,) * (24 - size[0]))


@cache
def plays(counts: Counts) -> tuple[tuple[Counts, ...], tuple[float, ...]]:
    """Return the positions after the fewest-rolls play of each roll, and their EPCs."""
    if is_known(counts):
        after = table().policy[number_of(counts)].tolist()
        return tuple(map(position_of, after)), tuple(table().epc[after].tolist())
    beyond, mean_rolls = bear_in().expand(np.array([counts], dtype=np.int8))
    places = tuple(tuple(map(int, row)) for row in beyond[0])
    return places, tuple((mean_rolls[0] * PIPS_PER_ROLL).tolist())


@cache
def saving_plays(counts: Counts) -> tuple[Counts, ...]:
    """Return the position after each roll, with plays that soon bear off one checker."""
    after, _ = saving_bear_in().expand(np.array([counts], dtype=np.int8))
    return tuple(tuple(map(int, row)) for row in after[0])


@cache
def soonest_plays(counts: Counts) -> tuple[Counts, ...]:
    """Return the position after each roll, with plays that prepare to bear off next."""
    saving = np.array([saving_plays(counts)], dtype=np.int8)
    after = soonest(np.array([counts], dtype=np.int8), saving)
    return tuple(tuple(map(int, row)) for row in after[0])


@cache
def idle_next(counts: Counts) -> float:
    """Return the chance that no play of the next roll bears off a checker."""
    side = bearoff.Position(counts)
    return mean(
        [
            float(
                all(play.after.on_board == 15 for play in bearoff.legal_plays(side, roll))
            )
            for roll in bearoff.ROLLS
        ]
    )


Stakes = tuple[float, float]
"""Additional cost of losing a gammon instead of a single game, and of losing a backgammon
instead of a gammon."""

MONEY: Stakes = (1.0, 1.0)


def chosen_plays(
    mover: Counts, other: Counts, stakes: Stakes = MONEY
) -> tuple[Counts, ...]:
    """Return the position after the play of each roll that a rollout chooses."""
    if reckoned_with(mover, other, False):
        return saving_or_not(mover, other, stakes)
    return plays_to_win(mover, other)


@cache
def plays_to_win(mover: Counts, other: Counts) -> tuple[Counts, ...]:
    """Return the side's position after the play of each roll that wins most often."""
    fewest = plays(mover)[0]
    if not (is_known(mover) and is_known(other)):
        return fewest
    return tuple(
        winning_play(mover, other, first, roll) for roll, first in enumerate(fewest)
    )


@cache
def saving_or_not(mover: Counts, other: Counts, stakes: Stakes) -> tuple[Counts, ...]:
    """Return the position after each roll of a side that may lose a gammon."""
    fewest = plays(mover)[0]

    def worth(after: Counts) -> float:
        lost = np.dot(stakes, gammons_lost(after, other, True))
        return float(-cubeless(other, after) - lost)

    found = list(fewest)
    others = [saving_plays(mover)]
    if is_home(other) and not is_home(mover):
        _, one, two, *_ = rolls_of(other)
        if two > SOON * (1 - one) + 1e-6:
            others.append(soonest_plays(mover))
    for plays_tried in others:
        for roll, tried in enumerate(plays_tried):
            if worth(tried) > worth(found[roll]) + 1e-6:
                found[roll] = tried
    return tuple(found)


def winning_play(mover: Counts, other: Counts, fewest: Counts, roll: int) -> Counts:
    """Return the position after the best play among plays that are nearly the fastest."""
    means, number = table().mean_rolls, number_of(mover)
    offsets, numbers = every_play()
    at = slice(offsets[number * 21 + roll], offsets[number * 21 + roll + 1])
    best, first = fewest, number_of(fewest)
    chance = win_probability(other, best)
    most = float(most_rolls(means[number]))
    for tried in numbers[at].tolist():
        if means[tried] - means[first] >= most or tried == first:
            continue
        place = position_of(tried)
        if win_probability(other, place) < chance - 1e-6:
            best, chance = place, win_probability(other, place)
    return best


@cache
def every_play() -> Successors:
    """Return all plays of all positions of the current board size."""
    return successors(*size)


def rolls_of(home: Counts) -> list[float]:
    """Return the probabilities that a side at home needs 0, 1, ... rolls to bear off."""
    found = table().distribution_of(number_of(home))
    return [float(chance) for chance in found]


def is_home(counts: Counts) -> bool:
    return not any(counts[HOME_POINTS:])


def is_known(counts: Counts) -> bool:
    """Check whether the one-sided table contains a position."""
    return not any(counts[size[0] :])


def cubeless(roller: Counts, opponent: Counts) -> float:
    """Return the rollout's estimate of the cubeless equity for the side on roll."""
    if is_known(roller) and is_known(opponent):
        return 2 * win_probability(roller, opponent) - 1
    return by_spread(roller, opponent)


@cache
def first_off(counts: Counts) -> tuple[float, float]:
    """Return the mean and variance of the number of rolls to bear the first checker off."""
    if not is_home(counts):
        known = beyond_home(np.array(counts, dtype=np.int8))
        return float(known[0]), float(known[1])
    mean, square, k = 0.0, 0.0, 0
    while chance := idle(counts, k):
        mean, square, k = mean + chance, square + (2 * k + 1) * chance, k + 1
    return mean, square - mean**2


@cache
def idle(counts: Counts, rolls: int) -> float:
    """Return the chance that a gammon-saving side bears off no checker in some rolls."""
    if sum(counts) < 15 or rolls == 0:
        return float(sum(counts) == 15)
    return mean([idle(after, rolls - 1) for after in saving_plays(counts)])


@cache
def gammon_at_home(winner: Counts, loser: Counts, winner_rolls: bool) -> float:
    """Return the gammon chance with all checkers home, if the loser plays to save it."""
    if winner == OFF or sum(loser) < 15:
        return float(sum(loser) == 15)
    if winner_rolls:
        after = plays(winner)[0]
        return mean([gammon_at_home(place, loser, False) for place in after])
    return mean([gammon_at_home(winner, place, True) for place in saving_plays(loser)])


@cache
def gammons_lost(loser: Counts, winner: Counts, winner_rolls: bool) -> tuple[float, float]:
    """Return the estimated chances that the loser loses a gammon, and a backgammon."""
    if sum(loser) < 15:
        return 0.0, 0.0
    back = loser[18:]
    if winner == OFF:
        return 1.0, float(any(back))
    ahead = (0.5 if winner_rolls else -0.5) - epc_of(winner) / PIPS_PER_ROLL

    def later(mean: float, variance: float) -> float:
        spread = (variance + std_of(winner) ** 2) ** 0.5
        return NormalDist(0, max(spread, 1e-9)).cdf(mean + ahead)

    if is_home(winner) and is_home(loser):
        gammon = gammon_at_home(winner, loser, winner_rolls)
    elif is_home(winner):
        needed, variance = first_off(loser)
        normal = NormalDist(0, max(variance, 0.02) ** 0.5)
        known = {0: 1.0, 1: idle_next(loser)}
        gammon = sum(
            chance * known.get(rolls, normal.cdf(needed - rolls - 0.5))
            for rolls, chance in enumerate(rolls_of(winner), start=-int(winner_rolls))
            if chance
        )
    else:
        gammon = later(*first_off(loser))
    # Leaving the opponent's home board is estimated to take as many rolls as bearing off
    # from it.
    wide = (*back, *(0,) * 18)
    leaving = later(epc_of(wide) / PIPS_PER_ROLL, std_of(wide) ** 2) if any(back) else 0.0
    return gammon, min(gammon, leaving)


def between(plane: np.ndarray, row: float, column: float) -> float:
    j, k = int(row), int(column)
    weights = np.outer([1 - (row - j), row - j], [1 - (column - k), column - k])
    return float((weights * plane[j : j + 2, k : k + 2]).sum())


def mean(values: list[float]) -> float:
    return float(np.dot(values, bearoff.WEIGHTS)) / 36


def places(
    mover: Counts, other: Counts, stakes: Stakes = MONEY
) -> list[tuple[float, float, float]]:
    """Return the position in the fast model's table after each roll, and the equity.

    The typical race and the actual one have the same cubeless equity. The EPC bin of the
    side that is on roll after the play comes first.
    """
    return [place(other, after) for after in chosen_plays(mover, other, stakes)]


@cache
def place(roller: Counts, opponent: Counts) -> tuple[float, float, float]:
    """Return the position of a race in the fast model's table, and the cubeless equity."""
    model = race_model()
    row, column = (epc_of(side) / model.step for side in (roller, opponent))
    equity = between(model.planes[0], row, column)
    if column == 0:
        return row, column, equity
    exact = cubeless(roller, opponent)
    j, k = int(row), int(column)
    corners = np.array([[slope(model, a, b) for b in (k, k + 1)] for a in (j, j + 1)])
    lead = (exact - equity) / between(np.pad(corners, ((j, 0), (k, 0))), row, column)
    room = min(row, column) - PIPS_PER_ROLL / model.step
    lead = float(np.clip(lead, -min(room, 4), min(room, 4)))
    return row - lead, column + lead, exact


@cache
def model_values(mover: Counts, other: Counts, plane: int) -> float:
    """Return the fast model's equity of the opponent, averaged over the roller's rolls."""
    values = race_model().planes[plane]
    return mean(
        [
            equity if plane == 0 else between(values, x, y)
            for x, y, equity in places(mover, other)
        ]
    )


def by_spread(roller: Counts, opponent: Counts) -> float:
    """Return the cubeless equity for normally distributed numbers of rolls."""
    lead = (epc_of(opponent) - epc_of(roller)) / PIPS_PER_ROLL
    spread = float(np.hypot(std_of(roller), std_of(opponent)))
    if spread == 0:
        return 1.0 if lead >= 0 else -1.0
    return 2 * NormalDist(0, spread).cdf(lead + 0.5) - 1


@cache
def std_of(counts: Counts) -> float:
    if is_known(counts):
        return float(table().std_rolls[number_of(counts)])
    return float(bear_in().std_rolls(np.array(counts, dtype=np.int8)))


def slope(model: RaceModel, row: int, column: int) -> float:
    plane = model.planes[0]
    last = len(plane) - 1
    if row in (0, last) or column in (0, last):
        return 1.0
    rise = (float(plane[row - 1, column + 1]) - float(plane[row + 1, column - 1])) / 2
    return max(rise, 1e-4)


@cache
def epc_of(counts: Counts) -> float:
    if is_known(counts):
        return float(table().epc[number_of(counts)])
    return float(bear_in().epc(np.array(counts, dtype=np.int8)))


@cache
def win_probability(roller: Counts, opponent: Counts) -> float:
    numbers = number_of(roller), number_of(opponent)
    return float(bearoff.fewest_rolls_win_probability(*numbers, *size))


def points(loser: Counts) -> int:
    """Return the points that a side loses at a cube of 1."""
    if sum(loser) < 15:
        return 1
    return 3 if any(loser[18:]) else 2


def end(loser: Counts, cube: str | None, jacoby: bool) -> int:
    """Return the points won in a finished game at a cube of 1."""
    return 1 if cube is None or (jacoby and cube == "centred") else points(loser)


@cache
def equity(
    mover: Counts, other: Counts, cube: str | None, may_double: bool, jacoby: bool = False
) -> float:
    """Return the roller's equity in points at a cube of 1, for a given cube owner."""
    if may_double and cube in ("centred", "owned"):
        seen = {"centred": 3, "owned": 1}[cube]
        waits = -model_values(mover, other, seen)
        taken = -2 * model_values(mover, other, 2)
        excess = gammons_won(mover, other)
        taken += 2 * excess
        if excess and not (jacoby and cube == "centred"):
            never = excess - model_values(mover, other, 0)
            waits = max(min(waits + excess, 1.0), never)
        if not excess and looks_ahead(mover, other, waits, taken):
            waits = look_ahead(mover, other, cube)
            taken = 2 * look_ahead(mover, other, "opponent")
        if min(taken, 1.0) >= waits:
            if taken > 1:
                return 1.0
            return 2 * equity(mover, other, "opponent", False, jacoby)
    theirs = {None: None, "centred": "centred", "owned": "opponent", "opponent": "owned"}
    return mean(
        [
            end(other, cube, jacoby)
            if after == OFF
            else -equity(other, after, theirs[cube], True, jacoby)
            for after in chosen_plays(mover, other)
        ]
    )


def looks_ahead(mover: Counts, other: Counts, waits: float, taken: float) -> bool:
    """Check whether a race is short and its cube decision close, so that a search helps."""
    after = chosen_plays(mover, other)
    if not all(map(is_known, (other, *after))):
        return False
    gain = min(taken, 1.0) - waits
    close = abs(gain) < CLOSE or (gain > 0 and abs(taken - 1) < CLOSE)
    return close and max(epc_of(other), epc_of(after[0])) < SHORT


@cache
def look_ahead(mover: Counts, other: Counts, cube: str) -> float:
    """Return the roller's mean equity by a search over the next roll of each side."""
    planes = race_model().planes
    at, owned = {"opponent": 1, "owned": 2, "centred": 3}[cube], 2

    def worth(plane: int, mine: Counts, theirs: Counts) -> float:
        if OFF in (mine, theirs):
            return 1.0 if mine == OFF else -1.0
        row, column, _ = place(mine, theirs)
        return between(planes[plane], row, column)

    total = []
    for mine in chosen_plays(mover, other):
        waits, turned = (
            mean([worth(plane, mine, theirs) for theirs in plays(other)[0]])
            for plane in (at, owned)
        )
        may_double = mine != OFF and cube != "owned"
        total.append(min(waits, max(2 * turned, -1.0)) if may_double else waits)
    return mean(total)


def gammons_won(mover: Counts, other: Counts) -> float:
    """Return the mean points that gammons add to the roller's equity."""
    won, lost = gammons(mover, other)
    return sum(won) - sum(lost)


@cache
def gammons(
    mover: Counts, other: Counts, stakes: Stakes = MONEY
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the roller's chances to win, and to lose, a gammon and a backgammon."""
    after = chosen_plays(mover, other, stakes)
    won, lost = (0.0, 0.0), (0.0, 0.0)
    if reckoned_with(other, mover, True):
        chances = [gammons_lost(other, place, False) for place in after]
        won = mean([one[0] for one in chances]), mean([one[1] for one in chances])
    if reckoned_with(mover, other, False):
        chances = [gammons_lost(place, other, True) for place in after]
        lost = mean([one[0] for one in chances]), mean([one[1] for one in chances])
    return won, lost


@cache
def reckoned_with(loser: Counts, winner: Counts, winner_rolls: bool) -> bool:
    """Check whether a gammon is likely enough to be considered."""
    if sum(loser) < 15:
        return False
    needed, variance = first_off(loser)
    lead = needed + (0.5 if winner_rolls else -0.5) - epc_of(winner) / PIPS_PER_ROLL
    return bool(lead > RISK * max((variance + std_of(winner) ** 2) ** 0.5, CARELESS))


@cache
def chance(
    mover: Counts,
    other: Counts,
    least: int,
    wins: bool,
    stakes: tuple[Stakes, Stakes] = (MONEY, MONEY),
) -> float:
    """Return the chance that the side on roll wins, or loses, at least `least` points.

    The first of the stakes are those of the side on roll.
    """
    return mean(
        [
            float(wins and points(other) >= least)
            if after == OFF
            else chance(other, after, least, not wins, stakes[::-1])
            for after in chosen_plays(mover, other, stakes[0])
        ]
    )


def expected(race: bearoff.Race, jacoby: bool = False) -> np.ndarray:
    """Return the exact means of a rollout: four equities and four gammon chances."""
    sides = [
        (*side.counts, *(0,) * (24 - side.points)) for side in (race.roller, race.opponent)
    ]
    with on_board_of(race):
        return np.array(
            [
                *(
                    equity(*sides, cube, False, jacoby)
                    for cube in (None, "centred", "owned", "opponent")
                ),
                *(
                    chance(*sides, least, wins)
                    for least in (2, 3)
                    for wins in (True, False)
                ),
            ]
        )
