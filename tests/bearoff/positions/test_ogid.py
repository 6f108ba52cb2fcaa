"""OGIDs from OpenGammon and from recorded matches are read and written.

The pairs of XGID and OGID are OpenGammon's own. The positions before and after decisions
are from matches in the source distribution of gammonview 3.1.0 (PyPI, MIT; ``samples/gv``).
"""

from dataclasses import replace

import pytest

import bearoff
from bearoff.positions import Xgid
from bearoff.positions.ogid import parse_ogid
from tests.refusals import refused

PAIRS = [
    "-aaa-CBBB--AdB---b-cabA-AA:0:0:1:31:0:0:0:5:8 "
    "013ccehhiijjkkk:44566688ddddmno:N0N:31:B:R:0:0:5:12",
    "-aaa-CBBB--AdB---b-cabBA--:0:0:-1:52:0:0:0:5:8 "
    "233ccehhiijjkkk:44566688ddddmno:N0N:52:W:R:0:0:5:13",
    "--ab-CBBB--AcB---c-cabBA--:0:0:1:54:0:0:0:5:8 "
    "233ccehhiijjkkk:445666888dddmmn:N0N:54:B:R:0:0:5:14",
    "--ab-DBBB---cB---bBbbcA---:0:0:-1:65:0:0:0:5:8 "
    "377cchhiijjkkkk:444556688dddmmn:N0N:65:W:R:0:0:5:17",
    "-CDbC-D-----A----a-ccbbb--:1:-1:-1:21:2:0:0:5:8 "
    "djjjjlllnnnnooo:2233445556668mm:B1N:21:W:R:2:0:5:97",
]

PLAYS = [
    "jjjlllmmmnnnnno:11122233445569i:B2N:45:B:R:1:2:7:33 "
    "jjllmmmnnnnnoo:11122233445569i:B2N::W:C:1:2:7:34",
    "jjllmmmnnnnnoo:11122233445569i:B2N:56:W:R:1:2:7:34 "
    "jjllmmmnnnnnoo:11122233444556c:B2N::B:C:1:2:7:35",
    "hlllmmmmmmnnnoo:11122344455669b:N0N:25:B:R:5:6:7C:47 "
    "lllmmmmmmmnnoo:11122344455669b:N0N::W:C:5:6:7C:48",
    "lllmmmmmmmnnoo:11122344455669b:N0N:13:W:R:5:6:7C:48 "
    "lllmmmmmmmnnoo:11122344455666a:N0N::B:C:5:6:7C:49",
    "9mmmmnnnooooooo:111112:N0N:35:W:R:6:6:7:42 9mmmmnnnooooooo:1111:N0N::B:C:6:6:7:43",
    "9mmmmnnnooooooo:1111:N0N:23:B:R:6:6:7:43 emmmmnnnooooooo:1111:N0N::W:C:6:6:7:44",
]

DOUBLES = [
    "klllmmnnnnnnnoo:1223344556667bf:N0N::B:C:8:0:0:30 "
    "klllmmnnnnnnnoo:1223344556667bf:N0O::W:D:8:0:0:30",
    "jjjkkllmmnnnoo:122222444566:N0N::W:C:0:0:5:28 "
    "jjjkkllmmnnnoo:122222444566:N0O::B:D:0:0:5:28",
]

TAKES = [
    "bcdeghjjjjkkkll:44456666777888a:N0O::B:D:0:0:7:16 "
    "bcdeghjjjjkkkll:44456666777888a:W1T::W:A:0:0:7:16",
    "jjjkllmmmo:111222334446:B1O::B:D:0:0:5:36 jjjkllmmmo:111222334446:W2T::W:A:0:0:5:36",
]


@pytest.mark.parametrize("pair", PAIRS)
def test_an_ogid_says_what_the_xgid_of_the_same_ply_says(pair):
    xgid, ogid = pair.split()
    setup = Xgid.parse(f"XGID={xgid}").setup
    assert parse_ogid(ogid) == replace(setup, cube_limit=None)


@pytest.mark.parametrize("pair", PLAYS)
def test_who_is_on_roll_made_the_play_that_was_recorded(pair):
    before, after = map(bearoff.Race.parse, pair.split())
    before, after = before.on_points(24), after.on_points(24)
    reached = [play.after for play in bearoff.legal_plays(before.roller, before.dice)]
    assert after.opponent in reached
    assert before.exchanged() == replace(after, opponent=before.roller)


@pytest.mark.parametrize("pair", DOUBLES)
def test_a_double_that_is_offered_is_seen_from_who_doubled(pair):
    before, offered = map(bearoff.Race.parse, pair.split())
    assert offered == before
    assert offered.cube == "centred"


@pytest.mark.parametrize(
    ("pair", "cube", "value"), [(TAKES[0], "centred", 1), (TAKES[1], "owned", 2)]
)
def test_who_doubled_has_the_cube_as_it_was_and_rolls_after_a_take(pair, cube, value):
    offered, taken = map(bearoff.Race.parse, pair.split())
    assert (offered.cube, offered.cube_value) == (cube, value)
    assert taken == replace(offered, cube="opponent", cube_value=2 * value)


@pytest.mark.parametrize("text", [part for pair in PLAYS for part in pair.split()])
def test_a_race_comes_back_as_it_is_written(text):
    race = bearoff.Race.parse(text)
    assert bearoff.Race.parse(race.ogid) == race
    # The roller is White, so Black made the last action.
    assert race.ogid.split(":")[4:6] == ["B", "R" if race.dice else "C"]


def test_black_rolls_after_white_and_white_in_openings_or_where_it_is_left_out():
    for end in ("", ":21", ":21:B", "::W:IW:0:0:1:0", "::B:IW", "::W", "::B:PR"):
        assert parse_ogid(f"ooo:1111:N0N{end}").roller[0] == 3, end
    for end in (":21:W", ":21:W:IB:0:0:1", "::W::0:0:0"):
        assert parse_ogid(f"ooo:1111:N0N{end}").roller[0] == 4, end


def test_a_long_text_is_not_repeated():
    with pytest.raises(bearoff.PositionError) as caught:
        parse_ogid("ooo:111:N0N" + ":12345" * 500)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("state", ["G", "M", "P", "F", "RG", "RM", "FF"])
def test_a_game_that_is_over_has_nobody_on_roll(state):
    with refused(bearoff.PositionError, repr(state)):
        bearoff.Race.parse(f"llmnnn:111134:N0P::W:{state}:1:2:7:61")
