"""Matches that GNU Backgammon saved, and unreadable files."""

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bearoff import Score
from bearoff.game import legal_plays
from bearoff.game.records import (
    RecordError,
    moments,
    parse_match,
    race_decisions,
    read_match,
)
from tests.refusals import names

DATA = Path(__file__).parents[2] / "data"


def follow(path):
    match = read_match(path)
    return [moment for game in match.games for moment in moments(match, game)]


def followed(name):
    return follow(DATA / name)


@pytest.mark.parametrize(("name", "length"), [("gnubg_match", 5), ("gnubg_session", 0)])
def test_both_formats_say_the_same(name, length):
    mat, sgf = followed(f"{name}.mat"), followed(f"{name}.sgf")
    assert len(mat) == len(sgf) > 40
    for one, other in zip(mat, sgf, strict=True):
        # Jellyfish's .mat format does not state whether the Jacoby rule applies.
        before = replace(one.before, jacoby=other.before.jacoby)
        assert before == other.before
        assert one.after == other.after
        assert one.action.roll == other.action.roll
    first = read_match(DATA / f"{name}.mat")
    second = read_match(DATA / f"{name}.sgf")
    assert (first.players, first.length) == (second.players, second.length)
    assert first.length == length
    assert second.jacoby == (length == 0)
    assert ({m.score for m in sgf} == {None}) == (length == 0)
    for one, other in zip(first.games, second.games, strict=True):
        assert (one.won, one.crawford, one.winner) == (
            other.won,
            other.crawford,
            other.winner,
        )
        assert one.points == other.points


def test_the_board_says_who_won():
    """The points of a finished game are those of its last board times the cube's value."""
    match = read_match(DATA / "gnubg_match.mat")
    ends = 0
    for game in match.games:
        last = list(moments(match, game))[-1]
        if last.after is not None and last.after.points_won:
            assert game.winner == last.roller
            assert game.points == last.after.points_won * last.cube_value
            ends += 1
    assert ends >= 2


def test_score_and_cube():
    match = read_match(DATA / "gnubg_match.sgf")
    assert [game.won for game in match.games] == [(0, 0), (0, 2), (4, 2), (4, 3)]
    assert [game.crawford for game in match.games] == [False, False, True, False]
    last = next(moments(match, match.games[-1]))
    away = (1, 2) if last.roller == 0 else (2, 1)
    assert last.score == Score(away, "post-crawford", 5)
    doubled = next(m for m in moments(match, match.games[0]) if m.action.kind == "take")
    assert (doubled.cube_value, doubled.cube, doubled.roller) == (1, "centred", 1)
    after = list(moments(match, match.games[0]))[-1]
    assert after.cube_value == 2
    assert after.cube == ("owned" if after.roller == 0 else "opponent")


def test_as_extreme_gammon_exports():
    match = read_match(DATA / "extreme_gammon.txt")
    assert (match.players, match.length) == (("Ann", "Bob Lee"), 3)
    first, second = match.games
    assert (first.winner, first.points) == (0, 1)
    assert (second.winner, second.won) == (None, (1, 0))
    played = list(moments(match, first))
    assert [m.roller for m in played] == [1, 0, 1, 0, 1, 0, 0]
    assert played[-1].action.kind == "pass"
    last = list(moments(match, second))[-1]
    assert last.after is not None
    assert last.after.points[7] == 2
    assert last.after.points[0] == -1


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("  5)  Drops                       Wins 1 point\n", 1),
        ("  5)                              Drops\n      Wins 1 point\n", 0),
        ("  5)  Drops\n                                  Wins 1 point\n", 1),
    ],
)
def test_who_wins_by_a_pass(text, winner, tmp_path):
    """The winner of a game that ends by a pass is found, whoever passes."""
    head = " 3 point match\n\n Game 1\n Ann : 0      Bob : 0\n"
    turns = {
        1: "  3) 31: 8/5 6/5              42: 8/4 6/4\n"
        "  4) 52: 13/8 13/11             Doubles => 2\n",
        0: "  3)                            31: 8/5 6/5\n  4)  Doubles => 2\n",
    }
    path = tmp_path / "pass.mat"
    path.write_text(head + turns[winner] + text)
    (game,) = read_match(path).games
    assert (game.winner, game.points) == (winner, 1)
    assert follow(path)[-1].action.kind == "pass"


MAT = (DATA / "gnubg_match.mat").read_text()
SGF = (DATA / "gnubg_match.sgf").read_text()


