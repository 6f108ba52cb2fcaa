"""Solver of all races of No Chance Backgammon that can follow from two positions."""

from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff import Position, PositionError, TableError, rank
from bearoff.game.no_chance.naming import DOUBLES, NUMBERS, check_numbers
from bearoff.game.no_chance.race import NoChanceRace
from bearoff.game.no_chance.sides import POINTS, ROOM, is_full, position_of
from bearoff.runtime import memory_available

_QUICK = 500
"""Largest number of positions for which solving is too fast to report progress."""

_BYTES = 3
"""Bytes per solved state: one for the best result, one for the number that achieves the
best result, and one for the best result with any other number."""


def solve_no_chance_race(
    roller: Position,
    opponent: Position | None = None,
    *,
    numbers: int = NUMBERS,
    most: int | None = None,
    progress: Any = None,
) -> NoChanceRace:
    """Solve every race that can follow from two positions.

    The result contains races with either position on roll, and races in which both players
    have the same position.

    Parameters
    ----------
    roller : Position
        Position on six points of one player.
    opponent : Position, optional
        Position of the other player, also on six points. By default equal to `roller`.
    numbers : int
        Largest number that players may name, from 4 to 7.
    most : int, optional
        Maximum number of different positions in the solved races. By default, the largest
        number for which the results of all pairs fit into memory.
    progress : callable, optional
        Function that is called with the completed fraction, from 0 to 1. The function is
        not called if 500 or fewer positions can follow.

    Returns
    -------
    NoChanceRace

    Raises
    ------
    PositionError
        If a position is not on a board of six points, or has no checkers left.
    TableError
        If more than `most` positions can follow from the two positions, or if the results
        for all pairs of positions do not fit into memory.

    Notes
    -----
    Seven checkers per player have 1,716 positions and take 0.5 GB. Nine checkers take 4.1
    GB.
    """
    from bearoff.game.no_chance import kernels

    numbers = check_numbers(numbers)
    starts = [roller, opponent or roller]
    for side in starts:
        if side.points != POINTS or not any(side.counts):
            raise PositionError(
                f"both sides must have all checkers on the home points, got {side}"
            )
    states = numbers * (DOUBLES + 1) ** 2
    held = isqrt(memory_available() // (_BYTES * states))
    moves, positions = _reachable(starts, numbers, min(held, most or held))
    count = len(positions)
    shape = (count, count, numbers, DOUBLES + 1, DOUBLES + 1)
    offsets, after = _plays(moves)
    full = np.array([is_full(position_of(int(number))) for number in positions])
    best, number, second = (np.empty(shape, np.int8) for _ in range(_BYTES))
    step = max(1, count // 100)
    for begin in range(1, count, step):
        end = min(begin + step, count)
        kernels.solve_rows(offsets, after, full, begin, end, best, number, second)
        if progress is not None and count > _QUICK:
            progress((end / count) ** 2)
    return NoChanceRace(positions, moves, best, number, second)


def _reachable(
    starts: list[Position], numbers: int, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the moves between all positions that can follow, and their position numbers.

    Positions are sorted by pip count. The moves have shape (n, numbers, 6): for each
    position and number, the indices of the positions after each legal move of one checker,
    filled up with -1. Raises `TableError` if there are more than `most` positions.
    """
    from bearoff.game.no_chance import kernels

    sources = np.empty(POINTS, np.int64)
    found: dict[tuple[int, ...], list[tuple[int, int, tuple[int, ...]]]] = {}
    waiting = [tuple(side.counts) for side in starts] + [(0,) * POINTS]
    while waiting:
        counts = waiting.pop()
        if counts in found:
            continue
        if len(found) == most:
            raise TableError(
                f"more than {most:,} positions can be reached, which exceeds the limit or "
                "the free memory for their pairs; use fewer checkers (nine a side need at "
                "most 4.1 GB)"
            )
        found[counts] = steps = []
        for number in range(1, numbers + 1):
            many = kernels.single_moves(np.array(counts), number, sources)
            for s, source in enumerate(sources[:many].tolist()):
                moved = list(counts)
                moved[source - 1] -= 1
                if source > number:
                    moved[source - number - 1] += 1
                steps.append((number - 1, s, tuple(moved)))
                waiting.append(tuple(moved))
    order = sorted(found, key=lambda c: (sum(p * n for p, n in enumerate(c, 1)), c))
    place = {counts: k for k, counts in enumerate(order)}
    moves = np.full((len(order), numbers, POINTS), -1, np.int64)
    for k, counts in enumerate(order):
        for number, s, after in found[counts]:
            moves[k, number, s] = place[after]
    return moves, rank(np.array(order)).astype(np.int64)


def _plays(moves: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the plays of all pairs of numbers: offsets, and a flat array of positions."""
    from bearoff.game.no_chance import kernels

    numbers = moves.shape[1]
    pairs = [(high, low) for high in range(numbers) for low in range(high + 1)]
    offsets = np.zeros((len(moves), len(pairs) + 1), np.int64)
    targets = np.empty(ROOM, np.int64)
    parts, found = [], 0
    for position in range(len(moves)):
        for k, (high, low) in enumerate(pairs):
            offsets[position, k] = found
            if position:
                begin, end = kernels.after_pair(moves, position, high, low, targets)
                parts.append(targets[begin:end].astype(np.int32))
                found += end - begin
        offsets[position, -1] = found
    return offsets, np.concatenate(parts)
