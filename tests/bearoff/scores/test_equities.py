"""Match equity tables: files of other programs, invalid files, published calculations."""

import os
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff import MatchEquities, Score, ScoreError, match_equities, read_match_equities
from oracles import match_twin
from tests.refusals import refused

GNUBG = Path("/usr/share/gnubg/met")

XML = """<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met>
  <info><name>Three points</name><description>made up</description><length>3</length></info>
  <pre-crawford-table type="explicit">
    <row><me>0.5</me><me>0.7</me><me>0.75</me></row>
    <row><me>0.3</me><me>0.5</me><me>0.6</me></row>
    <row><me>0.25</me><me>0.4</me><me>0.5</me></row>
  </pre-crawford-table>
  <post-crawford-table type="explicit" player="both">
    <row><me>0.5</me><me>0.48</me><me>0.3</me></row>
  </post-crawford-table>
</met>
"""

CSV = """# name: Three points
away,1,2,3
1,0.5,0.7,0.75
2,,0.5,0.6
3,,,0.5
post-Crawford,0.5,0.48,0.3
"""


def read(folder, text):
    path = folder / "table"
    path.write_text(text, encoding="utf-8")
    return read_match_equities(path)


@pytest.mark.parametrize("tag", ["ME", "note"])
@pytest.mark.parametrize("number", ["0.7", "0.48"])
def test_a_row_of_xml_holds_numbers_alone(tag, number):
    with refused(ScoreError, tag):
        MatchEquities.parse(XML.replace(f"<me>{number}</me>", f"<{tag}>{number}</{tag}>"))


def test_xml_and_csv_of_one_table_are_one(tmp_path):
    one, other = read(tmp_path, XML), read(tmp_path, CSV)
    assert MatchEquities.parse(XML) == one != MatchEquities.parse(XML.replace("48", "47"))
    assert len({one, MatchEquities.parse(XML), one.exchanged()}) == 2
    assert one.name == other.name == "Three points"
    assert np.allclose(one.before, other.before, rtol=0, atol=1e-15)
    assert np.array_equal(one.post_crawford, other.post_crawford)
    assert (one.symmetric, other.symmetric) == (True, True)
    assert one.chance(Score((3, 2))) == 0.4
    assert one.chance(Score((1, 3), "crawford")) == 0.75
    assert one.chance(Score((3, 1), "post-crawford")) == 0.3
    assert one.chance(Score((1, 3), "post-crawford")) == 0.7


@pytest.mark.skipif(not GNUBG.exists(), reason="GNU Backgammon is not installed")
def test_every_file_of_gnubg_is_read_or_refused():
    lengths, formulas = {}, {}
    for path in GNUBG.glob("*.xml"):
        try:
            table = read_match_equities(path)
        except bearoff.ScoreError as error:
            formulas[path.name] = str(error).partition(": ")[2]
            continue
        lengths[path.name] = table.length
        assert table.symmetric == (
            # These three tables are not symmetric: two are for unequal players, and one has
            # a typing error.
            path.name not in ("jac050.xml", "jac100.xml", "ortega.xml")
        )
    assert sorted(formulas) == ["catalog.xml", "mec.xml", "zadeh.xml"]
    for name in ("mec", "zadeh"):
        assert f"formula '{name}'" in formulas[f"{name}.xml"]
    assert set(lengths.values()) == {15, 25}
    theirs, ours = read_match_equities(GNUBG / "Kazaross-XG2.xml"), match_equities()
    assert np.allclose(theirs.before, ours.before, rtol=0, atol=1e-15)
    assert np.array_equal(theirs.post_crawford, ours.post_crawford)


@pytest.mark.skipif(not GNUBG.exists(), reason="GNU Backgammon is not installed")
def test_players_of_different_strength():
    table = read_match_equities(GNUBG / "jac050.xml")
    weaker = table.exchanged()
    assert table.chance(Score((1, 1))) == 0.51
    assert weaker.chance(Score((1, 1))) == pytest.approx(0.49)
    # For post-Crawford games, the file has a row for each player.
    assert table.chance(Score((2, 1), "post-crawford")) == 0.499
    assert weaker.chance(Score((2, 1), "post-crawford")) == 0.479
    assert table.chance(Score((1, 2), "post-crawford")) == pytest.approx(1 - 0.479)


@pytest.mark.parametrize("game", ["normal", "crawford", "post-crawford"])
def test_what_a_game_leads_to_is_the_twins(game):
    for away in product(range(1, 7), repeat=2):
        if (1 in away) != (game != "normal"):
            continue
        at = match_twin.At(*away, game, 1, "centred")
        for n in range(1, 8):
            found = [
                match_equities().after(Score(away, game), points) for points in (n, -n)
            ]
            right = [chance / match_twin.ONE for chance in (at.won(n), at.lost(n))]
            assert found == pytest.approx(right, abs=1e-12), (away, n)


def test_emg_is_moneys_equity():
    table, score = match_equities(), Score((4, 6))
    won, lost = table.after(score, 2), table.after(score, -2)
    assert table.emg([won, lost, (won + lost) / 2], score, 2) == pytest.approx([1, -1, 0])
    chances = [0.0, 0.3, 0.9, 1.0]
    back = table.chance_of_emg(table.emg(chances, score, 2), score, 2)
    assert back == pytest.approx(chances)


