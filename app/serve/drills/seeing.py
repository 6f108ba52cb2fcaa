"""Board features that players see without counting, and how they mislead the formula."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bearoff import POINTS, Position
from bearoff.analysis import formulas
from bearoff.analysis.formulas import CountWinRule
from bearoff.analysis.formulas.counting import features
from bearoff.app.output import amount
from bearoff.app.serve.drills.sample import Decisions, shipped_sample

SHARE = 1 / 3
"""Minimum fraction of a formula's error, in equity, that a board feature must explain to be
named."""

Asked = Literal["double", "take"]


def formula() -> CountWinRule:
    """Return the recommended formula, which worked solutions apply."""
    found = formulas.get(formulas.RECOMMENDED)
    assert isinstance(found, CountWinRule)
    return found


def _low(by_point: features.Columns) -> features.Columns:
    low: features.Columns = by_point[:2].sum(axis=0)
    return low


def _counted(name: str) -> Callable[[features.Columns], features.Columns]:
    return lambda by_point: features.FEATURES[name].count(by_point, None, 0)


_SEEN = {
    "gaps on the four, five and six points": _counted("gaps"),
    "checkers on the ace and deuce points": _low,
    "checkers on the tallest stack": _counted("tallest"),
    "checkers outside home": _counted("outside"),
    "odd checkers": _counted("odd"),
}
"""Functions that count a board feature on n sides, by the name of the feature."""


def seen(sides: NDArray[np.int8]) -> NDArray[np.float64]:
    """Count each board feature on n sides; the result has one row per side."""
    by_point = features.columns_of(sides)
    return np.stack([count(by_point) for count in _SEEN.values()], axis=1).astype(float)


def in_words(side: Position, whose: str) -> str:
    """Describe the features that make a side worse than its pip count.

    Examples
    --------
    >>> print(in_words(Position((1, 0, 0, 3, 0, 3)), "you"))
    you have no checker on the five point, 1 checker on the ace and deuce points
    """
    counts = side.counts
    home = dict(enumerate(("ace", "deuce", "three", "four", "five", "six")))
    gaps = [home[i] for i in range(3, POINTS) if not counts[i]]
    low, tallest, outside = sum(counts[:2]), max(counts[:POINTS]), sum(counts[POINTS:])
    parts = [f"no checker on the {' or '.join(gaps)} point"] if gaps else []
    parts += [f"{amount(low, 'checkers')} on the ace and deuce points"] if low else []
    parts += [f"a stack of {tallest} checkers"] if tallest > 3 else []
    parts += [f"{amount(outside, 'checkers')} outside home"] if outside else []
    verb = "have" if whose == "you" else "has"
    return f"{whose} {verb} {', '.join(parts) or 'an even spread'}"


def hints_of(
    you: Position, opponent: Position, count: str, yours: float, theirs: float
) -> list[str]:
    """Return hints about a race: pip counts, the lead, and board features."""
    lead = theirs - yours
    both = in_words(you, "you"), in_words(opponent, "the opponent")
    return [
        f"You have {amount(you.pips, 'pips')}, the opponent {opponent.pips}.",
        f"By {count}'s count you are {abs(lead):g} {'ahead' if lead >= 0 else 'behind'}: "
        f"{yours:g} to {theirs:g}.",
        f"{both[0][0].upper()}{both[0][1:]}; {both[1]}.",
    ]


def gains(asked: Asked, races: Decisions) -> NDArray[np.float64]:
    """Return the equity that the deciding player gains by a double or a take, in EMG."""
    return races.values.take_gain if asked == "take" else races.values.double_gain


def margins(asked: Asked, races: Decisions) -> NDArray[np.float64]:
    """Return how far, in pips, each race is on the formula's side of a double or a take."""
    rule = formula()
    ours, theirs = rule.count.of(races.rollers, races.opponents)
    lines = {"take": rule.last_take, "centred": rule.double, "owned": rule.redouble}
    beyond = {
        name: line.beyond(ours, theirs - ours) / (line.divisor or 1)
        for name, line in lines.items()
    }
    if asked == "take":
        return np.asarray(-beyond["take"])
    return np.where(races.owned, beyond["owned"], beyond["centred"])


@dataclass(frozen=True)
class Misled:
    """Board feature that misleads the formula in a given position.

    Attributes
    ----------
    side : int
        Side that has the feature: 0 for the player on roll, 1 for the opponent.
    name : str
        Name of the board feature.
    held, usual : float
        Number of occurrences of the feature on this side, and its mean in the sample.
    points : float
        Equity, in EMG, that the feature gives to the player who decides and that the
        formula ignores.
    """

    side: int
    name: str
    held: float
    usual: float
    points: float


def misled(asked: Asked, races: Decisions, row: int) -> Misled | None:
    """Return the board feature that best explains an error of the formula, or None.

    Over the sample, the equity gained by doubling or taking is regressed on the formula's
    margin and on the board features of both sides. The coefficient of a feature is the
    equity, per occurrence of the feature, that the formula ignores. The result is None if
    no feature explains at least `SHARE` of the gain.
    """
    coefficients, means = _left_out(asked)
    gain = float(gains(asked, races)[row])
    held = np.concatenate([seen(races.rollers[[row]])[0], seen(races.opponents[[row]])[0]])
    parts = coefficients * (held - means)
    at = int(np.argmin(parts) if gain < 0 else np.argmax(parts))
    points = float(parts[at])
    if points * gain <= 0 or abs(points) < SHARE * abs(gain):
        return None
    side, feature = divmod(at, len(_SEEN))
    return Misled(side, list(_SEEN)[feature], float(held[at]), float(means[at]), points)


@cache
def _left_out(asked: Asked) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return, for each board feature, the equity that the formula ignores, and the mean."""
    races: Decisions = getattr(shipped_sample(), asked)
    both = np.hstack([seen(races.rollers), seen(races.opponents)])
    means = both.mean(axis=0)
    pips = races.rollers @ np.arange(1.0, 25.0)
    left = races.rollers.sum(axis=1) - races.opponents.sum(axis=1).astype(float)
    margin = margins(asked, races)
    # The regression also has the formula's margin relative to the pip count, because a pip
    # is worth more in a short race, and the difference in checkers, which a player sees at
    # once.
    known = np.column_stack([np.ones(len(races)), margin, margin / pips, pips, left])
    design = np.hstack([known, both - means])
    coefficients = np.linalg.lstsq(design, gains(asked, races), rcond=None)[0]
    return coefficients[known.shape[1] :], means
