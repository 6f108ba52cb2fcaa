"""Every notation is read as it is written, and what is none is refused in a sentence."""

import re

import pytest
from hypothesis import example, given, strategies as st

import bearoff
from bearoff.positions.position_id import encode_position_id
from tests import strategies

PAPER = bearoff.Position((3, 3, 2, 0, 2, 1))


def read(text: str, like: bearoff.Position) -> bearoff.Position:
    return bearoff.Position.parse(text, like.points, like.checkers)


@given(strategies.positions())
def test_one_sided_round_trips(position):
    comma = str(position)
    on_board = [point for point in position.list if point]
    for text in (
        comma,
        comma.replace(",", " "),
        comma.replace(",", "-"),
        f"({comma})",
        f"  {comma.replace(',', ' , ')}\n",
        str(position.vector),
        str(list(position.list)),
        str(on_board),
        f"[{' '.join(map(str, reversed(on_board)))}]",
    ):
        # On one point, a bare count is indistinguishable from a number; both are equal.
        assert read(text, position) == position
    assert read(str(position.number), position) == position


@given(strategies.races())
def test_two_sided_round_trips(race):
    size = (race.roller.points, race.roller.checkers)
    for text in (race.position_id, race.xgid, race.xgid.removeprefix("XGID=")):
        assert bearoff.Race.parse(text, *size) == race
        assert bearoff.Position.parse(text, *size) == race.roller
        assert bearoff.Race.parse(f" {text}\n", *size) == race


@pytest.mark.parametrize(
    "text",
    [
        "8887",
        "3,3,2,0,2,1",
        "3 3 2 0 2 1",
        "3-3-2-0-2-1",
        "(3,3,2,0,2,1)",
        "4,3,3,2,0,2,1",
        "(4, 3, 3, 2, 0, 2, 1)",
        "[1,1,1,2,2,2,3,3,5,5,6]",
        "[0,0,0,0,1,1,1,2,2,2,3,3,5,5,6]",
        "[6 5 5 3 3 2 2 2 1 1 1]",
    ],
)
def test_papers_example_in_every_notation(text):
    assert bearoff.Position.parse(text) == PAPER


def test_all_off():
    for text in ("0", "[]", "0,0,0,0,0,0", "(15,0,0,0,0,0,0)"):
        assert bearoff.Position.parse(text) == bearoff.Position((0,) * 6)


REFUSED = [
    ("", "a position is needed"),
    (" \n", "a position is needed"),
    ("54264", "run from 0 to 54263, got 54264"),
    ("-1", "cannot read '-1'"),
    ("9" * 100, "run from 0 to 54263"),
    ("1" * 201, "at most 200 characters, got 201"),
    ("1,2,3", "6 numbers are the checkers on each point and 7 a vector, got 3"),
    ("1,2,3,4,5,6,7,8", "got 8"),
    ("()", "got 0"),
    ("0,0,0,0,0,16", "at most 15 checkers, got 16"),
    ("5,5,5,5,5,5", "at most 15 checkers, got 30"),
    ("(4,3,3,2,0,2,2)", "add up to 15 checkers, those of .* to 16"),
    ("(3,3,3,2,0,2,1)", "add up to 15 checkers, those of .* to 14"),
    ("3,3,2,0,2,-1", "cannot read"),
    ("3 3 2 0 2 -1", "cannot read"),
    ("0 0 0 -5 0 0", "cannot read"),
    ("3,3,2,,2,1", "cannot read"),
    ("3,3,2,0,2,", "cannot read"),
    ("3,3,2,0,2,x", "cannot read"),
    ("3.0,3,2,0,2,1", "cannot read"),
    ("3;3;2;0;2;1", "cannot read"),
    ("(3,3,2,0,2,1", "cannot read"),
    ("[1,2,3", "cannot read"),
    ("(1,2]", "cannot read"),
    ("٣,3,2,0,2,1", "cannot read"),
    ("²", "cannot read"),
    ("1000,0,0,0,0,0", "cannot read"),
    ("[7]", "points 1 to 6, or 0 for off; got 7"),
    ("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "at most 15 checkers, got 16"),
    ("sixteen on the six", "cannot read"),
]


@pytest.mark.parametrize(("text", "says"), REFUSED)
def test_wrong_text_is_refused(text, says):
    with pytest.raises(bearoff.PositionError, match=says):
        bearoff.Position.parse(text)


@given(st.text(max_size=40))
@example("[")
@example("(")
@example("3 3 2 0 2 -1")
@example("XGID=")
@example("::::::::")
@example("AAAAAAAAAAAAAA")
def test_any_text_is_read_or_refused_in_one_line(text):
    for parse in (bearoff.Position.parse, bearoff.Race.parse):
        message = "read"
        try:
            parse(text)
        except bearoff.PositionError as error:
            message = str(error)
        assert re.fullmatch(r"[^\n]+", message)


@given(st.from_regex(r"[-0-9 ,()\[\]]{1,20}", fullmatch=True))
def test_what_is_read_holds_the_numbers_written(text):
    try:
        position = bearoff.Position.parse(text)
    except bearoff.PositionError:
        return
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    if len(numbers) > 1 and "[" not in text:
        assert tuple(numbers) in (position.counts, position.vector)


@pytest.mark.parametrize("text", ["8887", "3,3,2,0,2,1", "", "[1]"])
def test_a_race_needs_two_sides(text):
    with pytest.raises(bearoff.PositionError, match=r"two sides|is needed"):
        bearoff.Race.parse(text, 6)


def xgid_of(**squares: int) -> str:
    """Write an XGID from the squares of single checkers, as A=7 and a=18."""
    board = ["-"] * 26
    for letter, square in squares.items():
        board[square] = letter
    return f"XGID={''.join(board)}:0:0:1:00:0:0:0:0:10"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("4HPwATDgc/ABMA", "no contact, but .* on points 24 and 24"),
        (xgid_of(A=0, a=1), "26 characters"),
        (xgid_of(A=1, a=25), "26 characters"),
        (xgid_of(A=1, a=0), "on the bar"),
        (xgid_of(A=25, a=24), "on the bar"),
        (xgid_of(A=2, a=1), "no contact, but .* on points 2 and 24"),
        (xgid_of(A=7, a=18), "6 points and .* a checker on point 7"),
        (xgid_of(A=1, a=17), "6 points and .* a checker on point 8"),
    ],
)
def test_what_is_no_race_in_the_home_boards_is_refused(text, says):
    with pytest.raises(bearoff.PositionError, match=says):
        bearoff.Race.parse(text, 6)


def test_sides_cannot_share_a_point():
    # The roller's 13 point is the opponent's 12; only a position ID can say so.
    ones = [tuple(int(k == point) for k in range(1, 26)) for point in (13, 12)]
    with pytest.raises(bearoff.PositionError, match=r"no contact, but .* 13 and 12"):
        bearoff.Race.parse(encode_position_id(*ones), points=24)


def test_sides_may_have_passed_by_a_pip():
    # The opponent's 12 point is the roller's 13.
    race = bearoff.Race.parse(xgid_of(A=12, a=13), points=12)
    assert race.roller.highest == race.opponent.highest == 12


def test_sizes_smaller_than_a_set_are_kept():
    text = bearoff.Race(bearoff.Position((3,), 3), bearoff.Position((1,), 3)).xgid
    assert bearoff.Race.parse(text, 1, 3).opponent == bearoff.Position((1,), 3)
    with pytest.raises(bearoff.PositionError, match="at most 2 checkers, got 3"):
        bearoff.Race.parse(text, 1, 2)
