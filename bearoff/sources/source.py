"""Protocol of sources, which evaluate races and state the errors of their values."""

from typing import Protocol

from bearoff.sources.exact import Kind
from bearoff.sources.races import Races
from bearoff.stakes import Values


class Source(Protocol):
    """Source of race values before the roll: a pair table, the fast model or rollouts."""

    @property
    def kind(self) -> Kind:
        """How the values are found: exactly, by the fast model, or by rollouts."""

    def values(self, races: Races) -> Values:
        """Return the values of races in which both sides have a checker on the board."""
