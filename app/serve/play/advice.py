"""Answers to the person's questions: hints, and a play judged."""

from typing import Any

from bearoff import BearoffError
from bearoff.app.serve.play.cubes import CLOSE_LOST
from bearoff.app.serve.play.games import Match
from bearoff.app.serve.play.reasons import differences
from bearoff.app.serve.play.thinking import DIGITS, Thinker, own_turn
from bearoff.game import Board, read_play
from bearoff.game.rules import play_moves
from bearoff.game.state import GameError, GameState
from bearoff.stakes import is_mistake

SHOWN = 10
"""Plays of a hint."""


def ask(
    match: Match, thinker: Thinker, depth: int, play: str | list[int] | None
) -> dict[str, Any]:
    """Answer a question about the person's decision, and count it if it is a hint.

    Parameters
    ----------
    match : Match
    thinker : Thinker
    depth : int
        0 judges a play; 1, 2 and 3 are hints.
    play : str, list of int or None
        The person's own, for depths 0 and 1.
    """
    with match.lock:
        state = own_turn(match)
        if depth:
            match.helped.hints[depth - 1] += 1
    with thinker.lock:
        if state.dice is None:
            if not (state.offers or state.may_double):
                raise GameError("the cube is not yours to turn now")
            cube = thinker.cube(state)
            lost, error = CLOSE_LOST
            return {
                "kind": cube.kind,
                "action": cube.action,
                "equities": cube.equities,
                "costs": cube.costs,
                "errors": {} if cube.kind == "search" else cube.errors,
                "close_lost": (lost, error) if cube.kind == "search" else None,
            }
        kind, rated = thinker.rate(state)
    best = rated[0]
    if depth == 3:
        plays = [
            {
                "text": one.text,
                "board": one.after.points,
                "equity": one.equity,
                "cost": one.cost,
                "error": one.error,
                "reason": differences(best.after, one.after)
                if is_mistake(one.cost, digits=DIGITS)
                else "",
            }
            for one in rated[:SHOWN]
        ]
        more = max(0, len(rated) - SHOWN)
        return {"kind": kind, "best": best.text, "plays": plays, "more": more}
    if depth == 2:
        moves = play_moves(state.board, best.after, state.dice)
        return {"kind": kind, "checkers": sorted({m[0] for m in moves}, reverse=True)}
    after = read(state, play)
    mine = next((one for one in rated if one.after == after), None)
    if mine is None:
        raise BearoffError("that is no legal play of the roll")
    better = is_mistake(mine.cost, digits=DIGITS)
    if depth == 1:
        return {"kind": kind, "better": better}
    reason = differences(best.after, mine.after) if better else ""
    return {
        "kind": kind,
        "better": better,
        "cost": mine.cost,
        "error": mine.error,
        "best": best.text,
        "reason": reason,
    }


def read(state: GameState, play: str | list[int] | None) -> Board:
    """Return the board after a play that is written, or given as the board itself."""
    if play is None:
        raise BearoffError("a play is missing; give it as 8/5 6/5, or the board after it")
    if state.dice is None:
        raise BearoffError("nothing is rolled that could be played")
    if isinstance(play, str):
        return read_play(state.board, play, state.dice)
    return Board(tuple(play))
