"""Keep what is being reviewed, match by match, and say what became of it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.review import Review
    from app.library.keeping import Kept
    from app.library.library import Library
    from game.records import MatchRecord


class Keeper:
    """Keeps each match once its decisions are judged, and again if more are known of it.

    Parameters
    ----------
    library : Library, optional
        By default the one of this user.
    """

    def __init__(self, library: "Library | None" = None) -> None:
        from app.library.library import open_library

        self._library = library or open_library()
        self._kept: dict[int, tuple[Kept, MatchRecord]] = {}

    def keep(self, match: "MatchRecord", found: "Review") -> None:
        """Keep a match that is judged; one without a race too."""
        if id(match) not in self._kept:
            self._kept[id(match)] = (self._library.keep(match, found), match)

    def sentence(self) -> str:
        """Say what is kept, where, and how large that is."""
        kept = [one for one, _ in self._kept.values()]
        new = sum(one.new for one in kept)
        size = f"{self._library.file.size / 1e6:.1f} MB"
        numbers = ", ".join(str(one.match) for one in kept[:5])
        more = ", ..." if len(kept) > 5 else ""
        known = len(kept) - new
        parts = [f"{new} new"] if new else []
        parts += [f"{known} known"] if known else []
        named = "match" if len(kept) == 1 else "matches"
        return (
            f"kept in the library as {named} {numbers}{more} ({' and '.join(parts)}; "
            f"{size}): bearoff library show {kept[0].match}"
        )
