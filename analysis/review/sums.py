"""Sums over decisions."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from bearoff.analysis.review.decision import Decision
from bearoff.stakes import is_mistake

PER_RATING = 500
"""A rating is the mean EMG lost by decisions that count, so many times."""


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
    counted : int
        Decisions that count for the rating.
    rating : float or None
        The performance rating (PR) as eXtreme Gammon defines it: 500 times the mean EMG
        that decisions lose that count. None if none does.
    """

    name: tuple[str, ...]
    decisions: int
    mistakes: int
    lost: float
    formula_differs: int
    counted: int
    rating: float | None


def totals(
    decisions: Iterable[Decision], key: Callable[[Decision], tuple[str, ...]]
) -> Sequence[Total]:
    """Sum decisions by what `key` says of them, in the order in which it first says so."""
    groups: dict[Hashable, list[Decision]] = defaultdict(list)
    for one in decisions:
        groups[key(one)].append(one)
    return [_total(key(group[0]), group) for group in groups.values()]


def _total(name: tuple[str, ...], group: Sequence[Decision]) -> Total:
    counted = [one.cost for one in group if one.is_counted]
    differs = [bool(one.formula) and is_mistake(one.cost_of(one.formula)) for one in group]
    return Total(
        name,
        len(group),
        sum(one.is_mistake for one in group),
        sum(one.cost for one in group),
        sum(differs),
        len(counted),
        PER_RATING * sum(counted) / len(counted) if counted else None,
    )
