"""Functions that return races with given pip counts, and formulas' decisions about them."""

import numpy as np

from bearoff.analysis import formulas


def with_pips(*totals):
    """Return one position for each pip count, with at most 15 checkers on 24 points."""
    rows = []
    for total in totals:
        row = [0] * 24
        for point in range(24, 0, -1):
            count = min(total // point, 15 - sum(row))
            row[point - 1] += count
            total -= count * point
        assert total == 0
        rows.append(row)
    return np.array(rows)


def decide(name, roller, opponent):
    """Return whether a formula doubles, redoubles and takes, given the pip counts of both
    sides.
    """
    return first(formulas.get(name).decide(with_pips(roller), with_pips(opponent)))


def first(decision):
    return bool(decision.double[0]), bool(decision.redouble[0]), bool(decision.take[0])
