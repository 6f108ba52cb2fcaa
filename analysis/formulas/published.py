"""Published formulas, as their authors state them."""

from dataclasses import dataclass

import numpy as np

from analysis.formulas.base import (
    CountsArray,
    Decision,
    Float64Array,
    Int64Array,
    beyond,
    decide_by_chance,
    pips,
)
from bearoff import RACE_EFFICIENCY


@dataclass(frozen=True)
class EightNineTwelve:
    """The lead as a share of the roller's pip count: 8, 9 and 12 percent."""

    name: str = "8-9-12"
    text: str = (
        "Double with a lead of 8% of your pip count, redouble with 9%, pass a lead of "
        "more than 12%."
    )
    source: str = "Robertie, Advanced Backgammon; Zare 2000"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> Decision:
        """Decide by comparing whole numbers, so that no rounding interferes."""
        count = pips(rollers)
        hundredfold = 100 * (pips(opponents) - count)
        return Decision(
            double=hundredfold >= 8 * count,
            redouble=hundredfold >= 9 * count,
            take=hundredfold <= 12 * count,
        )


@dataclass(frozen=True)
class TriceRule62:
    """The point of last take from the roller's pip count, with a bend at 62."""

    name: str = "trice-62"
    text: str = (
        "Up to 62 pips the trailer takes when behind by a seventh of five less than the "
        "leader's count, rounded down; above 62 by a tenth of it, rounded up, plus 1. "
        "Redouble 2 pips before that, double 3 before."
    )
    source: str = "Trice, Backgammon Boot Camp"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> Decision:
        """Decide by the lead and the point of last take."""
        count = pips(rollers)
        lead = pips(opponents) - count
        last_take = self.last_take(count)
        return Decision(
            double=lead >= last_take - 3,
            redouble=lead >= last_take - 2,
            take=lead <= last_take,
        )

    def last_take(self, count: Int64Array) -> Int64Array:
        """Pips by which the trailer may be behind a leader of this pip count.

        Examples
        --------
        >>> import numpy as np
        >>> TriceRule62().last_take(np.array([28, 45, 87, 115]))
        array([ 3,  5, 10, 13])
        """
        return np.where(count <= 62, (count - 5) // 7, -(-count // 10) + 1)


@dataclass(frozen=True)
class Thorp:
    """Thorp's count, with Bower's percentages on it.

    The decisions follow Thorp 1975 and the chances Bower 1998; a take needs an adjusted
    count less than 2 above the roller's.
    """

    name: str = "thorp"
    text: str = (
        "Add to the pip count 2 for each checker on the board and 1 for each on the ace, "
        "take off 1 for each home point covered, and raise the roller's by a tenth if it "
        "is above 30. Double if it is at most 2 above the opponent's, redouble if at "
        "most 1 above, take unless the opponent's is 2 or more above the roller's."
    )
    source: str = "Thorp 1975; percentages of Bower 1998"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> Decision:
        """Decide by the adjusted counts, in tenths of a pip."""
        ahead = self.tenths_ahead(rollers, opponents)
        return Decision(double=ahead >= -20, redouble=ahead >= -10, take=ahead < 20)

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Bower's 74% and 2% for each adjusted pip ahead, kept within 0 and 100%."""
        percent = 74 + 0.2 * self.tenths_ahead(rollers, opponents)
        return np.clip(percent / 100, 0, 1)

    def tenths_ahead(self, rollers: CountsArray, opponents: CountsArray) -> Int64Array:
        """Tenths of a pip by which the roller's adjusted count is the lower."""
        ours = thorp_count(rollers)
        raised: Int64Array = np.where(ours > 30, 11, 10) * ours
        return 10 * thorp_count(opponents) - raised


def thorp_count(counts: CountsArray) -> Int64Array:
    """Thorp's adjusted count of one side, before the roller's tenth.

    Examples
    --------
    >>> import numpy as np
    >>> thorp_count(np.array([[2, 2, 2, 2, 2, 2]]))  # 42 + 24 + 2 - 6
    array([62])
    """
    on_board = counts.sum(axis=1, dtype=np.int64)
    covered = (counts[:, :6] > 0).sum(axis=1, dtype=np.int64)
    adjusted: Int64Array = pips(counts) + 2 * on_board + beyond(counts, 1, 0) - covered
    return adjusted


@dataclass(frozen=True)
class Keith:
    """Keith's count, fitted by him to 280,721 real race positions."""

    name: str = "keith"
    text: str = (
        "Add to the pip count 2 for each checker beyond 1 on the ace, 1 for each beyond "
        "1 on the deuce, 1 for each beyond 3 on the three, 1 for each empty four, five "
        "and six point; raise the roller's by a seventh, rounded down. Double if it is "
        "at most 4 above the opponent's, redouble if at most 3, take if at least 2."
    )
    source: str = "T. Keith 2004"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> Decision:
        """Decide by the adjusted counts."""
        ours = keith_count(rollers)
        behind = ours + ours // 7 - keith_count(opponents)
        return Decision(double=behind <= 4, redouble=behind <= 3, take=behind >= 2)


def keith_count(counts: CountsArray) -> Int64Array:
    """Keith's adjusted count of one side, before the roller's seventh.

    Examples
    --------
    >>> import numpy as np
    >>> keith_count(np.array([[3, 2, 4, 0, 1, 1]]))  # 30 + 4 + 1 + 1 + 1
    array([37])
    """
    adjusted: Int64Array = (
        pips(counts)
        + 2 * beyond(counts, 1, 1)
        + beyond(counts, 2, 1)
        + beyond(counts, 3, 3)
        + (counts[:, 3:6] == 0).sum(axis=1, dtype=np.int64)
    )
    return adjusted


@dataclass(frozen=True)
class Kleinman:
    """Kleinman's metric; the cube turns at Janowski's thresholds of a stated efficiency."""

    name: str = "kleinman"
    text: str = (
        "Square the lead plus 4, divide by the sum of both pip counts less 4, and look "
        "the chance up: 0.55 is 70%, 0.9 is 75%, 1.2 is 78%, 1.4 is 80%, 1.8 is 83%."
    )
    source: str = "Kleinman, Vision Laughs at Counting"
    efficiency: float = RACE_EFFICIENCY

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> Decision:
        """Decide by the chance."""
        return decide_by_chance(self.win_probability(rollers, opponents), self.efficiency)

    def win_probability(self, rollers: CountsArray, opponents: CountsArray) -> Float64Array:
        """Normal law of the lead plus 4, of variance twice the sum less 4."""
        from scipy.special import ndtr  # Slow to load.

        ours, theirs = pips(rollers), pips(opponents)
        lead = theirs - ours + 4
        # Below 5 pips in all the formula has no meaning; 1 keeps it finite.
        total = np.maximum(ours + theirs - 4, 1)
        chance: Float64Array = ndtr(lead / np.sqrt(2 * total))
        return chance
