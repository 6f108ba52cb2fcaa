"""Published estimates of the effective pip count (EPC) for mental arithmetic.

Each estimate is accurate only for positions of one shape, but returns a number for every
position. `ByShape` chooses the estimate for a given position.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.counting.by_table import OF_TABLE, TableEstimate
from bearoff.analysis.formulas.counting.features import (
    FEATURES,
    Columns,
    columns_of,
    pip_count,
)
from bearoff.analysis.formulas.counting.sides import CountsArray, Float64Array
from bearoff.analysis.formulas.counting.wastage import WASTAGES
from bearoff.analysis.formulas.writing import (
    Number,
    Worksheet,
    format_number,
)

_TRICE = "Trice, Backgammon Boot Camp; quick rules collected 2008-2025"

STACK = 2
"""Number of the highest point of a low stack: the deuce point. Checkers on higher points
are called stragglers."""


class EpcEstimate(Protocol):
    """Interface of EPC estimates of one side.

    Attributes
    ----------
    name : str
        Name of the estimate.
    text : str
        The rule in words for players.
    source : str
        Publication of the rule, or the data to which it was fitted.
    """

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def source(self) -> str: ...

    def epc(self, counts: CountsArray) -> Float64Array:
        """Estimate the EPC of each side, given checkers by side, shape (n, points)."""

    def of_columns(self, columns: Columns) -> Float64Array:
        """Estimate the EPC of each side, given checkers by point, shape (points, n)."""

    def meant(self, columns: Columns) -> NDArray[np.bool_]:
        """Return a mask of the sides for which the estimate is intended, shape (n,)."""

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        """Write the estimate of one side's EPC on the worksheet; `who` names the side."""


class _Estimate(ABC):
    """Base class of EPC estimates; subclasses define `of_columns`."""

    def epc(self, counts: CountsArray) -> Float64Array:
        """Return the estimated EPC of each side in pips, shape (n,)."""
        return self.of_columns(columns_of(counts))

    @abstractmethod
    def of_columns(self, columns: Columns) -> Float64Array:
        """Estimate the EPC of each side, given checkers by point, shape (points, n)."""

    def meant(self, columns: Columns) -> NDArray[np.bool_]:
        """Return a mask of the sides for which the estimate is intended, shape (n,)."""
        return np.ones(columns.shape[1], dtype=np.bool_)


def _on_board(columns: Columns) -> Columns:
    return FEATURES["checkers"].count(columns, None, 0)


@dataclass(frozen=True)
class NRolls(_Estimate):
    """EPC estimate for 2n checkers on the lowest points: 7n + 1 pips.

    An odd checker needs a whole roll. The estimate is intended for stacks on the lowest
    points, from which each roll bears off two checkers, or four with a double.
    """

    name: str = "n-roll"
    text: str = "7 per roll that takes two checkers off, plus 1."
    source: str = _TRICE

    def of_columns(self, columns: Columns) -> Float64Array:
        rolls = (_on_board(columns) + 1) // 2
        return rolls.astype(np.float64) * 7 + 1

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        n = sum(side)
        rolls = (n + 1) // 2
        sheet.write(f"{who} rolls", f"{n} checkers: {rolls}", None, points=6, tenth=1)
        return sheet.write(
            f"{who} EPC", f"7 x {rolls} + 1 = {7 * rolls + 1}", 7 * rolls + 1,
            ("7 pips per roll", "1 pip added to 7 pips per roll"), part=1, small=1,
        )  # fmt: skip


@dataclass(frozen=True)
class LowWastage(_Estimate):
    """EPC estimate for sides with few stacks and gaps: the pip count plus 6 to 7 pips.

    The wastage is 6½ pips with 7 or 8 remaining checkers, and 6 with 6 or fewer.
    """

    name: str = "low-wastage"
    text: str = (
        "The pip count plus 7; plus 6½ with 7 or 8 checkers left; plus 6 with 6 or fewer."
    )
    source: str = _TRICE

    def of_columns(self, columns: Columns) -> Float64Array:
        left = _on_board(columns)
        waste = np.where(left > 8, 7.0, np.where(left > 6, 6.5, 6.0))
        return np.asarray(pip_count(columns) + waste, dtype=np.float64)

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        pips, n = sum(p * c for p, c in enumerate(side, 1)), sum(side)
        waste = Fraction(14 if n > 8 else 13 if n > 6 else 12, 2)
        sheet.write(f"{who} pips", str(pips), None, pips=1)
        return sheet.write(
            f"{who} EPC, with {n} checkers", f"{pips} + {format_number(waste)} = "
            f"{format_number(pips + waste)}", pips + waste,
            ("waste 7", "waste 6½", "waste 6", "from 8 checkers", "from 6 checkers"),
            points=6, compare=2, small=1,
        )  # fmt: skip


@dataclass(frozen=True)
class Flat(_Estimate):
    """EPC estimate for checkers spread evenly over the home board: pip count + 10."""

    name: str = "flat"
    text: str = "Begin with the pip count plus 10."
    source: str = _TRICE

    def of_columns(self, columns: Columns) -> Float64Array:
        return pip_count(columns).astype(np.float64) + 10

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        pips = sum(p * c for p, c in enumerate(side, 1))
        sheet.write(f"{who} pips", str(pips), None, pips=1)
        return sheet.write(
            f"{who} EPC", f"{pips} + 10 = {pips + 10}", pips + 10, ("waste 10",), small=1
        )


