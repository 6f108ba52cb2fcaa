"""All drills of the trainer, by name."""

from collections.abc import Iterable, Iterator, Mapping

from bearoff import BearoffError
from bearoff.app.serve.drills.asked import Drill, DrillQuestion, Marked
from bearoff.app.serve.drills.counting import Chance, Epc, Pips
from bearoff.app.serve.drills.cubes import Double, Take
from bearoff.app.serve.drills.endings import Endings, TakePoints
from bearoff.app.serve.drills.plays import PlayDrill


class Drills(Mapping[str, Drill]):
    """Drills of the trainer by name, in the order in which the page shows them.

    Parameters
    ----------
    drills : iterable of Drill
    """

    def __init__(self, drills: Iterable[Drill]) -> None:
        self._drills = {drill.name: drill for drill in drills}

    def __getitem__(self, name: str) -> Drill:
        if name not in self._drills:
            raise BearoffError(
                f"unknown drill {name[:40]!r}; choose one of {', '.join(self)}"
            )
        return self._drills[name]

    def __contains__(self, name: object) -> bool:
        return name in self._drills

    def __iter__(self) -> Iterator[str]:
        return iter(self._drills)

    def __len__(self) -> int:
        return len(self._drills)

    def plus(self, drill: Drill) -> "Drills":
        """Return a new collection of these drills and one more drill."""
        return Drills([*self.values(), drill])

    def of(self, key: str) -> tuple[Drill, str]:
        """Split the key of a question into its drill and the rest of the key."""
        name, _, rest = key.partition(" ")
        return self[name], rest

    def question(self, key: str) -> DrillQuestion:
        drill, rest = self.of(key)
        return drill.question(rest)

    def xgid(self, key: str) -> str:
        """Return the race of a question as XGID, or "" if there is no race."""
        try:
            drill, rest = self.of(key)
            race = drill.race(rest)
        except BearoffError:
            # Another version of the program may have stored a key that this version cannot
            # read.
            return ""
        return "" if race is None else race.xgid

    def mark(self, key: str, given: str) -> Marked:
        drill, rest = self.of(key)
        return drill.mark(rest, given)


DRILLS = Drills(
    (Pips(), Epc(), Chance(), Double(), Take(), PlayDrill(), Endings(), TakePoints())
)
"""Drills whose questions do not come from the user's library."""
