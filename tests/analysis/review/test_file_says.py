"""Analyses that other programs stored in match files, converted to this program's words and
units.
"""

from pathlib import Path

import pytest

import bearoff
from bearoff.analysis import formulas
from bearoff.analysis.review import review
from bearoff.answers import Judge
from bearoff.game.records import parse_match, race_decisions, read_match
from research.public_matches import contents

MATCH = Path(__file__).parents[2] / "data" / "gnubg_match.sgf"
KEITH = formulas.get("keith")


def test_chances_to_win_the_match_become_equities():
    match = read_match(MATCH)
    decision = next(one for one in race_decisions(match)[0] if one.kind == "double")
    race, line = decision.race, decision.moment.action.line
    table = bearoff.match_equities()
    after = (table.after(race.score, n) for n in (-race.cube_value, race.cube_value))
    low, high = map(float, after)
    for waits, taken, expected in ((high, low, (1, -1)), ((low + high) / 2, high, (0, 1))):
        lines = MATCH.read_text().splitlines()
        even = "0.5 0 0 0 0 0.5"
        lines[line - 1] += f"DA[E ver 3 2C 0 0.0 0 {even} {waits:.9f} {even} {taken:.9f}]"
        judged = review(parse_match("\n".join(lines), "m.sgf"), Judge([]), KEITH).judged
        said = next(one.file for one in judged if (one.line, one.kind) == (line, "double"))
        assert (said.program, said.level) == ("GNU Backgammon", "2-ply")
        known = [equity for _, equity in said.equities]
        assert known == [*map(pytest.approx, expected), 1.0]


def test_the_costs_of_extreme_gammon_are_those_it_has_itself():
    import gvformat

    name = "3WNK_g1Z-PLsh_HyvQ5j4a.xg"
    match = parse_match(contents()[name], name)
    document = gvformat.convert_xg(contents()[name])
    plies = [ply for game in document["games"] for ply in game["plies"] if ply.get("d1")]
    said = [ply["analysis"] for ply in plies if ply.get("analysis", {}).get("alternatives")]
    losses = [round(each["equity_loss"], 4) for each in said]
    judged = review(match, Judge([]), KEITH).judged
    found = [one.file for one in judged if one.kind == "play" and one.file is not None]
    assert len(found) > 20
    for file in found:
        assert round(file.cost, 4) in losses
        assert dict(file.equities)[file.best] == file.equity
    assert any(file.cost for file in found)


def test_a_position_that_nobody_decided_counts_in_no_sum():
    text = "XGID=-CBA-------------------ad-:0:0:1:52:0:0:0:0:10\n\nX:Ann   O:Bob\n"
    (one,) = review(parse_match(text, "p.txt"), Judge([]), KEITH).judged
    assert (one.decided, one.cost, one.best) == ("", 0.0, one.alternatives[0].name)
    assert one.file is None