@pytest.mark.parametrize("name", ["gnubg_match.mat", "gnubg_match.sgf"])
def test_a_file_that_is_cut_off(name, tmp_path):
    whole = (DATA / name).read_bytes()
    path = tmp_path / name
    unfinished = 0
    for size in range(0, len(whole), 211):
        path.write_bytes(whole[:size])
        with suppress(RecordError):
            follow(path)
            unfinished += read_match(path).games[-1].winner is None
    assert unfinished > 1


def test_races_begin_where_contact_ends():
    match = read_match(DATA / "gnubg_match.mat")
    decisions, problems = race_decisions(match)
    assert not problems
    for game in match.games:
        boards = [moment for moment in moments(match, game) if moment.action.kind == "play"]
        free = [
            m
            for m in boards
            if all(rear(m.board.points))
            and len(legal_plays(m.board, m.action.roll or (0, 0))) > 1
        ]
        plays = [d for d in decisions if d.moment.game == game and d.kind == "play"]
        assert [d.moment.action.line for d in plays] == [m.action.line for m in free]
        for decision in plays:
            assert decision.after is not None
            used = decision.race.roller.pips - decision.after.pips
            high, low = decision.moment.action.roll or (0, 0)
            assert used <= (high + low) * (2 if high == low else 1)


def rear(points):
    """Return for each roller's and each opponent's checker whether they have passed each
    other.
    """
    own = [point for point in range(1, 26) if points[point] > 0]
    others = [point for point in range(25) if points[point] < 0]
    return [own_point < point for own_point in own for point in others]


def test_decisions_on_the_cube():
    match = read_match(DATA / "gnubg_session.mat")
    decisions, _ = race_decisions(match)
    cubes = [(d.kind, d.decided, d.moment.cube) for d in decisions if d.kind != "play"]
    assert cubes[-2:] == [("double", "double", "owned"), ("take", "pass", "owned")]
    assert cubes[0] == ("double", "no double", "owned")
    # Only the cube's owner may double, so the other player has no double decisions.
    players = {d.moment.action.player for d in decisions if d.kind == "double"}
    assert players == {decisions[-2].moment.action.player}


def test_a_game_that_cannot_be_is_followed_to_there(tmp_path):
    path = tmp_path / "bad.mat"
    path.write_text(MAT.replace("65: 1/0 1/0", "65: 1/0 6/0"))
    whole, none = race_decisions(read_match(DATA / "gnubg_match.mat"))
    decisions, (problem,) = race_decisions(read_match(path))
    assert not none
    assert 0 < len(decisions) < len(whole)
    told = "game 1 is followed only up to an impossible action: bad.mat, line 29: "
    assert problem.startswith(told)


def test_a_file_that_ends_within_a_game_says_so():
    text = """5 point match

 Game 1
 Ann : 0                             Bob : 0
  1)                                  31: 8/5 6/5
  2) 42: 8/4 6/4                      65: 24/13
"""
    _, problems = race_decisions(parse_match(text, "cut.mat"))
    assert problems == ["cut.mat, line 6: the file ends before game 1 is over"]
    begun = text + "      Wins 1 point\n\n Game 2\n Ann : 1      Bob : 0\n"
    _, problems = race_decisions(parse_match(begun, "cut.mat"))
    assert problems == ["cut.mat, line 9: the file ends before game 2 is over"]
    _, problems = race_decisions(parse_match(text + "      Wins 1 point\n", "a.mat"))
    assert problems == []


@pytest.mark.parametrize(
    ("answer", "won", "points", "may"),
    [
        ("", 0, 3, None),
        ("", 0, 4, "1 or 2 or 3"),
        ("Takes", 0, 6, None),  # a backgammon wins more points than the match needs
        ("Takes", 2, 1, None),  # the file states only the points that the match needs
        ("Takes", 1, 1, "2 or 4 or 6"),
        ("Takes", 0, 7, "2 or 4 or 6"),
        ("Drops", 0, 1, None),
        ("Drops", 0, 2, "1"),
    ],
)
def test_points_that_no_cube_allows_are_told(answer, won, points, may):
    cube = f"  2)  Doubles => 2                    {answer}\n" if answer else ""
    text = f"""3 point match

 Game 1
 Ann : 0                             Bob : {won}
  1)                                  31: 8/5 6/5
{cube}                                      Wins {points} points
"""
    match = parse_match(text, "a.mat")
    winner = 0 if answer == "Drops" else 1
    match = replace(match, games=(replace(match.games[0], crawford=False, winner=winner),))
    _, problems = race_decisions(match)
    if may is None:
        assert problems == []
    else:
        (problem,) = problems
        assert (
            f"a.mat, line {6 if answer else 5}: the result of game 1 is {points}" in problem
        )
        assert problem.endswith(f"it can only be {may}")


