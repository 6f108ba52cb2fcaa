"""`bearoff rollout` for money and at match scores, and the analysis of rollout runs."""

import json
import re

import pytest

import bearoff as core
from bearoff.app import interruption
from bearoff.sim.rollouts.results import CHUNK_GAMES
from tests.app.commands.rolled_out import rolled_out
from tests.app.commands.test_cube import THREE_TO_FIVE
from tests.app.conftest import missing, only_sentence
from tests.refusals import names

LONG = ("[12,8,6,5,3]", "[11,7,6,5,2]")

TABLES = (3, 5)

pytestmark = pytest.mark.usefixtures("tables")


def test_a_long_race(bearoff):
    text = bearoff("rollout", *LONG, "--error", "0.01").out
    sides = ("opponent: 31 pips, EPC", "roller:   34 pips, EPC")
    assert missing(text, *sides, "no double ") == []
    assert re.search("31,104 games, .* 5 checkers", text)
    # Both sides have already borne off checkers, so there are no gammons.
    assert re.search(r"wins a gammon +0\.000% +0\.000%", text)
    answer = bearoff("rollout", *LONG, "--cube", "owned", "--error", "0.01", "--json").json
    assert answer["roller"] == [0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1]
    assert answer["opponent"] == [0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0]
    assert (answer["cube"], answer["table_checkers"]) == ("owned", 5)
    assert answer["action"].startswith(("redouble", "no redouble"))
    for key in ("win_probability", "no_double", "double_take", "gain"):
        assert 0 < answer[key]["standard_error"] < 0.01


def test_an_exact_answer_says_so(bearoff):
    answer = bearoff("rollout", "4,0,0,0,0,0", "4,0,0,0,0,0", "--cube", "owned").quiet
    assert answer.out.count("5 checkers") == answer.out.count("Redouble, pass\n") == 1
    # The exact probability is 31/36.
    assert re.search(r"wins +86\.111% +13\.889%", answer.out)


@pytest.mark.parametrize("command", ["rollout", "race"])
def test_ended_early_it_answers_by_the_games_so_far(bearoff, monkeypatch, command):
    def signalled():
        assert interruption._early is not None
        interruption._early.set()
        return True

    asked = (command, *LONG, "--error", "0.00005", "--json")
    if command == "race":
        asked += ("--patience", "0")  # the race is rolled out, not solved
    monkeypatch.setattr(interruption, "ends_early", signalled)
    answer = bearoff(*asked)
    assert answer.code == 130
    assert answer.err.splitlines()[-1].startswith("bearoff: interrupted")
    found = json.loads(answer.out)
    if command == "rollout":
        assert 0 < found["games"] <= CHUNK_GAMES
    else:
        assert found["kind"] == "rollout"


def test_without_luck_and_truncation_it_is_less_sure(bearoff):
    asked = ("rollout", *LONG, "--games", "1", "--json")
    sure = bearoff(*asked).json
    plain = bearoff(*asked, "--no-luck", "--no-truncate", "--first-rolls", "1").json
    assert plain["games"] == sure["games"] == 7776
    assert plain["table_checkers"] is None
    most, least = plain["no_double"], sure["no_double"]
    assert most["standard_error"] > 20 * least["standard_error"]
    assert abs(most["value"] - least["value"]) < 5 * most["standard_error"]


@pytest.fixture
def run(bearoff, tmp_path):
    return rolled_out(bearoff, tmp_path)


def test_a_run_is_analysed(bearoff, run):
    answer = bearoff("analyze", str(run)).good
    assert "run few: 4 pairs, 4 rollouts" in answer.out
    shown = re.findall(r"^(\S{14}) +\d", answer.out, re.MULTILINE)
    rollers = [core.Race.parse(race, points=24).roller.counts[:8] for race in shown]
    found = {"".join(map(str, counts)) for counts in rollers}
    assert found == {"11111000", "22001000", "10001001", "11100000"}
    page = (run / "report.md").read_text(encoding="utf-8")
    assert "1,0,0,0,1,0,0,1 v 0,1,0,1,0,0,0,0,1" in page
    assert page.count("| 0.00% v 0.00% | 0.00% v 0.00% |") == 4  # all gammon chances are 0
    told = bearoff("analyze", str(run), "--json").json
    assert (told["races"], told["games"]) == (4, 3 * 31_104)
    assert told["largest_standard_error"] < 0.01


def test_a_cube_at_its_limit_is_not_rolled_out(bearoff):
    answer = bearoff("rollout", "XGID=-CBA-------------------ad-:1:1:1:00:0:0:0:0:1")
    assert names(only_sentence(answer).removesuffix("\n"), "limit", 2)


BEYOND = ("[5,5,6,6,6,7,8,8,9]", "[4,4,5,6,6,6,7,8,10]")


def rows(said):
    return [re.split(r"  +", line.strip()) for line in said.out.splitlines()]


def test_money_and_scores_have_the_same_names(bearoff):
    options = ("--games", "1", "--json")
    money = bearoff("rollout", *BEYOND, *options).json
    match = bearoff("rollout", *BEYOND, *options, "--score", "3", "5").json
    crawford = bearoff("rollout", *BEYOND, *options, "--score", "1-3 Crawford").json
    assert list(money) == list(match) == list(crawford)
    assert money["match_chances"] is money["thresholds"] is money["score"] is None
    assert set(match["match_chances"]) == {"cubeless", "no_double", "double_take", "gain"}
    assert match["thresholds"]["live_double"] is not None
    chances, equities = match["match_chances"]["gain"], match["gain"]
    unit = chances["value"] / equities["value"]
    for error in ("standard_error", "systematic_error"):
        assert 0 < chances[error] == pytest.approx(unit * equities[error])
    assert crawford["action"] is crawford["double_take"] is crawford["gain"] is None
    assert crawford["no_double"]["value"] == pytest.approx(crawford["cubeless"]["value"])


def test_a_rollout_in_words(bearoff):
    said = bearoff("rollout", *BEYOND, "--score", "3", "5", "--error", "0.01", "--quiet")
    assert "3-away 5-away" in said.out
    cells = rows(said)
    assert ["outcome", "match", "EMG", "standard error", "systematic"] in cells
    taken = next(row for row in cells if row[0] == "double, take")
    assert re.fullmatch(r"\d\d\.\d\d% ± 0\.\d\d%", taken[1])
    passed = core.match_equities().after(core.Score((3, 5)), 1)
    assert ["double, pass", f"{passed:.2%}", "+1.0000", "-", "-"] in cells
    assert "6 checkers" in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    for options in ("--score 1 3 --crawford", "--score 2 4 --cube owned"):
        asked = ("rollout", *BEYOND, *options.split(), "--games", "1")
        assert bearoff(*asked, "--json").json["action"] in (None, "no redouble")
        assert "double, take" not in [row[0] for row in rows(bearoff(*asked))]
    # A match is rolled out for money if asked.
    options = ("--games", "1", "--quiet", "--no-truncate")
    asked = ("rollout", THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="00"), *options)
    assert "5-away 3-away (2-4 to 7)" in bearoff(*asked).out
    assert "money" in bearoff(*asked, "--money").out
