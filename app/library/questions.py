"""The user's mistakes and saved positions, as questions for the trainer."""

from collections.abc import Sequence
from dataclasses import dataclass

from bearoff import Race
from bearoff.analysis.review import Decision
from bearoff.app.library.kept import KeptDecision, KeptNote
from bearoff.app.library.library import Library
from bearoff.app.library.sealed import StoreError
from bearoff.app.library.tables import read_reference
from bearoff.app.library.wanted import Wanted


@dataclass(frozen=True)
class OwnQuestion:
    """Question for the trainer about a saved position or a mistake of the user.

    Attributes
    ----------
    key : str
        Reference of a decision, such as ``12.3``, or of a saved position, such as ``n4``.
    kind : {"double", "take", "play"}
        Kind of decision.
    race : Race
        Position with cube and match score, and with dice for a play. For a take, the
        doubler is the side on roll.
    judged : Decision or None
        The user's decision and its cost; None for a position without a decision.
    note : str
        Text of the user's note on the position.
    """

    key: str
    kind: str
    race: Race
    judged: Decision | None = None
    note: str = ""


def own_questions(
    library: Library, players: Sequence[str] = (), most: int = 1000
) -> list[OwnQuestion]:
    """Return saved positions, latest first, and then mistakes, as questions."""
    found: dict[str, OwnQuestion] = {}
    for note in reversed(library.notes.saved()):
        if note.about:
            _, number = read_reference(note.about)
            # The note of a saved position belongs to a decision, never to a whole match.
            assert number is not None
            noted = library.decision(number)
            if noted.judged.in_race:
                found[note.about] = _asked(noted, note.text)
        else:
            found[f"n{note.id}"] = _saved(note)
    mistakes = [
        one
        for name in players or ("",)
        for one in library.search(
            Wanted(player=name, mistakes=True, phase="race"), most=most
        )
    ]
    for one in sorted(mistakes, key=lambda one: -one.judged.cost)[:most]:
        found.setdefault(one.reference, _asked(one))
    return list(found.values())


def own_question(library: Library, key: str) -> OwnQuestion:
    if not key.startswith("n"):
        _, number = read_reference(key)
        if number is None:
            raise StoreError(
                f"a question must be about a decision such as 12.3, but {key} is a match"
            )
        return _asked(library.decision(number))
    for note in library.notes.saved():
        if not note.about and key == f"n{note.id}":
            return _saved(note)
    raise StoreError(f"the saved position {key[:40]!r} is no longer in the library")


def _saved(note: KeptNote) -> OwnQuestion:
    race = Race.parse(note.xgid)
    kind = "double" if race.dice is None else "play"
    return OwnQuestion(f"n{note.id}", kind, race, note=note.text)


def _asked(one: KeptDecision, note: str = "") -> OwnQuestion:
    judged = one.judged
    return OwnQuestion(one.reference, judged.kind, judged.race, judged, note)
