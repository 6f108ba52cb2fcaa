"""Finite game of chance as a graph of its states."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from bearoff import checks
from bearoff.errors import BearoffError
from research.chance_games.linear import solve_sparse

State = Hashable
Side = Literal["first", "second"]
Doublers = Literal["first", "second", "both", "none"]


class GraphError(BearoffError, ValueError):
    """Raised if a graph is not a game of chance."""


@dataclass(frozen=True)
class ChanceGame:
    """States of a game, the probabilities of the next state, and values of final states.

    Attributes
    ----------
    steps : mapping of state to mapping of state to Fraction
        Probabilities of the next state, which sum to 1 for each state. Any dictionary
        key can be a state.
    ends : mapping of state to Fraction
        Value of each final state for the first player, with the cube at 1: from -1 to
        1.
    doublers : mapping of state to {"first", "second", "both", "none"}
        Players who may double in a state before its step. By default "both"; then the
        first player decides first.

    Raises
    ------
    GraphError
        If the probabilities of a state do not sum to 1, a state is missing, a final
        value exceeds the cube, or a state never ends.

    Examples
    --------
    One flip of a coin:

    >>> half = Fraction(1, 2)
    >>> flip = {"heads": half, "tails": half}
    >>> game = ChanceGame({"flip": flip}, {"heads": 1, "tails": -1})
    >>> game.chances["flip"]
    Fraction(1, 2)
    """

    steps: Mapping[State, Mapping[State, Fraction]]
    ends: Mapping[State, Fraction | int]
    doublers: Mapping[State, Doublers] | None = None

    def __post_init__(self) -> None:
        for state, chances in self.steps.items():
            if state in self.ends:
                raise GraphError(f"the state {state!r} has both a step and an end")
            if (
                any(chance <= 0 for chance in chances.values())
                or sum(chances.values()) != 1
            ):
                raise GraphError(
                    f"the chances of the state {state!r} are to be above 0 and sum to 1; "
                    f"they sum to {sum(chances.values())}"
                )
            for target in chances:
                if target not in self.steps and target not in self.ends:
                    raise GraphError(
                        f"the state {state!r} leads to {target!r}, not a state"
                    )
        for state, worth in self.ends.items():
            if not -1 <= worth <= 1:
                raise GraphError(f"the end {state!r} is worth {worth}, not from -1 to 1")
        for state, who in (self.doublers or {}).items():
            if state not in self.steps:
                raise GraphError(
                    f"doublers are given for {state!r}, a state without next states"
                )
            checks.choice(
                who, f"who may double in {state!r}", ("first", "second", "both", "none")
            )
        self._check_it_ends()

    def may_double(self, state: State, side: Side) -> bool:
        """Return whether a side may double in a state, if the cube allows it."""
        return (self.doublers or {}).get(state, "both") in (side, "both")

    @property
    def chances(self) -> dict[State, Fraction]:
        """Return the first player's chance to win from each state; a draw counts as half.

        If not all final values are 1 or -1, this is half of one plus the mean value.
        """
        rows = {
            state: {target: p for target, p in chances.items() if target in self.steps}
            for state, chances in self.steps.items()
        }
        constants = {
            state: sum(
                (p * self.ends.get(target, 0) for target, p in chances.items()), Fraction(0)
            )
            for state, chances in self.steps.items()
        }
        results = solve_sparse(rows, constants) | dict(self.ends)
        return {state: (Fraction(result) + 1) / 2 for state, result in results.items()}

    def _check_it_ends(self) -> None:
        """Raise an error for a state from which no final state can be reached."""
        before: dict[State, list[State]] = {}
        for state, chances in self.steps.items():
            for target in chances:
                before.setdefault(target, []).append(state)
        seen, found = set(self.ends), list(self.ends)
        while found:
            for state in before.get(found.pop(), ()):
                if state not in seen:
                    seen.add(state)
                    found.append(state)
        for state in self.steps:
            if state not in seen:
                raise GraphError(f"from the state {state!r} the game never ends")
