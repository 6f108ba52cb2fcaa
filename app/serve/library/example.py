"""Example library: judged games between two players who make errors."""

import threading
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bearoff.analysis import formulas
from bearoff.analysis.review import review
from bearoff.answers import Judge
from bearoff.app.library.library import Library
from bearoff.game.records import read_match

GAMES = Path(__file__).with_name("games")

KEPT = datetime(2026, 10, 4, 12, tzinfo=UTC)

_making = threading.Lock()


def example_library() -> Library:
    """Return the example library, which is created on first use."""
    with _making:
        return _made()


@cache
def _made() -> Library:
    folder = _folder()
    library = Library(Path(folder.name) / "example.sqlite", lambda: KEPT)
    judge, formula = Judge([], patience=0.0), formulas.get(formulas.RECOMMENDED)
    for path in sorted(GAMES.glob("*.mat")):
        record = read_match(path)
        library.keep(record, review(record, judge, formula))
    costliest = library.search(most=2)
    library.notes.save(costliest[0].reference, "Checkers off first", ["off"])
    library.notes.add(costliest[1].reference, "In a hurry")
    return library


@cache
def _folder() -> TemporaryDirectory[str]:
    """Return a temporary folder that is deleted when the program ends."""
    return TemporaryDirectory(prefix="bearoff-example-")
