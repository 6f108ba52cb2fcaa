import pytest

from bearoff import Position
from bearoff.app.board import draw_board, draw_race, draw_side
from bearoff.game import Board


def test_a_low_stack_is_drawn_and_a_tall_one_shows_its_number():
    assert draw_side(Position((3, 3, 2, 0, 2, 1))).count("●") == 11
    board = draw_side(Position((15, 0, 0, 0, 0, 0)))
    assert board.count("●") == 4
    assert board.splitlines()[1] == " │                    15 │"
    board = draw_side(Position((0,) * 6))
    assert ("●" in board, len(board.splitlines())) == (False, 3)


def test_the_opponent_hangs_above_and_the_roller_stands_below():
    lines = draw_race(Position((0, 0, 0, 0, 0, 2)), Position((1, 0, 0, 0, 0, 0)))
    assert lines.splitlines() == [
        " ┌─6───5───4───3───2───1─┐",
        " │                     ○ │",
        " │                       │",
        " │ ●                     │",
        " │ ●                     │",
        " └─6───5───4───3───2───1─┘",
    ]


@pytest.mark.parametrize("points", range(1, 25))
def test_a_board_is_a_rectangle_of_at_most_80_columns(points):
    tall = Position((15, *[0] * (points - 1)))
    far = Position((*[0] * (points - 1), 6))
    for board in (draw_side(tall), draw_side(far), draw_race(tall, far)):
        lines = board.splitlines()
        assert len({len(line) for line in lines}) == 1
        assert len(lines[0]) <= 80


def test_a_column_stands_over_the_last_digit_of_its_number():
    for points in (6, 12, 24):
        position = Position((*[0] * (points - 1), 1))
        lid, row, floor = draw_side(position).splitlines()
        assert floor[row.index("●")] == str(points)[-1]
        assert len(lid) == len(floor)


def test_a_whole_board_shows_the_bar_and_what_is_off():
    points = [0] * 26
    points[0], points[25], points[6], points[24] = -2, 1, 7, -7
    lines = draw_board(Board(tuple(points))).splitlines()
    assert {len(line) for line in lines} == {len(lines[0])}
    column = [line.split("│")[2].strip() for line in lines[1:-1]]
    assert column == ["○", "○", "", "", "", "bar", "", "", "", "", "●"]
    off = [line.split("│")[4].strip() for line in lines[1:-1]]
    assert off == ["○", "○", "○", "○", "6", "off", "7", "●", "●", "●", "●"]
    assert "7" in lines[5].split("│")[3]
