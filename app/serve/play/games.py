"""State of a game against the program: rules, dice, actions and undo.

The class `LiveMatch` is a match, or a money session, against one opponent. The user is
player 0.
"""

import re
import threading
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from bearoff.app.game.resigning import accepts
from bearoff.app.game.table import GameTable
from bearoff.app.serve.play.dice import SEED, hash_of, thrown
from bearoff.app.serve.play.kept import OTHER, PERSON, do_again, fell, kept_of
from bearoff.app.serve.play.opponents import OPPONENTS, OpponentAction
from bearoff.game import Board
from bearoff.game.records import MatchRecord, Moment
from bearoff.game.state import GameError, GameState

YOU = "you"

Needs = Literal["roll", "play", "answer", "opponent", "dice", "next", "nothing"]
"""What happens next in a match. The user rolls or doubles, plays, answers a double, or
enters the opponent's dice. Otherwise the opponent decides, the next game starts, or the
match is over."""


@dataclass(frozen=True)
class Rules:
    """Rules of a match.

    Attributes
    ----------
    length : int
        Match length in points; 0 for money.
    crawford, jacoby : bool
    beavers : int
    opponent : str
        Name of the opponent, a key of `opponents.OPPONENTS`.
    by_hand : bool
        Whether the user rolls real dice for both sides.
    """

    length: int = 0
    crawford: bool = True
    jacoby: bool = False
    beavers: int = 0
    opponent: str = ""
    by_hand: bool = False

    def start(self) -> GameState:
        """Return the state of the match before the first game."""
        return GameState(
            length=self.length,
            crawford_rule=self.crawford,
            jacoby=self.jacoby,
            beavers=self.beavers,
        )


@dataclass
class Helped:
    """Numbers of hints of each kind, and of undone decisions, in a match."""

    hints: list[int] = field(default_factory=lambda: [0, 0, 0])
    undone: int = 0


