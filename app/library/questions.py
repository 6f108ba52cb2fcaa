"""One's own mistakes and saved positions, to be asked again."""

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
    """A position of one's own to be asked about.

    Attributes
    ----------
    key : str
        The decision, such as ``12.3``, or the note that saves the position, such as
        ``n4``.
    kind : {"double", "take", "play"}
        What is asked.
    race : Race
        With cube, score and, of a play, dice; of a take as the doubler sees it.
    judged : Decision or None
        What was decided then, and what it cost; None of a position that nobody judged.
    note : str
        What was noted to it.
    """

    key: str
    kind: str
    race: Race
    judged: Decision | None = None
    note: str = ""


def own_questions(
    library: Library, players: Sequence[str] = (), most: int = 1000
) -> list[OwnQuestion]:
    """Return saved positions and mistakes as questions: first what was saved last.

    Parameters
    ----------
    library : Library
    players : sequence of str
        Names whose mistakes are asked, the costliest first; by default everyone's.
    most : int
        Mistakes, at most.
    """
    found: dict[str, OwnQuestion] = {}
    for note in reversed(library.notes.saved()):
        if note.about:
            _, number = read_reference(note.about)
            assert number is not None  # A saved position is no whole match.
            found[note.about] = _asked(library.decision(number), note.text)
        else:
            found[f"n{note.id}"] = _saved(note)
    mistakes = [
        one
        for name in players or ("",)
        for one in library.search(Wanted(player=name, mistakes=True), most=most)
    ]
    for one in sorted(mistakes, key=lambda one: -one.judged.cost)[:most]:
        found.setdefault(one.reference, _asked(one))
    return list(found.values())


def own_question(library: Library, key: str) -> OwnQuestion:
    """Return the question of a key.

    Raises
    ------
    StoreError
        If the library has no such decision or saved position any more.
    """
    if not key.startswith("n"):
        _, number = read_reference(key)
        if number is None:
            raise StoreError(f"{key} is a whole match; a question is a decision as 12.3")
        return _asked(library.decision(number))
    for note in library.notes.saved():
        if not note.about and key == f"n{note.id}":
            return _saved(note)
    raise StoreError(f"the library has no saved position {key[:40]!r} any more")


def _saved(note: KeptNote) -> OwnQuestion:
    race = Race.parse(note.xgid)
    kind = "double" if race.dice is None else "play"
    return OwnQuestion(f"n{note.id}", kind, race, note=note.text)


def _asked(one: KeptDecision, note: str = "") -> OwnQuestion:
    judged = one.judged
    return OwnQuestion(one.reference, judged.kind, judged.race, judged, note)
