"""`bearoff cube`, and what `bearoff winprob` makes of a two-sided table."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bearoff as core
from app.market import show_market
from bearoff import ROLLS
from bearoff.cube import Market
from tests.app.conftest import ROOT, Command, only_sentence
from tests.two_sided_tables import built

FOUR_ROLLS = ("7,0,0,0,0,0", "7,0,0,0,0,0")


@pytest.fixture(scope="module", autouse=True)
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """All planes of 4 checkers, and of 7; none of those that other tests built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BEAROFF_CACHE", str(tmp_path_factory.mktemp("tables")))
        for checkers in (4, 7):
            core.build_two_sided_table(checkers)
        yield


def test_four_rolls_against_four(bearoff: Command) -> None:
    # ORACLES: no double .792953, double/take .916752.
    answer = bearoff("cube", *FOUR_ROLLS, "--cube", "owned")
    assert answer.code == 0
    assert answer.err == ""
    lines = [re.split(r"  +", line) for line in answer.out.splitlines()]
    assert ["Redouble, take"] in lines
    assert ["no redouble", "+0.7930", "no redouble", "0.1238"] in lines
    assert ["redouble, take", "+0.9167"] in lines
    assert ["redouble, pass", "+1.0000", "pass", "0.0833"] in lines
    assert ["double, pass", "86.11%"] in lines
    assert ["wins", "74.53%", "25.47%"] in lines
    assert ["wins a gammon", "0.00%", "0.00%"] in lines
    assert "25.0% with a dead cube" in answer.out
    assert "two-sided table of 7 checkers" in answer.out
    assert "without Jacoby's rule" in answer.out


def test_wrong_double_is_priced(bearoff: Command) -> None:
    # Jacoby: redoubling costs .186728 - .111111.
    answer = bearoff("cube", "0,1,0,0,1,0", "0,0,0,0,1,0", "--cube", "owned")
    assert "No redouble\n" in answer.out
    assert re.search(r"no redouble +\+0\.1867 +redouble +0\.0756", answer.out)


def test_a_market_that_is_too_close_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    race = core.Race(*(core.Position.parse(side) for side in FOUR_ROLLS))
    losers = core.market(core.two_sided_table(7), race)
    for close in (False, True):
        show_market(replace(losers, too_close=np.full((21, 21), close)))
        said = "equal to within the table's error" in capsys.readouterr().out
        assert said == close


def test_json_is_what_the_library_says(bearoff: Command) -> None:
    answer = bearoff("cube", *FOUR_ROLLS, "--json", "--plays").json
    table = core.two_sided_table(7)
    race = core.Race(*(core.Position.parse(side) for side in FOUR_ROLLS))
    action = core.cube_action(table, race)
    for key in ("action", "equity", "no_double", "double_take", "wrong_pass", "error"):
        assert answer[key] == getattr(action, key)
    assert answer["cube"] == "centred"
    assert answer["table_checkers"] == 7
    losers = core.market(table, race)
    assert answer["market"]["losing_probability"] == losers.losing_probability
    sequences = answer["market"]["sequences"]
    assert len(sequences) == 21
    assert {len(replies) for replies in sequences.values()} == {21}
    outcomes = losers.outcomes
    assert (
        sequences["6-5"]["1-1"]
        == Market.OUTCOMES[outcomes[ROLLS.index((6, 5)), ROLLS.index((1, 1))]]
    )
    assert set(answer["plays"]) == {"cubeless", "centred", "owned", "opponent"}
    best = core.best_plays(table, race, "owned")[6, 6]
    assert answer["plays"]["owned"]["6-6"] == {
        "play": str(best.play),
        "after": list(best.play.after.counts),
        "equity": best.equity,
    }


def test_every_json_key_is_documented(bearoff: Command) -> None:
    documented = set(
        re.findall(r"`(\w+)`", (ROOT / "docs" / "command-line.md").read_text("utf-8"))
    )
    answer = bearoff("cube", *FOUR_ROLLS, "--json", "--plays").json
    keys = set(answer) | set(answer["market"]) | set(answer["plays"]["owned"]["6-6"])
    keys |= set(bearoff("winprob", *FOUR_ROLLS, "--json").json["optimal"])
    assert keys <= documented


def test_plays_that_the_cube_changes(bearoff: Command) -> None:
    answer = bearoff("cube", "0,1,2,2,0,0", "2,0,0,1,0,1", "--plays")
    rows = [re.split(r"  +", line) for line in answer.out.splitlines()]
    (row,) = (row for row in rows if row[0] == "6-1" and len(row) > 2)
    assert row[1:] == ["4/off 2/1", "centred: 4/off 3/2"]