class LiveMatch:
    """Match or money session. A thread must hold `lock` while it changes the match.

    Parameters
    ----------
    key : str
        Identifier of the match in addresses and files.
    rules : Rules
    seed : str
        Seed of the dice.
    begun : str
        Start time of the match in UTC.
    """

    def __init__(self, key: str, rules: Rules, seed: str, begun: str) -> None:
        self.key, self.rules, self.seed, self.begun = key, rules, seed, begun
        self.helped = Helped()
        self.version = 0
        self.ended = False
        self.declined = False
        self.lock = threading.RLock()
        # Match files use the same player names as the page.
        players = YOU, OPPONENTS[rules.opponent].title
        self._table = GameTable(rules.start(), players, 0)
        self._past: list[list[Moment]] = []

    @property
    def state(self) -> GameState:
        return self._table.state

    @property
    def number(self) -> int:
        """Number of the current game, starting at 1."""
        return self._table.number

    @property
    def record(self) -> MatchRecord:
        return self._table.record

    def moments(self, number: int | None = None) -> list[Moment]:
        """Return the actions of a game, each with the states before and after it.

        Parameters
        ----------
        number : int, optional
            Number of the game, from 1; by default the current game, or the one just
            finished.

        Raises
        ------
        GameError
            If the match has no game with this number.
        """
        if number in (None, self.number):
            return self._table.moments()
        if not 0 < number < self.number:
            raise GameError(
                f"the match has no game {number}; its last game is {self.number}"
            )
        return self._past[number - 1]

    @property
    def may_undo(self) -> bool:
        """Whether the user has a decision in this game that can be undone."""
        decided = any(action.player == PERSON for action in self.record.games[-1].actions)
        return decided and not self.over

    @property
    def seed_hash(self) -> str:
        """Hash of the seed, which is published during the match."""
        return hash_of(self.seed)

    @property
    def over(self) -> bool:
        """Whether the match is won or the session has ended."""
        return self.ended or self.state.match_winner is not None

    @property
    def needs(self) -> Needs:
        state = self.state
        if self.over:
            return "nothing"
        if state.winner is not None:
            return "next"
        if state.turn is None:
            return "roll"
        if state.to_act == OTHER:
            waits = self.declined and self.rules.by_hand and state.dice is None
            return "dice" if waits and not state.offers else "opponent"
        if state.offers:
            return "answer"
        return "roll" if state.dice is None else "play"

    def roll(self, fell: tuple[int, int] | None = None) -> None:
        """Roll the dice, or use dice that the user rolled.

        Raises
        ------
        GameError
            If it is not time to roll, if dice must be entered but are missing, or if dice
            are given but must not be entered.
        """
        if self.needs not in ("roll", "dice"):
            raise GameError(f"the dice cannot be rolled now; {NEEDED[self.needs]}")
        self._throw(fell)

    def _throw(self, fell: tuple[int, int] | None) -> None:
        if self.rules.by_hand:
            if fell is None:
                raise GameError(
                    "the dice of this match are rolled by hand, so they must be entered"
                )
        elif fell is not None:
            raise GameError(
                "the dice of this match come from its seed, so they cannot be entered"
            )
        opening = self.state.turn is None
        if fell is not None and opening and fell[0] == fell[1]:
            raise GameError("the two dice of the opening roll must differ; roll them again")
        dice = fell or thrown(self.seed, self.number, self._table.throws, opening=opening)
        self._table.throw(dice)
        self._changed()

    def play(self, play: Board | str) -> None:
        self._persons("play")
        self._table.mark()
        self._table.play(play)
        self._changed()

    def double(self) -> None:
        """Turn the cube for the user, by a double or a beaver."""
        self._persons("roll", "answer")
        self._table.mark()
        self._table.double()
        self._changed()

    def take(self) -> None:
        self._persons("answer")
        self._table.mark()
        self._table.take()
        self._changed()

    def drop(self) -> None:
        self._persons("answer")
        self._table.mark()
        self._table.drop()
        self._changed()

    def resign(self, lost: int) -> bool:
        """Resign the game for the user; return False if the opponent plays on for more."""
        if self.state.winner is not None or self.state.turn is None:
            raise GameError("there is no game in progress to resign")
        board = self.state.board if self.state.turn == PERSON else self.state.board.turned
        if not accepts(board, lost):
            return False
        self._table.mark()
        self._table.resign(lost)
        self._changed()
        return True

    def undo(self) -> None:
        """Undo the user's last decision in this game and everything after it."""
        if self.over:
            raise GameError("the match is over, so its seed is already revealed")
        if not self._table.undo():
            raise GameError("you have no decision to undo in this game")
        self.helped.undone += 1
        self._changed()

    def next_game(self) -> None:
        if self.needs != "next":
            raise GameError(f"the next game cannot start now; {NEEDED[self.needs]}")
        self._begin_next()
        self._changed()

    def _begin_next(self) -> None:
        self._past.append(self._table.moments())
        self._table.next_game()

    def end(self) -> None:
        """End the match or session, after which the seed may be published."""
        self.ended = True
        self._changed()

    def decided(self, decision: "OpponentAction") -> None:
        if decision.kind == "play":
            assert decision.after is not None
            self._table.play(decision.after)
        elif decision.kind == "double":
            self._table.double()
        elif decision.kind == "take":
            self._table.take()
        elif decision.kind == "pass":
            self._table.drop()
        elif self.rules.by_hand:
            self.declined = True
            self.version += 1
            return
        else:
            self._throw(None)
            return
        self._changed()

    def _persons(self, *needs: Needs) -> None:
        if self.needs not in needs:
            raise GameError(f"this action is not possible now; {NEEDED[self.needs]}")

    def _changed(self) -> None:
        self.declined = False
        self.version += 1

    def as_json(self) -> dict[str, Any]:
        """Return the state of the match as JSON values, for storage."""
        state = self.state
        return {
            "key": self.key,
            "begun": self.begun,
            "rules": asdict(self.rules),
            "seed": self.seed,
            "helped": asdict(self.helped),
            "version": self.version,
            "ended": self.ended,
            "games": [
                [kept_of(action) for action in game.actions] for game in self.record.games
            ],
            "turn": state.turn,
            "dice": state.dice,
        }

    @classmethod
    def of_json(cls, kept: dict[str, Any]) -> "LiveMatch":
        """Restore a match from storage by replaying its actions.

        Raises
        ------
        GameError, KeyError, TypeError, ValueError
            If the stored match is not valid.
        """
        if not re.fullmatch(SEED, kept["seed"]):
            raise GameError(
                f"the seed must be 32 hexadecimal digits, got {kept['seed']!r:.40}"
            )
        match = cls(kept["key"], Rules(**kept["rules"]), kept["seed"], kept["begun"])
        table = match._table
        for number, actions in enumerate(kept["games"]):
            if number:
                match._begin_next()
            for action in actions:
                do_again(table, action)
        if kept["dice"] is not None and table.state.dice is None:
            fell(table, tuple(kept["dice"]), kept["turn"])
        match.helped = Helped(**kept["helped"])
        match.version, match.ended = int(kept["version"]), bool(kept["ended"])
        return match


NEEDED: dict[Needs, str] = {
    "roll": "it is your turn to roll or double",
    "play": "it is your turn to play the roll",
    "answer": "it is your turn to take or pass",
    "opponent": "it is the opponent's turn",
    "dice": "the dice of the opponent's roll must be entered first",
    "next": "the game is over",
    "nothing": "the match is over",
}
"""Sentence for the user on the next step, by the value of `LiveMatch.needs`."""
