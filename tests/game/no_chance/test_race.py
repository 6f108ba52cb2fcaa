"""Races of No Chance Backgammon compared with a plain recursion."""

from functools import cache
from itertools import permutations, product

import pytest

from bearoff import Position, PositionError
from bearoff.game.no_chance import solve_no_chance_race
from tests.refusals import refused


@cache
def singles(side, number):
    """Return all sides that can result from playing one number."""
    found = set()
    for k, point in enumerate(side):
        if point - number >= 0 or point == max(side):
            left = side[:k] + side[k + 1 :]
            found.add(tuple(sorted(left + ((point - number,) if point > number else ()))))
    return frozenset(found)


@cache
def pairs(side, a, b):
    """Return all sides that can result from playing two numbers."""
    found = set()
    for order in {(a,) * 4} if a == b else set(permutations((a, b))):
        ends = {side}
        for number in order:
            ends = set().union(*(singles(s, number) or {s} for s in ends))
        found |= ends
    return frozenset(found)


@cache
def comes_to(mine, theirs, own, met, doubles, n):
    """Return the points and the number of turns with best play; both are negative if the
    game is lost.
    """
    results = []
    for named in range(1, n + 1):
        if named == own or (named == met and not doubles[0]):
            continue
        left = (doubles[1], doubles[0] - (named == met))
        for after in pairs(mine, named, met):
            if not after:
                return (2 if len(theirs) == 15 else 1), 1
            points, turns = comes_to(theirs, after, met, named, left, n)
            results.append((-points, -turns + (1 if turns < 0 else -1)))
    # Players prefer wins to losses, gammons to single wins, fast wins to slow ones, and
    # slow losses to fast ones.
    return max(results, key=lambda r: (r[0], -r[1]))


def points(position):
    return tuple(p for p, count in enumerate(position.counts, 1) for _ in range(count))


ONE, OTHER = Position.parse("0,0,1,0,1,1"), Position.parse("1,0,1,1,0,0")


@pytest.fixture(scope="module")
def race():
    return solve_no_chance_race(ONE, OTHER)


@pytest.mark.parametrize("numbers", [4, 6, 7])
def test_every_state_is_what_a_recursion_finds(numbers):
    other = Position.parse("1,0,2,0,0,0")
    race = solve_no_chance_race(ONE, other, numbers=numbers)
    seen = set()
    pairs_of_numbers = list(product(range(1, numbers + 1), repeat=2))
    states = product(((0, 0), (1, 0), (0, 2), (2, 2)), pairs_of_numbers)
    for (doubles, met), sides in product(states, ((ONE, other), (other, ONE), (ONE, ONE))):
        found = race.turns(*sides, *met, doubles)
        args = *map(points, sides), *met, doubles, numbers
        assert found == comes_to(*args)[1], args
        seen.add(found)
    assert min(seen) < 0 < max(seen)


def test_gammons_count_and_come_before_speed():
    one, other = Position.parse("0,1,1,1,0,0"), Position.parse("14,1,0,0,0,0")
    race = solve_no_chance_race(one, other)
    seen = set()
    states = product(((1, 2), (2, 1), (6, 3)), ((0, 0), (2, 0), (0, 2), (2, 2)))
    for (met, doubles), sides in product(states, ((one, other), (other, one))):
        expected = comes_to(*map(points, sides), *met, doubles, 6)
        found = race.points(*sides, *met, doubles)
        assert (found, race.turns(*sides, *met, doubles)) == expected
        best = race.choices(*sides, *met, doubles)[0]
        assert (best.points, best.turns) == expected
        seen.add(found)
    assert seen >= {2, -1}


def test_choices_are_all_and_the_best_comes_first(race):
    for doubles in ((0, 1), (2, 2)):
        choices = race.choices(ONE, OTHER, 2, 5, doubles)
        found = {(c.number, points(c.after)) for c in choices}
        assert found == {
            (named, after)
            for named in range(1, 7)
            if named != 2 and (named != 5 or doubles[0])
            for after in pairs(points(ONE), named, 5)
        }
        assert choices[0].turns == race.turns(ONE, OTHER, 2, 5, doubles)
        for choice in choices:
            if not any(choice.after.counts):
                assert choice.turns == 1
                continue
            left = doubles[1], doubles[0] - (choice.number == 5)
            sides = points(OTHER), points(choice.after)
            reply = comes_to(*sides, 5, choice.number, left, 6)[1]
            assert choice.turns == -reply + (1 if reply < 0 else -1)


def test_openings_are_the_states_of_the_first_turn(race):
    openings = race.openings(ONE, ONE)
    assert set(openings) == set(range(1, 7))
    assert all(set(answers) == set(range(1, 7)) - {x} for x, answers in openings.items())
    assert openings[3][5] == comes_to(points(ONE), points(ONE), 3, 5, (2, 2), 6)[1]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [((0, 1, (2, 2)), "your"), ((1, 7, (2, 2)), "last"), ((1, 2, (3, 2)), "doubles")],
)
def test_states_that_cannot_be_are_refused(race, arguments, named):
    with refused(PositionError, named):
        race.turns(ONE, ONE, *arguments)


def test_positions_that_were_not_solved_are_refused(race):
    with refused(PositionError, "opponent"):
        race.turns(ONE, Position.parse("0,0,0,0,0,4"), 1, 2)
    with refused(PositionError, "points"):
        solve_no_chance_race(Position((0,) * 6 + (1,)))
    with refused(PositionError, "name"):
        solve_no_chance_race(ONE, numbers=3)
