"""Reading of positions in the form in which other programs print them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import bearoff
from bearoff.positions import read_race
from tests import strategies
from tests.refusals import names, refused

BOARDS = Path(__file__).parents[2] / "data" / "gnubg_boards.json"

RECORDED: list[dict[str, Any]] = json.loads(BOARDS.read_text())
"""Boards that GNU Backgammon printed for known races; see tests/data/README.md."""


def told(entry):
    """Return the race that recorded commands of GNU Backgammon describe."""
    x, o = (bearoff.Position(tuple(entry[side])) for side in "xo")
    x_rolls = entry["roller"] == "X"
    score = None
    if entry["length"]:
        won = (entry["won_x"], entry["won_o"])[:: 1 if x_rolls else -1]
        game = "normal"
        if entry["length"] > 1 and max(won) == entry["length"] - 1:
            game = "crawford" if entry["crawford"] else "post-crawford"
        score = bearoff.Score.of_match(entry["length"], won, game)
    cube = "centred"
    if entry["cube_owner"]:
        cube = "owned" if entry["cube_owner"] == entry["roller"] else "opponent"
    race = bearoff.Race(
        *((x, o) if x_rolls else (o, x)),
        cube=cube,
        cube_value=entry["cube_value"],
        score=score,
        dice=tuple(entry["dice"]) if entry["dice"] else None,
        jacoby=entry["jacoby"],
    )
    return race.on_points()


def ids(entry):
    return [line.split()[-1] for line in entry["printed"].splitlines()[:2]]


@pytest.mark.parametrize("entry", RECORDED)
def test_what_gnubg_prints_is_what_it_was_told(entry):
    position, match = ids(entry)
    labelled = f"Position ID: {position} Match ID: {match}"
    around = f"What now?\n{entry['printed']}\nThanks, PlayerNumberOne"
    for text in (entry["printed"], labelled, f"{position}:{match}", around):
        assert bearoff.Race.parse(text) == told(entry)
    just_sides = bearoff.Race.parse(position)
    assert just_sides == bearoff.Race(told(entry).roller, told(entry).opponent)


@pytest.mark.parametrize("entry", RECORDED)
def test_a_board_that_gnubg_draws_is_read(entry):
    drawn = "\n".join(entry["printed"].splitlines()[2:])
    # A drawn board does not state whether the Jacoby rule applies.
    assert bearoff.Race.parse(drawn) == replace(told(entry), jacoby=False)


@pytest.mark.parametrize("entry", [e for e in RECORDED if e["roller"] == "X"])
def test_ids_are_written_as_gnubg_writes_them(entry):
    position, match = ids(entry)
    ours = told(entry).gnu_id.split(":")
    assert ours[0] == position
    # `bearoff` may write another ID, for example with another order of the dice, but for
    # the same race.
    assert bearoff.Race.parse(f"{position}:{ours[1]}") == told(entry)
    in_order = entry["dice"] in (None, sorted(entry["dice"] or [], reverse=True))
    if in_order and not entry["doubled"]:
        assert ours[1] == match


@settings(max_examples=40)
@given(strategies.games())
def test_every_notation_reads_what_it_writes(race):
    assert bearoff.Race.parse(race.gnu_id) == race
    assert bearoff.Race.parse(race.xgid) == race
    assert bearoff.Race.parse(race.ogid) == replace(race, jacoby=False)
    other = race.exchanged()
    assert (other.roller, other.opponent) == (race.opponent, race.roller)
    assert other.exchanged() == replace(race, dice=None)
    bare = race.xgid.removeprefix("XGID=")
    for text in (bare, f"xgid={bare}", f"(XgId = {bare})", f"see {bare}, please"):
        assert bearoff.Race.parse(text) == race
    assert bearoff.Race.parse(f"OGID={race.ogid} ") == replace(race, jacoby=False)


XG = """XGID=-CBB------------------bbc-:1:1:1:65:0:0:1:0:10

X:Player 1   O:Player 2
Score is X:0 O:0. Unlimited Game, Jacoby
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 |                  |   |          O  O  O |
 |                  |   |          O  O  O |
 |                  |   |                O |
 |                  |   |                  |
 |                  |   |                  |
 |                  |BAR|                  |
 |                  |   |                  |
 |                  |   |                  |
 |                  |   |                X |
 |                  |   |          X  X  X | +---+
 |                  |   |          X  X  X | | 2 |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+ +---+
