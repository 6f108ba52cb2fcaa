"""Totals of decisions, and performance ratings."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from bearoff.analysis.review.decision import Decision
from bearoff.stakes import is_mistake

_PER_RATING = 500
"""Factor by which the mean loss in EMG is multiplied to obtain the performance rating."""


def performance_rating(lost: float, counted: int) -> float | None:
    """Return the performance rating (PR), as defined by eXtreme Gammon; 0 is perfect play.

    Parameters
    ----------
    lost : float
        Total loss of the decisions that count, in EMG.
    counted : int
        Number of decisions that count. If it is 0, the rating is None.

    Examples
    --------
    >>> performance_rating(0.3, 20)
    7.5
    """
    return _PER_RATING * lost / counted if counted else None


@dataclass(frozen=True)
class Total:
    """Totals of a group of decisions: costs, mistakes and performance rating.

    Attributes
    ----------
    name : tuple of str
        Key of the group, such as a player's name.
    decisions, mistakes : int
        Number of decisions, and number of decisions whose cost exceeds the error of the
        cost.
    lost : float
        Total cost, in EMG.
    formula_differs : int or None
        Number of doubles and takes in which the recommended formula would lose equity.
        Races with likely gammons (`Decision.has_gammons`) are excluded, because formulas
        ignore gammons. None if no decision has a formula's cube action.
    counted : int
        Number of decisions that count in the rating.
    rating : float or None
        Performance rating (PR), as defined by eXtreme Gammon: 500 times the mean cost in
        EMG of the decisions that count. None if no decision counts.
    """

    name: tuple[str, ...]
    decisions: int
    mistakes: int
    lost: float
    formula_differs: int | None
    counted: int
    rating: float | None


def totals(
    decisions: Iterable[Decision], key: Callable[[Decision], tuple[str, ...]]
) -> Sequence[Total]:
    """Compute the totals of groups of decisions, in the order of first occurrence."""
    groups: dict[Hashable, list[Decision]] = defaultdict(list)
    for one in decisions:
        groups[key(one)].append(one)
    return [_total(key(group[0]), group) for group in groups.values()]


def _total(name: tuple[str, ...], group: Sequence[Decision]) -> Total:
    counted = [one.cost for one in group if one.is_counted]
    differs = [
        is_mistake(one.cost_of(one.formula))
        for one in group
        if one.formula and not one.has_gammons
    ]
    return Total(
        name,
        len(group),
        sum(one.is_mistake for one in group),
        sum(one.cost for one in group),
        sum(differs) if differs else None,
        len(counted),
        performance_rating(sum(counted), len(counted)),
    )
