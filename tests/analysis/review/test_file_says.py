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


EVEN = "0.5 0 0 0 0 0.5"


def first_double():
    """Return the line of the first decision to double, and the chances to win the match
    that are worth -1 and 1.
    """
    decisions = race_decisions(read_match(MATCH))[0]
    decision = next(one for one in decisions if one.kind == "double")
    race, table = decision.race, bearoff.match_equities()
    after = (table.after(race.score, n) for n in (-race.cube_value, race.cube_value))
    return decision.moment.action.line, *map(float, after)


def judged(lines):
    return review(parse_match("\n".join(lines), "m.sgf"), Judge([]), KEITH).judged


def test_chances_to_win_the_match_become_equities():
    line, low, high = first_double()
    for waits, taken, expected in ((high, low, (1, -1)), ((low + high) / 2, high, (0, 1))):
        lines = MATCH.read_text().splitlines()
        lines[line - 1] += f"DA[E ver 3 2C 0 0.0 0 {EVEN} {waits:.9f} {EVEN} {taken:.9f}]"
        every = judged(lines)
        said = next(one.file for one in every if (one.line, one.kind) == (line, "double"))
        assert (said.program, said.level) == ("GNU Backgammon", "2-ply")
        known = [equity for _, equity in said.equities]
        assert known == [*map(pytest.approx, expected), 1.0]
        assert (said.equity, said.cost) == pytest.approx((1, 1 - expected[0]))


@pytest.mark.parametrize(("answer", "cost"), [("take", 0.0), ("drop", 0.5)])
def test_a_double_and_its_answer_have_their_costs(answer, cost):
    line, low, high = first_double()
    lines, taken = MATCH.read_text().splitlines(), low + 0.75 * (high - low)
    told = f"DA[E ver 3 2C 0 0.0 0 {EVEN} {low:.9f} {EVEN} {taken:.9f}]"
    other = {"W": "B", "B": "W"}[who := lines[line - 1][1]]
    lines[line - 1 : line - 1] = [f";{who}[double]{told}", f";{other}[{answer}]{told}"]
    double, reply = (one.file for one in judged(lines) if one.line in (line, line + 1))
    assert (double.best, double.cost) == ("redouble, take", 0)
    assert (reply.best, reply.equity, reply.cost) == (
        "take",
        *map(pytest.approx, (0.5, cost)),
    )


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
