"""Conversion of a match to JSON, with boards from the user's viewpoint."""

from functools import lru_cache
from typing import cast

from bearoff.app.serve.play.games import LiveMatch
from bearoff.app.serve.play.kept import PERSON
from bearoff.app.serve.play.models import ActionOut, Done, GameOut, MatchOut, SummaryOut
from bearoff.app.serve.play.opponents import OPPONENTS
from bearoff.game import Board, legal_plays
from bearoff.game.records import Action
from bearoff.game.rules import play_moves
from bearoff.game.state import GameState


def board_of(state: GameState) -> Board:
    """Return the board from the user's viewpoint."""
    return state.board if state.turn in (PERSON, None) else state.board.turned


def shown(match: LiveMatch, said: str = "") -> MatchOut:
    state, rules = match.state, match.rules
    board = board_of(state)
    legal: list[list[int]] = []
    if match.needs == "play":
        assert state.dice is not None
        legal = legal_plays(state.board, state.dice).tolist()
    over = state.winner is not None
    first, second, third = match.helped.hints
    return MatchOut(
        key=match.key,
        version=match.version,
        begun=match.begun,
        length=rules.length,
        crawford=rules.crawford,
        jacoby=rules.jacoby,
        beavers=rules.beavers,
        by_hand=rules.by_hand,
        opponent=rules.opponent,
        opponent_title=OPPONENTS[rules.opponent].title,
        seconds=OPPONENTS[rules.opponent].seconds,
        number=match.number,
        won=state.won,
        score_after=state.score_after if over else state.won,
        crawford_game=state.crawford,
        needs=match.needs,
        board=board.points,
        pips=board.pips,
        xgid=state.xgid,
        turn=state.turn,
        dice=state.dice,
        legal=legal,
        cube_value=state.cube_value,
        cube_owner=state.cube_owner,
        offers=state.offers,
        cube_dead=state.cube_dead,
        may_double=match.needs == "roll" and state.may_double,
        may_beaver=match.needs == "answer" and state.offers <= state.beavers,
        may_undo=match.may_undo,
        winner=state.winner,
        points=state.points,
        match_winner=state.match_winner,
        over=match.over,
        games=[
            GameOut(number=one.number, won=one.won, winner=one.winner, points=one.points)
            for one in match.record.games
            if one.actions
        ],
        actions=[_told(one.action, one.before, one.then) for one in match.moments()],
        hints=(first, second, third),
        undone=match.helped.undone,
        seed_hash=match.seed_hash,
        seed=match.seed if match.over else None,
        said=said,
    )


@lru_cache(maxsize=1024)
def _told(action: Action, before: GameState, then: GameState) -> ActionOut:
    moves: tuple[tuple[int, int, bool], ...] = ()
    if action.kind == "play":
        assert action.roll is not None
        moves = play_moves(before.board, then.board.turned, action.roll)
    return ActionOut(
        player=action.player,
        kind=cast(Done, action.kind),  # Only files have other kinds of action.
        dice=action.roll,
        text=action.text,
        value=action.value,
        moves=moves,
        board=board_of(before).points,
    )


def summary(match: LiveMatch) -> SummaryOut:
    state = match.state
    won = state.score_after if state.winner is not None else state.won
    return SummaryOut(
        key=match.key,
        begun=match.begun,
        opponent_title=OPPONENTS[match.rules.opponent].title,
        length=match.rules.length,
        won=won,
        number=match.number,
        over=match.over,
    )