@pytest.mark.parametrize(
    ("text", "old", "new", "named"),
    [
        (CSV, "0.75\n", "75\n", ("line 3", "column 3", 75)),
        (CSV, "0.75\n", "nan\n", ("line 3", "column 3", "nan")),
        (CSV, "0.75\n", "٠.٧\n", ("line 3", "column 3", "٠.٧")),
        (CSV, "0.75\n", "\n", ("1-away 3-away",)),
        (CSV, "0.6\n", "0.4\n", ("2-away 3-away", "0.4")),
        (CSV, "3,,,", "3,,0.7,", ("3-away 3-away", "0.5")),
        (CSV, "3,,,", "3,,0.41,", ("2-away 3-away", "0.6")),
        (CSV, "1,0.5,0.7", "1,0.2,0.7", ("2-away 1-away", "0.3")),
        (CSV, "0.48,0.3", "0.3,0.48", ("post-Crawford", "3-away", "0.48")),
        (CSV, "0.48,0.3", ",", ("post-Crawford", 1, 3)),
        (CSV, "0.48,0.3", "0.4", ("line 6", 2, 3)),
        (CSV, "3,,,", "2,,,", ("line 5", "'2'")),
        (CSV, "3,,,0.5\n", "", (3,)),
        (CSV, "away,1,2", "away,1,7", ("away,1,2,3",)),
        (CSV, "away,1,2,3", "away,1", (64, 1)),
        (XML, "<me>0.75</me>", "", ("row 1", 2, 3)),
        (XML, "<me>0.75</me>", "<me/>", ("row 1", "column 3")),
        (XML, "<me>0.75</me>", "<me>1.75</me>", ("row 1", "column 3", "1.75")),
        (XML, "</met>", "", ("element",)),
        (XML, '"explicit"', '"zadeh"', ("zadeh",)),
        (XML, 'player="both"', 'player="2"', ("both", "'2'")),
        (XML, "post-crawford-table", "table", ("<met>",)),
        (XML, "<met>", "<met>&x;", ("entity",)),
    ],
)
def test_a_wrong_file_is_refused(tmp_path, text, old, new, named):
    assert old in text
    with refused(bearoff.ScoreError, *named):
        read(tmp_path, text.replace(old, new))


@pytest.mark.parametrize(
    ("place", "value", "named"),
    [
        ((1, 2), 0.4, ("2-away 3-away", "0.4")),
        # Chances that do not sum to 1, or that rise if the player needs more points, are
        # refused.
        ((0, 2), 0.699, ("1-away 3-away", "0.699")),
        ((1, 1), 0.52, ("2-away 2-away", "0.52")),
        ((2, 0), 0.2, ("1-away 3-away", "0.75")),
        ((0, 2), 75, (75,)),
        ((1, 1), np.nan, ("2-away 2-away",)),
    ],
)
def test_made_numbers_are_checked_as_read_ones(place, value, named):
    table = MatchEquities.parse(CSV)
    before = table.before.copy()
    before[place] = value
    with refused(ScoreError, *named):
        MatchEquities("made", before, table.post_crawford)
    with refused(ScoreError, "0.48"):
        MatchEquities("made", table.before, table.post_crawford[:, [0, 2, 1]])
    for wrong in ([[0.5]], [[0.5, 0.7]], np.full((3, 3), "x"), 0.5):
        with refused(ScoreError, "made"):
            MatchEquities("made", wrong, table.post_crawford)


def test_a_made_table_keeps_its_numbers_to_itself():
    table = MatchEquities.parse(CSV)
    before = table.before.copy()
    made = MatchEquities("Three points", before, table.post_crawford)
    before[0, 0] = 0.1
    assert made == table
    assert not made.before.flags.writeable


def test_files_that_are_no_tables_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")  # a pipe without a writer would never open
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "large").write_bytes(b" " * (2 << 20))
    (tmp_path / "empty").touch()
    for name, fault in (
        ("none", "no such file"), ("", "folder"), ("pipe", "pipe"), ("bytes", "text"),
        ("large", "larger"), ("empty", "first row"),
    ):  # fmt: skip
        with refused(bearoff.ScoreError, fault):
            read_match_equities(tmp_path / name)


@pytest.mark.parametrize(
    ("away", "percent"),
    [
        ((1, 26), 99.9179), ((13, 26), 88.0219), ((10, 26), 93.6746), ((26, 26), 50.0),
        ((12, 33), 96.1523), ((5, 31), 99.4892), ((33, 32), 47.2067), ((25, 25), 50.0),
    ],
)  # fmt: skip
def test_beyond_the_table_is_what_gnu_backgammon_extends_it_by(away, percent):
    game = "crawford" if 1 in away else "normal"
    table = match_equities()
    found = table.chance(Score(away, game)), table.exchanged().chance(Score(away, game))
    assert found == pytest.approx((percent / 100,) * 2, abs=0.6e-6)


def test_beyond_the_table_is_refused():
    with refused(bearoff.ScoreError, 25, "3-away 26-away"):
        replace(match_equities(), extends=False).chance(Score((3, 26)))
    with refused(bearoff.ScoreError, 64):
        match_equities().after(Score((3, 65)), 1)
    with refused(bearoff.ScoreError, 0):
        match_equities().after(Score((3, 5)), 0)
    with refused(bearoff.BearoffError, "1.5"):
        match_equities().emg(1.5, Score((3, 5)))


@pytest.mark.parametrize("game", ["normal", "post-crawford", "crawford"])
def test_a_cube_is_turned_by_those_whom_it_does_not_win_the_match(game):
    for others, value, player in product(range(2, 7), (1, 2, 4, 8, 16), (0, 1)):
        away = (others, 1) if game != "normal" else (others, 4)
        payoffs = match_equities().payoffs(Score(away, game))
        state = payoffs.state(value, True, True)
        needs_more = payoffs.chance(state.value, player) < 1
        assert state.may(player) == (needs_more and game != "crawford")
        assert not payoffs.state(value, player == 1, player == 0).may(player)
