"""Decisions and hints of the program in games without dice.

Small races are solved exactly. Other positions are searched by alpha-beta; if a search
reaches the end of the game, the result is exact.
"""

import threading
from dataclasses import dataclass

from bearoff import Position, TableError
from bearoff.app.serve.no_chance.games import PERSON, Game
from bearoff.app.serve.work import current
from bearoff.game import Board, format_play
from bearoff.game.no_chance import (
    NoChancePosition,
    NoChanceRace,
    SearchStop,
    search_no_chance,
    solve_no_chance_race,
)
from bearoff.game.state import GameError

SOLVED = 500
"""Maximum number of positions in a race that the program solves exactly, which takes about
three seconds."""

HINT = 10_000
"""Number of positions searched for a hint, which takes a few seconds."""

MOST = 10**9
"""Limit on the number of searched positions, too large to be reached: such searches are
limited by depth or time."""


@dataclass(frozen=True)
class NoChanceOpponent:
    """Opponent in games without dice.

    Attributes
    ----------
    title, text : str
    depth : int
        Maximum search depth, in turns.
    seconds : float
        Time limit of a turn, in seconds.
    """

    title: str
    text: str
    depth: int
    seconds: float


OPPONENTS = {
    "second": NoChanceOpponent(
        "Search of 1 second",
        "The program looks as many turns ahead as it can in one second.",
        12,
        1.0,
    ),
    "five": NoChanceOpponent(
        "Search of 5 seconds",
        "The program looks as many turns ahead as it can in five seconds.",
        12,
        5.0,
    ),
    "two": NoChanceOpponent(
        "Search of 2 turns", "The program looks at its own turn and your reply.", 2, 5.0
    ),
    "one": NoChanceOpponent(
        "Search of 1 turn", "The program looks only at its own turn.", 1, 1.0
    ),
}
"""Opponents by name; the first one is the default."""

DEFAULT, ONE_TURN = next(iter(OPPONENTS)), "one"


def opponent_named(name: str) -> NoChanceOpponent:
    """Return the opponent with a given name."""
    if name not in OPPONENTS:
        raise GameError(
            f"the opponent must be one of {', '.join(OPPONENTS)}, got {name[:40]!r}"
        )
    return OPPONENTS[name]


@dataclass(frozen=True)
class Rated:
    """Number that can be named, with the best play found for it.

    Attributes
    ----------
    number : int
    text : str
    after : Board
    points, turns : int or None
        Points at the end of the game, and number of turns until the end, both positive if
        the player to act wins; None if the search did not reach the end of the game.
    value : float or None
        Estimated value of the position after the play for the player who names the number,
        in pips; None if the search reached the end of the game.
    exact : bool
        Whether `points` is proved to be the result of best play by both sides after this
        number is named.
    depth : int
        Search depth in turns; 0 if the race was solved.
    """

    number: int
    text: str
    after: Board
    points: int | None
    turns: int | None
    value: float | None
    exact: bool
    depth: int

    @property
    def rank(self) -> tuple[float, float]:
        """Sort key of a number: larger is better for the player who names the number."""
        if self.points is None or self.turns is None:
            return 0.0, self.value or 0.0
        return float(self.points), 1.0 / self.turns


class NoChanceThinker:
    """Object that computes decisions in one game; a thread must hold `lock` to use it.

    Parameters
    ----------
    opponent : str
        Name of the opponent.
    """

    def __init__(self, opponent: str) -> None:
        self.lock = threading.Lock()
        self._opponent = opponent_named(opponent)
        self._stop = SearchStop()
        self._race: NoChanceRace | None = None
        self._too_large: tuple[int, ...] | None = None

    def stop(self) -> None:
        """End the opponent's search, so that it decides with the results so far."""
        self._stop()

    def first(self, game: Game) -> int:
        """Return the opponent's first number: the largest one still available."""
        taken = {turn.number for turn in game.turns}
        return max(n for n in range(1, game.rules.numbers + 1) if n not in taken)

    def decide(self, position: NoChancePosition) -> tuple[int, Board]:
        """Return the number that the opponent names, and the board after its play."""
        self._stop = SearchStop()
        solved = self._solved(position)
        if solved:
            return solved[0].number, solved[0].after
        opponent = self._opponent
        found = search_no_chance(
            position,
            depth=opponent.depth,
            positions=MOST,
            seconds=opponent.seconds,
            stop=self._stop,
        )
        return found.number, found.board

    def rate(self, position: NoChancePosition) -> list[Rated]:
        """Return each number that may be named with its best play, best first."""
        solved = self._solved(position)
        if solved:
            return solved
        depth = search_no_chance(position, positions=HINT).depth
        found = []
        for number in position.nameable:
            current.get().check()
            one = search_no_chance(position, number, depth=depth, positions=MOST)
            over = one.points is not None and _settled(position, one.points)
            found.append(
                Rated(
                    number,
                    _text(position, number, one.board),
                    one.board,
                    one.points,
                    one.turns,
                    one.value if one.points is None else None,
                    over,
                    one.depth,
                )
            )
        return sorted(found, key=lambda one: one.rank, reverse=True)

    def _solved(self, position: NoChancePosition) -> list[Rated]:
        """Solve a race, and rate all numbers; return [] if this is not possible."""
        board = position.board
        if board.race is None or any(map(any, (board.roller[6:], board.opponent[6:]))):
            return []
        roller, opponent = Position(board.roller[:6]), Position(board.opponent[:6])
        if self._race is None or not self._race.knows(roller, opponent):
            if self._too_large == board.points:
                return []
            try:
                self._race = solve_no_chance_race(
                    roller, opponent, numbers=position.numbers, most=SOLVED
                )
            except TableError:
                self._too_large = board.points
                return []
        rest = (0,) * 19
        rated: dict[int, Rated] = {}
        for choice in self._race.choices(
            roller, opponent, position.own, position.met, position.doubles
        ):
            after = Board.of_sides((*choice.after.counts, *rest), board.opponent)
            if choice.number not in rated:
                text = _text(position, choice.number, after)
                rated[choice.number] = Rated(
                    choice.number, text, after, choice.points, choice.turns, None, True, 0
                )
        return list(rated.values())


def _settled(position: NoChancePosition, points: int) -> bool:
    """Return whether the winner of a game cannot win more than `points` points."""
    off = position.board.off[1 if points > 0 else 0]
    return off > 0 or abs(points) == 3


def _text(position: NoChancePosition, number: int, after: Board) -> str:
    pair = max(number, position.met), min(number, position.met)
    if after == position.board:
        return ""
    return format_play(position.board, after, pair, highest=position.numbers)


def decide_once(game: Game, thinker: NoChanceThinker) -> bool:
    """Apply the opponent's decision if it is its turn; return false on the user's turn.

    If the user changes the game meanwhile, for example by an undo, the decision is
    discarded.
    """
    with thinker.lock:
        with game.lock:
            if game.needs != "opponent":
                return False
            position, version = game.position, game.version
        if position is None:
            number, after = thinker.first(game), None
        else:
            number, after = thinker.decide(position)
        with game.lock:
            if game.version != version:
                return False
            game.decided(number, after)
            return True


def hint(game: Game, thinker: NoChanceThinker) -> list[Rated]:
    """Give the user a hint: rate the numbers that may be named, and count the hint."""
    with game.lock:
        position = game.position
        if game.needs != "play" or position is None or game.turn != PERSON:
            raise GameError(
                "hints are available only when it is your turn to name a number and play it"
            )
        game.hints += 1
    with thinker.lock:
        return thinker.rate(position)
