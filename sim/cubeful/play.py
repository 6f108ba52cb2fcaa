"""Simulation of many games with the cube in parallel, one turn at a time.

Before each roll, cube decisions are looked up in a cache for every game in which the side
on roll may double. All missing pairs of positions go to the cube strategies in one call. A
strategy is therefore called for thousands of pairs at once, and only once per pair.

The dice are those of `sim.play`. They depend on the seed, the two starting positions and
the number of the game, not on players or cube strategies.
"""

import threading
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.cubeful.at_score import FIXED, match_chances, most_level
from bearoff.sim.cubeful.checkers import Checkers, checkers_of
from bearoff.sim.cubeful.cube_tally import COLUMNS, RIVAL_POINTS, WIDTH
from bearoff.sim.cubeful.memory import CubeMemory
from bearoff.sim.cubeful.sides import CubeSide
from bearoff.sim.cubeful.turn import CubeTurn
from bearoff.sim.engine import Block
from bearoff.sim.play import arguments, tally
from bearoff.stakes import CubeOwner, Terms

Int64Array = NDArray[np.int64]

LANES = 1 << 15
"""Number of games that are played at once. With many games, each call of a cube strategy
decides many pairs of positions."""


@dataclass(frozen=True)
class CubeMatch:
    """Players, dice and cube settings of simulated games.

    Attributes
    ----------
    points, checkers : int
        Maximum numbers of points and of checkers per side.
    roller, opponent : str
        Names of the players that choose both sides' checker plays; see
        `sim.cubeful.checkers`.
    seed : int
        Seed of the dice, from 0 to 2**64 - 1.
    owner : CubeOwner
        Owner of the cube at the start of the game.
    roller_cube, opponent_cube : CubeSide
        Cube strategies of the two sides.
    rival_cube : CubeSide or None
        Cube strategy of a rival, which replaces the roller's strategy in a second
        simulation of the same games with the same dice. None if there is no rival.
    terms : Terms
        Stakes from the viewpoint of the side that rolls first.
    token : str
        Unique text. A worker keeps its cached cube decisions until it plays a block of
        games with another token.
    """

    points: int
    checkers: int
    roller: str
    opponent: str
    seed: int
    owner: CubeOwner
    roller_cube: CubeSide
    opponent_cube: CubeSide
    rival_cube: CubeSide | None = None
    terms: Terms = Terms()  # noqa: RUF009
    token: str = field(default_factory=lambda: uuid4().hex)


class PlayedGames(NamedTuple):
    """Results of games that were played at the same time; arrays have one entry per game.

    Attributes
    ----------
    winner : ndarray of int8
        Winner of each game: 0 for the roller, 1 for the opponent.
    level : ndarray of uint8
        Number of doubles that were taken in the game.
    doubles : ndarray of uint8, shape (2, lanes)
        Number of doubles offered by each side.
    length : ndarray of int16
        Number of rolls of both sides together.
    gammon : ndarray of bool
        Whether the game ended in a gammon that counts.
    """

    winner: NDArray[np.int8]
    level: NDArray[np.uint8]
    passed: NDArray[np.bool_]
    doubles: NDArray[np.uint8]
    length: NDArray[np.int16]
    gammon: NDArray[np.bool_]

    @property
    def points(self) -> Int64Array:
        """Points won by the roller, in units of the initial cube value."""
        sign = np.where(self.winner == 0, np.int64(1), np.int64(-1))
        return np.asarray(sign << (self.level + self.gammon))


