"""Scores and cubes that XGIDs and match IDs carry."""

import pytest

import bearoff
from bearoff import Race, Score

State = tuple[Score | None, int, str]

# GNU Backgammon 1.07.001, whose player is 2-4 behind in a match to 7: the match ID that it
# shows after `set score`, `set turn`, `set cube value`, `set cube owner`.
RECORDED = {
    "MAHgACAAIAAE": (Score((5, 3), length=7), 1, "centred"),
    "AQHgACAAIAAE": (Score((5, 3), length=7), 2, "owned"),
    "QQngACAAIAAE": (Score((3, 5), length=7), 2, "opponent"),
    "UQngACAAIAAE": (Score((3, 5), length=7), 2, "owned"),
    "EQHgACAAMAAE": (Score((5, 1), "post-crawford", 7), 2, "opponent"),
}


def state_of(text: str) -> State:
    race = Race.parse(text)
    return race.score, race.cube_value, race.cube


@pytest.mark.parametrize("text", RECORDED)
def test_match_ids_of_gnubg(text: str) -> None:
    assert state_of(f"LwAAwC0AAAAAAA:{text}") == RECORDED[text]


BOARD = "XGID=-CBA-------------------ad-"


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        # Cube, owner, turn, dice, scores of the lower and upper player, Crawford, length.
        ("0:0:1:00:2:4:0:7:10", (Score((5, 3), length=7), 1, "centred")),
        ("0:0:-1:00:2:4:0:7:10", (Score((3, 5), length=7), 1, "centred")),
        ("1:1:1:00:2:4:0:7:10", (Score((5, 3), length=7), 2, "owned")),
        ("2:1:-1:00:2:4:0:7:10", (Score((3, 5), length=7), 4, "opponent")),
        ("0:0:1:00:2:6:1:7:10", (Score((5, 1), "crawford", 7), 1, "centred")),
        ("0:0:1:00:2:6:0:7:10", (Score((5, 1), "post-crawford", 7), 1, "centred")),
        ("0:0:1:00:0:0:0:1:10", (Score((1, 1), length=1), 1, "centred")),
        ("0:0:1:00:2:4:0:0:10", (None, 1, "centred")),
    ],
)
def test_xgids(fields: str, state: State) -> None:
    assert state_of(f"{BOARD}:{fields}") == state


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{BOARD}:0:0:1:00:2:4:1:7:10", "Crawford's game at 2-4 to 7"),
        (f"{BOARD}:0:0:1:00:7:4:0:7:10", "has won of 7 must be from 0 to 6, got 7"),
        (f"{BOARD}:1:1:1:00:6:4:1:7:10", "stays centred at 1 in Crawford's game"),
        (f"{BOARD}:0:0:1:00:2:4:0:99:10", "the match's length must be from 1 to 64"),
        ("LwAAwC0AAAAAAA:IAHgACAAIAAE", "no player owns the cube"),
    ],
)
def test_what_no_match_can_be_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(bearoff.BearoffError, match=sentence):
        Race.parse(text)


def test_a_money_session_of_gnubg_has_no_score() -> None:
    assert state_of("LwAAwC0AAAAAAA:MAEAAAAAAAAA") == (None, 1, "centred")
