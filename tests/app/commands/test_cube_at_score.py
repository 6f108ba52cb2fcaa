"""`bearoff cube` at a score: what is solved there, in words and in JSON."""

import re
from pathlib import Path

import pytest

import bearoff as core
from app.commands import cube_at_score
from bearoff import Race
from tests.app.conftest import ROOT, Answer, Command

LAST_ROLL = ("0,1,0,0,1,0", "1,0,0,0,0,0")
"""19 of 36 throws bear off both; the opponent does next."""

NOT_SURE = ("0,2,2,0,0,0", "0,2,2,0,0,0")
"""A double for money and at most scores."""

BEYOND = ("[8,8,3]", "[1,7,7]")

THREE_TO_FIVE = "XGID=-CBA-------------------ad-:{cube}:{owner}:{turn}:{dice}:2:4:0:7:10"


def rows(answer: Answer) -> list[list[str]]:
    """Split the lines into cells, to be told by what stands in them."""
    assert answer.code == 0, answer.err
    return [re.split(r"  +", line) for line in answer.out.splitlines()]


def test_a_last_roll_by_hand(bearoff: Command) -> None:
    # 2-away 2-away, double/take decides the match; a single game won leads 1-away 2-away,
    # .6774 before Crawford's game by Kazaross-XG2.
    ahead = core.match_equities().after(core.Score((2, 2)), 1)
    waits = 19 / 36 * ahead + 17 / 36 * (1 - ahead)
    said = bearoff("cube", *LAST_ROLL, "--score", "2", "2")
    assert ["Double, take"] in rows(said)
    cost, unit = 19 / 36 - waits, ahead - 0.5
    assert [
        "no double", f"{waits:.2%}", f"{(waits - 0.5) / unit:+.4f}",
        "no double", f"{cost:.2%}", f"{cost / unit:.4f}",
    ] in rows(said)  # fmt: skip
    assert ["double, take", "52.78%", f"{(19 / 36 - 0.5) / unit:+.4f}"] in rows(said)
    assert "Score: 2-away 2-away" in said.out
    assert "match equities Kazaross-XG2" in said.out
    answer = bearoff("cube", *LAST_ROLL, "--score", "2", "2", "--json").json
    assert answer["no_double"] == pytest.approx(waits, abs=1e-12)
    assert answer["double_take"] == pytest.approx(19 / 36, abs=1e-12)
    assert answer["missed_double"] == pytest.approx(cost, abs=1e-12)
    assert answer["emg"]["missed_double"] == pytest.approx(cost / unit, abs=1e-12)
    assert answer["win_probability"] == pytest.approx(19 / 36, abs=1e-12)
    assert answer["last_roll"]["take_point"] == pytest.approx(1 - ahead, abs=1e-12)


@pytest.mark.parametrize(
    ("ids", "away", "no_double", "double_take"),
    [
        # Position and match IDs of GNU Backgammon, a cube at 2 or 4 owned, and its EMG.
        ("MQAAsAgAAAAAAA:UQkgAVAAGAAE", [6, 4], 0.443, 0.829),
        ("MQAAsAgAAAAAAA:UQkgATAAKAAE", [4, 6], 0.449, 0.596),
        ("AQAAiAAAAAAAAA:UQlgAUAAKAAE", [6, 7], 0.056, 0.109),
        ("AgAAgAAAAAAAAA:UglgAUAACAAE", [10, 7], 0.500, 1.319),
    ],
)
def test_gnubg_says_the_same_of_its_own_positions(
    bearoff: Command, ids: str, away: list[int], no_double: float, double_take: float
) -> None:
    answer = bearoff("cube", ids, "--json").json
    assert (answer["score"]["away"], answer["cube"]) == (away, "owned")
    assert answer["emg"]["no_double"] == pytest.approx(no_double, abs=0.0011)
    assert answer["emg"]["double_take"] == pytest.approx(double_take, abs=0.0011)


@pytest.mark.parametrize(
    ("score", "roller", "opponent", "no_double", "double_take"),
    [
        # GNU Backgammon 1.07.001, two plies, percent: results/match/gnubg.md. Last rolls.
        ("2-4", "0,1,0,0,1,0", "1,0,0,0,0,0", 71.288, 76.389),
        ("4-2", "0,1,0,0,1,0", "1,0,0,0,0,0", 29.905, 26.389),
        ("3-5", "0,0,0,0,0,1", "0,1,0,0,0,0", 70.057, 75.634),
        ("9-9", "0,0,0,1,1,0", "2,0,0,0,0,0", 47.581, 45.176),
        # Two rolls.
        ("2-4", "3,0,0,0,0,0", "3,0,0,0,0,0", 78.451, 86.111),
        ("4-2", "2,1,0,0,1,0", "1,0,0,2,0,0", 33.088, 35.468),
        ("2-2", "2,1,0,0,1,0", "1,0,0,2,0,0", 55.751, 70.936),
    ],
)
def test_gnubg_says_the_same(
    bearoff: Command,
    score: str,
    roller: str,
    opponent: str,
    no_double: float,
    double_take: float,
) -> None:
    answer = bearoff("cube", roller, opponent, "--score", score, "--json").json
    assert 100 * answer["no_double"] == pytest.approx(no_double, abs=0.0011)
    assert 100 * answer["double_take"] == pytest.approx(double_take, abs=0.0011)


