"""Sources: what races are worth, and with what error."""

from typing import Protocol

from bearoff.sources.exact import Kind
from bearoff.sources.races import Races
from bearoff.stakes import Values


class Source(Protocol):
    """Values races before the roll: by stored planes, solving, the fast model or games."""

    @property
    def kind(self) -> Kind:
        """What its values are."""

    def values(self, races: Races) -> Values:
        """Value races, a checker of both sides on the board."""
