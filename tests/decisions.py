"""Decisions with given equities or a given cost, for tests."""

from dataclasses import replace

import numpy as np

from bearoff.analysis.review import Decision, cube_alternatives, rated_alternatives
from bearoff.stakes import Terms, Values

PLAYS = ("a", "b", "c", "d")


def choices_of(kind, equities, error=0.0, cube="centred"):
    """Return the choices of a decision with these equities."""
    if kind == "play":
        return rated_alternatives(list(zip(PLAYS, equities, strict=False)), error)
    values = Values.empty(Terms(), np.full(1, cube == "owned", np.int8))
    values.no_double[:], values.double_take[:] = equities[:2]
    values.no_double_error[:] = values.double_take_error[:] = error / 2
    return cube_alternatives(kind, values)


def costing(one: Decision, cost: float, error: float = 0.0) -> Decision:
    """Return a decision with this cost."""
    found = list(one.alternatives)
    found[one.made] = replace(found[one.made], cost=cost, error=error)
    return replace(one, alternatives=tuple(found))