Pip count  X: 13  O: 14 X-O: 0-0
Cube: 2, X own cube
X to play 65

    1. 2-ply       3/off(2)                     eq:-0.404
"""
"""Text in the form in which eXtreme Gammon copies a position."""


LOW = "XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10"
OTHER = LOW.replace("B", "C")
OGID = "oonnm:1122233:N0N:63:W"


@pytest.mark.parametrize("cube", ["0:0", "0:1"])
def test_several_notations_of_a_position(cube):
    """Of two notations of a position in a text, the one that states the cube is used."""
    for other in ("LwAAwC0AAAAAAA", bearoff.Race.parse(LOW).exchanged().gnu_id):
        text = LOW.replace("0:0:1", f"{cube}:1", 1)
        assert bearoff.Race.parse(f"{text} {other}") == bearoff.Race.parse(text)


def test_what_extreme_gammon_copies():
    with_id = bearoff.Race.parse(XG)
    assert (with_id.cube, with_id.cube_value) == ("owned", 2)
    assert (with_id.dice, with_id.jacoby, with_id.score) == ((6, 5), True, None)
    drawn = XG[XG.index("\n") :]
    assert bearoff.Race.parse(drawn) == with_id
    to_o = drawn.replace("X to play 65", "O on roll, cube action?")
    assert bearoff.Race.parse(to_o) == replace(with_id.exchanged(), jacoby=True)
    match = drawn.replace("O:0. Unlimited Game, Jacoby", "O:3 5 pt.(s) match.")
    assert bearoff.Race.parse(match).score == bearoff.Score((5, 2), length=5)


def test_ogids():
    # The published example of an OGID is the opening position.
    with refused(bearoff.PositionError, "contact"):
        bearoff.Race.parse("11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0")
    race = bearoff.Race.parse("oonnm:1122233:B2N:63:W:R:4:5:7C")
    assert (str(race.roller), str(race.opponent)) == ("2,3,2,0,0,0", "2,2,1,0,0,0")
    assert (race.cube, race.cube_value, race.dice) == ("owned", 4, (6, 3))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (f"{RECORDED[0]['printed']}\n{RECORDED[1]['printed']}", (2,)),
        ("Position ID: LwAAwC0AAAAAAA Match ID: IAHgACAAIAAE", ("cube",)),
        ("ooo:p:N0N:21:B", ("bar",)),
        ("p:111:N0N", ("bar",)),
        ("ooo:111:N0N:63:W::9:0:7", (7, 9)),
        ("4HPwATDgc/ABMA:MIHpAAAAAAAE", ("contact",)),
        (XG.replace("XGID=-C", "XGID=C", 1), ("board", 26)),
        (XG[XG.index("\n") :].replace("|BAR|", "|   |"), ("BAR",)),
        ("XGID=-CBA-------------------ad-:1:1:1:00:6:4:1:7:10", ("cube", "Crawford")),
        ("Position ID: LwAAwC0AAAAAAA Match ID: UQnzACAAIAA", (12, "'UQnzACAAIAA'")),
        (f"LwAAwC0AAAAAAA {OTHER}", (OTHER, LOW)),
        (f"Position ID: LwAAwC0AAAAAAA\n{OTHER}", (OTHER, LOW)),
        (f"{LOW} {OGID}", (LOW,)),
    ],
)
def test_what_is_damaged_is_refused(text, named):
    with refused(bearoff.BearoffError, *named):
        bearoff.Race.parse(text)


def test_a_long_text_is_shortened_where_its_position_is_refused():
    text = 100 * "written before " + "XGID=-CBA-------------------ad-:0:0:1:52:0:0:0:0:10"
    with pytest.raises(bearoff.PositionError) as caught:
        bearoff.Position.parse(text, checkers=5)
    assert names(str(caught.value), 5, 6)
    assert len(str(caught.value)) < 200


def test_two_texts_of_which_one_holds_both_sides_are_refused():
    both = "LwAAwC0AAAAAAA"
    for pair in ((both, "8887"), ("8887", both), (both, both)):
        with refused(bearoff.PositionError, both):
            read_race(*pair)
    assert read_race(both, "") == read_race(both)
