"""Storage of matches in the library during a review, with a report on the result."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bearoff.app.library.records import digest_of, digest_of_list, places_of_list
from bearoff.app.library.sealed import StoreError

if TYPE_CHECKING:
    from bearoff.analysis.review import Decision, Review
    from bearoff.app.library.keeping import Kept
    from bearoff.app.library.library import Library
    from bearoff.app.position_lists import Listed
    from bearoff.game.records import MatchRecord


def each_once(
    matches: "Sequence[MatchRecord]",
) -> "tuple[list[MatchRecord], list[str]]":
    """Remove duplicate matches; also return a message for each match in several files."""
    if len(matches) < 2:
        return list(matches), []
    groups: dict[str, list[MatchRecord]] = {}
    for match in matches:
        groups.setdefault(digest_of(match), []).append(match)
    told = []
    for first, *more in groups.values():
        if more:
            files = ", ".join(one.source for one in more)
            told.append(
                f"{first.source} is counted once; the same match is also in {files}"
            )
    return [group[0] for group in groups.values()], told


class Keeper:
    """Storage of reviewed matches in the library, during a review.

    Parameters
    ----------
    library : Library or None
        Library in which to store matches; None to store nothing.
    """

    def __init__(self, library: "Library | None") -> None:
        self._library = library
        self._kept: list[Kept] = []
        # The keys are the `id`s of match records. The records exist longer than this
        # dictionary, so the keys stay unique.
        self._met: dict[int, Sequence[Decision]] = {}
        self._failed: list[str] = []
        # Names of files whose matches had no decision that could be judged. The dictionary
        # keeps their order.
        self._without: dict[str, None] = {}

    @property
    def problems(self) -> list[str]:
        """Messages about matches that were not stored, with the reason."""
        why = "is not stored in the library, because none of its decisions was judged"
        return [*self._failed, *(f"{name} {why}" for name in self._without)]

    @property
    def numbers(self) -> list[int]:
        """Numbers of the stored matches and lists."""
        return [one.match for one in self._kept]

    def keep(self, match: "MatchRecord", found: "Review") -> None:
        """Store a match if its judged decisions are new, or better judged than stored ones.

        A match is stored again if solving a later race has improved the judgement of a
        decision.
        """
        if not found.judged:
            if self._library is not None:
                self._without[match.source] = None
            return
        self._without.pop(match.source, None)
        before = self._met.get(id(match))
        if before != found.judged:
            self._met[id(match)] = found.judged
            self._try(lambda library: library.keep(match, found), again=before is not None)

    def keep_lists(self, listed: "Sequence[Listed]", judged: "Sequence[Decision]") -> None:
        """Store the judged decisions of each list of positions."""
        for source in dict.fromkeys(one.source for one in judged):
            self._keep_list(
                source,
                [one for one in listed if one[0] == source],
                [one for one in judged if one.source == source],
            )

    def _keep_list(
        self, source: str, listed: "Sequence[Listed]", judged: "Sequence[Decision]"
    ) -> None:
        places = places_of_list(listed)
        numbered = {places[one.line].pop(0): one for one in judged}
        digest = digest_of_list(listed)
        self._try(lambda library: library.keep_list(source, digest, numbered))

    def _try(self, keep: "Callable[[Library], Kept]", *, again: bool = False) -> None:
        if self._library is None or self._failed:
            return
        try:
            kept = keep(self._library)
        except StoreError as error:
            self._failed.append(f"not stored: {error}")
        else:
            self._kept += [] if again else [kept]

    def sentence(self) -> str:
        """Return a sentence on what was stored and what was not, with the file's size."""
        told = [self._of_kept()] if self._kept and not self._failed else []
        return "; ".join([*told, *self.problems])

    def _of_kept(self) -> str:
        assert self._library is not None  # Without a library, nothing is stored.
        new = sum(one.new for one in self._kept)
        known = len(self._kept) - new
        numbers = ", ".join(map(str, self.numbers[:5])) + ", ..." * (len(self._kept) > 5)
        parts = [f"{new} new"] if new else []
        parts += [f"{known} known"] if known else []
        named = "match" if len(self._kept) == 1 else "matches"
        size = f"{self._library.file.size / 1e6:.1f} MB"
        return (
            f"stored in the library as {named} {numbers} ({' and '.join(parts)}; {size}): "
            f"bearoff library show {self.numbers[0]}"
        )
