"""Second implementation of published cube formulas, in plain Python.

The functions share no code with `analysis.formulas`. They receive each side as the numbers
of checkers on the ace, deuce and higher points, and return whether to double, redouble and
take. Formulas found by this project are read
from their printed texts by tests/research/test_readings.py.
"""

from fractions import Fraction as F


def raw(side):
    return sum(point * n for point, n in enumerate(side, 1))


def on(side, point):
    return side[point - 1] if point <= len(side) else 0


def over(side, point, free):
    return max(0, on(side, point) - free)


def crossovers(side):
    return sum(n * ((point - 1) // 6) for point, n in enumerate(side, 1))


def eight_nine_twelve(x, y):
    lead = F(raw(y) - raw(x), raw(x)) * 100
    return lead >= 8, lead >= 9, lead <= 12


def zare(x, y):
    tenth, lead = F(raw(x), 10), raw(y) - raw(x)
    return lead >= tenth - 2, lead >= tenth - 1, lead <= tenth + 2


def benjamin(x, y):
    last, lead = raw(x) // 10 + 2, raw(y) - raw(x)
    return lead >= last - 3, lead >= last - 2, lead <= last


def trice_62(x, y):
    count, lead = raw(x), raw(y) - raw(x)
    last = (count - 5) // 7 if count <= 62 else -(-count // 10) + 1
    return lead >= last - 3, lead >= last - 2, lead <= last


def keith_count(side):
    gaps = [on(side, point) for point in (4, 5, 6)].count(0)
    stacks = 2 * over(side, 1, 1) + over(side, 2, 1) + over(side, 3, 3)
    return raw(side) + stacks + gaps


def keith(x, y, rounded=True):
    ours, theirs = keith_count(x), keith_count(y)
    behind = ours + (ours // 7 if rounded else F(ours, 7)) - theirs
    return behind <= 4, behind <= 3, behind >= 2


def keith_unrounded(x, y):
    return keith(x, y, rounded=False)


def thorp_count(side):
    covered = sum(on(side, point) > 0 for point in range(1, 7))
    return raw(side) + 2 * sum(side) + on(side, 1) - covered


def thorp(x, y):
    ours, theirs = F(thorp_count(x)), thorp_count(y)
    if ours > 30:
        ours *= F(11, 10)
    return ours <= theirs + 2, ours <= theirs + 1, not ours <= theirs - 2


def ward_count(side, other):
    count = F(raw(side)) + 2 * over(side, 1, 2) + over(side, 2, 2)
    points, others = (sum(on(s, p) > 0 for p in range(1, 7)) for s in (side, other))
    count -= max(0, points - others)
    count += 2 * max(0, sum(side) - sum(other))
    return count + F(1, 2) * max(0, sum(side[6:]) - sum(other[6:]))


def ward(x, y):
    ours, theirs = ward_count(x, y) * F(11, 10), ward_count(y, x)
    mean = F(raw(x) + raw(y), 2)
    if mean >= 100:
        allowed = F(4)
    elif mean >= 75:
        allowed = 3 + (mean - 75) / 25
    elif mean >= 50:
        allowed = 2 + (mean - 50) / 25
    else:
        allowed = F(2)
    return ours <= theirs + 2, ours <= theirs + 1, theirs <= ours + allowed


def isight_count(side, other):
    count = raw(side) + max(0, sum(side) - sum(other))
    count += 2 * over(side, 1, 2) + over(side, 2, 2) + over(side, 3, 3)
    count += sum(on(side, p) == 0 and on(other, p) > 0 for p in (4, 5, 6))
    return count + max(0, crossovers(side) - crossovers(other))


def isight(x, y):
    behind = F(7 * isight_count(x, y), 6) - isight_count(y, x)
    return behind <= 6, behind <= 5, behind >= 2


TWINS = {
    "8-9-12": eight_nine_twelve,
    "benjamin": benjamin,
    "isight": isight,
    "keith": keith,
    "keith-unrounded": keith_unrounded,
    "thorp": thorp,
    "trice-62": trice_62,
    "ward": ward,
    "zare": zare,
}
