"""Match files of different programs, which differ in details, are read correctly."""

import pytest

from bearoff.game.records import (
    format_jellyfish,
    format_sgf,
    moments,
    parse_match,
    race_decisions,
)
from bearoff.game.rules import STARTS
from bearoff.positions import find_setup
from tests.game.records.test_records import DATA, HEAD, judged
from tests.refusals import refused

TURNS = "  1) 31: 8/5 6/5                     42: 8/4 6/4\n"


def read(body, head=HEAD, turns=TURNS):
    """Read a match; return the match, its first game, and the problems that were found."""
    match = parse_match(head + turns + body, "a.mat")
    problems = race_decisions(match)[1]
    assert not any("followed only up to an impossible" in problem for problem in problems)
    return match, match.games[0], problems


@pytest.mark.parametrize(
    ("tail", "winner", "points", "kinds"),
    [
        # The loser's column also states the result of the game.
        ("  2) Losses 1 point                  Wins 1 point", 1, 1, ""),
        ("  2)                                 Losses 2 point", 0, 2, ""),
        ("  2) 63: ????                        Wins 2 points and the match", 1, 2, "roll"),
        ("  2) 63: ???\n                       Wins 1 point", 1, 1, "roll"),
        ("  2) 00: ????                        Wins 1 point", 1, 1, ""),
        # The line states only one die.
        ("  2) 63: 24/18                       Wins 1 point", 1, 1, "play"),
        ("  2) 63:\n  3)\n                     Wins 1 point", 1, 1, "play"),
        ("  2)\n                               Wins 2 points\n  3)\n", 1, 2, ""),
        ("  2)                                 Resigned Match\n"
         "                                     Wins 3 points", 1, 3, "resign"),
        ("  2) Gives up", 1, 1, "resign"),
        ("  2) Resigns gammon", 1, 2, "resign"),
        ("  2) Loses on time                   Wins 1 point", 1, 1, "resign"),
        ("  2)                                 Disconnected", 0, 1, "resign"),
        ("  2) Doubles ==> 2                   Drops", 0, 1, "double pass"),
        ("  2) Doubles -> 2\n  3)  Drops\n   Wins 1 point", 0, 1, "double pass"),
        ("  2) Doubles → 2                     Wins 1 point\n", 1, 1, "double"),
        ("  2) Redoubles to 2                  Takes\n"
         "  3) 63: ????                        Wins 4 points", 1, 4, "double take roll"),
        ("  2. Doubles => 2\n  3.              Pass", 0, 1, "double pass"),
        # The line states no response to the double.
        ("  2) Doubles => 2\n   Wins 1 point", 0, 1, "double pass"),
        ("  2) 63: 24/15                       Doubles => 2\n"
         "  3)  Drops                          Wins 1 point", 1, 1, "play double pass"),
        ("  2) 63: 24/15                       Doubles => 2\n"
         "  3)  Drops\n                        Wins 1 point", 1, 1, "play double pass"),
        ("Ann wins 2 points", 0, 2, ""),
        ("  2) 63: ????                        Wins 2008 points", 1, 3, "roll"),
        ("  2)                                 GEWINNT 2 Punkte", 1, 2, ""),
    ],
)  # fmt: skip
def test_how_a_game_ends(tail, winner, points, kinds):
    _, game, problems = read(tail)
    assert (game.winner, game.points) == (winner, points)
    assert [action.kind for action in game.actions[2:]] == kinds.split()
    if "24/18 " not in tail:
        assert problems == []


@pytest.mark.parametrize("tail", ["  2) 63: ????", "  2) 63:", "  2)  Resigned Game"])
def test_the_next_games_score_says_what_the_words_leave_open(tail):
    after = tail + "\n\n Game 2\n Ann : 0          Bob : 2\n" + TURNS + "   Wins 1 point\n"
    match, game, problems = read(after)
    assert (game.points, [game.winner for game in match.games]) == (2, [1, 0])
    assert problems == []
    alone = parse_match(HEAD + TURNS + tail, "a.mat")
    assert alone.games[0].winner is None
    assert race_decisions(alone)[1]


def test_the_board_says_who_bore_off():
    """The winner of a game follows from the board if the file does not state the result."""
    start = "; Set Pos=--B--------------------b--/0\n"
    _, game, problems = read("  1) 66: 2/off(2)   Wins 1 point\n", HEAD + start, "")
    assert (game.winner, problems) == (0, [])


