"""XGIDs are parsed and written."""

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

import bearoff
from bearoff import Race, Score, ScoreError
from bearoff.positions.xgid import Xgid
from tests.refusals import refused

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


@st.composite
def xgids(draw):
    """Return XGIDs whose sides share no point and have at most 15 checkers."""
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
    ]
    length = draw(st.integers(0, 25))
    fields += [draw(st.integers(0, 1 if length else 3)), length]
    fields.append(draw(st.integers(fields[0], 10)))
    return ":".join(["XGID=" + board, *map(str, fields)])


@settings(max_examples=50)
@given(xgids())
def test_round_trip(text):
    assert str(Xgid.parse(text)) == text
    assert Xgid.parse(text.removeprefix("XGID=")) == Xgid.parse(text)


def test_the_opening_position_is_the_same_for_both():
    xgid = Xgid.parse(START)
    assert xgid.lower == xgid.upper
    assert xgid.lower[5] == xgid.lower[12] == 5
    assert (xgid.lower[7], xgid.lower[23], xgid.lower[24]) == (3, 2, 0)
    # Bars lie outside the board.
    xgid = Xgid.parse("XGID=a------------------------B:0:0:1:00:0:0:0:0:10")
    assert (xgid.lower[24], xgid.upper[24]) == (2, 1)
    assert sum(xgid.lower + xgid.upper) == 3


BOARD = "-CBA-------------------ad-"


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        (slice(1, 10), [], (10, 1)), (slice(8, 10), [], (10, 8)),
        (slice(9, 10), ["10", "1"], (10, 11)), (0, BOARD[1:], (26,)),
        (0, f"{BOARD}-", (26,)),
        (0, BOARD.replace("C", "P"), (26,)), (0, f"A{BOARD[1:]}", (26,)),
        (0, f"{BOARD[:-1]}a", (26,)), (0, f"-OA-{BOARD[4:]}", ("lower", 16)),
        (0, f"{BOARD[:-2]}o-", ("upper", 16)), (1, "x", ("cube", "'x'")),
        (2, "2", ("cube_owner", "'2'")), (3, "0", ("turn", "'0'")),
        (4, "07", ("dice", "'07'")),
        (5, "-1", ("score_lower", "'-1'")), (9, "", ("largest_cube", "''")),
        (9, "٣", ("largest_cube", "'٣'")), (slice(7, 9), ["2", "7"], ("rules", 2)),
        (7, "4", ("rules", 4)), (slice(1, 10, 8), ["3", "2"], ("cube", 8, 4)),
    ],
)  # fmt: skip
def test_wrong_texts_are_refused(field, value, named):
    fields = [BOARD, "0", "0", "1", "00", "0", "0", "0", "0", "10"]
    fields[field] = value
    with refused(bearoff.PositionError, *named):
        Xgid.parse(f"XGID={':'.join(fields)}")


@pytest.mark.parametrize("rules", range(4))
@pytest.mark.parametrize("largest", [1, 6, 10, 12])
def test_the_rules_of_money_play_are_kept(rules, largest):
    text = f"XGID=-CBA-------------------ad-:1:1:1:64:0:0:{rules}:0:{largest}"
    race = Race.parse(text)
    assert (race.jacoby, race.beavers) == (rules in (1, 3), rules in (2, 3))
    assert race.cube_limit == (None if largest == 10 else 2**largest)
    assert race.cube_at_limit == (largest == 1)
    assert race.xgid == text


@pytest.mark.parametrize("cube", range(11))
def test_the_usual_largest_cube_counts_where_it_is_near(cube):
    race = Race.parse(f"XGID=-CBA-------------------ad-:{cube}:1:1:00:0:0:0:0:10")
    assert race.cube_limit == (1024 if cube >= 8 else None)
    assert race.cube_at_limit == (cube == 10)


def test_beavers_are_for_money():
    race = Race.parse("XGID=-CBA-------------------ad-:0:0:1:64:0:0:2:0:10")
    with refused(ScoreError, "beavers"):
        replace(race, score=Score((3, 5)))
    scored = Race.parse("XGID=-CBA-------------------ad-:1:1:1:64:2:4:0:7:1")
    assert not scored.cube_at_limit
    assert scored.xgid.endswith(":7:1")
