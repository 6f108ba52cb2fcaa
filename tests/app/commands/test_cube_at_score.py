"""`bearoff cube` at a score, however the score is given, and what others make of one."""

import re
from pathlib import Path

import pytest

import bearoff as core
from app.commands import cube_at_score, rollout_at_score
from app.score_text import ScoreOptions, as_asked
from bearoff import Race
from tests.app.conftest import ROOT, Answer, Command, only_sentence

LAST_ROLL = ("0,1,0,0,1,0", "1,0,0,0,0,0")
"""19 of 36 throws bear off both; the opponent does next."""

NOT_SURE = ("0,2,2,0,0,0", "0,2,2,0,0,0")
"""A double for money and at most scores."""

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
    "options",
    [
        ("--score", "3", "5"),
        ("--score=3", "5"),
        ("--score", "3-5"),
        ("--score", "3,5"),
        ("--score", "3 5"),
        ("--score", "3-away", "5-away"),
        ("--score", "3a", "5a"),
        ("--score", "4-2 to 7"),
        ("--score", "4-2/7"),
        ("--match", "7", "--score", "4-2"),
        ("--match", "7", "--score", "4", "2"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_score_in_every_spelling(
    bearoff: Command, options: tuple[str, ...], first: bool
) -> None:
    arguments = (*options, *LAST_ROLL) if first else (*LAST_ROLL, *options)
    assert bearoff("cube", *arguments, "--json").json["score"]["away"] == [3, 5]


@pytest.mark.parametrize(
    ("options", "score"),
    [
        (("--score", "1", "3", "--crawford"), ([1, 3], "crawford")),
        (("--score", "1-3 Crawford"), ([1, 3], "crawford")),
        (("--match", "5", "--score", "2-4", "--post-crawford"), ([3, 1], "post-crawford")),
        (("--score", "DMP"), ([1, 1], "normal")),
    ],
)
def test_games_a_point_from_the_end(
    bearoff: Command, options: tuple[str, ...], score: tuple[list[int], str]
) -> None:
    found = bearoff("cube", *LAST_ROLL, *options, "--json").json["score"]
    assert (found["away"], found["game"]) == score


@pytest.mark.parametrize(
    ("cube", "owner", "turn", "expected"),
    [
        (0, 0, 1, ([5, 3], "centred", 1)),
        (0, 0, -1, ([3, 5], "centred", 1)),
        (1, 1, 1, ([5, 3], "owned", 2)),
        (2, -1, -1, ([3, 5], "owned", 4)),
        (1, -1, 1, ([5, 3], "opponent", 2)),
    ],
)
def test_an_xgid_carries_score_and_cube(
    bearoff: Command, cube: int, owner: int, turn: int, expected: tuple[object, ...]
) -> None:
    text = THREE_TO_FIVE.format(cube=cube, owner=owner, turn=turn, dice="00")
    answer = bearoff("cube", text, "--json").json
    assert (answer["score"]["away"], answer["cube"], answer["cube_value"]) == expected
    assert answer["score"]["length"] == 7


def test_a_match_id_carries_score_and_cube(bearoff: Command) -> None:
    # GNU Backgammon: 2-4 behind in a match to 7, the cube at 2; see test_state.
    for match_id, away, cube in (
        ("AQHgACAAIAAE", [5, 3], "owned"),
        ("QQngACAAIAAE", [3, 5], "opponent"),
    ):
        answer = bearoff("cube", f"LwAAwC0AAAAAAA:{match_id}", "--json").json
        assert (answer["score"]["away"], answer["cube"]) == (away, cube)


def test_options_go_before_what_a_position_carries(bearoff: Command) -> None:
    text = THREE_TO_FIVE.format(cube=1, owner=1, turn=1, dice="00")
    for options, away, cube, value in (
        (("--score", "2", "9"), [2, 9], "owned", 2),
        (("--cube", "centred"), [5, 3], "centred", 1),
        (("--cube-value", "4"), [5, 3], "owned", 4),
    ):
        answer = bearoff("cube", text, *options, "--json").json
        assert (answer["score"]["away"], answer["cube"]) == (away, cube)
        assert answer["cube_value"] == value
    text = THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="00")
    owned = bearoff("cube", text, "--cube", "owned", "--json").json
    assert (owned["cube"], owned["cube_value"]) == ("owned", 2)
    owned = bearoff("cube", text, "--cube-value", "2", "--json").json
    assert (owned["cube"], owned["cube_value"]) == ("owned", 2)


def test_money_is_asked_for_in_so_many_words() -> None:
    text = THREE_TO_FIVE.format(cube=1, owner=1, turn=1, dice="00")
    asked = as_asked(Race.parse(text), ScoreOptions(money=True))
    assert (asked.score, asked.cube, asked.jacoby) == (None, "owned", False)


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


def test_dice_are_left_out_in_a_sentence(bearoff: Command) -> None:
    text = THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="63")
    said = bearoff("cube", text)
    assert said.err.count("\n") == 1
    assert "the dice 6-3 are left out" in said.err
    plain = bearoff("cube", THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="00"))
    assert said.out == plain.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--score", "0", "3"), "points the roller needs must be from 1 to 64, got 0"),
        (("--score", "26", "3"), "Kazaross-XG2 goes to 25 points away"),
        (("--score", "3", "-5"), "No such option: -5"),
        (("--score", "five"), "a score is written as"),
        (("--score", "3"), "a score is written as"),
        (("--match", "7", "--score", "7-2"), "the roller has won of 7 must be from 0 to 6"),
        (("--match", "7"), "needs the points won"),
        (("--match", "7", "--score", "2-4", "--crawford"), "1 point away, got 5-away"),
        (("--score", "1", "3"), "say 'crawford' or 'post-crawford'"),
        (("--crawford",), "say --score, too"),
        (("--score", "3", "5", "--money"), "leave it out at a score"),
        (("--score", "3", "5", "--jacoby"), "Jacoby's rule is one of money play"),
        (("--score", "3", "5", "--cube-value", "3"), "the cube shows 1, 2, 4 and so on"),
        (("--score", "3", "5", "--cube-value", "0"), "the cube must be from 1"),
        (("--score", "3", "5", "--cube", "owned", "--cube-value", "1"), "owned one more"),
        (("--score", "3", "5", "--cube", "centred", "--cube-value", "2"), "shows 1"),
        (("--score", "1-3 Crawford", "--cube", "owned"), "centred at 1 in Crawford's game"),
        (("--cube-value", "2"), "for money all equities are of a cube at 1"),
        (("--match-equities", "x.csv"), "match equities are of match play"),
        (("--score", "3", "5", "--match-equities", "no/such.xml"), "no/such.xml"),
    ],
)
def test_refusals(bearoff: Command, options: tuple[str, ...], sentence: str) -> None:
    assert sentence in only_sentence(bearoff("cube", *LAST_ROLL, *options))


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


