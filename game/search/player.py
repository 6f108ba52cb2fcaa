"""Computer player that decides plays and cube actions by a search."""

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
"""Number of checkers of both players that still have to pass opposing checkers, up to which
contact counts as late."""


def settings_by_phase(board: Board) -> SearchSettings:
    """Return the settings for a board: a wide search early, a deep search later.

    A search does not improve the play of races, because tables evaluate them. Late contact
    begins when a player has borne off a checker, or when at most six checkers of both
    players still have to pass opposing checkers. A deep search pays then, because there are
    few plays and their consequences come soon.

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
    """Computer player that searches for the best play, and one roll ahead for cube actions.

    Positions are evaluated for the stakes with a partly live cube; see
    `bearoff.stakes.ladder`. A match that is too long for the match equity table is played
    as for money until the table contains the score.

    Parameters
    ----------
    settings : SearchSettings, optional
        Settings of the search. By default, `settings_by_phase` chooses them for each board.
    clock : callable, optional
        Clock for a time limit; see `Searcher`.

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
        """Return the board after the play with the highest equity."""
        searcher, roll = self._looking(state)
        return searcher.choose(state.board, roll, cube_of(state)).board

    def evaluate(self, state: GameState) -> list[tuple[Board, float]]:
        """Return the legal plays with their cubeless equities, best first.

        Equities are in points at a cube value of 1, or in EMG at a match score.
        """
        searcher, roll = self._looking(state)
        rated = searcher.rate(state.board, roll, cube_of(state))
        return [(play.board, play.equity) for play in rated]

    def double(self, state: GameState) -> bool:
        """Return whether the equity of doubling is at least that of not doubling."""
        return bool(self._decide(state).doubles[0])

    def take(self, state: GameState) -> bool:
        """Return whether the equity of taking is at least that of passing."""
        values = self._decide(state)
        # A beaver is answered by the player on roll.
        if state.to_act == state.turn:
            return bool(values.double_take[0] >= -PASS)
        return bool(values.takes[0])

    def stop(self) -> None:
        """Stop a search from another thread; the search returns what it has found."""
        for searcher in list(self._searchers.values()):
            searcher.stop()

    def _looking(self, state: GameState) -> tuple[Searcher, tuple[int, int]]:
        if state.dice is None:
            raise GameError("the position has no dice, so there is no roll to play")
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
