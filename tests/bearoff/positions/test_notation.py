"""Every notation in which positions are written can be read, and invalid texts are
refused.
"""

import re

import pytest
from hypothesis import example, given, strategies as st

import bearoff
from bearoff.positions.position_id import encode_position_id
from tests import strategies
from tests.refusals import refused

PAPER = bearoff.Position((3, 3, 2, 0, 2, 1))


def read(text, like):
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
        # On a board of one point, a number of checkers is also a position number.
        assert read(text, position) == position
    assert read(str(position.number), position) == position


@given(strategies.races())
def test_two_sided_round_trips(race):
    size = (race.roller.points, race.roller.checkers)
    for text in (race.position_id, race.xgid, race.xgid.removeprefix("XGID=")):
        assert bearoff.Race.parse(text, *size) == race
        assert bearoff.Position.parse(text, *size) == race.roller
        assert bearoff.Race.parse(f" {text}\n", *size) == race


@pytest.mark.parametrize("text", [
    "8887", "3,3,2,0,2,1", "3 3 2 0 2 1", "3-3-2-0-2-1", "(3,3,2,0,2,1)", "4,3,3,2,0,2,1",
    "(4, 3, 3, 2, 0, 2, 1)", "[1,1,1,2,2,2,3,3,5,5,6]", "[0,0,0,0,1,1,1,2,2,2,3,3,5,5,6]",
    "[6 5 5 3 3 2 2 2 1 1 1]",
])  # fmt: skip
def test_papers_example_in_every_notation(text):
    assert bearoff.Position.parse(text) == PAPER


def test_all_off():
    for text in ("0", "[]", "0,0,0,0,0,0", "(15,0,0,0,0,0,0)"):
        assert bearoff.Position.parse(text) == bearoff.Position((0,) * 6)


UNREADABLE = [
    "-1", "3,3,2,0,2,-1", "3 3 2 0 2 -1", "0 0 0 -5 0 0", "3,3,2,,2,1", "3,3,2,0,2,",
    "3,3,2,0,2,x", "3.0,3,2,0,2,1", "3;3;2;0;2;1", "(3,3,2,0,2,1", "[1,2,3", "(1,2]",
    "٣,3,2,0,2,1", "²", "1000,0,0,0,0,0", "sixteen on the six",
]  # fmt: skip
REFUSED = {
    "": "position", " \n": "position", "54264": 54264, "9" * 100: 54263, "1" * 201: 201,
    "1,2,3": 3, "1,2,3,4,5,6,7,8": 8, "()": 0, "0,0,0,0,0,16": 16, "5,5,5,5,5,5": 30,
    "(4,3,3,2,0,2,2)": 16, "(3,3,3,2,0,2,1)": 14, "[7]": 7, str([1] * 16): 16,
} | {text: text for text in UNREADABLE}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_wrong_text_is_refused(text):
    with refused(bearoff.PositionError, REFUSED[text]):
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


def xgid_of(**squares):
    """Return an XGID with these letters at these places of the board, such as A=7."""
    board = ["-"] * 26
    for letter, square in squares.items():
        board[square] = letter
    return f"XGID={''.join(board)}:0:0:1:00:0:0:0:0:10"


@pytest.mark.parametrize(
    ("text", "points", "named"),
    [
        *((text, 6, ()) for text in ("8887", "3,3,2,0,2,1", "", "[1]")),
        ("4HPwATDgc/ABMA", 6, ("contact", 24)),
        (xgid_of(A=0, a=1), 6, (26,)),
        (xgid_of(A=1, a=25), 6, (26,)),
        (xgid_of(A=1, a=0), 6, ("bar",)),
        (xgid_of(A=25, a=24), 6, ("bar",)),
        (xgid_of(A=2, a=1), 6, ("contact", 2, 24)),
        (xgid_of(A=7, a=18), 6, ("6 points", 7)),
        (xgid_of(A=1, a=17), 6, ("6 points", 8)),
        # The two checkers are on the same square, which only a position ID can express.
        (encode_position_id(*(tuple(int(k == p) for k in range(1, 26)) for p in (13, 12))),
         24, ("contact", 13, 12)),
    ],
)  # fmt: skip
def test_what_is_no_race_is_refused(text, points, named):
    with refused(bearoff.PositionError, *named):
        bearoff.Race.parse(text, points)


def test_sides_may_have_passed_by_a_pip():
    # The roller's 13 point and the opponent's 12 point are the same square.
    race = bearoff.Race.parse(xgid_of(A=12, a=13), points=12)
    assert race.roller.highest == race.opponent.highest == 12


def test_sizes_smaller_than_a_set_are_kept():
    text = bearoff.Race(bearoff.Position((3,), 3), bearoff.Position((1,), 3)).xgid
    assert bearoff.Race.parse(text, 1, 3).opponent == bearoff.Position((1,), 3)
    with refused(bearoff.PositionError, 2, 3):
        bearoff.Race.parse(text, 1, 2)
