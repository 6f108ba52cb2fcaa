"""A match has the same decisions in all file formats."""

import re
import struct
import tarfile
import zlib
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import gvformat
import pytest

from bearoff import BearoffError
from bearoff.game.records import (
    RecordError,
    decisions_at,
    moments,
    parse_match,
    race_decisions,
    read_match,
    write_match,
)
from bearoff.game.rules import Board
from research.public_matches import ARCHIVE, by_match, contents
from tests.made_xg import HEAD, SIZE, made_xg
from tests.refusals import refused

MATCHES = by_match()
NAME = "XCu3RJ0UvDg_Tldl.xg"


@cache
def parsed(name):
    return parse_match(contents()[name], name)


def told(match, decision):
    """Return the parts of a decision that are equal in all file formats."""
    player = match.players[decision.moment.action.player].replace("_", " ")
    game = decision.moment.game.number
    return player, game, decision.kind, decision.race, decision.decided, decision.after


@pytest.mark.parametrize("name", sorted(MATCHES))
def test_every_format_gives_the_same_decisions(name):
    suffixes = sorted(MATCHES[name])
    assert len(suffixes) >= 2
    found = {}
    for suffix in suffixes:
        match = parsed(name + suffix)
        decisions, problems = race_decisions(match)
        found[suffix] = [told(match, decision) for decision in decisions]
        # These games have illegal plays, so every file format must report problems in the
        # same games.
        expected = {"5nqfGw9bWG3deTaU": [1], "hQ8sVn2LbTdF4wRm": [2, 3, 3]}
        games = [int(game) for one in problems for game in re.findall(r"; game (\d+)", one)]
        assert games == expected.get(name, [12] if name.startswith("rK7") else [])
    for suffix in suffixes[1:]:
        assert found[suffix] == found[suffixes[0]], suffix


@pytest.mark.parametrize("name", sorted(n for n in contents() if n.endswith(".xg")))
def test_extreme_gammons_boards_and_equities_are_those_of_another_reader(name):
    """Boards and equities equal those of gvformat, which reads other fields of the file."""
    match = parsed(name)
    document = gvformat.convert_xg(contents()[name])
    white = match.players.index(document["player_white"])
    # The file also has plays that the program did not analyse.
    by_equities = {
        tuple(each["equity"] for each in ply["analysis"]["alternatives"])
        for game in document["games"]
        for ply in game["plies"]
        if ply.get("analysis", {}).get("alternatives")
    }
    compared = judged = 0
    for game, other in zip(match.games, document["games"], strict=True):
        plays = [p for p in other["plies"] if p.get("d1")]
        mine = (m for m in moments(match, game) if m.after is not None)
        for moment, ply in zip(mine, plays, strict=True):
            assert sorted(moment.action.roll or ()) == sorted((ply["d1"], ply["d2"]))
            assert (moment.roller == white) == (ply["color"] == 1)
            after = moment.after if moment.roller == white else moment.after.turned
            assert after.points == absolute(ply["ogid_after"])
            compared += 1
        for said in (one for action in game.actions for one in action.analyses):
            if said.about == "play":
                assert tuple(round(e, 4) for _, e in said.equities) in by_equities
                judged += 1
    assert min(compared, judged) > 40


def absolute(ogid):
    counts = [0] * 26
    for sign, places in zip((1, -1), ogid.split(":"), strict=False):
        for place in places:
            counts[25 - "0123456789abcdefghijklmnop".index(place)] += sign
    return tuple(counts)


def test_what_is_told_of_the_match():
    for suffix, name in (("xg", "xg"), ("mat", "mat"), ("bgf", "bgf"), ("gvab", "ogxm")):
        told = parsed(f"5nqfGw9bWG3deTaU.{suffix}")
        assert (told.format, told.date) == (name, "2026-01-13")
        assert (told.event, told.place) == ("Sample Club Monthly", "GammonView")


@pytest.mark.parametrize(
    ("suffix", "program", "level"),
    [(".xg", "eXtreme Gammon", "3-ply"), (".bgf", "BGBlitz", ""), (".gvab", "bgsage", "")],
)
def test_who_analysed(suffix, program, level):
    match = parsed(f"3WNK_g1Z-PLsh_HyvQ5j4a{suffix}")
    said = [s for g in match.games for a in g.actions for s in a.analyses]
    assert {one.about for one in said} == {"cube", "play"}
    assert {one.program for one in said} == {program}
    assert all(one.level for one in said)
    assert level in {one.level for one in said} or not level
    for one in said:
        assert all(-4 < equity < 4 for _, equity in one.equities)
        for _, chances in one.chances:
            assert len(chances) == 5
            assert all(0 <= chance <= 1 for chance in chances)


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_what_is_read_can_be_written(suffix, tmp_path):
    match = replace(parsed(NAME), event="Club: [late] night", place="The Crown")
    path = tmp_path / f"m{suffix}"
    write_match(path, match)
    again = read_match(path)
    for name in ("players", "length", "date", "event", "place"):
        assert getattr(again, name) == getattr(match, name)
    first, second = race_decisions(match)[0], race_decisions(again)[0]
    assert [told(match, one) for one in first] == [told(again, one) for one in second]


# The following tests modify a public match file whose record layout is published.


def unpacked(name):
    data = contents()[name]
    start = HEAD + struct.unpack_from("<I", data, 20)[0]
    return data[:start], bytearray(zlib.decompressobj().decompress(data[start:]))


def packed(head, records, *others):
    return head + b"".join(map(zlib.compress, (bytes(records), *others)))


