"""Sums over decisions."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from bearoff.analysis.review.decision import Decision
from bearoff.stakes import is_mistake


@dataclass(frozen=True)
class Total:
    """Sums over some decisions.

    Attributes
    ----------
    name : tuple of str
        What they have in common.
    decisions, mistakes : int
        How many there are, and how many of them cost more than their error.
    lost : float
        What they lost together, EMG.
    formula_differs : int
        Of doubles and takes: how often what the recommended formula says loses something.
    """

    name: tuple[str, ...]
    decisions: int
    mistakes: int
    lost: float
    formula_differs: int


def totals(
    decisions: Iterable[Decision], key: Callable[[Decision], tuple[str, ...]]
) -> Sequence[Total]:
    """Sum decisions by what `key` says of them, in the order in which it first says so."""
    groups: dict[Hashable, list[Decision]] = defaultdict(list)
    for one in decisions:
        groups[key(one)].append(one)
    return [
        Total(
            key(group[0]),
            len(group),
            sum(one.is_mistake for one in group),
            sum(one.cost for one in group),
            sum(
                bool(one.formula) and is_mistake(one.cost_of(one.formula)) for one in group
            ),
        )
        for group in groups.values()
    ]
