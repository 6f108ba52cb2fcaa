"""Runs of games with the cube at a match score have correct results."""

from typing import Any

import numpy as np
import pytest

import bearoff
from bearoff.matchup.strategies import JanowskiCube, ThresholdCube
from bearoff.scores.equities import KAZAROSS_XG2
from bearoff.sim.config.match import MatchConfig
from bearoff.sim.cubeful import CubeMatch, CubeSide, at_score
from bearoff.sim.cubeful.at_score import match_chances, most_level, solve_at
from bearoff.sim.storage.schema import MATCHES, outcome_schema
from bearoff.stakes import CubeOwner, Match, Terms
from tests.refusals import refused
from tests.sim.batches import batch, cubeful, manifest_of, outcomes_of, parts_of, run
from tests.sim.cubeful import cube_replay

CHECKERS = 4
STRATEGIES = {"mine": ThresholdCube(0.55, 0.7, 0.8), "theirs": JanowskiCube(0.5)}
TAKES_ALL = {"double": 1.0, "redouble": 1.0, "take": 0.0}
PERFECT = {"roller": "perfect", "opponent": "perfect"}

OWN = """<met><info><name>Unequal</name><length>3</length></info>
<pre-crawford-table type="explicit">
<row><me>0.55</me><me>0.75</me><me>0.8</me></row>
<row><me>0.35</me><me>0.55</me><me>0.65</me></row>
<row><me>0.3</me><me>0.45</me><me>0.6</me></row>
</pre-crawford-table>
<post-crawford-table type="explicit" player="0">
<row><me>0.55</me><me>0.52</me><me>0.33</me></row></post-crawford-table>
<post-crawford-table type="explicit" player="1">
<row><me>0.45</me><me>0.43</me><me>0.27</me></row></post-crawford-table></met>
"""
"""Match equity table for players of different strength."""

SCORES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"score": "2-4"}, {}),
    ({"score": "2-4", "length": 7}, {"value": 2, "position": "roller"}),
    ({"score": "3-5"}, {"value": 2, "position": "opponent"}),
    ({"score": "1-4", "crawford": False}, {}),
    ({"score": "3-1", "crawford": True}, {}),
    ({"score": "DMP"}, {}),
    ({"score": "3-2", "equities": OWN}, {}),
]


pytestmark = pytest.mark.usefixtures("small")


def matches(output, match, **changes):
    """Return the configuration of a run at a match score."""
    return cubeful(output, pairs=6, match=match, **changes)


def rows_of(config):
    summary = run(config, strategies=STRATEGIES)
    table = outcomes_of(summary.path)
    assert table.schema.remove_metadata().equals(outcome_schema(6, MATCHES))
    assert manifest_of(summary.path).kind == MATCHES
    return {name: np.array(table[name].to_pylist()) for name in table.column_names}


@pytest.mark.parametrize(("match", "cube"), SCORES)
def test_perfect_self_play_agrees_with_the_planes_of_the_score(tmp_path, match, cube):
    config = matches(tmp_path, match, players=PERFECT, cube=PERFECT | cube, games=4000)
    rows = rows_of(config)
    asked = MatchConfig(**match)
    score = asked.before()
    table = bearoff.match_table(CHECKERS, score.away, score.game, equities=asked.table)
    position, value = cube.get("position", "centred"), cube.get("value", 1)
    where = "owned" if position == "roller" else position
    exact = table.value(rows["roller"], rows["opponent"], value, where)
    np.testing.assert_allclose(rows["expected"], exact.astype(float), rtol=0, atol=1e-12)
    error = np.sqrt(rows["match_chance_variance"] / rows["games"])
    off = np.abs(rows["match_chance"] - exact)
    assert np.all(off <= 4.5 * error + 1e-12)  # the limit is for 42 pairs of positions
    doubles = [rows[f"{side}_doubles"].sum() for side in ("roller", "opponent")]
    alive = most_level(Terms(Match(score, asked.table), value)) > 0
    assert (sum(doubles) > 0) == alive
    assert alive or not rows["cube_won"][:, 1:].any()
    # A player for whom the current cube wins the match does not double.
    assert match["score"] != "1-4" or doubles[0] == 0


def test_formulas_play_as_for_money_and_points_are_what_they_are_at_the_score(tmp_path):
    cube = {"roller": "mine", "opponent": "theirs", "value": 2}
    rows = rows_of(matches(tmp_path, {"score": "11-13"}, cube=cube, games=50))
    after, score = bearoff.match_equities().after, bearoff.Score((11, 13))
    sides = [CubeSide.of(strategy) for strategy in STRATEGIES.values()]
    players = ("fewest-rolls",) * 2
    money = CubeMatch(6, CHECKERS, *players, 3, CubeOwner.NOBODY, *sides)
    for pair, (x, y) in enumerate(zip(rows["roller"], rows["opponent"], strict=True)):
        games = [cube_replay.play(money, sides, int(x), int(y), n) for n in range(50)]
        chances = [after(score, 2 * game.points) for game in games]
        found = rows["match_chance"][pair], rows["match_chance_variance"][pair]
        assert found == pytest.approx((np.mean(chances), np.var(chances)), abs=1e-12)
        levels = [game.points.bit_length() - 1 for game in games if game.points > 0]
        won = np.bincount(levels, minlength=8)
        assert rows["cube_won"][pair].tolist() == won.tolist()
        assert rows["cube_lost"][pair].sum() == 50 - won.sum()
        assert rows["expected"][pair] is None