def test_comments_of_extreme_gammon():
    head, records = unpacked(NAME)
    kinds = [records[k + 8] for k in range(0, len(records), SIZE)]
    play, game = kinds.index(3), kinds.index(1)
    struct.pack_into("<i", records, 576, 0)
    struct.pack_into("<i", records, game * SIZE + 56, 2)
    struct.pack_into("<i", records, play * SIZE + 2524, 1)
    rtf = rb"{\rtf1\ansi Final}", rb"{\rtf1 Zu gierig,\par wei\'df ich}", rb"{\rtf1 Erstes}"
    match = parse_match(packed(head, records, b"\r\n".join(rtf)), "c.xg")
    assert match.comment == "Final"
    assert match.games[0].comment == "Erstes"
    assert match.games[0].actions[0].comment == "Zu gierig,\nweiß ich"
    assert {a.comment for a in match.games[0].actions[1:]} == {""}


def test_a_match_that_nobody_analysed():
    head, records = unpacked(NAME)
    for k in range(0, len(records), SIZE):
        if records[k + 8] == 3:
            struct.pack_into("<i", records, k + 120, 0)
        if records[k + 8] == 2:
            struct.pack_into("<i", records, k + 232, -1)
    match = parse_match(packed(head, records), "plain.xg")
    assert {a.analyses for g in match.games for a in g.actions} == {()}
    for game, whole in zip(match.games, parsed(NAME).games, strict=True):
        bare = tuple(replace(action, analyses=()) for action in whole.actions)
        assert game == replace(whole, actions=bare)


def saved(*moves, **given):
    """Return the match of an .xgp file: player 1 owns the cube and rolls 6-1."""
    board = Board.of_sides((0, 2, 0, 0, 1) + (0,) * 20, (3,) + (0,) * 24)
    rest = zlib.compress(rb"{\rtf1 One.}" + b"\r\n" + rb"{\rtf1 Two.}")
    data = made_xg(("Ann", "Bob"), board, (6, 1), moves, 1, **given) + rest
    return parse_match(data, "position.xgp")


@pytest.mark.parametrize(
    ("match", "found"),
    [
        (saved(kept=3), {"double": None}),
        (saved(kept=3, doubled=1), {"double": "double"}),
        (saved(), {"play": None}),
        (saved((5, 0), (2, 1)), {"double": "no double", "play": 3}),
    ],
)
def test_a_position_whether_decided_or_not(match, found):
    """The decision to double is told, and the pips left by a play."""
    decisions, problems = race_decisions(match)
    assert problems == []
    kinds = {d.kind: d.decided or (d.after and d.after.pips) for d in decisions}
    assert kinds == found
    assert match.games[0].winner is None
    for one in decisions:
        assert one.race.dice == ((6, 1) if one.kind == "play" else None)
        assert one.race.roller.counts[:6] == (0, 2, 0, 0, 1, 0)
        assert (one.race.cube, one.race.cube_value) == ("owned", 2)
    with refused(RecordError, "game 1"):
        write_match(Path("never.mat"), match)


@pytest.mark.parametrize(("number", "text"), [(0, "One."), (1, "Two."), (17, "Two.")])
def test_comments_keep_the_numbers_of_a_match(number, text):
    (action,) = saved(kept=3, comment=number).games[0].actions
    assert action.comment == text
    (action,) = saved(kept=3, comment=2**31 - 1).games[0].actions
    assert action.comment == ""


def test_beavers_of_extreme_gammon():
    head, records = unpacked("C07OQCKyw4Pe-CnjFiAMYO.xg")
    doubled = next(
        k
        for k in range(0, len(records), SIZE)
        if records[k + 8] == 2 and struct.unpack_from("<2i", records, k + 16) == (1, 1)
    )
    struct.pack_into("<i", records, doubled + 20, 2)
    match = parse_match(packed(head, records), "beaver.xg")
    kinds = [a.kind for g in match.games for a in g.actions if a.kind != "play"]
    assert kinds[:3] == ["double", "double", "take"]


def archived(name):
    with tarfile.open(ARCHIVE) as archive:
        return archive.extractfile(name).read()


@pytest.mark.parametrize("name", [NAME, "B4_SrGcsKAQmoTyHlgJCbM.bgf"])
def test_who_unpacks_the_archive_has_files_that_are_read(name):
    assert parse_match(archived(name), name).games == parsed(name).games


@pytest.mark.parametrize("suffix", [".xg", ".bgf", ".gvab"])
def test_files_with_flipped_bytes_are_read_or_refused(suffix):
    data = contents()[f"B4_SrGcsKAQmoTyHlgJCbM{suffix}"]
    for place in range(40, len(data), len(data) // 20):
        spoilt = bytearray(data)
        spoilt[place] ^= 0x55
        with suppress(BearoffError):
            race_decisions(parse_match(bytes(spoilt), "flipped"))


def test_decisions_about_the_cube_are_those_that_extreme_gammon_judges():
    """A player who cannot gain from a double has no decision to double."""
    assert (len(MATCHES), len(contents())) == (13, 49)
    found, seen = [0, 0], set()
    for match in (parsed(f"{name}.xg") for name in MATCHES):
        for game in match.games:
            with suppress(RecordError):
                for moment in (one for one in moments(match, game) if one.race is not None):
                    theirs = "cube" in {one.about for one in moment.action.analyses}
                    ours = {one.kind for one in decisions_at(moment)}
                    assert bool(ours & {"double", "take"}) == theirs
                    found[theirs] += 1
                    if moment.action.kind == "play":
                        needed = (match.length or 1 << 30) - game.won[moment.roller]
                        gains = moment.may_double and needed > moment.cube_value
                        assert ("double" in ours) == gains
                        seen.add((moment.may_double, gains))
    assert found == [226, 151]
    assert seen == {(True, True), (True, False), (False, False)}
