"""Best plays and market losers at a score, against the twin's values."""

from typing import Any

import numpy as np
import pytest

import bearoff
from bearoff import match_market, match_race, match_table
from bearoff.cube import Market
from tests import reference
from tests.bearoff.match import match_twin
from tests.bearoff.match.match_twin import ONE, At
from tests.bearoff.match.test_actions import words
from tests.bearoff.match.test_match_table import number, position

Checkers = tuple[int, ...]
SIDES = (2, 5), (3, 4)


def best(at: At, roller: Checkers, opponent: Checkers, roll: tuple[int, int]) -> Checkers:
    """The play that leaves the opponent least; of equal ones that of the lowest number."""
    ends = reference.successors(roller, *roll)
    return min(
        ends, key=lambda end: (match_twin.value(at.other(), opponent, end), number(end))
    )


@pytest.mark.parametrize(
    ("score", "cube", "place"),
    [
        ((3, 5, "normal"), 1, "centred"),
        ((2, 4, "normal"), 2, "opponent"),
        ((4, 2, "normal"), 2, "owned"),
    ],
)
def test_best_plays_are_the_twins(
    score: tuple[int, int, Any], cube: int, place: Any
) -> None:
    at = At(*score, cube, place)
    roller, opponent = SIDES
    table = match_table(2, score[:2], score[2])
    found = table.best_after(number(roller), number(opponent), cube, place)
    right = [number(best(at, roller, opponent, roll)) for roll in bearoff.ROLLS]
    assert found.tolist() == right
    seen = match_table(2, (score[1], score[0]), score[2]).exchanged()
    again = seen.best_after(number(roller), number(opponent), cube, place)
    assert again.tolist() == right


def outcome(at: At, roller: Checkers, opponent: Checkers, rolls: Any) -> str:
    own, reply = rolls
    after = best(at, roller, opponent, own)
    if not after:
        return "won"
    theirs = at.other()
    if at.place == "centred":
        kept = match_twin.no_double(theirs, opponent, after)
        turned = min(match_twin.double_take(theirs, opponent, after), theirs.won(at.cube))
        if turned > kept + ONE // 10**12:
            return "opponent doubles"
    left = best(theirs, opponent, after, reply)
    if not left:
        return "lost"
    word = words(at, after, left).replace("redouble", "double")
    return word.removesuffix(" to double")


@pytest.mark.parametrize(
    ("score", "cube", "place", "sides", "met"),
    [
        ((2, 4, "normal"), 1, "centred", ((3, 4), (1, 6)), {"won", "lost", "double, pass"}),
        ((5, 3, "normal"), 1, "centred", ((5, 5), (1, 6)), {"opponent doubles"}),
        ((5, 3, "normal"), 1, "centred", ((5, 5), (4, 4)), {"no double", "double, take"}),
        ((5, 3, "normal"), 2, "owned", ((5, 5), (4, 4)), {"double, take", "double, pass"}),
    ],
)
def test_market_losers_are_the_twins(
    score: tuple[int, int, Any],
    cube: int,
    place: Any,
    sides: tuple[Checkers, Checkers],
    met: set[str],
) -> None:
    at = At(*score, cube, place)
    table = match_table(2, score[:2], score[2])
    found = match_market(table, *map(number, sides), cube, place)
    assert met <= are_the_twins(found, at, sides)
    assert not found.too_close.any()
    assert sum(found.probabilities.values()) == pytest.approx(1)


def are_the_twins(found: Market, at: At, sides: tuple[Checkers, Checkers]) -> set[str]:
    """Compare every exchange of rolls; the outcomes met."""
    names = np.array(found.OUTCOMES)[found.outcomes]
    for i, own in enumerate(bearoff.ROLLS):
        for j, reply in enumerate(bearoff.ROLLS):
            assert names[i, j] == outcome(at, *sides, (own, reply)), (own, reply)
    return set(names.ravel())


def test_who_becomes_too_good_has_lost_the_market() -> None:
    """After two of three checkers, the opponent's three all on, a gammon is likely."""
    sides = (1, 1, 1), (5, 5, 6)
    race = bearoff.Race(*(position(side, 3) for side in sides))
    found = match_market(match_race(race, (4, 4)), *map(number, sides))
    met = are_the_twins(found, At(4, 4, "normal", 1, "centred", everything=3), sides)
    assert {"won", "too good", "double, pass"} <= met


def test_at_double_match_point_nobody_turns_the_cube() -> None:
    found = match_market(match_table(2, (1, 1)), number((3, 4)), number((2, 5)))
    assert found.probabilities["opponent doubles"] == 0


def test_one_pair_is_asked_for() -> None:
    with pytest.raises(bearoff.ScoreError, match="of one pair"):
        match_market(match_table(2), [1, 2], 1)  # type: ignore[arg-type]
