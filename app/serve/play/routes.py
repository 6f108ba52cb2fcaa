"""HTTP routes of games against the program: matches, actions, decisions, hints, files.

The routes exist only on a server for this machine alone. A bot acts if `needs` is a step of
the user, and requests /decide if it is ``opponent``.
"""

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import Depends, Query, Request
from starlette.responses import Response

from bearoff import BearoffError
from bearoff.analysis.review import PLAY_ERROR
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.play import advice, analysing, mistakes
from bearoff.app.serve.play.games import LiveMatch, Rules
from bearoff.app.serve.play.models import (
    ActionIn,
    AnalysisOut,
    AskedOut,
    AskIn,
    HintOut,
    LobbyOut,
    MatchIn,
    MatchOut,
    OpponentOut,
    PlaceIn,
    ReadyOut,
)
from bearoff.app.serve.play.opponents import (
    DEFAULT,
    OPPONENTS,
    by_strength,
    measured,
    opponent_named,
)
from bearoff.app.serve.play.room import Room
from bearoff.app.serve.play.shown import shown, summary
from bearoff.app.serve.play.thinking import decide_once
from bearoff.app.serve.problems import Refusal
from bearoff.app.serve.state import state_of
from bearoff.game.records import format_jellyfish, format_sgf

LISTED = 30
"""Maximum number of matches in the list."""

router = new_router()


def room_of(request: Request) -> Room:
    room: Room | None = request.app.state.play
    if room is None:
        raise Refusal(
            403,
            "matches are stored for one player, so they are available only if the server "
            "serves this machine alone",
        )
    return room


Mine = Annotated[Room, Depends(room_of)]
GameNumber = Annotated[
    int | None,
    Query(ge=1, le=10_000, description="Number of the game; by default the current one."),
]


@router.get("/play")
async def lobby(room: Mine) -> LobbyOut:
    """Return the opponents and the stored matches, the most recently changed first."""
    return await room.workers.run(lambda: _lobby(room))


@router.get("/play/ready")
async def ready(request: Request, room: Mine) -> ReadyOut:
    """Return whether the code that computes decisions has been compiled."""
    without = request.app.state.no_chance
    return ReadyOut(with_dice=not room.cold, without_dice=not without.cold)


@router.post("/play/matches")
async def begin(asked: MatchIn, room: Mine) -> MatchOut:
    """Begin a match or session; the response has the hash of the dice's seed."""

    def work() -> MatchOut:
        opponent = opponent_named(asked.opponent)
        if asked.beavers and not opponent.beavers:
            raise BearoffError(
                f"{opponent.title} does not play beavers; turn them off, or choose another "
                "opponent"
            )
        given = asked.model_dump()
        seed = given.pop("seed")
        rules = Rules(**given)
        rules.start()
        return shown(room.matches.begin(rules, seed))

    return await room.workers.run(work)


@router.get("/play/matches/{key}")
async def match(key: str, room: Mine) -> MatchOut:
    """Return the current state of a match."""
    return await room.workers.run(lambda: shown(room.matches.of(key)))


@router.delete("/play/matches/{key}")
async def remove(key: str, room: Mine) -> LobbyOut:
    """Remove a match, but not its .mat and .sgf files."""

    def work() -> LobbyOut:
        room.matches.remove(key)
        return _lobby(room)

    return await room.workers.run(work)


@router.post("/play/matches/{key}/actions")
async def act(key: str, asked: ActionIn, room: Mine) -> MatchOut:
    """Apply your action, or undo your last one."""

    def work(match: LiveMatch) -> str:
        if asked.version not in (None, match.version):
            raise Refusal(
                409,
                "the match was continued elsewhere, perhaps in another tab; reload the "
                "match",
            )
        return _act(match, asked)

    return await _changed(room, key, work)


@router.post("/play/matches/{key}/decide")
async def decide(key: str, room: Mine) -> MatchOut:
    """Compute one decision of the opponent: roll or double, take or pass, or a play."""

    def work() -> MatchOut:
        match = room.matches.of(key)
        decide_once(match, room.thinker(match))
        with match.lock:
            room.matches.keep(match)
            return shown(match)

    return await room.workers.run(work)


@router.post("/play/matches/{key}/stop")
async def stop(key: str, room: Mine) -> MatchOut:
    """End the opponent's search, so that it decides with the results so far."""
    match = room.matches.of(key)
    room.thinker(match).stop()
    return shown(match)


