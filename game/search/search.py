"""Search for the best play by expectiminimax with Star1 or Star2 pruning."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff import RACE_EFFICIENCY, ROLLS, WEIGHTS, BearoffError
from bearoff.game.evaluation import Net, race_tables
from bearoff.game.rules import Board, legal_plays
from bearoff.game.search.cube import SearchStakes, both_sides
from bearoff.game.search.settings import METHODS, SearchSettings
from bearoff.rolls import THROWS
from bearoff.stakes import Terms, Values, cube_ladder

BoardArray = NDArray[np.int8]
Float64Array = NDArray[np.float64]
_Rated = tuple[float, int, int]
"""Equity of a play, the search depth in rolls, and the index of the play."""

CONTACT_EFFICIENCY = 0.68
"""Cube efficiency (0 for a dead cube, 1 for a live cube) in positions with contact, as
computed by `research.comparisons.cube_efficiency`."""

_MOST = 1e9
"""Upper bound on the absolute value of any position, in points."""

_WITHOUT_LIMIT = 1 << 62
_POSITIONS_A_SECOND = 200_000
"""Assumed speed of a search in positions per second. After `_MEASURED` seconds, the
measured speed is used."""

_MEASURED = 0.05


@dataclass(frozen=True)
class SearchedPlay:
    """A play with its equity, as found by a search.

    Attributes
    ----------
    board : Board
        Board after the play, from the viewpoint of the player who makes the play.
    equity : float
        Equity in points for the player who makes the play: cubeful if the search was given
        a cube, otherwise cubeless.
    depth : int
        Search depth in rolls.
    """

    board: Board
    equity: float
    depth: int


@dataclass
class SearchCounts:
    """Numbers of chance nodes, evaluated positions and transposition-table hits."""

    nodes: int = 0
    positions: int = 0
    hits: int = 0


@dataclass
class Searcher:
    """Search that rates plays and cube actions with a neural network.

    Parameters
    ----------
    net : Net
        Neural network that evaluates the positions at the end of the search.
    settings : SearchSettings
    clock : callable, optional
        Function that returns the time in seconds; required if `settings` has a time limit.

    Examples
    --------
    >>> searcher = Searcher(Net.load(), SearchSettings(depth=0))
    >>> best = searcher.rate(Board.start(), (3, 1))[0]
    >>> best.board.points[5]
    2
    """

    net: Net
    settings: SearchSettings = field(default_factory=SearchSettings)
    clock: Callable[[], float] | None = None
    counts: SearchCounts = field(default_factory=SearchCounts)

    def __post_init__(self) -> None:
        if self.settings.seconds is not None and self.clock is None:
            raise BearoffError("a search with a time limit requires a clock")
        self._search = _new_search(self.net, self.settings)
        self._cube: SearchStakes | None = None
        self._stakes = 0

    def choose(
        self, board: Board, roll: tuple[int, int], cube: SearchStakes | None = None
    ) -> SearchedPlay:
        """Return the best play; faster than `rate`, because not every play is evaluated."""
        return self._rated(board, roll, cube, narrow=True)[0]

    def rate(
        self, board: Board, roll: tuple[int, int], cube: SearchStakes | None = None
    ) -> list[SearchedPlay]:
        """Rate the legal plays of a roll, sorted by search depth and then by equity.

        Parameters
        ----------
        board : Board
            Board before the roll, from the roller's viewpoint.
        roll : tuple of int
            Two dice, each from 1 to 6.
        cube : SearchStakes, optional
            Stakes and cube for which positions are evaluated. By default, money play
            without a cube.
        """
        return self._rated(board, roll, cube, narrow=False)

    def _rated(
        self,
        board: Board,
        roll: tuple[int, int],
        cube: SearchStakes | None,
        *,
        narrow: bool,
    ) -> list[SearchedPlay]:
        """Rate plays; with `narrow`, inferior plays may get only an upper bound."""
        self._play_for(cube)
        plays = legal_plays(board, roll)
        nodes = [np.ascontiguousarray(-row[::-1]) for row in plays]
        rated = [(-self._value(node, 0, 1), 0, k) for k, node in enumerate(nodes)]
        rated.sort(key=lambda each: (-each[0], each[2]))
        limit = _Limit(self.clock, self.settings.seconds, self.counts)
        depths = range(1, self.settings.depth + 1)
        if self.settings.seconds is None:
            depths = depths[-1:]
        for depth in depths if len(rated) > 1 else ():
            looked = rated[: self.settings.width]
            deeper = self._look(nodes, looked, depth, limit, narrow=narrow)
            if deeper is None:
                break
            rated[: len(deeper)] = deeper
        return [
            SearchedPlay(Board(tuple(plays[k].tolist())), value, depth)
            for value, depth, k in rated
        ]

    def equity(self, board: Board, cube: SearchStakes | None = None) -> float:
        """Return the equity of a board before the roll, from the roller's viewpoint."""
        self._play_for(cube)
        return self._value(board.array, self.settings.depth, 0)

    def worth(self, after: Board, cube: SearchStakes | None = None) -> float:
        """Return the equity of a board after a play, for the player who made the play."""
        self._play_for(cube)
        return -self._value(after.turned.array, self.settings.depth, 1)

    def decide(self, board: Board, cube: SearchStakes) -> Values:
        """Return the equities without and with a double, by a search of one roll.

        Parameters
        ----------
        board : Board
            Board before the roll, from the viewpoint of the player who may double or has
            doubled.
        cube : SearchStakes
            Stakes and cube before the double.
        """
        from bearoff.game.search import kernels

        self._play_for(cube)
        found = np.empty(2)
        kernels.look(self._search, board.array, found)
        chances = self.net.chances(board)
        values = Values.empty(cube.terms, np.array([cube.owner], np.int8))
        values.no_double[:] = found[0]
        if cube.owner >= 0 and cube.terms.stakes.has_cube:
            values.double_take[:] = found[1]
        values.no_double_error[:] = values.double_take_error[:] = 0.0
        values.win_probability[:] = chances[0]
        values.gammons_won[:], values.gammons_lost[:] = chances[1], chances[3]
        return values

    def stop(self) -> None:
        """Stop a search from another thread; it returns the results of completed depths."""
        from bearoff.game.search import kernels

        self._search.state[kernels.LEFT] = 0

    def _play_for(self, cube: SearchStakes | None) -> None:
        """Set the stakes and the cube that the search assumes."""
        from bearoff.game.search import kernels

        if cube == self._cube:
            return
        self._cube = cube
        ladders = (
            both_sides(cube_ladder(Terms(), False)[:1]) if cube is None else cube.ladders()
        )
        filled = np.empty((ladders.shape[1], 4))
        state = self._search.state
        state[kernels.OWNER] = 0 if cube is None else cube.owner
        self._stakes += 1
        state[kernels.SALT] = 0 if cube is None else self._stakes
        self._search = self._search._replace(ladders=ladders, filled=filled)

    def _look(
        self,
        nodes: list[BoardArray],
        plays: list[_Rated],
        depth: int,
        limit: "_Limit",
        *,
        narrow: bool,
    ) -> list[_Rated] | None:
        """Rate plays by a search to a given depth; return None if the time runs out."""
        best = -_MOST
        found = []
        for _, _, k in plays:
            window = -_MOST, -best if narrow else _MOST
            value = -self._value(nodes[k], depth, 1, window, limit.positions_left())
            if np.isnan(value):
                return None
            best = max(best, value)
            found.append((value, depth, k))
        # Among plays of equal value, the first must stay first, because the value of a
        # later play may be only a bound.
        order = sorted(range(len(found)), key=lambda n: (-found[n][0], n))
        return [found[n] for n in order]

    def _value(
        self,
        node: BoardArray,
        depth: int,
        side: int,
        window: tuple[float, float] = (-_MOST, _MOST),
        positions: int = _WITHOUT_LIMIT,
    ) -> float:
        """Evaluate a position before a roll, and update the counts of visited nodes."""
        from bearoff.game.search import kernels

        state = self._search.state
        state[[kernels.NODES, kernels.LEAVES, kernels.HITS]] = 0
        state[kernels.LEFT] = positions
        state[kernels.ASKER] = 0 if self._cube is None else (depth + side) % 2
        value = float(kernels.chance(self._search, node, depth, *window))
        self.counts.nodes += int(state[kernels.NODES])
        self.counts.positions += int(state[kernels.LEAVES])
        self.counts.hits += int(state[kernels.HITS])
        return value


