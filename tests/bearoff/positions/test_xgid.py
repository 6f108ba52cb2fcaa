"""eXtreme Gammon's texts, taken apart and put together."""

import pytest
from hypothesis import given, strategies as st

import bearoff
from bearoff.positions.xgid import Xgid

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


@st.composite
def xgids(draw: st.DrawFn) -> str:
    """Any XGID whose sides share no square and have at most 15 checkers."""
    squares = draw(st.lists(st.sampled_from("-----ABCabc"), min_size=24, max_size=24))
    for letters in ("ABC", "abc"):
        total = 0
        for i, square in enumerate(squares):
            if square in letters:
                total += letters.index(square) + 1
                squares[i] = square if total <= 14 else "-"
    board = draw(st.sampled_from("-a")) + "".join(squares) + draw(st.sampled_from("-A"))
    fields = [
        draw(st.integers(0, 10)),
        draw(st.sampled_from([-1, 0, 1])),
        draw(st.sampled_from([-1, 1])),
        draw(st.sampled_from(["00", "D", "B", "R", "52", "11"])),
        draw(st.integers(0, 24)),
        draw(st.integers(0, 24)),
        draw(st.integers(0, 3)),
        draw(st.integers(0, 25)),
        draw(st.integers(0, 10)),
    ]
    return ":".join(["XGID=" + board, *map(str, fields)])


@given(xgids())
def test_round_trip(text):
    assert str(Xgid.parse(text)) == text
    assert Xgid.parse(text.removeprefix("XGID=")) == Xgid.parse(text)


def test_the_opening_position_is_the_same_for_both():
    xgid = Xgid.parse(START)
    assert xgid.lower == xgid.upper
    assert xgid.lower[5] == xgid.lower[12] == 5
    assert (xgid.lower[7], xgid.lower[23], xgid.lower[24]) == (3, 2, 0)


def test_bars_lie_outside_the_board():
    xgid = Xgid.parse("XGID=a------------------------B:0:0:1:00:0:0:0:0:10")
    assert (xgid.lower[24], xgid.upper[24]) == (2, 1)
    assert sum(xgid.lower + xgid.upper) == 3


def test_turn_tells_who_rolls():
    text = "-CBA-------------------ad-:0:0:{}:00:0:0:0:0:10"
    lower, upper = (bearoff.Race.parse(text.format(turn)) for turn in (1, -1))
    assert lower.roller == upper.opponent == bearoff.Position((3, 2, 1, 0, 0, 0))
    assert lower.opponent == upper.roller == bearoff.Position((4, 1, 0, 0, 0, 0))


BOARD = "-CBA-------------------ad-"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("XGID=", "10 fields separated by colons, got 1"),
        (f"XGID={BOARD}:0:0:1:00:0:0:0:0", "10 fields separated by colons, got 9"),
        (f"XGID={BOARD}:0:0:1:00:0:0:0:0:10:1", "got 11"),
        (f"XGID={BOARD[1:]}:0:0:1:00:0:0:0:0:10", "26 characters"),
        (f"XGID={BOARD}-:0:0:1:00:0:0:0:0:10", "26 characters"),
        (f"XGID={BOARD.replace('C', 'P')}:0:0:1:00:0:0:0:0:10", "26 characters"),
        (f"XGID=A{BOARD[1:]}:0:0:1:00:0:0:0:0:10", "26 characters"),
        (f"XGID={BOARD[:-1]}a:0:0:1:00:0:0:0:0:10", "26 characters"),
        (f"XGID=-OA-{BOARD[4:]}:0:0:1:00:0:0:0:0:10", "lower player .* has 16"),
        (f"XGID={BOARD[:-2]}o-:0:0:1:00:0:0:0:0:10", "upper player .* has 16"),
        (f"XGID={BOARD}:x:0:1:00:0:0:0:0:10", "cube cannot be 'x'"),
        (f"XGID={BOARD}:0:2:1:00:0:0:0:0:10", "cube_owner cannot be '2'"),
        (f"XGID={BOARD}:0:0:0:00:0:0:0:0:10", "turn cannot be '0'"),
        (f"XGID={BOARD}:0:0:1:07:0:0:0:0:10", "dice cannot be '07'"),
        (f"XGID={BOARD}:0:0:1:00:-1:0:0:0:10", "score_lower cannot be '-1'"),
        (f"XGID={BOARD}:0:0:1:00:0:0:0:0:", "largest_cube cannot be ''"),
        (f"XGID={BOARD}:0:0:1:00:0:0:0:0:٣", "largest_cube cannot be"),
    ],
)
def test_wrong_texts_are_refused(text, says):
    with pytest.raises(bearoff.PositionError, match=says):
        Xgid.parse(text)
