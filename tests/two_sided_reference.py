"""The two-sided values solved twice more, sharing no code with `bearoff`.

Once exactly, pair by pair as a player would think; once in float64 with numpy, by the
sum of both sides' pips. Plays come from `tests.reference`.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests import reference
from tests.reference import Checkers

Float64Array = NDArray[np.float64]

ROLLS = [(a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1)]

ONE = 36**40
"""A point. Values are whole numbers: no game of three checkers has so many rolls."""


class Values(NamedTuple):
    """What a pair is worth to the roller at a cube of 1; a point is `ONE`."""

    cubeless: int
    opponent: int
    """With the cube at the opponent; also what not doubling is worth then."""
    owned: int
    centred: int
    owned_kept: int
    """With the cube at the roller, who does not turn it now."""
    centred_kept: int


@cache
def exact(roller: Checkers, opponent: Checkers) -> Values:
    """Solve a pair: whoever rolls doubles if he may and should, then plays his best."""
    if not roller or not opponent:
        return Values(*[ONE if not roller else -ONE] * 6)
    turns = [
        (weight, [exact(opponent, end) for end in reference.successors(roller, *dice)])
        for *dice, weight in ROLLS
    ]

    def best_turn(plane: int) -> int:
        """Mean over the throws of the best play; `plane` is the opponent's."""
        total = sum(weight * min(v[plane] for v in theirs) for weight, theirs in turns)
        mean, left_over = divmod(-total, 36)
        assert left_over == 0
        return mean

    # If he turns or keeps the cube, the opponent plays on as its owner or without it.
    cubeless, held_by_opponent = best_turn(0), best_turn(2)
    owned_kept, centred_kept = best_turn(1), best_turn(3)
    # The opponent takes or passes, whichever costs him less.
    doubled = min(ONE, 2 * held_by_opponent)
    return Values(
        cubeless,
        held_by_opponent,
        max(owned_kept, doubled),
        max(centred_kept, doubled),
        owned_kept,
        centred_kept,
    )


def float64_planes(checkers: int) -> dict[str, Float64Array]:
    """Solve all pairs; ``[roller, opponent]`` in the paper's order, in points."""
    positions = reference.all_positions(6, checkers)
    number = {position: n for n, position in enumerate(positions)}
    pips = np.array([sum(position) for position in positions])
    levels = [np.flatnonzero(pips == p) for p in range(pips.max() + 1)]
    plays = [_plays_of([positions[n] for n in level], number) for level in levels]
    size = len(positions)
    planes = {name: np.empty((size, size)) for name in Values._fields}
    for plane in planes.values():
        plane[:, 0], plane[0] = -1, 1

    def best_turn(name: str, p: int, q: int) -> Float64Array:
        chosen, firsts = plays[p]
        theirs = planes[name][np.ix_(levels[q], chosen)]
        least = np.minimum.reduceat(theirs, firsts, axis=1)
        weights = np.array([weight for *_, weight in ROLLS]) / 36
        turns: Float64Array = -(least.reshape(len(levels[q]), -1, len(ROLLS)) @ weights).T
        return turns

    for total in range(2, 2 * len(levels) - 1):
        for p in range(max(1, total - len(levels) + 1), min(total, len(levels))):
            q = total - p
            at = np.ix_(levels[p], levels[q])
            planes["cubeless"][at] = best_turn("cubeless", p, q)
            planes["opponent"][at] = after = best_turn("owned", p, q)
            for name, faced in (("owned", "opponent"), ("centred", "centred")):
                kept = best_turn(faced, p, q)
                planes[f"{name}_kept"][at] = kept
                planes[name][at] = np.maximum(kept, np.minimum(1, 2 * after))
    return planes


def _plays_of(
    positions: list[Checkers], number: dict[Checkers, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Successors of every position and roll end to end, and where each starts."""
    ends = [
        [number[end] for end in reference.successors(position, first, second)]
        for position in positions
        for first, second, _ in ROLLS
    ]
    lengths = np.array([len(one) for one in ends])
    return np.concatenate(ends).astype(np.int64), np.cumsum(lengths) - lengths
