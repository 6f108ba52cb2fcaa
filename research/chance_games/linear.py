"""Solver of sparse systems of linear equations, in exact fractions."""

from collections.abc import Hashable, Mapping
from fractions import Fraction

Terms = dict[Hashable, Fraction]


def solve_sparse(
    rows: Mapping[Hashable, Mapping[Hashable, Fraction]],
    constants: Mapping[Hashable, Fraction],
) -> dict[Hashable, Fraction]:
    """Solve ``x = constants[x] + sum(rows[x][y] * y)`` exactly for all unknowns.

    Gaussian elimination in the given order of equations is fast if each has few unknowns.

    Parameters
    ----------
    rows : mapping of unknown to mapping of unknown to Fraction
        Coefficients of each equation, by unknown.
    constants : mapping of unknown to Fraction

    Returns
    -------
    dict of unknown to Fraction

    Raises
    ------
    ZeroDivisionError
        If the equations have no unique solution.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> solve_sparse({"x": {"y": half}, "y": {"x": half}}, {"x": half, "y": Fraction(0)})
    {'y': Fraction(1, 3), 'x': Fraction(2, 3)}
    """
    left: dict[Hashable, Terms] = {x: dict(terms) for x, terms in rows.items()}
    worth = dict(constants)
    users: dict[Hashable, set[Hashable]] = {x: set() for x in left}
    for x, terms in left.items():
        for y in terms:
            users[y].add(x)
    solved: dict[Hashable, None] = {}
    for x in list(left):
        terms = left[x]
        rest = 1 - terms.pop(x, Fraction(0))
        worth[x] /= rest
        for y in terms:
            terms[y] /= rest
        users[x].discard(x)
        for user in users[x]:
            if user in solved:
                continue
            share = left[user].pop(x)
            worth[user] += share * worth[x]
            for y, factor in terms.items():
                left[user][y] = left[user].get(y, Fraction(0)) + share * factor
                users[y].add(user)
        solved[x] = None
    values: dict[Hashable, Fraction] = {}
    for x in reversed(solved):
        values[x] = worth[x] + sum(
            (factor * values[y] for y, factor in left[x].items()), Fraction(0)
        )
    return values