@pytest.mark.parametrize(
    "arguments",
    [
        (*FOUR_ROLLS, "--cube", "owned"),
        ("0,1,2,2,0,0", "2,0,0,1,0,1", "--plays"),
        ("1,2,1,1,1,1", "0,0,3,3,1,0", "--plays"),
        ("1,1,1,1,1,1", "1,1,1,1,1,1"),
        ("0,0,0,0,0,7", "0,0,0,0,0,7"),
        ("1", "1"),
    ],
)
def test_the_text_never_exceeds_80_columns(bearoff: Command, arguments: tuple[str]) -> None:
    answer = bearoff("cube", *arguments)
    assert answer.code == 0, answer.err
    assert max(map(len, answer.out.splitlines())) <= 80
    assert all(line == line.rstrip() for line in answer.out.splitlines())


def test_what_makes_no_difference_is_reported(bearoff: Command) -> None:
    answer = bearoff("cube", "1", "1")
    assert "Double, pass (or not: equal to within the table's error)" in answer.out
    assert "roller:   1 pip," in answer.out


XGID = "XGID=-CBA-------------------ad-:1:{owner}:{turn}:00:0:0:0:{match}:10"


@pytest.mark.parametrize(
    ("owner", "turn", "cube"),
    [(0, 1, "centred"), (1, 1, "owned"), (0, -1, "centred"), (-1, -1, "owned")],
)
def test_an_xgid_says_where_the_cube_is(
    bearoff: Command, owner: int, turn: int, cube: str
) -> None:
    text = XGID.format(owner=owner, turn=turn, match=0)
    assert bearoff("cube", text, "--json").json["cube"] == cube
    other = "owned" if cube == "centred" else "centred"
    assert bearoff("cube", text, "--cube", other, "--json").json["cube"] == other