class _Contest:
    """Players, cube strategies and cached decisions of both sides."""

    def __init__(self, match: CubeMatch, roller: CubeSide) -> None:
        size = match.points, match.checkers
        sides = roller, match.opponent_cube
        self._owner = match.owner
        self._seed = np.uint64(match.seed)
        self._gammons = arguments.first_full(*size), match.terms.stakes.jacoby
        self._checkers: tuple[Checkers, ...] = tuple(
            checkers_of(name, *size, match.terms) for name in (match.roller, match.opponent)
        )
        self._at_score = match.terms.stakes.score is not None
        self._most = most_level(match.terms)
        self._memories = (
            CubeMemory(*sides, *size, 0 if self._at_score else None),
            CubeMemory(*sides[::-1], *size, 1 if self._at_score else None),
        )

    def play(
        self, rollers: Int64Array, opponents: Int64Array, games: Int64Array
    ) -> PlayedGames:
        """Play one game from each pair; the game number determines the dice."""
        from bearoff.sim.cubeful import kernels as cube_kernels
        from bearoff.sim.play import dice_kernels

        lanes = len(games)
        starts = rollers.astype(np.uint64), opponents.astype(np.uint64)
        numbers = games.astype(np.uint64)
        at = tuple(start.astype(np.uint32) for start in starts)
        owner = np.full(lanes, self._owner, dtype=np.int8)
        played = PlayedGames(
            winner=np.zeros(lanes, dtype=np.int8),
            level=np.zeros(lanes, dtype=np.uint8),
            passed=np.zeros(lanes, dtype=np.bool_),
            doubles=np.zeros((2, lanes), dtype=np.uint8),
            length=np.zeros(lanes, dtype=np.int16),
            gammon=np.zeros(lanes, dtype=np.bool_),
        )
        rolls = np.empty((2, dice_kernels.THROWS_PER_DRAW, lanes), dtype=np.uint8)
        slots = np.empty(lanes, dtype=np.int64)
        new = np.empty(lanes, dtype=np.int64)
        live = np.arange(lanes, dtype=np.int32)
        turns = 0
        while len(live):
            draw, of_draw = divmod(turns // 2, dice_kernels.THROWS_PER_DRAW)
            side = turns % 2
            if side == of_draw == 0:
                dice_kernels.throw_games(
                    self._seed, *starts, numbers, live, np.uint64(draw), rolls
                )
            mine, theirs, memory = at[side], at[1 - side], self._memories[side]
            memory.make_room(len(live))
            thrown = rolls[side, of_draw]
            turn = CubeTurn(live, mine, theirs, owner, side, thrown, played.level)
            found = cube_kernels.look_up(
                turn, self._most, self._at_score, memory.keys, slots, new
            )
            if found:
                memory.decide(new[:found])
            playing = cube_kernels.turn_cube(
                live, turns, slots, memory.codes, owner, played
            )
            turn = turn._replace(live=live[:playing])
            self._checkers[side].play(turn)
            turns += 1
            live = live[: cube_kernels.finish(turn, turns, *self._gammons, played)]
        return played


class _ThreadContests(threading.local):
    """Cube decisions that each thread has cached for the games that it simulated last."""

    token = ""
    contests: tuple[_Contest, ...] = ()

    def of(self, match: CubeMatch) -> tuple[_Contest, ...]:
        if self.token != match.token:
            rollers = (match.roller_cube, match.rival_cube)
            self.contests = tuple(_Contest(match, cube) for cube in rollers if cube)
            self.token = match.token
        return self.contests


_contests = _ThreadContests()


def play_cubeful(
    match: CubeMatch,
    rollers: Int64Array,
    opponents: Int64Array,
    firsts: Int64Array,
    games: Int64Array,
) -> tally.Counts:
    """Play ``games[k]`` games with the cube from each pair of positions ``k``.

    Parameters
    ----------
    match : CubeMatch
        Players, cube strategies, stakes, and seed of the dice.
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers of sides with a checker on the board.
    firsts, games : ndarray of int64, shape (n,)
        Number of the first game of each pair of positions, and how many games to play from
        there. The games of a pair have numbers from 0 to 2**40 - 1, which determine their
        dice.

    Returns
    -------
    ndarray of int64, shape (n, WIDTH)
        Statistics of the games of each pair, with columns as in `cube_tally`. The
        statistics of different games of a pair can be added.

    Raises
    ------
    BearoffError
        If a cube strategy fails.
    PositionError
        If a position does not exist or has no checker on the board, or a game number is out
        of range.
    TableError
        If a player needs a two-sided table that has not been built.
    """
    size = match.points, match.checkers
    _, rollers, opponents, firsts, games, _ = arguments.checked_games(
        size, match.seed, rollers, opponents, firsts, games
    )
    counts = np.zeros((len(rollers), WIDTH), dtype=np.int64)
    ends = np.cumsum(games)
    for start in range(0, int(games.sum()), LANES):
        places = np.arange(start, min(start + LANES, int(ends[-1])))
        pair = np.searchsorted(ends, places, side="right")
        number = firsts[pair] + places - (ends - games)[pair]
        try:
            played = [
                contest.play(rollers[pair], opponents[pair], number)
                for contest in _contests.of(match)
            ]
        except BaseException:
            _contests.token = ""  # so that an incomplete cache is not used again
            raise
        _add(counts, pair, played, match.terms)
    return counts


def play_cube_block(
    match: CubeMatch, block: Block, rollers: Int64Array, opponents: Int64Array
) -> tuple[Block, tally.Counts]:
    """Play a block of games in a worker; return the block and its statistics."""
    return block, play_cubeful(match, rollers, opponents, block.firsts, block.games)


def _add(
    counts: tally.Counts, pair: Int64Array, played: list[PlayedGames], terms: Terms
) -> None:
    """Add the results of games to the statistics of their starting positions."""
    from bearoff.sim.cubeful import kernels as cube_kernels

    ours = played[0]
    cube_kernels.tally(counts, pair, ours, COLUMNS)
    if len(played) == 1:
        return
    if terms.stakes.score is None:
        points = ours.points, played[1].points
        cube_kernels.tally_rival(counts, pair, *points, 0, RIVAL_POINTS)
        return
    worth = np.rint(match_chances(terms) * FIXED).astype(np.int64)
    ends = [worth[p.winner, p.gammon.astype(np.int8), p.level] for p in played]
    shift = FIXED.bit_length() - 1
    cube_kernels.tally_rival(counts, pair, *ends, shift, RIVAL_POINTS)
