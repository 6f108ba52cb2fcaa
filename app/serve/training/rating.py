r"""Rating of the user against the difficulty of questions, by Glicko's formulas.

Questions of a drill are ranked by difficulty, and their ratings rise linearly with the
rank, from `EASIEST` to `HARDEST`. The first answer to a question counts like a game between
the user and the question. The score :math:`s` of the user is 1 for a right answer, 0.5 for
a right answer with a hint, and 0 for a wrong or late answer. The user (1) and the question
(2) have ratings :math:`r` with standard errors :math:`D`. The rating of the user
changes as follows, and that of the question likewise:

.. math::

   q &= \ln 10 / 400, \quad g(D) = (1 + 3 q^2 D^2 / \pi^2)^{-1/2}, \\
   E &= (1 + 10^{-g(D_2) (r_1 - r_2) / 400})^{-1}, \quad
   d^{-2} = q^2 g(D_2)^2 E (1 - E), \\
   D_1' &= (D_1^{-2} + d^{-2})^{-1/2}, \quad
   r_1' = r_1 + q D_1'^2 g(D_2) (s - E).

The user starts with the rating `START` and the standard error `UNKNOWN`. In :math:`t` days
without an answer, the standard error :math:`D` grows to :math:`\sqrt{D^2 + c^2 t}`, where
:math:`c` is such that 50 grows to the maximum `UNKNOWN` in a year. Only first answers are
rated, because the solution is shown afterwards.

References
----------
Glickman, "Parameter estimation in large dynamic paired comparison experiments", Applied
Statistics 48 (1999), 377-394.
"""

from dataclasses import dataclass
from math import log, pi, sqrt

EASIEST, HARDEST = 1000.0, 2000.0
START, UNKNOWN = 1500.0, 350.0
SUREST = 45.0
"""Minimum standard error of the user's rating."""

OF_QUESTIONS = 100.0
"""Standard error of a question's initial rating; the question's rank is only an estimate of
its difficulty."""

_Q = log(10) / 400
_A_DAY = (UNKNOWN**2 - 50.0**2) / 365


@dataclass(frozen=True)
class Rating:
    """Rating of a user's strength or a question's difficulty, with its standard error.

    Attributes
    ----------
    value : float
    deviation : float
        Standard error of `value`.
    """

    value: float = START
    deviation: float = UNKNOWN

    def after(self, days: float) -> "Rating":
        """Return the rating after a number of days without an answer."""
        wider = sqrt(self.deviation**2 + _A_DAY * max(days, 0.0))
        return Rating(self.value, min(wider, UNKNOWN))


def of_question(difficulty: float) -> Rating:
    """Return the initial rating of a question, given its rank by difficulty."""
    return Rating(EASIEST + (HARDEST - EASIEST) * difficulty, OF_QUESTIONS)


def score_of(right: bool, hinted: bool) -> float:
    """Return the score of an answer: 1 if right, 0.5 if right with hints, otherwise 0."""
    return (0.5 if hinted else 1.0) if right else 0.0


def rated(player: Rating, question: Rating, score: float) -> tuple[Rating, Rating]:
    """Return the ratings of the user and of the question after an answer.

    Examples
    --------
    >>> player, question = rated(Rating(1500, 200), Rating(1400, 30), 1)
    >>> print(f"{player.value:.0f} {player.deviation:.0f} {question.value:.0f}")
    1563 175 1398
    """
    moved = _moved(player, question, score)
    surest = Rating(moved.value, max(moved.deviation, SUREST))
    return surest, _moved(question, player, 1 - score)


def _moved(one: Rating, other: Rating, score: float) -> Rating:
    weight = 1 / sqrt(1 + 3 * (_Q * other.deviation / pi) ** 2)
    expected = 1 / (1 + 10 ** (-weight * (one.value - other.value) / 400))
    told = (_Q * weight) ** 2 * expected * (1 - expected)
    variance = 1 / (1 / one.deviation**2 + told)
    return Rating(one.value + _Q * variance * weight * (score - expected), sqrt(variance))