@dataclass
class _Limit:
    """Time limit of a search, converted to a number of positions that may be evaluated."""

    clock: Callable[[], float] | None
    seconds: float | None
    counts: SearchCounts

    def __post_init__(self) -> None:
        self._before = self.counts.positions
        self._start = self.clock() if self.clock else 0.0

    def positions_left(self) -> int:
        if self.clock is None or self.seconds is None:
            return _WITHOUT_LIMIT
        past = self.clock() - self._start
        # If the clock returns NaN, no time is left.
        if not past < self.seconds:
            return 0
        valued = self.counts.positions - self._before
        rate = valued / past if past > _MEASURED else _POSITIONS_A_SECOND
        return int((self.seconds - past) * rate)


def _new_search(net: Net, settings: SearchSettings) -> Any:
    from bearoff.game.evaluation import net_kernels
    from bearoff.game.rules import kernels as rules_kernels
    from bearoff.game.search import kernels

    levels, rolls = settings.depth + 1, len(ROLLS)
    width = max(settings.inner_width, 1)
    sample = 0 if settings.rolls == rolls else settings.rolls
    return kernels.SearchArrays(
        weights=net.weights,
        tables=race_tables(),
        room=net_kernels.new_room(len(net.weights.hidden_bias)),
        out=np.empty(net_kernels.OUTPUTS),
        states=np.empty((rules_kernels.MOST_SEQUENCES, 26), np.int8),
        numbers=np.empty(rules_kernels.MOST_SEQUENCES, np.int64),
        boards=np.empty((levels, 26), np.int8),
        kept=np.empty((levels, rolls, width, 26), np.int8),
        values=np.empty((levels, rolls, width)),
        counts=np.zeros((levels, rolls), np.int64),
        lows=np.empty((levels, rolls)),
        highs=np.empty((levels, rolls)),
        chosen=np.empty((levels, rolls)),
        widths=np.full(levels, width),
        dice=np.array(ROLLS, np.int64),
        shares=np.array(WEIGHTS) / THROWS,
        keys=np.zeros(max(settings.table, 1), np.uint64),
        found=np.zeros(max(settings.table, 1)),
        kinds=np.zeros(max(settings.table, 1), np.int8),
        state=np.array(
            [0, 0, 0, 0, METHODS.index(settings.method), sample, settings.seed, 0, 0, 0],
            np.int64,
        ),
        ladders=both_sides(cube_ladder(Terms(), False)[:1]),
        filled=np.empty((1, 4)),
        lives=np.array([0.0, RACE_EFFICIENCY, CONTACT_EFFICIENCY]),
    )
