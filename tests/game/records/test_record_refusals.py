"""Invalid, truncated or impossible match files are refused with the place of the error."""

import os
import re
import zlib

import pytest

from bearoff.game.records import (
    Action,
    GameRecord,
    MatchRecord,
    RecordError,
    format_jellyfish,
    parse_match,
    read_match,
    write_match,
)
from bearoff.game.rules import Board
from research.public_matches import HEAD, contents
from tests.game.records import test_dialects as dialects, test_texts as texts
from tests.game.records.test_formats import NAME, archived
from tests.game.records.test_records import DATA, MAT, SESSION, SGF, followed
from tests.game.records.test_writing import random_match
from tests.refusals import refused

BGF, GVAB = "B4_SrGcsKAQmoTyHlgJCbM.bgf", "3WNK_g1Z-PLsh_HyvQ5j4a.gvab"
LONG = 3000 * "N"
HEAD_AND_TURN = dialects.HEAD + dialects.TURNS
TWICE = SGF.replace("B[65aggl]", "W[65aggl]", 1)
TURN = "  1) 31: 8/5 6/5                  42: 8/4 6/4\n  2)    Wins 1 point\n"
MONEY = texts.CUBE_TEXTS["English"]
EXPORT = (DATA / "gnubg_export.txt").read_text()

BOMB = zlib.compress(bytes(40_000_000), 9)
"""Compressed file of 40 kB whose content has 40 MB."""


REFUSED = [
    ("bad.xg", b"RGMH", "head"),
    ("bad.xg", b"RGMH" + bytes(9000), "no match"),
    ("bad.xg", contents()[NAME][:-9], "packed", "copy"),
    ("bad.xg", b"OGXM" + bytes(100), "OGXM"),
    ("bad.xg", contents()[GVAB][:5000], "damaged"),
    ("bad.xg", b'{"format":"BGF"}\nnothing', ".bgf"),
    ("bad.xg", contents()[BGF][:-9], "packed", "copy"),
    ("bad.xg", archived(BGF)[:99_999], "copy"),
    ("bad.xg", b"{" * 100_000, "damaged"),
    ("bad.xg", b'{"games": []}', "no game"),
    ("bad.xg", b"PK\x03\x04", "save the match"),
    ("bomb", contents()[NAME][:HEAD] + BOMB, "32,000,000 bytes"),
    ("bomb", b'{"format":"BGF"}\n' + BOMB, "32,000,000 bytes"),
    ("a.mat", "", "empty"),
    ("a.mat", " \n\n", "empty"),
    ("a.mat", "\0\1\2", "BGBlitz"),
    ("a.mat", "(", "BGBlitz"),
    ("a.mat", MAT.replace("21: 13/11 24/23", "21: 13/11 24/22", 1), "line 7:", "2-1"),
    ("a.mat", MAT.replace("65: 24/18 18/13", "65: 24/18 18/x", 1), "line 7:", "18/x"),
    ("a.mat", MAT.replace("Doubles => 2", "Doubles => 4", 1), "line 11:", 1, 4),
    ("a.mat", MAT.replace("  6)  Takes ", "  6)        ", 1), "line 12:", "double"),
    ("a.mat", MAT.replace("  2) 32:", "  2) 32: 8/5 32:", 1), "line 8:", "3-2"),
    ("a.mat", SESSION.replace(" 0 point match", " -3 point match"), -3, 0),
    ("a.mat", HEAD_AND_TURN.replace("5 point match", ""), "0 point match"),
    ("a.mat", HEAD_AND_TURN.replace("5 point", "Best of 7 games"), "Best of 7"),
    ("a.mat", HEAD_AND_TURN.replace("5 point", "seven"), "'seven"),
    ("a.mat", f'; [Variation "HyperGammon (3)"]\n{dialects.HEAD}{TURN}', "HyperGammon (3)"),
    ("a.sgf", SGF.replace("mkxw", "mkx", 1), "line 2:", "'21mkx'"),
    ("a.sgf", SGF.replace("mkxw", "mlxw", 1), "line 2:", "2-1"),
    ("a.sgf", SGF.replace("B[65aggl]", "B[take]", 1), "line 3:", "take"),
    ("a.sgf", TWICE, "line 3:", "twice"),
    ("a.sgf", SGF.replace("GM[6]", "GM[1]", 1), "line 1:", "'1'"),
    ("a.sgf", SGF.replace(";W[21", "(;W[21", 1), "line 2:", "variation"),
    ("a.sgf", SGF.replace("length:5", "length:x", 1), "'x'"),
    ("a.sgf", SGF.replace(";W[21", "what;W[21", 1), "line 2:", "what"),
    # Error messages shorten long values.
    ("a.mat", re.sub(r"(?<=Game 2\n) \S+(?= : )", f" {LONG}", MAT), "players", "'NNN"),
    ("a.sgf", re.sub(r"(?<=PW.)[^]]*", LONG, TWICE), "line 3:", "NN"),
    ("a.sgf", SGF.replace("length:5", f"length:{LONG}", 1), "'NNN"),
    ("c.txt", MONEY + MONEY.replace(":0:0:0:0:10", ":0:0:0:5:10"), "matches to 0, 5"),
    ("c.txt", MONEY.replace("-CBA", "-OBA"), "line 1:", 15),
    ("c.txt", EXPORT.replace("Position ID: ", "Position ID: x", 1), "line 1:", "xWxUAA"),
]
"""Invalid match files, each with its name, its content, and words of the error message."""


@pytest.mark.parametrize("row", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_match(row):
    name, data, *named = row
    with refused(RecordError, name, *named) as caught:
        followed(parse_match(data, name))
    assert len(str(caught.value)) < 400


def test_files_that_are_too_large_or_none(tmp_path):
    path, pipe = tmp_path / "large.mat", tmp_path / "match.xg"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    os.mkfifo(pipe)
    none = tmp_path / "none.mat"
    wrong = {path: "100,000,000", none: "no such file", tmp_path: "folder", pipe: "pipe"}
    for each, named in wrong.items():
        with refused(RecordError, each.name, named):
            read_match(each)


def test_what_no_format_can_hold(tmp_path):
    whole = random_match(1, 1).games

    def match(*actions, players=("A", "B")):
        return MatchRecord(players, 1, False, (GameRecord(1, 1, (0, 0), False, actions),))

    take, board = Action(0, "take", 1), Action(0, "set", 1, (6, 3), board=Board.start())
    for name, record, named in (
        ("match.txt", match(), "'match.txt'"),
        ("match.mat", MatchRecord(("A: B", "Bob"), 1, False, whole), "':'"),
        ("match.sgf", match(take), "take"),
        ("match.mat", match(board), "game 1"),
    ):
        with refused(RecordError, named):
            write_match(tmp_path / name, record)
    with refused(RecordError, "game 1"):
        format_jellyfish(match(board))
    assert not list(tmp_path.iterdir())