SESSION = (DATA / "gnubg_session.mat").read_text()
LAST = " 18) 65: 5/0 6/0                 41: 4/0 1/0"
"""Line of a match file with plays in a race in which GNU Backgammon is far behind."""


def cut(text, last):
    """Return the text of a money session, with these lines at the end of its first game."""
    head, _, _ = text.partition(LAST)
    return f"{head}{last}\n"


def session(last):
    """Return the cube decisions in these lines at the end of the first game of a
    session."""
    match = parse_match(cut(SESSION, last), "a.mat")
    decisions, problems = race_decisions(match)
    assert problems == []
    line = 6 + 18
    return [
        (one.kind, one.decided, one.moment.action.player)
        for one in decisions
        if one.moment.action.line >= line and one.kind != "play"
    ]


def test_a_beaver_is_a_take_of_who_was_doubled():
    beavers = " 18)  Doubles => 4               Beavers => 8\n 19)  Takes\n"
    ends = "      Wins 8 points"
    found = session(beavers.replace("Takes", "Drops") + 30 * " " + ends.replace("8", "4"))
    assert found == [("double", "double", 0), ("take", "take", 1)]
    rolled = beavers.replace(" 19)  Takes\n", " 19) 65: 5/0 6/0                 ")
    text = cut(SESSION, rolled)
    decisions, _ = race_decisions(parse_match(text, "a.mat"))
    told = [(one.kind, one.decided) for one in decisions if one.kind != "play"]
    assert told[-2:] == [("double", "double"), ("take", "take")]
    *_, last = decisions[:-1] if decisions[-1].kind == "play" else decisions
    assert (last.race.cube, last.race.cube_value) == ("owned", 2)


@pytest.mark.parametrize(("length", "won"), [(3, 2), (5, 4)])
def test_where_both_need_a_point_the_cube_is_in_play(length, won):
    text = SESSION.replace(" 0 point match", f" {length} point match")
    text = text.replace("gnubg : 0                      root : 0", f"A : {won}  B : {won}")
    text = text[: text.index("Wins 2")] + "Wins 1 point\n"
    match = parse_match(text, "a.mat")
    assert not match.games[0].crawford
    decisions, problems = race_decisions(match)
    assert problems == []
    assert ("take", "pass") in [(one.kind, one.decided) for one in decisions]


def test_a_game_begins_where_the_last_has_ended():
    text = (DATA / "gnubg_match.mat").read_text()
    assert race_decisions(parse_match(text, "a.mat"))[1] == []
    second = re.search(r"Game 2\n.*: (\d+) .*: (\d+)", text)
    assert second is not None
    other = text[: second.start(1)] + "3" + text[second.end(1) :]
    (problem, *_) = race_decisions(parse_match(other, "a.mat"))[1]
    assert "game 2 begins at 3-" in problem
    assert "but the previous game ended at" in problem


def test_a_match_too_long_to_be_judged_is_named(tmp_path):
    file = tmp_path / "long.mat"
    file.write_text(MAT.replace("5 point match", "100 point match"))
    decisions, problems = race_decisions(read_match(file))
    assert decisions == []
    assert all(named in problems[-1] for named in ("long.mat", "64", "100"))


def test_a_second_match_in_a_file_is_not_judged_by_the_score_of_the_first(tmp_path):
    file = tmp_path / "twice.mat"
    file.write_text(MAT + MAT.replace("5 point match", ""))
    once, _ = race_decisions(read_match(DATA / "gnubg_match.mat"))
    decisions, problems = race_decisions(read_match(file))
    assert [one.race for one in decisions] == [one.race for one in once]
    assert any("twice.mat" in problem and "over" in problem for problem in problems)


@pytest.mark.parametrize("length", [5, 3])
def test_a_second_match_with_a_length_is_left_out(tmp_path, length):
    file = tmp_path / "twice.mat"
    lines = MAT.splitlines(keepends=True)
    first = "".join(lines[: lines.index(" Game 3\n")])  # The first match is not over.
    file.write_text(first + MAT.replace("5 point match", f"{length} point match"))
    alone = tmp_path / "alone.mat"
    alone.write_text(first)
    once, before = race_decisions(read_match(alone))
    decisions, problems = race_decisions(read_match(file))
    assert [one.race for one in decisions] == [one.race for one in once]
    heading = 1 + first.count("\n") + lines.index(" 5 point match\n")
    (told,) = {*problems} - {one.replace("alone", "twice") for one in before}
    assert names(told, "twice.mat", f"line {heading}:", length)
