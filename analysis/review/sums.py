"""Totals over decisions."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from bearoff.analysis.review.decision import Decision
from bearoff.stakes import is_mistake

_PER_RATING = 500
"""Factor between the mean loss of a decision that counts, in EMG, and the rating."""


def performance_rating(lost: float, counted: int) -> float | None:
    """Return the performance rating (PR) as defined by eXtreme Gammon; 0 is perfect.

    Parameters
    ----------
    lost : float
        Total loss of the decisions that count, in EMG.
    counted : int
        Number of decisions that count; without any, the rating is None.

    Examples
    --------
    >>> performance_rating(0.3, 20)
    7.5
    """
    return _PER_RATING * lost / counted if counted else None


@dataclass(frozen=True)
class Total:
    """Totals over a group of decisions.

    Attributes
    ----------
    name : tuple of str
        Key that the decisions have in common.
    decisions, mistakes : int
        Number of decisions, and number of those whose cost exceeds its error.
    lost : float
        Sum of the costs, in EMG.
    formula_differs : int
        Number of doubles and takes in which the recommended formula's action loses equity,
        without races with gammons (`Decision.has_gammons`), of which it knows nothing.
    counted : int
        Number of decisions that count for the rating.
    rating : float or None
        Performance rating (PR) as defined by eXtreme Gammon: 500 times the mean cost in EMG
        of the counted decisions. None if there are none.
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
    """Compute totals of decisions, grouped by `key` in order of first occurrence."""
    groups: dict[Hashable, list[Decision]] = defaultdict(list)
    for one in decisions:
        groups[key(one)].append(one)
    return [_total(key(group[0]), group) for group in groups.values()]


def _total(name: tuple[str, ...], group: Sequence[Decision]) -> Total:
    counted = [one.cost for one in group if one.is_counted]
    differs = [
        bool(one.formula) and is_mistake(one.cost_of(one.formula)) and not one.has_gammons
        for one in group
    ]
    return Total(
        name,
        len(group),
        sum(one.is_mistake for one in group),
        sum(one.cost for one in group),
        sum(differs),
        len(counted),
        performance_rating(sum(counted), len(counted)),
    )
