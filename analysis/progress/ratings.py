"""Performance ratings (PR) of a player over time, from sums for each match."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bearoff.analysis.progress.clusters import ClusteredMean, blocks, ratio
from bearoff.analysis.review import performance_rating

WHOLE, ALONE = "whole matches", "races alone"
"""Names of the two ratings: of whole matches, and of races only."""


@dataclass(frozen=True)
class CountedSum:
    """Total cost of a player's decisions in one match, either in races or during contact.

    Attributes
    ----------
    match : int
        Number of the match.
    day : str
        Date of the match, such as ``2026-05-17``.
    in_race : bool
        Whether the decisions are in races; if false, they are during contact.
    lost : float
        Total cost, in EMG.
    counted : int
        Number of decisions that count in the performance rating (PR).
    """

    match: int
    day: str
    in_race: bool
    lost: float
    counted: int


@dataclass(frozen=True)
class RatingBlock:
    """Performance rating (PR) in a block of consecutive matches.

    Attributes
    ----------
    since : str
        Date of the first match in the block.
    rating : ClusteredMean
        PR with its 95% confidence interval; ``decisions`` is the number of decisions that
        count.
    """

    since: str
    rating: ClusteredMean


@dataclass(frozen=True)
class RatingCourse:
    """Performance rating (PR) of a player, and its development over time.

    Attributes
    ----------
    of : str
        Decisions that are included: ``whole matches``, if decisions during contact were
        also evaluated, or ``races alone``.
    rating : ClusteredMean
        PR with its 95% confidence interval; ``decisions`` is the number of decisions that
        count.
    course : list of RatingBlock
        Ratings in blocks of consecutive matches, beginning with the oldest.
    """

    of: str
    rating: ClusteredMean
    course: list[RatingBlock]


def ratings_over_time(sums: Sequence[CountedSum]) -> list[RatingCourse]:
    """Return the performance ratings of a player: of whole matches, and of races only.

    Parameters
    ----------
    sums : sequence of CountedSum
        Total costs of the player in each match, separately for decisions in races and
        during contact.

    Returns
    -------
    list of RatingCourse
        The ratings, omitting a rating for which no decision counts.

    Examples
    --------
    >>> sums = [CountedSum(1, "2026-05-17", True, 0.0, 10)]
    >>> sums += [CountedSum(1, "2026-05-17", False, 0.3, 20)]
    >>> [(one.of, one.rating.value) for one in ratings_over_time(sums)]
    [('whole matches', 5.0), ('races alone', 0.0)]
    """
    whole = {one.match for one in sums if not one.in_race}
    parts = {
        WHOLE: [one for one in sums if one.match in whole],
        ALONE: [one for one in sums if one.in_race],
    }
    return [_rating(of, some) for of, some in parts.items() if some]


def _rating(of: str, sums: Sequence[CountedSum]) -> RatingCourse:
    by_match: dict[tuple[str, int], list[CountedSum]] = defaultdict(list)
    for one in sums:
        by_match[one.day, one.match].append(one)
    matches = [by_match[day] for day in sorted(by_match)]
    counted = [sum(one.counted for one in parts) for parts in matches]
    lost = [sum(one.lost for one in parts) for parts in matches]
    course = [
        RatingBlock(matches[span.start][0].day, _rated(lost[span], counted[span]))
        for span in blocks(counted)
    ]
    return RatingCourse(of, _rated(lost, counted), course)


def _rated(lost: Sequence[float], counted: Sequence[int]) -> ClusteredMean:
    """Return the performance rating, given total costs and numbers of decisions."""
    found = ratio(lost, counted)

    def rating(cost: float | None) -> float | None:
        return None if cost is None else performance_rating(cost, 1)

    value = rating(found.value) or 0.0
    return replace(found, value=value, low=rating(found.low), high=rating(found.high))
