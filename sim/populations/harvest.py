"""Simulated races, and the pairs of positions that occur in them.

A race starts where contact ends in a game of `sim.populations.contact`. Games in which the
leader would already have doubled the opponent out are left out (`worth_racing`). In the
race, each side minimises its mean number of rolls: by the model of `bearoff.bear_in` until
all its checkers are home, and then by the one-sided table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.bear_in import BearIn, bear_in
from bearoff.sim.play import race_key
from bearoff.sim.populations.contact import Starts, race_starts
from bearoff.sim.rollouts import HOME_BOARD

Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

DICE_OF_RACES = 2
"""Number from which the key for dice in races is derived. Dice before the race have another
number."""

LEAD_PERCENT, LEAD_PIPS = 30, 4
"""Maximum lead at the start of a race: a percentage of the leader's pip count, plus a
number of pips."""

HOME, BEYOND = "home", "beyond"
"""Names of the two groups of pairs of positions: all checkers are in the home boards, or at
least one checker is outside."""


@dataclass(frozen=True, eq=False)
class HarvestedPairs:
    """Pairs of positions in the order in which games reach them, the side on roll first.

    Attributes
    ----------
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers, on a board of 6 points if all pairs are at home, and of 24 points
        otherwise.
    games : ndarray of int64, shape (n,)
        Number of the game in which each pair occurs.
    plies : ndarray of int16, shape (n,)
        Number of rolls from the start of the race to each pair of positions.
    """

    rollers: Int64Array
    opponents: Int64Array
    games: Int64Array
    plies: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.games)

    def chosen(self, rows: BoolArray | Int64Array) -> "HarvestedPairs":
        return HarvestedPairs(*(getattr(self, each.name)[rows] for each in fields(self)))


@dataclass(frozen=True, eq=False)
class Harvest:
    """Simulated races, and the pairs of positions that occur in them.

    Attributes
    ----------
    races : ndarray of int64, shape (races,)
        Numbers of the games that contain a race whose starting lead is small enough.
    home, beyond : HarvestedPairs
        Pairs with all checkers in the home boards, numbered on 6 points, and other pairs,
        numbered on 24 points.
    """

    races: Int64Array
    home: HarvestedPairs
    beyond: HarvestedPairs


def worth_racing(starts: Starts) -> BoolArray:
    """Return whether the leader is not too far ahead in each starting position.

    The lead in pips may be at most `LEAD_PERCENT` percent of the leader's pip count, plus
    `LEAD_PIPS`.
    """
    points = np.arange(1, 25)
    ours, theirs = starts.rollers @ points, starts.opponents @ points
    allowed = LEAD_PERCENT * np.minimum(ours, theirs) + 100 * LEAD_PIPS
    return np.asarray(100 * np.abs(ours - theirs) <= allowed)


def harvest_blocks(
    seed: int,
    first: int,
    blocks: int,
    pips: tuple[int, int] | None = None,
    starts_of: Callable[[int, int], Starts] = race_starts,
) -> Harvest:
    """Play blocks of games from the opening to the end; return the pairs in the races."""
    found = [starts_of(seed, block) for block in range(first, first + blocks)]
    starts = Starts(
        np.concatenate([s.games for s in found]),
        np.concatenate([s.rollers for s in found]),
        np.concatenate([s.opponents for s in found]),
    )
    raced = worth_racing(starts)
    if pips is not None:
        for side in (starts.rollers, starts.opponents):
            count = side @ np.arange(1, 25)
            raced &= (pips[0] <= count) & (count <= pips[1])
    return race_pairs(
        seed,
        Starts(starts.games[raced], starts.rollers[raced], starts.opponents[raced]),
        bear_in(),
    )


def race_pairs(seed: int, starts: Starts, model: BearIn) -> Harvest:
    """Play one race from each starting position; return all pairs that occur."""
    from bearoff.sim.play import dice_kernels

    key = np.uint64(race_key(seed, DICE_OF_RACES, 0))
    zero = np.uint64(0)
    sides = [_Side(starts.rollers, model), _Side(starts.opponents, model)]
    games = starts.games
    found: dict[str, list[HarvestedPairs]] = {HOME: [], BEYOND: []}
    ply = 0
    while len(games):
        side = ply % 2
        draw, turn = divmod(ply // 2, dice_kernels.THROWS_PER_DRAW)
        if side == 0 and turn == 0:
            rolls = np.empty((2, dice_kernels.THROWS_PER_DRAW, len(games)), dtype=np.uint8)
            dice_kernels.throw_lanes(
                key, zero, zero, games.astype(np.uint64), np.uint64(draw), rolls
            )
        roller, opponent = sides[side], sides[1 - side]
        home = (roller.numbers >= 0) & (opponent.numbers >= 0)
        found[HOME].append(
            _pairs(roller.numbers[home], opponent.numbers[home], games[home], ply)
        )
        x, y = (bearoff.rank(s.counts[~home]) for s in (roller, opponent))
        found[BEYOND].append(_pairs(x, y, games[~home], ply))
        roller.play(rolls[side, turn])
        going_on = roller.numbers != 0
        games, rolls = games[going_on], rolls[:, :, going_on]
        for each in sides:
            each.keep(going_on)
        ply += 1
    return Harvest(starts.games, joined(found[HOME]), joined(found[BEYOND]))


class _Side:
    """Checkers of one side in many races, and its position number once it is home."""

    def __init__(self, counts: Int8Array, model: BearIn) -> None:
        self.counts = counts.copy()
        self.numbers = HOME_BOARD.numbers(counts)
        self._model = model
        self._policy = bearoff.one_sided_table().policy

    def play(self, rolls: NDArray[np.uint8]) -> None:
        home = np.flatnonzero(self.numbers >= 0)
        self.numbers[home] = self._policy[self.numbers[home], rolls[home]]
        self.counts[home, : bearoff.POINTS] = bearoff.unrank(self.numbers[home])
        outside = np.flatnonzero(self.numbers < 0)
        if len(outside):
            after, _ = self._model.expand(np.ascontiguousarray(self.counts[outside]))
            played = after[np.arange(len(outside)), rolls[outside]]
            self.counts[outside] = played
            self.numbers[outside] = HOME_BOARD.numbers(played)

    def keep(self, races: BoolArray) -> None:
        self.counts, self.numbers = self.counts[races], self.numbers[races]


def _pairs(
    rollers: Int64Array, opponents: Int64Array, games: Int64Array, ply: int
) -> HarvestedPairs:
    return HarvestedPairs(
        rollers, opponents, games, np.full(len(games), ply, dtype=np.int16)
    )


def joined(parts: Sequence[HarvestedPairs]) -> HarvestedPairs:
    if not parts:
        empty = np.empty(0, dtype=np.int64)
        return HarvestedPairs(empty, empty, empty, np.empty(0, dtype=np.int16))
    return HarvestedPairs(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("rollers", "opponents", "games", "plies")
        )
    )
