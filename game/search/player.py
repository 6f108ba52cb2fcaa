"""The player by search, as one who can be played against."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bearoff import RACE_EFFICIENCY, match_thresholds
from game.evaluation import Net
from game.rules import Board
from game.search.search import Searcher, SearchSettings
from game.state import GameError, GameState

_FEW = 6
"""Checkers that still have to pass, of both sides, late in contact."""

_MONEY = (0.5, 0.8, 0.75, 0.8, 0.5, 0.5)
"""Double and cash, each in the last roll and with a live cube; worth of gammons."""


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
    """Plays what a search rates best; turns the cube by what the net thinks.

    A gammon counts for a chance to win as much as the score makes it worth. From the
    chance so summed the cube is turned between where it should be in the last roll and
    with a live cube, in the proportions that Janowski's model takes for races.

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
        return self.evaluate(state)[0][0]

    def evaluate(self, state: GameState) -> list[tuple[Board, float]]:
        """Return the legal plays, the best first, with their equities in points.

        Those are without a cube. The later ones of plays that were looked at equally far
        may have an upper bound instead.
        """
        if state.dice is None:
            raise GameError("nothing is rolled that could be played")
        settings = self.settings or settings_by_phase(state.board)
        if settings not in self._searchers:
            self._searchers[settings] = Searcher(Net.load(), settings, self.clock)
        rated = self._searchers[settings].rate(state.board, state.dice)
        return [(play.board, play.equity) for play in rated]

    def double(self, state: GameState) -> bool:
        """Double beyond the threshold, unless the game is too good for the cube."""
        chance, double, _ = self._summed_up(state)
        gammons = not (state.jacoby and state.cube_owner is None)
        return double < chance and not (gammons and chance > 1.0)

    def take(self, state: GameState) -> bool:
        """Take what leaves as much as a pass."""
        chance, _, cash = self._summed_up(state)
        if state.to_act == state.turn:  # A beaver: it is for whoever is on roll to take.
            return chance >= 1.0 - cash
        return chance <= cash

    def _summed_up(self, state: GameState) -> tuple[float, float, float]:
        """Return the chance of who is on roll, gammons in it, to double and to cash."""
        last_double, live_double, last_cash, live_cash, won, lost = _MONEY
        if state.score is not None:
            at = match_thresholds(state.score, state.cube_value)
            never = 2.0  # Where a cube makes no difference there is no threshold.
            last_double = never if at.double is None else at.double
            live_double = last_double if at.live_double is None else at.live_double
            last_cash = never if at.cash is None else at.cash
            live_cash = last_cash if at.live_cash is None else at.live_cash
            won, lost = at.gammon_value, at.gammon_loss
        chances = Net.load().chances(state.board)
        chance = chances[0] + won * (chances[1] + chances[2])
        chance -= lost * (chances[3] + chances[4])
        live = RACE_EFFICIENCY
        return (
            float(chance),
            live * live_double + (1 - live) * last_double,
            live * live_cash + (1 - live) * last_cash,
        )