def test_a_formula_plays_by_its_name_and_gammons_count_at_the_score(tmp_path):
    few = {"roller": "[1,1,2]", "opponent": str([6] * 15).replace(" ", "")}
    cube = {"roller": "keith", "opponent": {"thresholds": TAKES_ALL}}
    config = batch(tmp_path, pairs=[{"list": [few]}], cube=cube, games=500)
    money, match = (
        outcomes_of(run(config | changes).path).to_pylist()[0]
        for changes in ({"run": "money"}, {"match": {"score": "4-2"}})
    )
    same = ("wins", "gammons_won", "roller_doubles", "length_mean")
    assert [match[name] for name in same] == [money[name] for name in same]
    assert match["roller_doubles"] == 500
    assert 50 < match["gammons_won"] < 450
    wins, gammons = match["wins"], match["gammons_won"]
    after, score = bearoff.match_equities().after, bearoff.Score((4, 2))
    ends = {2: wins - gammons, 4: gammons, -2: 500 - wins}
    mean = sum(games * after(score, points) for points, games in ends.items()) / 500
    assert match["match_chance"] == pytest.approx(mean)


def test_a_rival_plays_the_same_games(tmp_path):
    match = {"score": "2-4"}
    with_rival = {"roller": "perfect", "opponent": "theirs", "rival": "mine"}
    without = {"roller": "mine", "opponent": "theirs"}
    both = rows_of(matches(tmp_path / "both", match, cube=with_rival))
    alone = rows_of(matches(tmp_path / "alone", match, cube=without))
    # The match-winning chances of a rival are stored as multiples of one millionth.
    rival = both["rival_match_chance"]
    np.testing.assert_allclose(rival, alone["match_chance"], atol=1e-6, rtol=0)
    difference = both["match_chance"] - rival
    np.testing.assert_allclose(both["difference_mean"], difference, atol=1e-12, rtol=0)
    assert np.abs(difference).max() > 0.01
    # With equal dice, the difference of two match-winning chances varies less than with
    # independent dice.
    spread = alone["match_chance_variance"] + both["match_chance_variance"]
    assert np.all(both["difference_variance"] <= spread)
    differs = np.abs(difference) > 1e-5
    assert np.all((both["difference_variance"] > 0.001) == differs)
    assert alone["difference_mean"].tolist() == [None] * 6


@pytest.mark.parametrize(
    ("score", "value", "levels"),
    [("2-4", 1, 2), ("2-4", 2, 1), ("5-5", 1, 3), ("1-2 post-Crawford", 1, 1),
     ("DMP", 1, 0), ("7-1 Crawford", 1, 0), ("2-2", 4, 0)],
)  # fmt: skip
def test_the_cube_is_dead_once_both_win_the_match_with_it(score, value, levels):
    assert most_level(Terms(Match(bearoff.Score.parse(score)), value)) == levels


def test_a_gammon_is_worth_what_it_is_at_the_score():
    score = bearoff.Score.parse("5-3")
    after, chances = bearoff.match_equities().after, match_chances(Terms(Match(score), 2))
    for winner, gammon, level in np.ndindex(2, 2, 3):
        points = (1, -1)[winner] * 2 * 2**level * (1 + gammon)
        assert chances[winner, gammon, level] == after(score, points)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"match": {"score": "30-2", "equities": KAZAROSS_XG2.read_text()}}, 25),
        ({"table": {"checkers": 9}, "players": PERFECT}, 9),
        ({"table": {"points": 7, "checkers": 4}, "players": PERFECT}, "points"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_starts(tmp_path, changes, named):
    cube = {"roller": "mine", "opponent": "mine"}
    config = matches(tmp_path, {"score": "2-4"}, cube=cube)
    config["pairs"] = [{"list": [{"roller": 3, "opponent": 5}]}]
    with refused(bearoff.BearoffError, named):
        run(config | changes, strategies=STRATEGIES)
    assert not list(tmp_path.rglob("run.json"))


def test_bytes_do_not_depend_on_workers_or_on_a_table_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "tables"))

    def parts(name, **workers):
        perfect = {"players": PERFECT, "cube": PERFECT}
        config = matches(tmp_path / name, {"score": "2-4"}, **perfect, **workers)
        return parts_of(run(config).path)

    alone = parts("alone")
    assert parts("workers", backend="loky", workers=2) == alone
    at_score._table.cache_clear()
    bearoff.build_match_table(CHECKERS, (2, 4))
    assert parts("table") == alone


def test_of_many_checkers_a_table_is_opened(tmp_path, monkeypatch):
    x, y = (rows.ravel() for rows in np.meshgrid(range(1, 84, 7), range(1, 84, 5)))
    sides = bearoff.unrank(x, 6, 3), bearoff.unrank(y, 6, 3)
    terms = [Terms(Match(bearoff.Score((4, 6))), value) for value in (1, 2)]
    perfect = [at_score.PerfectAtScore(6, 3, each) for each in terms]
    solved = [strategy.decide(*sides) for strategy in perfect]
    at_score._table.cache_clear()
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    monkeypatch.setattr("bearoff.match_solver.opening.MOST_CHECKERS", 2)
    with refused(bearoff.TableError, "--checkers 3", "--score 4 6"):
        perfect[0].decide(*sides)
    bearoff.build_match_table(3, (4, 6), workers=1)
    solve_at(perfect[0].terms, 6, 3)
    opened = [strategy.decide(*sides) for strategy in perfect]
    at_score._table.cache_clear()
    for found, right, cube in zip(opened, solved, ("double", "redouble"), strict=True):
        assert np.array_equal(getattr(found, cube), getattr(right, cube))
        assert np.array_equal(found.take, right.take)
