"""Values of pairs of positions, solved by two methods that share no code with `bearoff`.

One method is exact, pair by pair as a player would think; the other is in float64 with
numpy, by the sum of both pip counts. Plays come from `oracles.reference`. A side that still
has all its starting checkers loses a gammon. Gammon chances depend on the choice between
plays of equal value, so their minimum and maximum are given.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from oracles import reference
from oracles.reference import Checkers

Float64Array = NDArray[np.float64]

ROLLS = [(a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1)]

ONE = 36**40
"""Integer that represents one point. Values of games with three checkers per side are exact
integers in this unit.
"""

SAME = 1e-6
"""Maximum difference, in points, between plays that count as equally good."""


class Values(NamedTuple):
    """Values of a pair of positions for the roller at a cube of 1, in 1 / `ONE` points."""

    cubeless: int
    """Cubeless value if gammons count as single games, and both sides play only to win."""
    points: int
    opponent: int
    """Value with a cube owned by the opponent, so that the roller cannot double."""
    owned: int
    centred: int
    jacoby: int
    """Value with a centred cube under the Jacoby rule."""
    owned_kept: int
    """Value with a cube that the roller owns and does not turn before this roll."""
    centred_kept: int
    jacoby_kept: int
    won: tuple[int, int]
    """Minimum and maximum chance to win a gammon, over the plays that win the most points.
    """
    lost: tuple[int, int]


@cache
def exact(roller: Checkers, opponent: Checkers, start: int = 15) -> Values:
    """Solve a pair of positions exactly, with perfect cube actions and plays."""
    if not roller or not opponent:
        sign = 1 if not roller else -1
        gammon = len(roller or opponent) == start
        single, counted = sign * ONE, sign * ONE * (2 if gammon else 1)
        won, lost = (ONE * (gammon and sign == one) for one in (1, -1))
        kept = counted, counted, single
        return Values(single, counted, counted, *kept, *kept, (won, won), (lost, lost))
    turns = [
        (
            weight,
            [exact(opponent, end, start) for end in reference.successors(roller, *dice)],
        )
        for *dice, weight in ROLLS
    ]

    def mean(values: list[int]) -> int:
        total = sum(w * value for (w, _), value in zip(turns, values, strict=True))
        whole, left_over = divmod(total, 36)
        assert left_over == 0
        return whole

    def best_turn(plane: str) -> int:
        """Return the mean over all rolls of a value after the best play."""
        return mean([max(-getattr(v, plane) for v in theirs) for _, theirs in turns])

    def chance(theirs_name: str) -> tuple[int, int]:
        """Return the smallest and largest gammon chance that equally good plays give."""
        least, most = [], []
        for _, theirs in turns:
            best = min(v.points for v in theirs)
            chances = [
                getattr(v, theirs_name) for v in theirs if v.points <= best + SAME * ONE
            ]
            least.append(min(low for low, _ in chances))
            most.append(max(high for _, high in chances))
        return mean(least), mean(most)

    # An owned cube stays with its owner until that player doubles.
    held_by_opponent = best_turn("owned")
    # The opponent takes or passes, whichever loses less.
    doubled = min(ONE, 2 * held_by_opponent)
    undoubled = [best_turn(faced) for faced in ("opponent", "centred", "jacoby")]
    return Values(
        best_turn("cubeless"),
        best_turn("points"),
        held_by_opponent,
        *(max(one, doubled) for one in undoubled),
        *undoubled,
        chance("lost"),
        chance("won"),
    )


def float64_planes(
    checkers: int, points: int = 6, start: int = 15
) -> dict[str, Float64Array]:
    """Solve all pairs; return values in points, indexed ``[roller, opponent]``, by name.

    Positions are in Benjamin and Ross's order. Gammon chances have the names ``won_least``,
    ``won_most`` and so on.
    """
    positions = reference.all_positions(points, checkers)
    number = {position: n for n, position in enumerate(positions)}
    pips = np.array([sum(position) for position in positions])
    levels = [np.flatnonzero(pips == p) for p in range(pips.max() + 1)]
    plays = [_plays_of([positions[n] for n in level], number) for level in levels]
    size = len(positions)
    gammon = np.array([len(position) == start for position in positions])
    planes = {}
    for name in Values._fields[:-2]:
        planes[name] = np.empty((size, size))
        ends = (
            np.ones(size) if name in ("cubeless", "jacoby", "jacoby_kept") else 1 + gammon
        )
        planes[name][:, 0], planes[name][0] = -ends, ends
    chances = {"won_least": "lost_least", "won_most": "lost_most"}
    chances |= {theirs: ours for ours, theirs in chances.items()}
    for name in chances:
        planes[name] = np.zeros((size, size))
        planes[name][:, 0] = gammon if name.startswith("lost") else 0
        planes[name][0] = gammon if name.startswith("won") else 0
    weights = np.array([weight for *_, weight in ROLLS]) / 36

    def mean(chosen: Float64Array) -> Float64Array:
        turns: Float64Array = (chosen.reshape(len(chosen), -1, len(ROLLS)) @ weights).T
        return turns

    def best_turn(name: str, p: int, q: int) -> Float64Array:
        chosen, firsts = plays[p]
        theirs = planes[name][np.ix_(levels[q], chosen)]
        return -mean(np.minimum.reduceat(theirs, firsts, axis=1))

    def chance(name: str, p: int, q: int) -> Float64Array:
        chosen, firsts = plays[p]
        at = np.ix_(levels[q], chosen)
        worth = planes["points"][at]
        lengths = np.diff(firsts, append=len(chosen))
        best = np.repeat(np.minimum.reduceat(worth, firsts, axis=1), lengths, axis=1)
        sign = 1 if name.endswith("least") else -1
        among = np.where(worth <= best + SAME, sign * planes[chances[name]][at], np.inf)
        return sign * mean(np.minimum.reduceat(among, firsts, axis=1))

    for total in range(2, 2 * len(levels) - 1):
        for p in range(max(1, total - len(levels) + 1), min(total, len(levels))):
            q = total - p
            at = np.ix_(levels[p], levels[q])
            for name in ("cubeless", "points"):
                planes[name][at] = best_turn(name, p, q)
            planes["opponent"][at] = after = best_turn("owned", p, q)
            for name, faced in (
                ("owned", "opponent"),
                ("centred", "centred"),
                ("jacoby", "jacoby"),
            ):
                kept = best_turn(faced, p, q)
                planes[f"{name}_kept"][at] = kept
                planes[name][at] = np.maximum(kept, np.minimum(1, 2 * after))
            for name in chances if gammon.any() else ():
                planes[name][at] = chance(name, p, q)
    return planes


def _plays_of(
    positions: list[Checkers], number: dict[Checkers, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the successors of all positions and rolls in one array, and their offsets."""
    ends = [
        [number[end] for end in reference.successors(position, first, second)]
        for position in positions
        for first, second, _ in ROLLS
    ]
    lengths = np.array([len(one) for one in ends])
    return np.concatenate(ends).astype(np.int64), np.cumsum(lengths) - lengths
