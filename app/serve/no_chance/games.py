"""State of a game of No Chance Backgammon against the program; the user is player 0."""

import threading
from dataclasses import asdict, dataclass
from typing import Any, Literal

from bearoff.game import Board, format_play, read_play
from bearoff.game.no_chance import NoChancePosition
from bearoff.game.state import GameError

PERSON, OTHER = 0, 1

Needs = Literal["name", "play", "opponent", "nothing"]
"""What happens next in a game: the user names a first number, the user names a number and
plays, the opponent decides, or nothing because the game is over."""


@dataclass(frozen=True)
class NoChanceRules:
    """Rules of a game of No Chance Backgammon, which has no dice.

    Attributes
    ----------
    numbers : int
        Largest number that a player can name.
    doubles : int
        Number of doubles that each side may name.
    first : int
        Player who names a number first and has the first turn; 0 is the user.
    opponent : str
        Name of the opponent, a key of `thinking.OPPONENTS`.
    """

    numbers: int
    doubles: int
    first: int
    opponent: str


@dataclass(frozen=True)
class Turn:
    """Turn of a player: the number that the player named, and the play made with it.

    Attributes
    ----------
    player, number : int
    met : int or None
        Number that the other side named last; None before the first turn.
    before, after : Board or None
        Boards from the viewpoint of the side that played; None before the first turn.
    """

    player: int
    number: int
    met: int | None = None
    before: Board | None = None
    after: Board | None = None

    @property
    def pair(self) -> tuple[int, int] | None:
        """The two numbers that were played, the higher one first."""
        if self.met is None:
            return None
        return max(self.number, self.met), min(self.number, self.met)

    @property
    def silent(self) -> bool:
        """Whether the turn moved no checker."""
        return self.before == self.after


class Game:
    """Game without dice. A thread must hold `lock` while it changes the game.

    Parameters
    ----------
    key : str
        Identifier of the game in addresses and files.
    rules : NoChanceRules
    begun : str
        Start time of the game in UTC.
    """

    def __init__(self, key: str, rules: NoChanceRules, begun: str) -> None:
        # This call only checks the rules: it raises an error if they are invalid.
        NoChancePosition.start(1, 2, rules.numbers, doubles=rules.doubles)
        self.key, self.rules, self.begun = key, rules, begun
        self.turns: list[Turn] = []
        self._followed: tuple[int, NoChancePosition | None] = 2, None
        self.version = self.hints = self.undone = 0
        self.lock = threading.RLock()

    @property
    def position(self) -> NoChancePosition | None:
        """Position from the viewpoint of the side to act; None before the first turn."""
        if len(self.turns) < 2:
            return None
        count, found = self._followed
        if found is None:
            first, second = (turn.number for turn in self.turns[:2])
            numbers, doubles = self.rules.numbers, self.rules.doubles
            found = NoChancePosition.start(first, second, numbers, doubles=doubles)
        for turn in self.turns[count:]:
            assert turn.after is not None
            found = found.after(turn.number, turn.after)
        self._followed = len(self.turns), found
        return found

    @property
    def turn(self) -> int:
        """Player who acts next."""
        return (self.rules.first + len(self.turns)) % 2

    @property
    def winner(self) -> int | None:
        """Player who has borne off all checkers; None during the game."""
        position = self.position
        return 1 - self.turn if position is not None and position.lost else None

    @property
    def needs(self) -> Needs:
        if self.winner is not None:
            return "nothing"
        if self.turn == OTHER:
            return "opponent"
        return "name" if len(self.turns) < 2 else "play"

    @property
    def named(self) -> tuple[int | None, int | None]:
        """Number that each player named last; None for a player who has not named any."""
        last = {turn.player: turn.number for turn in self.turns}
        return last.get(PERSON), last.get(OTHER)

    @property
    def may_undo(self) -> bool:
        """Whether the user has a decision that can be undone."""
        return any(turn.player == PERSON for turn in self.turns)

    def name(self, number: int) -> None:
        """Record the number that the user names first."""
        self._persons("name")
        self._name(number)
        self._changed()

    def play(self, number: int, play: Board | str) -> None:
        """Name a number for the user, and play it with the opponent's number."""
        self._persons("play")
        self._play(number, play)
        self._changed()

    def decided(self, number: int, after: Board | None) -> None:
        """Apply the opponent's decision: a number with a play, or only a first number."""
        if after is None:
            self._name(number)
        else:
            self._play(number, after)
        self._changed()

    def undo(self) -> None:
        """Undo the user's last decision and everything after it."""
        if not self.may_undo:
            raise GameError("you have no decision to undo in this game")
        while self.turns.pop().player != PERSON:
            pass
        self._followed = 2, None
        self.undone += 1
        self._changed()

    def _name(self, number: int) -> None:
        if not 1 <= number <= self.rules.numbers:
            raise GameError(
                f"the number must be from 1 to {self.rules.numbers}, got {number}"
            )
        if self.turns and self.turns[0].number == number:
            raise GameError(f"the first two numbers must be different, got {number} twice")
        self.turns.append(Turn(self.turn, number))

    def _play(self, number: int, play: Board | str) -> None:
        position = self.position
        assert position is not None
        position.check_nameable(number)
        after = play
        if isinstance(after, str):
            pair = max(number, position.met), min(number, position.met)
            after = read_play(position.board, after, pair, highest=position.numbers)
        position.after(number, after)  # This call raises an error for an illegal play.
        self.turns.append(Turn(self.turn, number, position.met, position.board, after))

    def _persons(self, needs: Needs) -> None:
        if self.needs != needs:
            raise GameError(f"this action is not possible now; {NEEDED[self.needs]}")

    def _changed(self) -> None:
        self.version += 1

    def text(self, turn: Turn) -> str:
        """Return a turn's play in notation; empty if no checker was moved."""
        if turn.before is None or turn.after is None or turn.pair is None or turn.silent:
            return ""
        return format_play(turn.before, turn.after, turn.pair, highest=self.rules.numbers)

    def as_json(self) -> dict[str, Any]:
        """Return the state of the game as JSON values, for storage."""
        return {
            "key": self.key,
            "begun": self.begun,
            "rules": asdict(self.rules),
            "turns": [[t.number, t.after and t.after.points] for t in self.turns],
            "version": self.version,
            "hints": self.hints,
            "undone": self.undone,
        }

    @classmethod
    def of_json(cls, kept: dict[str, Any]) -> "Game":
        """Restore a game from storage by replaying its turns.

        Raises
        ------
        BearoffError, KeyError, TypeError, ValueError
            If the stored content is not valid.
        """
        game = cls(kept["key"], NoChanceRules(**kept["rules"]), kept["begun"])
        for count, (number, after) in enumerate(kept["turns"]):
            if count < 2:
                game._name(number)
            else:
                game._play(number, Board(tuple(after)))
        game.version, game.hints = int(kept["version"]), int(kept["hints"])
        game.undone = int(kept["undone"])
        return game


NEEDED: dict[Needs, str] = {
    "name": "it is your turn to name your first number",
    "play": "it is your turn to name a number and play",
    "opponent": "it is the opponent's turn",
    "nothing": "the game is over",
}
"""Sentence for the user on the next step, by the value of `Game.needs`."""
