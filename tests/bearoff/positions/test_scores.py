"""Match scores and cubes that are read from XGIDs and match IDs."""

import pytest

import bearoff
from bearoff import Race, Score
from tests.refusals import refused

# Match ID that GNU Backgammon 1.07.001 prints for a player at 2-4 in a match to 7.
GNU = "LwAAwC0AAAAAAA:"
BOARD = "XGID=-CBA-------------------ad-"
AHEAD, BEHIND = Score((3, 5), length=7), Score((5, 3), length=7)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"{GNU}MAHgACAAIAAE", (BEHIND, 1, "centred")),
        (f"{GNU}AQHgACAAIAAE", (BEHIND, 2, "owned")),
        (f"{GNU}QQngACAAIAAE", (AHEAD, 2, "opponent")),
        (f"{GNU}UQngACAAIAAE", (AHEAD, 2, "owned")),
        (f"{GNU}EQHgACAAMAAE", (Score((5, 1), "post-crawford", 7), 2, "opponent")),
        (f"{GNU}MAEAAAAAAAAA", (None, 1, "centred")),
        # XGID fields: cube, owner, turn, dice, scores of the lower and upper player,
        # Crawford, and match length.
        (f"{BOARD}:0:0:1:00:2:4:0:7:10", (BEHIND, 1, "centred")),
        (f"{BOARD}:0:0:-1:00:2:4:0:7:10", (AHEAD, 1, "centred")),
        (f"{BOARD}:1:1:1:00:2:4:0:7:10", (BEHIND, 2, "owned")),
        (f"{BOARD}:2:1:-1:00:2:4:0:7:10", (AHEAD, 4, "opponent")),
        (f"{BOARD}:0:0:1:00:2:6:1:7:10", (Score((5, 1), "crawford", 7), 1, "centred")),
        (f"{BOARD}:0:0:1:00:2:6:0:7:10", (Score((5, 1), "post-crawford", 7), 1, "centred")),
        (f"{BOARD}:0:0:1:00:0:0:0:1:10", (Score((1, 1), length=1), 1, "centred")),
        (f"{BOARD}:0:0:1:00:2:4:0:0:10", (None, 1, "centred")),
    ],
)
def test_score_and_cube_are_read(text, state):
    race = Race.parse(text)
    assert (race.score, race.cube_value, race.cube) == state


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (f"{BOARD}:0:0:1:00:2:4:1:7:10", ("Crawford", "2-4", 7)),
        (f"{BOARD}:0:0:1:00:7:4:0:7:10", ("won", 7, 6)),
        (f"{BOARD}:1:1:1:00:6:4:1:7:10", ("centred", 1, "Crawford")),
        (f"{BOARD}:0:0:1:00:2:4:0:99:10", ("length", 64)),
        (f"{GNU}IAHgACAAIAAE", ("cube",)),
    ],
)
def test_what_no_match_can_be_is_refused(text, named):
    with refused(bearoff.BearoffError, *named):
        Race.parse(text)