@pytest.mark.parametrize(
    "line",
    [
        "  2) 63: 24/15!? (best)               52: 13/11 13/8 {hm}",
        "  2) 63:24/15                         52:13/11 13/8",
        # Only one blank separates the plays of the two players.
        "  2) 63: 24/15 52: 13/11 13/8",
        "  2)63: 24/15\t\t\t52: 13/11 13/8",
        "  2) 63: 24/15 3)   52: 13/11 13/8",
        "  2) 63: 24/15 | 52: 13/11 13/8 |",
        "+------ hello -------+\n  2) 63: 24/15                52: 13/11 13/8",
    ],
)
def test_remarks_and_blanks(line):
    match, game, _ = read(line)
    assert len(list(moments(match, game))) == 4
    assert [action.player for action in game.actions] == [0, 1, 0, 1]


def test_what_is_not_understood_is_told_with_its_line():
    noise = "Some site, no rights reserved\n"
    match, game, told = read(f"{noise}  2) 63: 24/15       Shrugs\n      Wins 1 point")
    assert len(game.actions) == 3
    site, shrugs = told
    assert "a.mat, line 6: 'Some site" in site
    assert "a.mat, line 7: 'Shrugs'" in shrugs
    assert match.complaints == (site, shrugs)


@pytest.mark.parametrize(
    ("heading", "length"),
    [
        ("7 point match", 7), ("7-point match", 7), ("A 7pt. match of friends", 7),
        ("Match to 7 points", 7), ("Match Length: 7", 7), ('; [Match Length "7"]', 7),
        ("0 point match", 0), ("Unlimited match", 0), ("money session", 0),
    ],
)  # fmt: skip
def test_headings(heading, length):
    match, _, problems = read("  Wins 1 point\n", HEAD.replace("5 point match", heading))
    assert (match.length, problems) == (length, [])


def test_a_double_shows_that_a_game_is_not_crawfords():
    head = "5 point match\n\n Game 7\n Ann : 3                   Bob : 4\n"
    match, game, problems = read("  2) Doubles => 2            Drops\n", head)
    assert (game.crawford, problems) == (False, [])
    assert next(m.score.game for m in moments(match, game) if m.score) == "post-crawford"
    _, game, (problem,) = read("  Wins 1 point\n", head)
    assert game.crawford
    assert "Crawford" in problem


def test_a_set_position():
    start = "; Set Pos=----cBD-D-B--A--Abcdc---A-/0\n"
    turn = "  1) 21: 16/15 15/13               61: 7/1 6/5\n"
    match, game, _ = read(turn, HEAD + start, "")
    assert (game.board.points[16], game.board.points[17]) == (1, -2)
    assert [m.roller for m in moments(match, game)] == [0, 1]
    _, same, _ = read("", HEAD + "; Set Pos=-b----E-C---eE---c-e----B-/0\n")
    assert same.board is None
    _, _, (odd, _) = read("", HEAD + "; Set Cube=4\n")
    assert "line 5" in odd


COUNTS = "0;-2;0;1;0;0;5;0;2;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"
DUMP = f"(5;0;1;0;0;Ann;Bob;0;0;0;1;0;{COUNTS};6;3;)"


def test_an_illegal_play_that_stood():
    """A game continues after an illegal play if the position after this play is known."""
    dumped = f"  1) 31: Illegal play {DUMP} 63: 24/15\n  2) 11: 3/2         Wins 1 point\n"
    match, game, _ = read(dumped, HEAD, "")
    first = next(iter(moments(match, game)))
    assert first.action.kind == "set"
    assert (first.after.points[3], first.after.points[8]) == (1, 2)
    played = "  2) 31: 8/3                         63: 24/15\n  3) 66: 24/18(2) 13/7(2)\n"
    _, game, (problem,) = read(played + "   Wins 1 point\n")
    assert "line 6: '8/3' is not a legal play of 3-1" in problem
    _, (problem, *_) = judged(HEAD + TURNS + played.replace("24/15", "9/3"))
    assert "followed only up to an impossible" in problem


def test_a_hidden_play_within_a_game_is_not_guessed():
    text = HEAD + TURNS + "  2) 63: ????              52: 13/11 13/8\n   Wins 1 point\n"
    _, (problem, *_) = judged(text)
    assert "line 6: the previous roll of 6-3 was not played" in problem