def test_a_position_id_carries_both_sides(bearoff: Command) -> None:
    answer = bearoff("cube", "LwAAwC0AAAAAAA", "--json").json
    assert answer["roller"] == [3, 2, 1, 0, 0, 0]
    assert answer["opponent"] == [4, 1, 0, 0, 0, 0]
    assert answer["position_id"] == "LwAAwC0AAAAAAA"
    assert answer["cube"] == "centred"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((XGID.format(owner=-1, turn=1, match=0),), "the opponent owns the cube"),
        ((XGID.format(owner=1, turn=-1, match=0),), "the opponent owns the cube"),
        ((XGID.format(owner=0, turn=1, match=7),), "a centred cube shows 1"),
        (("8,0,0,0,0,0", "1"), "tables build --two-sided --checkers 8\n"),
        (("1", "0,0,0,5,5,5"), "tables build --two-sided --checkers 15\n"),
        (("0", "1"), "the roller has 0 checkers"),
        (("1", "0"), "the opponent has 0 checkers"),
        (("1",), "the opponent's position must follow '1'"),
        (("1", "1", "--cube", "opponent"), "bearoff race, with --cube opponent, says"),
        (("8,0,0,0,0,0", "1"), "bearoff race and bearoff rollout answer it, or run"),
        (("0,0,0,0,0,0,1,8", "1"), "bearoff race and bearoff rollout answer it\n"),
    ],
)
def test_refusals(bearoff: Command, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in only_sentence(bearoff("cube", *arguments))


def test_winprob_shows_the_optimal_value_and_how_exact_it_is(bearoff: Command) -> None:
    answer = bearoff("winprob", *FOUR_ROLLS)
    assert re.search(r"optimal +74\.52[67]% +exact to \d\.\de-06, table of 7", answer.out)
    optimal = bearoff("winprob", "4,0,0,0,0,0", "4,0,0,0,0,0", "--json").json["optimal"]
    assert optimal["probability"] == pytest.approx(31 / 36, abs=optimal["error"])
    assert optimal["error"] == core.two_sided_table(4).error("cubeless")
    assert optimal["table_checkers"] == 4


def test_winprob_says_what_to_run_without_a_table(bearoff: Command) -> None:
    answer = bearoff("winprob", "8,0,0,0,0,0", "1")
    command = "bearoff tables build --two-sided --checkers 8 --cubeless"
    assert answer.out.endswith(f"{command}\n")
    assert bearoff("winprob", "8,0,0,0,0,0", "1", "--json").json["optimal"] is None
    # A table of more points than the race is typed on holds it too.
    core.build_two_sided_table(2, points=8, cube=False)
    seven = bearoff("winprob", "0,0,0,0,0,0,1", "1", "--points", "7", "--checkers", "2")
    assert "table of 2 checkers" in seven.out


def test_a_table_of_more_points_answers_beyond_home(
    bearoff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    core.build_two_sided_table(2, points=8)
    answer = bearoff("cube", "0,0,0,0,0,0,1", "1", "--json", "--plays").json
    # One checker 7 pips away: 21 rolls of 7 pips and more bear it off, and 2-2 and 3-3.
    won = 23 / 36
    assert answer["win_probability"] == pytest.approx(won, abs=1e-5)
    assert answer["double_take"] == pytest.approx(2 * (2 * won - 1), abs=1e-4)
    assert answer["plays"]["centred"]["6-1"]["play"] == "7/1 1/off"


def test_a_cubeless_table_serves_winprob_and_not_cube(
    bearoff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    core.build_two_sided_table(2, cube=False)
    assert bearoff("winprob", "1", "1", "--json").json["optimal"]["table_checkers"] == 2
    assert "--checkers 1\n" in only_sentence(bearoff("cube", "1", "1"))


def test_the_query_loads_no_compiler() -> None:
    script = (
        "import sys; from app.main import main; main(); "
        "print('numba' in sys.modules, 'pyarrow' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "cube", *FOUR_ROLLS, "--plays"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert "Double" in done.stdout
    assert done.stderr == "False False\n"


@pytest.fixture
def two_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer from a table of games that start with two checkers: two lose a gammon."""
    from app import tables

    monkeypatch.setattr(tables, "two_sided", lambda race, cube: built(2, start=2))


CERTAIN = ("1,0,0,0,0,0", "0,0,0,0,0,2")


@pytest.mark.usefixtures("two_to_start")
@pytest.mark.parametrize(
    ("options", "action", "jacoby"),
    [
        ((), "too good to double", False),
        (("--jacoby",), "double, pass", True),
        (("--cube", "owned"), "too good to redouble", False),
        (("--cube", "owned", "--jacoby"), "too good to redouble", True),
    ],
)
def test_a_certain_gammon(
    bearoff: Command, options: tuple[str, ...], action: str, jacoby: bool
) -> None:
    said = bearoff("cube", *CERTAIN, *options)
    assert f"{action[0].upper()}{action[1:]}" in said.out
    assert f"{'with' if jacoby else 'without'} Jacoby's rule" in said.out
    assert re.search(r"wins a gammon +100.00% +0.00%", said.out)
    assert ("too good to" in said.out.lower()) == action.startswith("too good")
    answer = bearoff("cube", *CERTAIN, *options, "--json", "--plays").json
    assert (answer["action"], answer["jacoby"]) == (action, jacoby)
    assert (answer["gammons_won"], answer["gammons_lost"]) == (1, 0)
    assert answer["no_double"] == (1 if action == "double, pass" else 2)


@pytest.mark.usefixtures("two_to_start")
@pytest.mark.parametrize(
    ("rules", "match", "options", "jacoby"),
    [
        (0, 0, (), False),
        (1, 0, (), True),
        (2, 0, (), False),
        (3, 0, (), True),
        (3, 0, ("--no-jacoby",), False),
        (0, 0, ("--jacoby",), True),
    ],
)
def test_an_xgid_says_whether_jacobys_rule_holds(
    bearoff: Command, rules: int, match: int, options: tuple[str, ...], jacoby: bool
) -> None:
    text = f"XGID=-A-----------------b------:0:0:1:00:0:0:{rules}:{match}:10"
    assert bearoff("cube", text, *options, "--json").json["jacoby"] is jacoby


def test_gammons_beside_the_win_probability(bearoff: Command) -> None:
    answer = bearoff("winprob", "3,0,0,0,0,0", "0,0,0,0,0,15")
    # One-sided: results/two-sided/gammon-chances.md.
    assert re.search(r"gammon probability +roller +opponent", answer.out)
    assert re.search(r"fewest-rolls +62\.\d{4}% +0\.0000%", answer.out)
    none = bearoff("winprob", *FOUR_ROLLS)
    assert "No gammon is possible" in none.out
    assert bearoff("winprob", *FOUR_ROLLS, "--json").json["optimal"]["gammons"] == [0, 0]
