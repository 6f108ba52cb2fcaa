"""HTTP routes of games without dice: begin, act, let the opponent decide, ask for hints.

The field `needs` of a game tells a bot what to do: with ``name``, name its first number;
with ``play``, name a number and play it; with ``opponent``, request the opponent's
decision.
"""

from collections import OrderedDict
from threading import Lock
from typing import Annotated

from fastapi import Depends, Request

from bearoff import BearoffError
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.no_chance.games import OTHER, PERSON, Game, NoChanceRules
from bearoff.app.serve.no_chance.models import (
    NamedIn,
    NoChanceHintOut,
    NoChanceIn,
    NoChanceLobbyOut,
    NoChanceOpponentOut,
    NoChanceOut,
)
from bearoff.app.serve.no_chance.shown import number_of, shown, summary
from bearoff.app.serve.no_chance.thinking import (
    ONE_TURN,
    OPPONENTS,
    NoChanceThinker,
    decide_once,
    hint,
    opponent_named,
)
from bearoff.app.serve.play.files import GameFiles
from bearoff.app.serve.play.store import new_key, now
from bearoff.app.serve.problems import Refusal
from bearoff.app.serve.work import Workers
from bearoff.game import Board
from bearoff.game.no_chance import NoChancePosition

LISTED = 30
"""Maximum number of games in the list, the most recently changed first."""

THINKERS = 8
"""Maximum number of games for which solved races stay in memory."""

router = new_router()


class NoChanceRoom:
    """The user's games without dice, with the threads that compute decisions.

    Parameters
    ----------
    games : GameFiles of Game
    workers : Workers
        Threads that compute decisions.

    Attributes
    ----------
    cold : bool
        Whether the code that computes decisions is still being compiled.
    """

    def __init__(self, games: GameFiles[Game], workers: Workers) -> None:
        self.games, self.workers = games, workers
        self._thinkers: OrderedDict[str, NoChanceThinker] = OrderedDict()
        self._lock = Lock()
        self.cold = False

    def warm(self) -> None:
        """Search one position and solve another, so that the code is compiled."""
        thinker = NoChanceThinker(ONE_TURN)
        thinker.decide(NoChancePosition.start(1, 2))
        last = Board.of_sides([1, *[0] * 24], [1, *[0] * 24])
        thinker.decide(NoChancePosition(last, 1, 2))

    def thinker(self, game: Game) -> NoChanceThinker:
        """Return the object that computes the decisions of a game."""
        with self._lock:
            if game.key not in self._thinkers:
                self._thinkers[game.key] = NoChanceThinker(game.rules.opponent)
            self._thinkers.move_to_end(game.key)
            while len(self._thinkers) > THINKERS:
                self._thinkers.popitem(last=False)
            return self._thinkers[game.key]


def room_of(request: Request) -> NoChanceRoom:
    room: NoChanceRoom | None = request.app.state.no_chance
    if room is None:
        raise Refusal(
            403,
            "games are stored for one player, so they are available only if the server "
            "serves this machine alone",
        )
    return room


Mine = Annotated[NoChanceRoom, Depends(room_of)]


@router.get("/play/no-chance")
async def lobby(room: Mine) -> NoChanceLobbyOut:
    """Return the opponents and the stored games, the most recently changed first."""
    return await room.workers.run(lambda: _lobby(room))


@router.post("/play/no-chance/games")
async def begin(asked: NoChanceIn, room: Mine) -> NoChanceOut:
    """Begin a game of No Chance Backgammon: numbers are named instead of rolled."""

    def work() -> NoChanceOut:
        opponent_named(asked.opponent)
        first = PERSON if asked.first == "you" else OTHER
        rules = NoChanceRules(asked.numbers, asked.doubles, first, asked.opponent)
        return shown(room.games.add(Game(new_key(), rules, now())))

    return await room.workers.run(work)


@router.get("/play/no-chance/games/{key}")
async def game(key: str, room: Mine) -> NoChanceOut:
    """Return the state of a game, with the numbers you may name and their legal plays."""
    return await room.workers.run(lambda: shown(room.games.of(key)))


@router.delete("/play/no-chance/games/{key}")
async def remove(key: str, room: Mine) -> NoChanceLobbyOut:
    """Remove a game."""

    def work() -> NoChanceLobbyOut:
        room.games.remove(key)
        return _lobby(room)

    return await room.workers.run(work)


@router.post("/play/no-chance/games/{key}/actions")
async def act(key: str, asked: NamedIn, room: Mine) -> NoChanceOut:
    """Apply your action: name your first number, name a number and play, or undo."""

    def work() -> NoChanceOut:
        game = room.games.of(key)
        with game.lock:
            if asked.version not in (None, game.version):
                raise Refusal(
                    409,
                    "the game was continued elsewhere, perhaps in another tab; reload "
                    "the game",
                )
            _act(game, asked)
            room.games.keep(game)
            return shown(game)

    return await room.workers.run(work)


@router.post("/play/no-chance/games/{key}/decide")
async def decide(key: str, room: Mine) -> NoChanceOut:
    """Let the opponent name a number and play, if it is the opponent's turn."""

    def work() -> NoChanceOut:
        game = room.games.of(key)
        decide_once(game, room.thinker(game))
        with game.lock:
            room.games.keep(game)
            return shown(game)

    return await room.workers.run(work)


@router.post("/play/no-chance/games/{key}/stop")
async def stop(key: str, room: Mine) -> NoChanceOut:
    """End the opponent's search, so that it decides with the results so far."""
    game = room.games.of(key)
    room.thinker(game).stop()
    return shown(game)


@router.post("/play/no-chance/games/{key}/hint")
async def ask(key: str, room: Mine) -> NoChanceHintOut:
    """Rate the numbers you may name; this counts as a hint."""

    def work() -> NoChanceHintOut:
        game = room.games.of(key)
        found = hint(game, room.thinker(game))
        with game.lock:
            room.games.keep(game)
        return NoChanceHintOut(numbers=[number_of(one) for one in found])

    return await room.workers.run(work)


def _act(game: Game, asked: NamedIn) -> None:
    if asked.do == "undo":
        game.undo()
        return
    if asked.number is None:
        raise BearoffError("no number was given; name a number such as 3")
    if asked.do == "name":
        game.name(asked.number)
        return
    if asked.play is None:
        raise BearoffError(
            "the play is missing; enter it as 8/5 6/5, or as the board after the play"
        )
    play = asked.play if isinstance(asked.play, str) else Board(tuple(asked.play))
    game.play(asked.number, play)


def _lobby(room: NoChanceRoom) -> NoChanceLobbyOut:
    found, damaged = room.games.listed(LISTED)
    named = [
        NoChanceOpponentOut(name=name, title=one.title, text=one.text, seconds=one.seconds)
        for name, one in OPPONENTS.items()
    ]
    listed = [summary(game) for game in found]
    return NoChanceLobbyOut(opponents=named, games=listed, damaged=damaged)
