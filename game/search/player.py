"""The player by search, as one who can be played against."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bearoff import Values
from bearoff.game.evaluation import Net
from bearoff.game.rules import Board
from bearoff.game.search.cube import cube_of
from bearoff.game.search.search import Searcher
from bearoff.game.search.settings import SearchSettings
from bearoff.game.state import GameError, GameState
from bearoff.stakes import PASS

_FEW = 6
"""Checkers that still have to pass, of both sides, late in contact."""


def settings_by_phase(board: Board) -> SearchSettings:
    """Return how far and wide to look: early wide, late in contact deep, in a race not.

    A race is valued by tables, so a look ahead finds nothing. Late is where a side has
    borne off or no more than six checkers of both stand before the other's: few plays
    are worth a look, and what they decide comes soon.

    Examples
    --------
    >>> settings_by_phase(Board.start()).depth
    1
    """
    if board.race is not None:
        return SearchSettings(depth=0)
    top = max(point for point in range(26) if board.points[point] > 0)
    low = min(point for point in range(26) if board.points[point] < 0)
    apart = sum(abs(count) for count in board.points[low : top + 1])
    if any(board.off) or apart <= _FEW:
        return SearchSettings(depth=2, width=3, inner_width=2)
    return SearchSettings(depth=1, width=8)


@dataclass(frozen=True)
class SearchPlayer:
    """Plays what a search rates best, and turns the cube by a look of one roll.

    Positions are worth what the stakes make of their chances, with a cube that is partly
    live; see `bearoff.stakes.ladder`. A match longer than the match equity table is played
    as for money until it comes within it.

    Parameters
    ----------
    settings : SearchSettings, optional
        Those of `settings_by_phase` unless given.
    clock : callable, optional
        Needed for a limit of time; see `Searcher`.

    Examples
    --------
    >>> state = GameState(turn=0, dice=(3, 1))
    >>> player = SearchPlayer(SearchSettings(depth=0))
    >>> player.play(state) == state.play("8/5 6/5").board.turned
    True
    """

    settings: SearchSettings | None = None
    clock: Callable[[], float] | None = None
    name: str = "search"
    _searchers: dict[SearchSettings, Searcher] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def play(self, state: GameState) -> Board:
        """Choose the play rated best."""
        searcher, roll = self._looking(state)
        return searcher.choose(state.board, roll, cube_of(state)).board

    def evaluate(self, state: GameState) -> list[tuple[Board, float]]:
        """Return the legal plays, the best first, with their equities with the cube.

        Those are in points at a cube of 1, normalised at a score.
        """
        searcher, roll = self._looking(state)
        rated = searcher.rate(state.board, roll, cube_of(state))
        return [(play.board, play.equity) for play in rated]

    def double(self, state: GameState) -> bool:
        """Double where that is worth no less than waiting."""
        return bool(self._decide(state).doubles[0])

    def take(self, state: GameState) -> bool:
        """Take what is worth no less than a pass."""
        values = self._decide(state)
        if state.to_act == state.turn:  # A beaver: it is for whoever is on roll to take.
            return bool(values.double_take[0] >= -PASS)
        return bool(values.takes[0])

    def stop(self) -> None:
        """Let a play that another thread chooses be chosen by what was seen so far."""
        for searcher in list(self._searchers.values()):
            searcher.stop()

    def _looking(self, state: GameState) -> tuple[Searcher, tuple[int, int]]:
        if state.dice is None:
            raise GameError("nothing is rolled that could be played")
        settings = self.settings or settings_by_phase(state.board)
        return self._searcher(settings), state.dice

    def _decide(self, state: GameState) -> Values:
        searcher = self._searcher(SearchSettings(depth=0))
        return searcher.decide(state.board, cube_of(state))

    def _searcher(self, settings: SearchSettings) -> Searcher:
        if settings not in self._searchers:
            clock = self.clock if settings.seconds is not None else None
            self._searchers[settings] = Searcher(Net.load(), settings, clock)
        return self._searchers[settings]