BEYOND = ("[8,8,3]", "[1,7,7]")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (BEYOND, "a checker stands beyond home"),
        (2 * ("0,0,0,0,0,15",), "more than the 536,870,912 that are solved on the spot"),
    ],
)
def test_what_cannot_be_solved_is_rolled_out(
    bearoff: Command,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    why: str,
) -> None:
    asked: list[Race] = []
    monkeypatch.setattr(
        rollout_at_score, "rollout_at_score", lambda race, *_, **__: asked.append(race)
    )
    said = bearoff("cube", *arguments, "--score", "3", "5")
    assert said.err.count("\n") == 1
    assert why in said.err
    assert [race.score for race in asked] == [core.Score((3, 5))]
    said = bearoff("cube", *arguments, "--score", "3", "5", "--plays")
    assert said.code == 2
    assert "leave --plays out" in said.err


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


def test_a_rollout_finds_the_exact_answer(bearoff: Command) -> None:
    race = ("1,1,2,1,1,1", "2,0,2,1,1,1")
    for options in (("--score", "2", "4"), ("--score", "5", "3", "--cube", "owned")):
        right = bearoff("cube", *race, *options, "--json").json
        found = bearoff("rollout", *race, *options, "--error", "0.002", "--json").json
        assert (right["method"], found["method"]) == ("solved", "rollout")
        assert found["action"] == right["action"]
        for name in ("no_double", "double_take"):
            for values, exact in ((found, right), (found["emg"], right["emg"])):
                error = values[name]["standard_error"]
                assert 0 <= error < 0.003
                # The players' own errors, whose model knows typical sides alone.
                off = abs(values[name]["value"] - exact[name])
                assert off < 4 * error + 0.005
        for name in ("score", "cube", "cube_value", "last_roll", "live", "gammon_value"):
            assert found[name] == right[name]


def test_a_rollout_in_words(bearoff: Command) -> None:
    said = bearoff("rollout", *BEYOND, "--score", "3", "5", "--error", "0.01", "--quiet")
    assert "Score: 3-away 5-away" in said.out
    cells = rows(said)
    assert ["outcome", "match", "EMG", "standard error", "systematic"] in cells
    passed = core.match_equities().after(core.Score((3, 5)), 1)
    assert ["double, pass", f"{passed:.2%}", "+1.0000", "-", "-"] in cells
    assert "each into the table of 6 checkers" in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    crawford = bearoff("rollout", *BEYOND, "--score", "1-3 Crawford", "--error", "0.01")
    assert "No double: in Crawford's game" in crawford.out
    assert "roller wins" in crawford.out
    dead = bearoff(
        "rollout", *BEYOND, "--score", "2", "4", "--cube", "owned", "--error", "0.01"
    )
    assert "the cube is dead" in dead.out


def test_a_match_is_rolled_out_for_money_if_asked(bearoff: Command) -> None:
    text = THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="00")
    options = ("--games", "1", "--quiet", "--no-truncate")
    assert "Score: 5-away 3-away (2-4 to 7)" in bearoff("rollout", text, *options).out
    assert "money play" in bearoff("rollout", text, *options, "--money").out


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


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("winprob",), "chances to win a game are the same"),
        (("epc",), "effective pips are the same"),
        (("play",), "fewest mean rolls"),
        (("formulas", "explain", "keith"), "formulas are for money play"),
    ],
)
def test_no_command_takes_a_match_for_money_in_silence(
    bearoff: Command, command: tuple[str, ...], why: str
) -> None:
    text = THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="63")
    said = bearoff(*command, text)
    assert said.code == 0
    assert said.err.count("\n") == 1
    assert "the score, 5-away 3-away (2-4 to 7), is left out" in said.err
    assert why in said.err
