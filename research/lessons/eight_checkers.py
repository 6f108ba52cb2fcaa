"""Bear-off of eight checkers under changed rules, computed by a simple recursion.

The module shares no code with `bearoff`, so its result for the standard rules is also a
check.
"""

from functools import cache

Side = tuple[int, ...]

_THROWS = [(a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(a, 7)]


def mean_rolls_by_rules(
    side: Side, *, double: int = 4, from_anywhere: bool = False
) -> float:
    """Return the mean number of rolls to bear off with best play under changed rules.

    Parameters
    ----------
    side : tuple of int
        Checkers on the ace to the six point.
    double : int
        Number of times that the number of a double is played, which is 4 in backgammon.
    from_anywhere : bool
        Whether a number may bear off a checker from a lower point while checkers remain on
        higher points. Backgammon does not allow this.

    Examples
    --------
    >>> mean_rolls_by_rules((0, 0, 0, 0, 0, 1))  # 27 of 36 throws bear it off
    1.25
    >>> round(mean_rolls_by_rules((0, 0, 0, 0, 0, 1), double=2), 4)
    1.2816
    """

    def moved(side: Side, die: int) -> set[Side]:
        ends = set()
        for point in (p for p in range(1, 7) if side[p - 1]):
            after = list(side)
            after[point - 1] -= 1
            if die < point:
                after[point - die - 1] += 1
            elif die > point and any(side[point:]) and not from_anywhere:
                continue
            ends.add(tuple(after))
        return ends or {side}

    def played(side: Side, dice: tuple[int, ...]) -> set[Side]:
        ends = {side}
        for die in dice:
            ends = {after for each in ends for after in moved(each, die)}
        return ends

    @cache
    def mean(side: Side) -> float:
        if not any(side):
            return 0.0
        total = 0.0
        for high, low, weight in _THROWS:
            if high == low:
                ends = played(side, (high,) * double)
            else:
                ends = played(side, (high, low)) | played(side, (low, high))
            total += weight * min(map(mean, ends))
        return 1 + total / 36

    return mean(side)
