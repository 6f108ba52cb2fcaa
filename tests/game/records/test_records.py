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
HEAD = "5 point match\n\n Game 1\n Ann : 0                           Bob : 0\n"


def followed(match):
    return [moment for game in match.games for moment in moments(match, game)]


@pytest.mark.parametrize(("name", "length"), [("gnubg_match", 5), ("gnubg_session", 0)])
def test_both_formats_say_the_same(name, length):
    first, second = (read_match(DATA / f"{name}{suffix}") for suffix in (".mat", ".sgf"))
    mat, sgf = followed(first), followed(second)
    assert len(mat) == len(sgf) > 40
    for one, other in zip(mat, sgf, strict=True):
        # Jellyfish's .mat format does not state whether the Jacoby rule applies.
        before = replace(one.before, jacoby=other.before.jacoby)
        assert before == other.before
        assert one.after == other.after
        assert one.action.roll == other.action.roll
    assert (first.players, first.length) == (second.players, length)
    assert (second.length, second.jacoby) == (length, length == 0)
    assert ({m.score for m in sgf} == {None}) == (length == 0)
    for one, other in zip(first.games, second.games, strict=True):
        for told in ("won", "crawford", "winner", "points"):
            assert getattr(one, told) == getattr(other, told)


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
    assert (last.after.points[7], last.after.points[0]) == (2, -1)


MAT = (DATA / "gnubg_match.mat").read_text()
SGF = (DATA / "gnubg_match.sgf").read_text()


@pytest.mark.parametrize(("name", "whole"), [("cut.mat", MAT), ("cut.sgf", SGF)])
def test_a_file_that_is_cut_off(name, whole):
    unfinished = 0
    for size in range(0, len(whole), 211):
        with suppress(RecordError):
            match = parse_match(whole[:size], name)
            followed(match)
            unfinished += match.games[-1].winner is None
    assert unfinished > 1


def test_races_begin_where_contact_ends():
    match = read_match(DATA / "gnubg_match.mat")
    decisions, problems = race_decisions(match)
    assert not problems
    for game in match.games:
        free = [
            moment.action.line
            for moment in moments(match, game)
            if moment.action.kind == "play" and not contact(moment.board.points)
            if len(legal_plays(moment.board, moment.action.roll)) > 1
        ]
        plays = [d for d in decisions if d.moment.game == game and d.kind == "play"]
        assert [d.moment.action.line for d in plays] == free
        for decision in plays:
            used = decision.race.roller.pips - decision.after.pips
            high, low = decision.moment.action.roll
            assert used <= (high + low) * (2 if high == low else 1)


def contact(points):
    """Return whether a checker of the roller has not passed one of the opponent's."""
    own = [point for point in range(1, 26) if points[point] > 0]
    others = [point for point in range(25) if points[point] < 0]
    return any(own_point >= point for own_point in own for point in others)


def test_decisions_on_the_cube():
    match = read_match(DATA / "gnubg_session.mat")
    decisions, _ = race_decisions(match)
    cubes = [(d.kind, d.decided, d.moment.cube) for d in decisions if d.kind != "play"]
    assert cubes[-2:] == [("double", "double", "owned"), ("take", "pass", "owned")]
    assert cubes[0] == ("double", "no double", "owned")
    # Only the cube's owner may double, so the other player has no double decisions.
    players = {d.moment.action.player for d in decisions if d.kind == "double"}
    assert players == {decisions[-2].moment.action.player}


def judged(text, name="a.mat"):
    """Return the decisions in the races of a match, and what could not be judged."""
    return race_decisions(parse_match(text, name))


def test_a_game_that_cannot_be_is_followed_to_there():
    whole, none = judged(MAT)
    decisions, (problem,) = judged(MAT.replace("65: 1/0 1/0", "65: 1/0 6/0"), "bad.mat")
    assert not none
    assert 0 < len(decisions) < len(whole)
    told = "game 1 is followed only up to an impossible action: bad.mat, line 29: "
    assert problem.startswith(told)


def test_a_file_that_ends_within_a_game_says_so():
    turns = "  1)                       31: 8/5 6/5\n  2) 42: 8/4 6/4           65: 24/13\n"
    text = HEAD + turns
    over = text + "      Wins 1 point\n"
    begun = over + "\n Game 2\n Ann : 1      Bob : 0\n"
    assert judged(over)[1] == []
    for cut, line, game in ((text, 6, 1), (begun, 9, 2)):
        told = f"a.mat, line {line}: the file ends before game {game} is over"
        assert judged(cut)[1] == [told]


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
    head = HEAD.replace("5 point", "3 point").replace("Bob : 0", f"Bob : {won}")
    turn = "  1)                                  31: 8/5 6/5\n"
    match = parse_match(f"{head}{turn}{cube}{40 * ' '}Wins {points} points\n", "a.mat")
    winner = 0 if answer == "Drops" else 1
    match = replace(match, games=(replace(match.games[0], crawford=False, winner=winner),))
    _, problems = race_decisions(match)
    if may is None:
        assert problems == []
    else:
        (problem,) = problems
        line = 6 if answer else 5
        assert f"a.mat, line {line}: the result of game 1 is {points}" in problem
        assert problem.endswith(f"it can only be {may}")


SESSION = (DATA / "gnubg_session.mat").read_text()
LAST = " 18) 65: 5/0 6/0                 41: 4/0 1/0"
"""Line of a match file with plays in a race in which GNU Backgammon is far behind."""


def test_a_beaver_is_a_take_of_who_was_doubled():
    head, _, _ = SESSION.partition(LAST)
    beavers = head + " 18)  Doubles => 4               Beavers => 8\n 19)  "
    passed, problems = judged(beavers + "Drops\n" + 36 * " " + "Wins 4 points\n")
    assert problems == []
    rolled, _ = judged(beavers.removesuffix("  ") + " 65: 5/0 6/0                 \n")
    for decisions in (passed, rolled):
        cubes = [one for one in decisions if one.kind != "play"]
        told = [(one.kind, one.decided, one.moment.action.player) for one in cubes[-2:]]
        assert told == [("double", "double", 0), ("take", "take", 1)]
    assert (cubes[-1].race.cube, cubes[-1].race.cube_value) == ("owned", 2)


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
    other = re.sub(r"(Game 2\n.*: )\d+(?= .*: \d+)", r"\g<1>3", MAT)
    assert other != MAT
    (problem, *_) = judged(other)[1]
    assert "game 2 begins at 3-" in problem
    assert "but the previous game ended at" in problem


def test_a_match_too_long_to_be_judged_is_named():
    decisions, problems = judged(MAT.replace("5 point match", "100 point match"))
    assert decisions == []
    assert names(problems[-1], "a.mat", 64, 100)


def test_a_second_match_in_a_file_is_not_judged_by_the_score_of_the_first():
    decisions, problems = judged(MAT + MAT.replace("5 point match", ""))
    assert [one.race for one in decisions] == [one.race for one in judged(MAT)[0]]
    assert any("a.mat" in problem and "over" in problem for problem in problems)


@pytest.mark.parametrize("length", [5, 3])
def test_a_second_match_with_a_length_is_left_out(length):
    first, _, _ = MAT.partition(" Game 3\n")  # The first match is not over.
    second = MAT.replace("5 point match", f"{length} point match")
    once, before = judged(first)
    decisions, problems = judged(first + second)
    assert [one.race for one in decisions] == [one.race for one in once]
    (told,) = {*problems} - {*before}
    heading = 1 + (first + second.partition(f" {length} point match")[0]).count("\n")
    assert names(told, "a.mat", f"line {heading}:", length)
