"""Hypothesis strategies for positions, races and rolls."""

from hypothesis import strategies as st

import bearoff

CHECKERS = st.integers(1, 15)
POINTS = st.integers(1, 12)
ROLLS = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def counts(
    draw: st.DrawFn, points: int = 6, checkers: int = 15, *, at_least: int = 0
) -> tuple[int, ...]:
    """Checkers on the ace, deuce, ...; as likely few as many."""
    on_board = st.lists(st.integers(1, points), min_size=at_least, max_size=checkers)
    stand = draw(on_board)
    return tuple(stand.count(point) for point in range(1, points + 1))


@st.composite
def positions(draw: st.DrawFn) -> bearoff.Position:
    """Positions of any size up to 12 points and 15 checkers."""
    points, checkers = draw(POINTS), draw(CHECKERS)
    return bearoff.Position(draw(counts(points, checkers)), checkers)


@st.composite
def races(draw: st.DrawFn) -> bearoff.Race:
    """Races of any size up to 12 points a side, which never have contact."""
    points, checkers = draw(POINTS), draw(CHECKERS)
    roller, opponent = draw(counts(points, checkers)), draw(counts(points, checkers))
    return bearoff.Race(
        bearoff.Position(roller, checkers), bearoff.Position(opponent, checkers)
    )