def test_variants():
    match, game, _ = read("  2)    Wins 1 point\n", '; [Variation "NackGammon"]\n' + HEAD)
    assert game.board == STARTS["nackgammon"]
    assert game.opens
    for text in (format_jellyfish(match), format_sgf(match)):
        assert parse_match(text, "again").games[0].board == STARTS["nackgammon"]


SET_UP = (
    "(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:7][game:0][ws:2][bs:3]PW[A]PB[B]"
    "RU[Crawford]{}\n;PL[B]AE[a:y]AW[a][a][a][b]AB[x][x][w][v]\n;CV[2]CP[w]\n;PL[B]{})"
)


@pytest.mark.parametrize(("dice", "kinds"), [("", []), ("DI[52]", ["play"])])
def test_a_position_of_sgf(dice, kinds):
    match = parse_match(SET_UP.format("", dice), "a.sgf")
    (game,) = match.games
    assert (game.won, game.cube_value, game.cube_owner) == ((2, 3), 2, 0)
    assert game.board.points == (0, 3, 1, *19 * (0,), -1, -1, -2, 0)
    assert [action.player for action in game.actions] == [1]
    decisions, problems = race_decisions(match)
    assert [one.kind for one in decisions] == kinds  # White owns the cube
    assert problems == []
    assert parse_match(format_sgf(match), "again.sgf").games == match.games


def test_a_property_that_is_not_read_is_told():
    match = parse_match(SET_UP.format("XY[1]", ""), "a.sgf")
    assert "line 1: XY" in match.complaints[0]


def test_a_roll_that_was_not_played_is_written_and_players_of_one_name_told_apart():
    tail = "  2) 63: ????                        Wins 2 points\n"
    match = read(tail, HEAD.replace("Bob", "Ann"))[0]
    assert match.players == ("Ann (1)", "Ann (2)")
    for text in (format_jellyfish(match), format_sgf(match)):
        (again,) = parse_match(text, "again").games
        assert [a.kind for a in again.actions] == ["play", "play", "roll"]
        assert (again.winner, again.points) == (1, 2)


def test_text_of_gnu_backgammon():
    text = (DATA / "gnubg_export.txt").read_text()
    match = parse_match(text, "export.txt")
    (game,) = match.games
    assert (match.players, match.length, match.jacoby) == (("gnubg", "root"), 0, True)
    assert (game.number, game.won, game.winner, game.points) == (2, (0, 2), 1, 2)
    assert game.board is not None
    decisions, problems = race_decisions(match)
    assert problems == []
    whole, _ = judged((DATA / "gnubg_export.sgf").read_text(), "saved.sgf")
    mine = [(one.kind, one.race, one.decided, one.after) for one in decisions]
    assert mine == [(o.kind, o.race, o.decided, o.after) for o in whole[-len(mine) :]]
    programs = {one.moment.action.analyses[-1].program for one in decisions}
    assert programs == {"GNU Backgammon"}
    _, problems = judged(text.replace("to play 65", "to play 6x", 1), "damaged.txt")
    assert any("followed only up to an impossible action" in one for one in problems)


XGID = "XGID=-CBA-------------------ad-:0:0:1:52:0:0:0:0:10"


@pytest.mark.parametrize(
    "text",
    [
        XGID.replace("---", "\u2014").replace("--", "\u2013"),
        XGID.replace("--", "\u2014"),
        XGID.replace("-", "\u2212"),
        XGID.replace("=", "%3D").replace(":", "%3A"),
        XGID.removesuffix(":10"),
        XGID[:37] + "\n  " + XGID[37:],
    ],
)
def test_an_xgid_whatever_it_went_through(text):
    assert find_setup(f"look: {text} !") == find_setup(XGID)


def test_an_xgid_of_too_few_places_is_refused():
    with refused(ValueError, 26):
        find_setup(XGID.replace("A---", "A\u2014-", 1).replace("-------", "-", 1))


def test_padding_of_base64():
    assert find_setup("LwAAwC0AAAAAAA==") == find_setup("LwAAwC0AAAAAAA")
    pair = "LwAAwC0AAAAAAA:cAngACAAGAAE"
    assert find_setup(pair.replace(":", "==:")) == find_setup(pair)
