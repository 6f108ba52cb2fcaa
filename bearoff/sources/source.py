"""The protocol of a source, which values races and states its errors."""

from typing import Protocol

from bearoff.sources.exact import Kind
from bearoff.sources.races import Races
from bearoff.stakes import Values


class Source(Protocol):
    """A source of race values before the roll: a pair table, the fast model or rollouts."""

    @property
    def kind(self) -> Kind:
        """Whether the values are exact, of the fast model, or of rollouts."""

    def values(self, races: Races) -> Values:
        """Value races in which both sides have a checker on the board."""
