"""Answers to the user's questions in a game: hints, and the cost of a play."""

from bearoff import BearoffError
from bearoff.analysis.review import CLOSE_LOST, Alternative, Decision, reason, verdict_json
from bearoff.app.serve.models import VerdictOut
from bearoff.app.serve.play.games import LiveMatch
from bearoff.app.serve.play.models import HintOut, RatedOut
from bearoff.app.serve.play.thinking import Thinker, own_turn
from bearoff.game import Board, read_play
from bearoff.game.rules import play_moves
from bearoff.game.state import GameError, GameState

SHOWN = 10
"""Maximum number of plays in a hint."""


def ask(
    match: LiveMatch, thinker: Thinker, depth: int, play: str | list[int] | None
) -> HintOut:
    """Answer the user's question about their decision; count it if it is a hint."""
    with match.lock:
        state = own_turn(match)
        if depth:
            match.helped.hints[depth - 1] += 1
    with thinker.lock:
        if state.dice is None:
            if not (state.offers or state.may_double):
                raise GameError("you may not turn the cube now")
            cube = thinker.cube(state)
            lost = CLOSE_LOST if cube.method == "search" else None
            verdict = VerdictOut(**verdict_json(cube))
            return HintOut(kind=cube.method, cube=verdict, close_lost=lost)
        one, boards = thinker.rate(state)
    best, kind = boards[0], one.method
    if depth == 3:
        shown = list(zip(one.alternatives, boards, strict=True))[:SHOWN]
        plays = [_rated(one, play, best, after) for play, after in shown]
        more = max(0, len(boards) - SHOWN)
        return HintOut(kind=kind, best=one.best, plays=plays, more=more)
    if depth == 2:
        moves = play_moves(state.board, best, state.dice)
        checkers = sorted({move[0] for move in moves}, reverse=True)
        return HintOut(kind=kind, checkers=checkers)
    after = read(state, play)
    if after not in boards:
        raise BearoffError("the play is not a legal play of this roll")
    mine = one.choosing(one.alternatives[boards.index(after)].name)
    if depth == 1:
        return HintOut(kind=kind, better=mine.is_seen)
    return HintOut(
        kind=kind,
        better=mine.is_seen,
        cost=mine.cost,
        error=mine.error,
        best=one.best,
        reason=_reason(mine, best, after),
    )


def _rated(one: Decision, play: Alternative, best: Board, after: Board) -> RatedOut:
    """Return a play with its cost; `after` is the board after the play."""
    made = one.choosing(play.name)
    return RatedOut(
        text=play.name,
        board=after.points,
        equity=play.equity,
        cost=made.cost,
        error=made.error,
        reason=_reason(made, best, after),
    )


def _reason(made: Decision, best: Board, after: Board) -> str:
    """Return a sentence on why the best play is better; empty if the play costs nothing."""
    return reason(best, after, made.cost) if made.is_seen else ""


def read(state: GameState, play: str | list[int] | None) -> Board:
    """Return the board after a play given in notation or as a board."""
    if play is None:
        raise BearoffError(
            "the play is missing; enter it as 8/5 6/5, or as the board after the play"
        )
    if state.dice is None:
        raise BearoffError("the dice have not been rolled, so there is nothing to play")
    if isinstance(play, str):
        return read_play(state.board, play, state.dice)
    return Board(tuple(play))
