"""Protocol of a source, which evaluates races and states its errors."""

from typing import Protocol

from bearoff.sources.exact import Kind
from bearoff.sources.races import Races
from bearoff.stakes import Values


class Source(Protocol):
    """Source of race values before the roll: a pair table, the fast model or rollouts."""

    @property
    def kind(self) -> Kind:
        """Method behind the values: exact, fast model or rollouts."""

    def values(self, races: Races) -> Values:
        """Evaluate races in which both sides have a checker on the board."""