@dataclass(frozen=True)
class StackAndStragglers(_Estimate):
    """EPC estimate for a stack on the two lowest points plus stragglers on higher points.

    The EPC is 3½ pips for every checker, including the stragglers, plus the pips of the
    stragglers. With two or more stragglers, 4 pips are subtracted. The publication does not
    define a "low stack"; in this program, a stack is all checkers on the ace and deuce
    points.
    """

    name: str = "stack-and-stragglers"
    text: str = (
        "3½ per checker, plus the pips of the checkers beyond the deuce point; subtract 4 "
        "if there is more than one of them."
    )
    source: str = _TRICE

    def of_columns(self, columns: Columns) -> Float64Array:
        stragglers = columns[STACK:].sum(axis=0)
        low = pip_count(columns[:STACK])
        beyond = pip_count(columns) - low
        epc = 3.5 * _on_board(columns) + beyond - np.where(stragglers > 1, 4.0, 0.0)
        return np.asarray(epc, dtype=np.float64)

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        n, stragglers = sum(side), sum(side[STACK:])
        beyond = sum(p * c for p, c in enumerate(side, 1) if p > STACK)
        base = Fraction(7 * n, 2)
        base = sheet.write(
            f"{who} checkers", f"3½ x {n} = {format_number(base)}", base, ("3½ a checker",),
            points=6, part=1,
        )  # fmt: skip
        less = 4 if stragglers > 1 else 0
        sheet.write(f"{who} stragglers' pips", str(beyond), None, points=4, small=4)
        epc = base + beyond - less
        terms = f"{format_number(base)}{f' + {beyond}' * bool(beyond)}"
        terms += f" - {less}" * bool(less)
        return sheet.write(
            f"{who} EPC",
            f"{terms} = {format_number(epc)}" if beyond or less else terms, epc,
            ("4 pips subtracted for several stragglers",), large=1, compare=1, small=1,
        )  # fmt: skip


@dataclass(frozen=True)
class ByShape(_Estimate):
    """EPC estimate that chooses a published estimate by the position's shape.

    The published sources do not say which estimate to choose; the choice is this project's.

    A side without stragglers is estimated by `NRolls`, and a side with one or two by
    `StackAndStragglers`. With more stragglers, the larger of `NRolls` and `LowWastage` is
    used, because either estimate alone would be too low for some positions.
    """

    name: str = "by-shape"
    text: str = (
        "If all checkers are on the ace and deuce points, the estimate is 7 times the "
        "number of rolls that are needed at two checkers per roll, plus 1. If one or two "
        "checkers are beyond the deuce point, the estimate is 3½ pips per checker plus "
        "the pips of the checkers beyond this point, less 4 pips if there are two of "
        "them. In all other positions, the estimate is the larger of two values: the one "
        "for checkers on the ace and deuce points, and the pip count plus 7 (plus 6½ "
        "with 7 or 8 checkers, plus 6 with fewer)."
    )
    source: str = f"{_TRICE}; this project chose the rule for each position"

    def of_columns(self, columns: Columns) -> Float64Array:
        stragglers = columns[STACK:].sum(axis=0)
        rolls = NRolls().of_columns(columns)
        stacked = np.where(stragglers == 0, rolls, StackAndStragglers().of_columns(columns))
        other = np.maximum(rolls, LowWastage().of_columns(columns))
        return np.where(stragglers <= 2, stacked, other)

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        stragglers = sum(side[STACK:])
        sheet.write(
            f"{who} checkers beyond the deuce point", str(stragglers), None,
            ("at most two stragglers",), points=4, compare=2,
        )  # fmt: skip
        if stragglers == 0:
            return NRolls().work(sheet, side, who)
        if stragglers <= 2:
            return StackAndStragglers().work(sheet, side, who)
        found = [part.work(sheet, side, who) for part in (NRolls(), LowWastage())]
        return sheet.write(
            f"{who} EPC: the larger of two estimates",
            f"{' or '.join(map(format_number, found))}: {format_number(max(found))}",
            max(found),
            compare=1,
        )


_ESTIMATES: tuple[EpcEstimate, ...] = (
    ByShape(),
    Flat(),
    LowWastage(),
    NRolls(),
    StackAndStragglers(),
    *WASTAGES,
    *OF_TABLE,
    TableEstimate(ByShape()),
)


def estimates() -> tuple[str, ...]:
    """Return the names of the EPC estimates."""
    return tuple(estimate.name for estimate in _ESTIMATES)


def get_estimate(name: str) -> EpcEstimate:
    """Return the EPC estimate with a given name.

    Raises
    ------
    FormulaError
        If no EPC estimate has this name.

    Examples
    --------
    >>> import numpy as np
    >>> get_estimate("n-roll").epc(np.array([[8, 0, 0, 0, 0, 0]]))
    array([29.])
    """
    for estimate in _ESTIMATES:
        if estimate.name == name:
            return estimate
    raise FormulaError(
        f"unknown EPC estimate {name!r}; choose one of {', '.join(estimates())}"
    )