@router.post("/play/matches/{key}/ask", response_model_exclude_unset=True)
async def ask(key: str, asked: AskIn, room: Mine) -> HintOut:
    """Return a hint, which is counted, or the cost of a play."""

    def work() -> HintOut:
        match = room.matches.of(key)
        found = advice.ask(match, room.thinker(match), asked.depth, asked.play)
        with match.lock:
            room.matches.keep(match)
        return found

    return await room.workers.run(work)


@router.get("/play/matches/{key}/analysis")
async def analysis(key: str, room: Mine, game: GameNumber = None) -> AnalysisOut:
    """Return the win probabilities, luck and costs of a game, and the match totals."""

    def work() -> AnalysisOut:
        match = room.matches.of(key)
        return analysing.analysis(match, room.thinker(match), game)

    return await room.workers.run(work)


@router.post("/play/matches/{key}/trainer")
async def ask_later(key: str, asked: PlaceIn, request: Request, room: Mine) -> AskedOut:
    """Save your mistake in a race to the library, as a question for the trainer."""
    library = state_of(request).library
    if library is None:
        raise Refusal(403, "this server has no library; start it for this machine alone")

    def work() -> AskedOut:
        match = room.matches.of(key)
        thinker = room.thinker(match)
        name = mistakes.ask_later(match, thinker, asked.game, asked.place, library)
        return AskedOut(question=name)

    return await room.workers.run(work)


@router.get("/play/matches/{key}/mistakes.apkg", response_class=Response)
async def cards(
    key: str,
    room: Mine,
    game: GameNumber = None,
    place: Annotated[
        int | None,
        Query(
            ge=0,
            le=10_000,
            description="Index of one action; by default all actions are searched.",
        ),
    ] = None,
) -> Response:
    """Return Anki cards of one of your mistakes, or of all that exceed their error."""

    def work() -> bytes:
        match = room.matches.of(key)
        return mistakes.as_cards(match, room.thinker(match), game, place)

    return Response(
        await room.workers.run(work),
        media_type="application/octet-stream",
        headers={"Content-Disposition": f"attachment; filename={key}.apkg"},
    )


@router.get("/play/matches/{key}/match.{ending}", response_class=Response)
async def file(key: str, ending: Literal["mat", "sgf"], room: Mine) -> Response:
    """Return the match as a file for other programs."""
    match = room.matches.of(key)
    written = format_jellyfish if ending == "mat" else format_sgf
    name = f"{match.begun[:10]}-{key}.{ending}"
    return Response(
        written(match.record),
        media_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f"attachment; filename={name}"},
    )


async def _changed(room: Room, key: str, work: Callable[[LiveMatch], str]) -> MatchOut:
    def change() -> MatchOut:
        match = room.matches.of(key)
        with match.lock:
            said = work(match)
            room.matches.keep(match)
            return shown(match, said)

    return await room.workers.run(change)


def _act(match: LiveMatch, asked: ActionIn) -> str:
    """Apply the user's action to a match; return the opponent's comment, if any."""
    match asked.do:
        case "roll":
            match.roll(asked.dice)
        case "play":
            match.play(advice.read(match.state, asked.play))
        case "double" | "beaver":
            match.double()
        case "take":
            match.take()
        case "pass":
            match.drop()
        case "resign":
            if not match.resign(asked.lost):
                return f"{OPPONENTS[match.rules.opponent].title} plays on for more."
        case "undo":
            match.undo()
        case "next":
            match.next_game()
        case "end":
            match.end()
    return ""


def _lobby(room: Room) -> LobbyOut:
    found, damaged = room.matches.listed(LISTED)
    lost = measured()
    named = [
        OpponentOut(
            name=name,
            title=one.title,
            text=one.text,
            seconds=one.seconds,
            beavers=one.beavers,
            experiment=one.experiment,
            rating=500 * lost[name][0] / 1000,
            lost=lost[name][0],
            lost_error=lost[name][1],
        )
        for name, one in ((name, OPPONENTS[name]) for name in by_strength())
    ]
    return LobbyOut(
        hints_error=round(1000 * PLAY_ERROR, 1),
        opponents=named,
        default=DEFAULT,
        matches=[summary(match) for match in found],
        damaged=damaged,
        folder=str(room.matches.folder),
    )
