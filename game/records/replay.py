"""Follow a record action by action, on the board."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from bearoff import BearoffError, Race, Score
from game.records.record import Action, GameRecord, MatchRecord, RecordError
from game.rules import Board, read_play

Cube = Literal["centred", "owned", "opponent"]
Game = Literal["normal", "crawford", "post-crawford"]


@dataclass(frozen=True)
class Moment:
    """The board and the cube before an action.

    Attributes
    ----------
    match, game : MatchRecord, GameRecord
        The match and its game.
    action : Action
        What was done.
    roller : int
        0 or 1: who is on roll; of a take or a pass, whoever doubled.
    board : Board
        From the side of the roller.
    cube_value : int
        What the cube shows; of a take or a pass, before the double.
    cube : {"centred", "owned", "opponent"}
        Where it is, from the side of the roller.
    after : Board or None
        Of a play: the board after it, still from the side of the roller.
    doubled : bool
        Whether the roller has doubled this turn.
    """

    match: MatchRecord
    game: GameRecord
    action: Action
    roller: int
    board: Board
    cube_value: int
    cube: Cube
    after: Board | None
    doubled: bool

    @property
    def may_double(self) -> bool:
        """Whether the roller may double now."""
        return not (self.doubled or self.game.crawford or self.cube == "opponent")

    @property
    def race(self) -> Race | None:
        """The race with cube, score and, of a play, dice; None while there is contact."""
        race = self.board.race
        if race is None:
            return None
        dice = self.action.roll if self.action.kind == "play" else None
        return replace(
            race,
            cube=self.cube,
            cube_value=self.cube_value,
            score=self.score,
            dice=dice,
            jacoby=self.match.jacoby,
        )

    @property
    def score(self) -> Score | None:
        """The score from the side of the roller; None for money."""
        length = self.match.length
        if not length:
            return None
        won = (self.game.won[self.roller], self.game.won[1 - self.roller])
        kind: Game = "normal"
        if length > 1 and max(won) == length - 1:
            kind = "crawford" if self.game.crawford else "post-crawford"
        return Score.of_match(length, won, kind)


def moments(match: MatchRecord, game: GameRecord) -> Iterator[Moment]:
    """Yield the actions of a game with the board before each.

    Parameters
    ----------
    match : MatchRecord
        The match.
    game : GameRecord
        One of its games.

    Yields
    ------
    Moment
        In order.

    Raises
    ------
    RecordError
        At the first action that nobody could have done: a play that is none of its roll, a
        double out of turn or of the other's cube, a take without a double.
    """
    board = Board.start()  # From the side of player 0.
    value, owner, doubler = 1, None, None
    roller = doubled = None
    for action in game.actions:
        where = f"{match.source}, line {action.line}"
        player = action.player
        if action.kind in ("take", "pass"):
            if doubler is None or player == doubler:
                raise RecordError(f"{where}: a {action.kind} without a double")
            turn = doubler
        else:
            if doubler is not None and action.kind != "resign":
                raise RecordError(f"{where}: a double is neither taken nor passed")
            if roller is not None and player == roller and action.kind != "resign":
                raise RecordError(
                    f"{where}: {match.players[player]} acts twice in succession"
                )
            turn = player
        seen = board if turn == 0 else board.turned
        cube: Cube = "centred"
        if owner is not None:
            cube = "owned" if owner == turn else "opponent"
        after = None
        if action.kind == "play":
            assert action.roll is not None
            try:
                after = read_play(seen, action.text, action.roll)
            except BearoffError as error:
                raise RecordError(f"{where}: {error}") from None
        elif action.kind == "double":
            if cube == "opponent" or game.crawford:
                whose = "in Crawford's game" if game.crawford else "the opponent's cube"
                raise RecordError(f"{where}: a double of {whose}")
            if action.value not in (0, 2 * value):
                raise RecordError(
                    f"{where}: the cube shows {value} before a double to {action.value}"
                )
        yield Moment(match, game, action, turn, seen, value, cube, after, doubled == turn)
        if after is not None:
            doubled = None
            board = after if turn == 0 else after.turned
            roller = player
        elif action.kind == "double":
            doubler = doubled = player
        elif action.kind == "take":
            value, owner, doubler = 2 * value, player, None