def test_json_is_what_the_library_says(bearoff: Command) -> None:
    answer = bearoff("cube", *NOT_SURE, "--score", "2-4", "--json", "--plays").json
    number = core.Position.parse(NOT_SURE[0]).number
    table = core.match_table(4, (2, 4))
    actions = core.match_actions(table, number, number)
    for name in ("no_double", "double_take", "double_pass", "wrong_double", "wrong_pass"):
        assert answer[name] == pytest.approx(float(getattr(actions, name)), abs=1e-12)
    assert answer["action"] == "no double"
    assert answer["score"] == {"away": [2, 4], "game": "normal", "length": None}
    at = core.match_thresholds(core.Score((2, 4)))
    assert answer["live"]["take_point"] == at.live_take_point
    assert answer["gammon_value"] == at.gammon_value
    market = core.match_market(table, number, number)
    assert answer["market"]["losing_probability"] == market.losing_probability
    after = table.best_after(number, number)[core.ROLLS.index((6, 1))]
    best = answer["plays"]["centred"]["6-1"]["after"]
    assert core.Position(tuple(best)).number == after
    assert set(answer["plays"]) == {"cubeless", "centred"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--score", "1", "3", "--crawford"), "No double: in Crawford's game nobody may"),
        (("--score", "2", "4", "--cube", "owned"), "the cube is dead"),
        (
            (
                "--score",
                "1-3 post-Crawford",
            ),
            "the cube is dead",
        ),
        (
            (
                "--score",
                "3-1 post-Crawford",
            ),
            "Double, take",
        ),
    ],
)
def test_what_the_cube_cannot_do(
    bearoff: Command, options: tuple[str, ...], sentence: str
) -> None:
    assert sentence in bearoff("cube", *NOT_SURE, *options).out


def test_the_opponents_cube_has_a_value_and_no_action(bearoff: Command) -> None:
    text = THREE_TO_FIVE.format(cube=1, owner=-1, turn=1, dice="00")
    said = bearoff("cube", text)
    assert "No double: the opponent owns the cube." in said.out
    answer = bearoff("cube", text, "--json").json
    assert answer["action"] is answer["no_double"] is answer["emg"]["no_double"] is None
    assert re.search(rf"roller wins +{answer['match_chance']:.2%}", said.out)
    race = Race.parse(text)
    table = core.match_table(6, (5, 3))
    value = table.value(race.roller.number, race.opponent.number, 2, "opponent")
    assert answer["match_chance"] == pytest.approx(float(value), abs=1e-12)


def test_what_takes_long_says_so_first(
    bearoff: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = ("2,1,1,1,1,1", "2,1,1,1,1,1", "--score", "3", "5")
    quick = bearoff("cube", *race)
    monkeypatch.setattr(cube_at_score, "LONG", 0.0)
    slow = bearoff("cube", *race)
    assert quick.out == slow.out
    assert quick.err == ""
    said = slow.err.splitlines()
    assert re.search(r"solving all .* at 3-away 5-away: about \d+ s; bearoff", said[0])
    assert "pairs: 100%" in slow.err


def test_a_built_table_answers_first(
    bearoff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    solved = bearoff("cube", *NOT_SURE, "--score", "3", "5", "--json").json
    core.build_match_table(4, (3, 5))
    said = bearoff("cube", *NOT_SURE, "--score", "3", "5")
    assert "the table of 4 checkers at this score" in said.out
    kept = bearoff("cube", *NOT_SURE, "--score", "3", "5", "--json").json
    assert (solved["method"], kept["method"]) == ("solved", "table")
    assert solved["error"] < 1e-11 < kept["error"] < 1e-5
    assert kept["action"] == solved["action"]
    for name in ("no_double", "double_take", "match_chance"):
        assert kept[name] == pytest.approx(solved[name], abs=kept["error"])
    for name, edge in solved["window"].items():
        assert kept["window"][name] == pytest.approx(edge, abs=1e-5)
    window = core.match.match_window(
        core.match_table(4, (3, 5), exact=True), core.Position.parse(NOT_SURE[0]).number
    )
    assert solved["window"]["first_double"] == window.first_double
    assert f"{window.last_take:.2%}" in said.out
    rolled = bearoff("rollout", *NOT_SURE, "--score", "3", "5", "--json").json
    assert (rolled["games"], rolled["table_checkers"]) == (0, 6)


@pytest.mark.parametrize(
    "options",
    [("--score", "3", "5"), ("--score", "25", "25", "--plays"), ("--score", "2", "1")],
)
def test_the_text_never_exceeds_80_columns(
    bearoff: Command, options: tuple[str, ...]
) -> None:
    if options[-1] == "1":
        options = (*options, "--post-crawford")
    said = bearoff("cube", "1,1,1,1,1,1", "0,0,0,1,2,2", *options)
    assert said.code == 0, said.err
    assert max(map(len, said.out.splitlines())) <= 80
    assert all(line == line.rstrip() for line in said.out.splitlines())


def test_a_table_of_ones_own(bearoff: Command) -> None:
    path = str(ROOT / "bearoff" / "match" / "kazaross_xg2.csv")
    score = (*LAST_ROLL, "--score", "3", "5")
    own = bearoff("cube", *score, "--match-equities", path)
    assert own.out == bearoff("cube", *score).out


def test_every_json_key_is_documented(bearoff: Command) -> None:
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    documented = set(re.findall(r"`(\w+)`", page))
    answer = bearoff("cube", *NOT_SURE, "--score", "2-4", "--json", "--plays").json
    rolled = bearoff("rollout", *BEYOND, "--score", "2", "4", "--games", "1", "--json").json
    keys = (
        set(rolled)
        | set(answer)
        | set(answer["emg"])
        | set(answer["score"])
        | set(answer["live"])
    )
    assert keys <= documented
