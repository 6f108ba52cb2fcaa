"""Conversion of a game without dice to JSON, from the user's viewpoint."""

from bearoff.app.serve.no_chance.games import PERSON, Game, Turn
from bearoff.app.serve.no_chance.models import (
    NameableOut,
    NoChanceOut,
    NoChanceSummaryOut,
    NumberOut,
    TurnOut,
)
from bearoff.app.serve.no_chance.thinking import OPPONENTS, Rated
from bearoff.game import Board
from bearoff.game.rules import play_moves


def board_of(game: Game) -> Board:
    """Return the board from the user's viewpoint."""
    position = game.position
    if position is None:
        return Board.start()
    return position.board if game.turn == PERSON else position.board.turned


def shown(game: Game) -> NoChanceOut:
    position, rules = game.position, game.rules
    board = board_of(game)
    doubles = (rules.doubles, rules.doubles)
    if position is not None:
        doubles = position.doubles if game.turn == PERSON else position.doubles[::-1]
    return NoChanceOut(
        key=game.key,
        version=game.version,
        begun=game.begun,
        numbers=rules.numbers,
        doubles=doubles,
        first=rules.first,
        opponent=rules.opponent,
        opponent_title=OPPONENTS[rules.opponent].title,
        seconds=OPPONENTS[rules.opponent].seconds,
        needs=game.needs,
        named=game.named,
        nameable=_nameable(game),
        board=board.points,
        pips=board.pips,
        xgid=board.xgid,
        turn=game.turn,
        may_undo=game.may_undo,
        winner=game.winner,
        points=board.points_won,
        actions=[_turn(game, turn) for turn in game.turns],
        hints=game.hints,
        undone=game.undone,
    )


def _nameable(game: Game) -> list[NameableOut]:
    position = game.position
    if game.needs == "name":
        taken = {turn.number for turn in game.turns}
        return [
            NameableOut(number=n, double=False, silent=True, legal=[])
            for n in range(1, game.rules.numbers + 1)
            if n not in taken
        ]
    if game.needs != "play" or position is None:
        return []
    found = []
    for number in position.nameable:
        plays = position.plays(number)
        found.append(
            NameableOut(
                number=number,
                double=number == position.met,
                silent=plays == [position.board],
                legal=[after.points for after in plays],
            )
        )
    return found


def _turn(game: Game, turn: Turn) -> TurnOut:
    moves: tuple[tuple[int, int, bool], ...] = ()
    board = Board.start()
    if turn.before is not None:
        assert turn.after is not None
        assert turn.pair is not None
        board = turn.before if turn.player == PERSON else turn.before.turned
        moves = play_moves(turn.before, turn.after, turn.pair, highest=game.rules.numbers)
    return TurnOut(
        player=turn.player,
        kind="name" if turn.met is None else "play",
        number=turn.number,
        met=turn.met,
        dice=turn.pair,
        double=turn.number == turn.met,
        silent=turn.silent,
        text=game.text(turn),
        moves=moves,
        board=board.points,
    )


def summary(game: Game) -> NoChanceSummaryOut:
    return NoChanceSummaryOut(
        key=game.key,
        begun=game.begun,
        opponent_title=OPPONENTS[game.rules.opponent].title,
        numbers=game.rules.numbers,
        turns=max(0, len(game.turns) - 2),
        over=game.winner is not None,
    )


def number_of(one: Rated) -> NumberOut:
    return NumberOut(
        number=one.number,
        text=one.text,
        board=one.after.points,
        points=one.points,
        turns=one.turns,
        value=one.value,
        exact=one.exact,
        depth=one.depth,
    )
