"""Follow a record action by action, on the board."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bearoff import BearoffError, Race, Score
from bearoff.stakes import Cube
from game.records.record import (
    ILLEGAL,
    Action,
    GameRecord,
    MatchRecord,
    RecordError,
)
from game.rules import Board
from game.state import GameState

MOST_BEAVERS = 20
"""Records do not say whether beavers were agreed on."""


@dataclass(frozen=True)
class Moment:
    """The state of a game before an action.

    Attributes
    ----------
    match, game : MatchRecord, GameRecord
        The match and its game.
    action : Action
        What was done.
    before : GameState
        Of a play, once it is rolled.
    then : GameState
        After the action.
    """

    match: MatchRecord
    game: GameRecord
    action: Action
    before: GameState
    then: GameState

    @property
    def after(self) -> Board | None:
        """Of a play: the board after it, from the side of the roller."""
        return self.then.board.turned if self.action.kind == "play" else None

    @property
    def roller(self) -> int:
        """0 or 1: who is on roll; of a take or a pass, whoever doubled."""
        turn = self.before.turn
        return self.action.player if turn is None else turn

    @property
    def board(self) -> Board:
        """The board from the side of the roller."""
        return self.before.board

    @property
    def cube_value(self) -> int:
        """What the cube shows; of a take or a pass, before the double."""
        return self.before.cube_value

    @property
    def cube(self) -> Cube:
        """Where the cube is, from the side of the roller."""
        return self.before.cube

    @property
    def may_double(self) -> bool:
        """Whether the roller may double, or might have before the roll."""
        return replace(self.before, dice=None).may_double

    @property
    def can_gain(self) -> bool:
        """Whether the roller might have doubled before the roll, and gained by it.

        Before the opening roll nobody is on roll.
        """
        opens = self.game.board is None and self.action is self.game.actions[0]
        return not opens and replace(self.before, dice=None).can_gain

    @property
    def race(self) -> Race | None:
        """The race with cube, score and, of a play, dice; None while there is contact."""
        return self.before.race

    @property
    def score(self) -> Score | None:
        """The score from the side of the roller; None for money."""
        return self.before.score


def moments(match: MatchRecord, game: GameRecord) -> Iterator[Moment]:
    """Yield the actions of a game with the state before each.

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
    for action in game.actions:
        try:
            before = _rolled(state, action, match.players)
            state = _acted(before, action)
        except BearoffError as error:
            raise RecordError(f"{match.source}, line {action.line}: {error}") from None
        yield Moment(match, game, action, before, state)


def _rolled(state: GameState, action: Action, players: tuple[str, str]) -> GameState:
    """Return the state in which an action is decided: of a play, with its roll."""
    ours = action.player
    if action.kind == "resign":
        return state
    if state.turn is None:
        # Records do not say who threw which number first.
        board = state.board.turned if ours else state.board
        state = replace(state, turn=ours, board=board)
    if state.to_act != ours:
        if action.kind in ("take", "pass") and not state.offers:
            raise RecordError(f"a {action.kind} without a double")
        if action.kind == "play" and state.offers:
            raise RecordError("a double is neither taken nor passed")
        raise RecordError(f"{players[ours][:40]!r} acts twice in succession")
    return state if action.roll is None else state.roll(*action.roll)


def _acted(state: GameState, action: Action) -> GameState:
    match action.kind:
        case "play" if action.text == ILLEGAL:
            assert action.roll is not None  # Of a play.
            raise RecordError("{}-{} is played as no rule allows".format(*action.roll))
        case "play":
            return state.play(action.text)
        case "double":
            shows = state.cube_value << state.offers
            if action.value not in (0, 2 * shows):
                raise RecordError(
                    f"the cube shows {shows} before a double to {action.value}"
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
