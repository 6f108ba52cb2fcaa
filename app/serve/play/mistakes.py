"""Export of the user's mistakes in a game to the trainer or to flashcards."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from bearoff import BearoffError
from bearoff.analysis.review import Card, Decision, board_svg, sides_of, write_cards
from bearoff.app.library.library import Library
from bearoff.app.serve.play.games import LiveMatch
from bearoff.app.serve.play.kept import PERSON
from bearoff.app.serve.play.thinking import Thinker, costliest
from bearoff.game.records import Moment

DECK = "Games played"

TAG = "play"
"""Tag of the mistakes that are saved as positions in the library."""

ESTIMATE = "an estimate"
FROM = {"exact": "exact", "model": f"the fast model, {ESTIMATE}", "search": ESTIMATE}


def mistakes(
    match: LiveMatch, thinker: Thinker, game: int | None
) -> Iterator[tuple[int, Moment, Decision]]:
    """Yield the user's mistakes in a game; for each turn only the costliest one.

    By default, the current game is used.
    """
    with match.lock:
        moments = match.moments(game)
    for place, moment in enumerate(moments):
        if moment.action.player == PERSON:
            with thinker.lock:
                judged = costliest(thinker.judged(moment))
            if judged is not None and judged.is_seen:
                yield place, moment, judged


def ask_later(
    match: LiveMatch, thinker: Thinker, game: int | None, place: int, library: Library
) -> str:
    """Save a mistake in a race for the trainer; return its identifier."""
    _, judged = _mistake(match, thinker, game, place)
    if not judged.in_race or judged.kind not in ("play", "double"):
        raise BearoffError(
            "the trainer asks only about plays and doubles in races, and this mistake is "
            "neither; save it as a flashcard instead"
        )
    for note in library.notes.saved(TAG):
        if note.xgid == judged.race.xgid:
            return f"n{note.id}"
    lost = f"{judged.cost:.{judged.digits}f}"
    text = f"Played: {judged.done}. Better: {judged.best}, by {lost}."
    return f"n{library.notes.save(judged.race.xgid, text, [TAG]).id}"


def as_cards(
    match: LiveMatch, thinker: Thinker, game: int | None, place: int | None
) -> bytes:
    """Return an Anki package of one mistake, or of all that cost more than their error."""
    if place is not None:
        found = [_mistake(match, thinker, game, place)]
    else:
        every = mistakes(match, thinker, game)
        found = [(moment, one) for _, moment, one in every if one.is_mistake]
    cards = [_card(match, moment, judged) for moment, judged in found]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mistakes.apkg"
        write_cards(path, cards, DECK)
        return path.read_bytes()


def _mistake(
    match: LiveMatch, thinker: Thinker, game: int | None, place: int
) -> tuple[Moment, Decision]:
    for at, moment, judged in mistakes(match, thinker, game):
        if at == place:
            return moment, judged
    raise BearoffError(f"action {place} of this game is not one of your mistakes")


def _card(match: LiveMatch, moment: Moment, judged: Decision) -> Card:
    before, kind = moment.before, moment.action.kind
    # The board is shown from the viewpoint of the player who decides. For a take or a
    # resignation, this may be the opponent of the player on roll.
    board = before.board if moment.action.player == before.turn else before.board.turned
    played = judged.kind == "play"
    roll = "{}-{}".format(*before.dice) if played and before.dice else ""
    owner = {None: "centred", PERSON: "owned"}.get(before.cube_owner, "opponent")
    drawn = board_svg(
        *sides_of(board),
        cube_value=before.cube_value << before.offers,
        cube=owner,
        dice=before.dice if played else None,
    )
    asked = (
        f"You roll {roll}. How do you play?"
        if played
        else "The opponent doubles. Do you take?"
        if kind in ("take", "pass")
        else "Do you resign?"
        if kind == "resign"
        else "You are on roll. Do you double?"
    )
    rules = match.rules
    won = "{}–{}".format(*before.won)
    score = f"{won} to {rules.length}" if rules.length else "For money"
    digits = judged.digits
    cost = f"{judged.cost:.{digits}f}"
    cost += f" ± {judged.error:.{digits}f}" if judged.error else ""
    reason = f"<p>{escape(judged.reason)}</p>" if judged.reason else ""
    return Card(
        key=f"{before.board.xgid} {before.cube_value} {score} {asked}",
        question=f"{score}. {asked}",
        board=drawn,
        answer=f"<b>{escape(judged.best)}</b>{reason}",
        source=f"You chose {judged.done}: this choice lost {cost} ({FROM[judged.method]}).",
    )
