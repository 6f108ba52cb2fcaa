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
    """Error for a graph that does not describe a game of chance."""


@dataclass(frozen=True)
class ChanceGame:
    """Game of chance: its states, their transition probabilities, and the final values.

    Attributes
    ----------
    steps : mapping of state to mapping of state to Fraction
        Probabilities of the next states, which sum to 1 for each state. A state may be any
        dictionary key.
    ends : mapping of state to Fraction
        Value of each final state for the first player at a cube value of 1, from -1 to 1.
    doublers : mapping of state to {"first", "second", "both", "none"}
        Players who may double in each state, before the step to the next state. The default
        is "both": the first player decides first.

    Raises
    ------
    GraphError
        If the probabilities of a state do not sum to 1, a state is missing, a final value
        is not from -1 to 1, or a state never leads to a final one.

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
                raise GraphError(f"the state {state!r} is final, but has next states")
            if (
                any(chance <= 0 for chance in chances.values())
                or sum(chances.values()) != 1
            ):
                raise GraphError(
                    f"the probabilities of the state {state!r} must be above 0 and sum "
                    f"to 1; they sum to {sum(chances.values())}"
                )
            for target in chances:
                if target not in self.steps and target not in self.ends:
                    raise GraphError(
                        f"the state {state!r} leads to {target!r}, which is not a state"
                    )
        for state, worth in self.ends.items():
            if not -1 <= worth <= 1:
                raise GraphError(
                    f"the final state {state!r} has the value {worth}, which is not "
                    "from -1 to 1"
                )
        for state, who in (self.doublers or {}).items():
            if state not in self.steps:
                raise GraphError(
                    f"doublers names the state {state!r}, which has no next states"
                )
            checks.choice(who, f"doublers[{state!r}]", ("first", "second", "both", "none"))
        self._check_it_ends()

    def may_double(self, state: State, side: Side) -> bool:
        """Return whether a side with access to the cube may double in a state."""
        return (self.doublers or {}).get(state, "both") in (side, "both")

    @property
    def chances(self) -> dict[State, Fraction]:
        """Return the first player's win probability in each state; a draw counts half.

        A final value between -1 and 1 counts as (1 + value) / 2 of a win.
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
        """Raise an error if there is a state from which the game cannot end."""
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
