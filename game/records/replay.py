"""Replay of a recorded match on the board, action by action."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from bearoff import BearoffError, Race, Score
from bearoff.game.records.record import (
    Action,
    GameRecord,
    MatchRecord,
    RecordError,
)
from bearoff.game.rules import Board, legal_plays, move_checkers
from bearoff.game.state import GameState
from bearoff.stakes import Cube

MOST_ILLEGAL = 2
"""Maximum number of illegal plays that are accepted in a game. A game with more is treated
as an error in the file."""

MOST_BEAVERS = 20
"""Maximum number of consecutive beavers that are accepted. The limit is high because
records do not state how many beavers the players had agreed on."""


@dataclass(frozen=True)
class Moment:
    """Action of a recorded game, with the states of the game before and after it.

    Attributes
    ----------
    match, game : MatchRecord, GameRecord
        Match and game to which the action belongs.
    action : Action
        Action as it was recorded.
    before : GameState
        State of the game before the action; for a play, after the roll.
    then : GameState
        State of the game after the action.
    """

    match: MatchRecord
    game: GameRecord
    action: Action
    before: GameState
    then: GameState

    @property
    def after(self) -> Board | None:
        """Board after a play, from the roller's viewpoint; None for other actions."""
        played = self.action.kind == "play" or (
            self.action.kind in ("roll", "set")
            and self.action.roll is not None
            and self.then.dice is None  # If dice are left, the roll was not played.
        )
        return self.then.board.turned if played else None

    @property
    def roller(self) -> int:
        """Player on roll, 0 or 1. For a take or a pass, the player who doubled."""
        turn = self.before.turn
        return self.action.player if turn is None else turn

    @property
    def board(self) -> Board:
        """Board before the action, from the roller's viewpoint."""
        return self.before.board

    @property
    def cube_value(self) -> int:
        """Value of the cube; for a take or a pass, the value before the double."""
        return self.before.cube_value

    @property
    def cube(self) -> Cube:
        """Owner of the cube, from the roller's viewpoint."""
        return self.before.cube

    @property
    def may_double(self) -> bool:
        """Whether the roller may double before the roll of this turn."""
        return replace(self.before, dice=None).may_double

    @property
    def can_gain(self) -> bool:
        """Whether the roller could gain by doubling before the roll.

        False for the opening roll, because no player may double before it.
        """
        opens = self.game.opens and self.before.board == (self.game.board or Board.start())
        return not opens and replace(self.before, dice=None).can_gain

    @property
    def race(self) -> Race | None:
        """Race with cube, score and, for a play, dice; None if there is contact.

        The race does not allow beavers, because records do not state whether the players
        had agreed on them.
        """
        race = self.before.race
        return replace(race, beavers=False) if race is not None and race.beavers else race

    @property
    def position(self) -> Race | GameState:
        """`Race`, or `GameState` during contact; beavers are forbidden in both."""
        return self.race or replace(self.before, beavers=0)

    @property
    def score(self) -> Score | None:
        """Score from the roller's viewpoint; None for money play."""
        return self.before.score


def moments(match: MatchRecord, game: GameRecord) -> Iterator[Moment]:
    """Yield the actions of a game with the states of the game before and after each.

    Parameters
    ----------
    match : MatchRecord
        Match to which the game belongs.
    game : GameRecord
        Game of the match that is replayed.

    Yields
    ------
    Moment
        Actions in chronological order. In a game with a winner, an illegal last play counts
        as a roll that was not played, because a player who resigns may leave checkers
        anywhere. An earlier illegal play is accepted as a ``set`` board if the rest of the
        game is possible after it.

    Raises
    ------
    RecordError
        At the first impossible action, for example an illegal play, a double out of turn or
        of the opponent's cube, or a take without a double.
    """
    try:
        state = GameState(
            length=match.length,
            won=game.won,
            crawford=game.crawford,
            jacoby=match.jacoby,
            beavers=0 if match.length else MOST_BEAVERS,
            board=game.board or Board.start(),
            cube_value=game.cube_value,
            cube_owner=game.cube_owner,
        )
    except BearoffError as error:
        raise RecordError(f"{match.source}, line {game.line}: {error}") from None
    for place in range(len(game.actions)):
        action, before, after = _followed(match, game, state, place, MOST_ILLEGAL)
        yield Moment(match, game, action, before, after)
        state = after


def _followed(
    match: MatchRecord, game: GameRecord, state: GameState, place: int, illegal: int
) -> tuple[Action, GameState, GameState]:
    """Interpret a recorded action; return it with the states of the game before and after.

    In a game with a winner, an illegal last play becomes a roll that was not played. An
    earlier illegal play is accepted if at most `illegal` illegal plays are needed to make
    all later actions possible.
    """
    action = game.actions[place]
    try:
        before = _rolled(state, action, match.players)
        try:
            return action, before, _acted(before, action)
        except BearoffError:
            if action.kind != "play" or action.roll is None or game.winner is None:
                raise
            if all(later.kind == "resign" for later in game.actions[place + 1 :]):
                action = replace(action, kind="roll")
                return action, before, _acted(before, action)
            if not illegal or not action.text:
                raise
            with suppress(BearoffError):
                action = replace(action, kind="set")
                state = after = _acted(before, action)
                for later in range(place + 1, len(game.actions)):
                    *_, state = _followed(match, game, state, later, illegal - 1)
                return action, before, after
            raise
    except BearoffError as error:
        raise RecordError(f"{match.source}, line {action.line}: {error}") from None


def _rolled(state: GameState, action: Action, players: tuple[str, str]) -> GameState:
    """Return the state in which a player acts; for a play, the state after the roll."""
    ours = action.player
    if action.kind == "resign" or (action.kind == "set" and action.roll is None):
        return state
    if state.turn is None:
        # Records do not state which player threw which number of the opening roll.
        board = state.board.turned if ours else state.board
        state = replace(state, turn=ours, board=board)
    if state.dice is not None:
        raise RecordError("the previous roll of {}-{} was not played".format(*state.dice))
    if state.to_act != ours:
        if action.kind in ("take", "pass") and not state.offers:
            raise RecordError(f"a {action.kind} must follow a double")
        if action.kind == "play" and state.offers:
            raise RecordError("a double was neither taken nor passed")
        raise RecordError(f"{players[ours][:40]!r} acts twice in a row")
    return state if action.roll is None else state.roll(*action.roll)


def _acted(state: GameState, action: Action) -> GameState:
    match action.kind:
        case "play":
            return state.play(action.text)
        case "roll":
            assert state.dice is not None
            plays = legal_plays(state.board, state.dice)
            # If a roll has only one legal play, the play is made at once.
            return state.play(Board(tuple(plays[0].tolist()))) if len(plays) == 1 else state
        case "set" if action.roll is None:
            assert action.board is not None
            return replace(state, board=action.board, turn=None, dice=None)
        case "set":
            assert state.turn is not None
            after = action.board or move_checkers(state.board, action.text)
            if action.board is None or state.turn == 0:
                after = after.turned
            return replace(state, board=after, turn=1 - state.turn, dice=None)
        case "double":
            shows = state.cube_value << state.offers
            if action.value not in (0, 2 * shows):
                raise RecordError(
                    f"a double to {action.value} is impossible, because the cube value was "
                    f"{shows} before the double"
                )
            return state.beaver() if state.offers else state.double()
        case "take":
            return state.take()
        case "pass":
            return state.drop()
        case "resign":
            return state.resign(action.player, action.value or 1)
        case "question":
            return state
