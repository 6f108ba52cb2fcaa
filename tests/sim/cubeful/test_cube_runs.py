"""Runs of games with the cube have correct results, which are the same with all workers."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import bearoff
from bearoff.matchup import JanowskiCube, NeverDoubles, PerfectCube, ThresholdCube
from bearoff.sim import ConfigError, CubeMatch, CubeSide, load_config, play_cubeful
from bearoff.sim.cubeful import expected as cube_expected
from bearoff.sim.cubeful.cube_tally import WIDTH, points_moments
from bearoff.sim.engine.plan import Block
from bearoff.sim.pairs.build import build_pairs
from bearoff.sim.play.tally import GAMES
from bearoff.sim.runs import cubeful as cube_work
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.storage.schema import CUBEFUL, METADATA_KEY, outcome_schema
from bearoff.stakes import CubeOwner
from tests.refusals import names, refused
from tests.sim import batches
from tests.sim.batches import finish, manifest_of, outcomes_of, parts_of
from tests.sim.cubeful import cube_replay
from tests.sim.play.replay import assert_agrees
from tests.two_sided_tables import built

CHECKERS = 4
STRATEGIES = {"mine": ThresholdCube(0.6, 0.7, 0.8), "his": JanowskiCube(0.5)}
CUBE = {"roller": "mine", "opponent": "his", "rival": "never"}
BOTH = {"roller": "perfect", "opponent": "perfect"}
PERFECT = {"cube": BOTH, "players": BOTH}

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture(scope="module", autouse=True)
def table():
    return built(CHECKERS)


def cubeful(output, **changes):
    return batches.cubeful(output, **{"cube": CUBE} | changes)


def run(config):
    return batches.run(config, strategies=STRATEGIES)


def read(summary):
    table = outcomes_of(summary.path)
    points = table.schema.field("roller_counts").type.list_size
    assert table.schema.remove_metadata().equals(outcome_schema(points, CUBEFUL))
    assert json.loads(table.schema.metadata[METADATA_KEY])["kind"] == CUBEFUL
    return table


def test_bytes_do_not_depend_on_workers(tmp_path):
    alone = parts_of(run(cubeful(tmp_path / "alone")).path)
    loky = cubeful(tmp_path, backend="loky", workers=2)
    summary = finish(loky, alone, strategies=STRATEGIES)
    assert len(alone) == 3
    assert manifest_of(summary.path).kind == CUBEFUL


def test_blocks_that_count_other_things_are_not_taken(tmp_path):
    folder = RunFolder(str(tmp_path), "a")
    folder.prepare()
    block = Block(0, 0, 0, np.zeros(2, dtype=np.int64), np.full(2, 5))
    counts = np.zeros((2, WIDTH), dtype=np.int64)
    counts[:, GAMES] = 5
    folder.write_block(block, counts, "digest")
    np.testing.assert_array_equal(folder.read_block(block, "digest", WIDTH), counts)
    assert folder.read_block(block, "digest", WIDTH - 1) is None


def test_outcomes_are_the_counts_of_the_games(tmp_path):
    config = cubeful(tmp_path, cube=CUBE | {"value": 4, "position": "opponent"}, games=40)
    table = read(run(config))
    pairs = build_pairs(load_config(config))
    cubes = [CubeSide.of(s) for s in (*STRATEGIES.values(), NeverDoubles())]
    players = ("fewest-rolls",) * 2
    match = CubeMatch(6, CHECKERS, *players, 3, CubeOwner.OPPONENT, *cubes)
    firsts = np.zeros(10, dtype=np.int64)
    counts = play_cubeful(match, pairs.rollers, pairs.opponents, firsts, firsts + 40)
    mean, variance = points_moments(counts, 4)
    np.testing.assert_array_equal(table["points_mean"], mean)
    np.testing.assert_array_equal(table["points_variance"], variance)
    assert table["roller"].to_pylist() == pairs.rollers.tolist()
    assert table["games"].to_pylist() == [40] * 10
    for row in table.to_pylist():
        assert sum(row["cube"]) == 40
        assert row["expected"] is None
        assert row["roller_passes"] <= row["opponent_doubles"]
        assert row["opponent_passes"] <= row["roller_doubles"]
        # Games in which a double was taken do not end with the cube at 1.
        taken = row["roller_doubles"] + row["opponent_doubles"]
        taken -= row["roller_passes"] + row["opponent_passes"]
        assert (taken > 0) == (row["cube"][0] < 40)
        difference = row["points_mean"] - row["rival_points_mean"]
        assert row["difference_mean"] == pytest.approx(difference, abs=1e-12)


@pytest.mark.parametrize(
    ("position", "cube"),
    [("centred", "centred"), ("roller", "owned"), ("opponent", "opponent")],
)
def test_perfect_play_is_expected_by_the_table(tmp_path, table, position, cube):
    perfect = PERFECT["cube"] | {"position": position, "value": 2}
    found = read(run(cubeful(tmp_path, **(PERFECT | {"cube": perfect}))))
    sides = found["roller"].to_numpy(), found["opponent"].to_numpy()
    expected = found["expected"].to_numpy()
    np.testing.assert_array_equal(expected, 2 * table.equity(*sides, cube))
    errors = np.sqrt(found["points_variance"].to_numpy() / 2500)
    assert (np.abs(found["points_mean"].to_numpy() - expected) <= 4.5 * errors + 5e-5).all()
    assert found["rival_points_mean"].null_count == 10


@pytest.mark.parametrize(
    "position",
    ["centred", *(pytest.param(p, marks=pytest.mark.slow) for p in ("roller", "opponent"))],
)
def test_between_policies_a_dynamic_program_tells_what_is_expected(tmp_path, position):
    states = {"centred": "mine", "owned": "his", "take": "never"}
    changes = {
        "pairs": 20,
        "cube": {"position": position, "value": 2, "roller": states, "opponent": "perfect"},
        "players": {"roller": "fewest-pips", "opponent": "fewest-rolls"},
        "games": 20_000,
    }
    found = read(run(cubeful(tmp_path, **changes)))
    by_state = CubeSide(*STRATEGIES.values(), NeverDoubles())
    cubes = by_state, CubeSide.of(PerfectCube(CHECKERS))
    owner = CubeOwner({"roller": 1, "opponent": -1, "centred": 0}[position])
    match = CubeMatch(6, CHECKERS, "fewest-pips", "fewest-rolls", 3, owner, *cubes)
    expected = found["expected"].to_numpy()
    sides = found["roller"].to_pylist(), found["opponent"].to_pylist()
    exact = [2 * cube_replay.exact_equity(match, x, y) for x, y in zip(*sides, strict=True)]
    # The tolerance is for rounding; one different roll would change the means by far more.
    np.testing.assert_allclose(expected, exact, rtol=0, atol=1e-12)
    mean, variance = (found[f"points_{name}"].to_numpy() for name in ("mean", "variance"))
    assert_agrees(mean, variance / 20_000, expected, most=4.5, rounding=1e-12)


@pytest.mark.parametrize(
    "changes",
    [
        {"players": {"roller": "perfect", "opponent": "optimal"}},
        {"cube": {"roller": "perfect", "opponent": "never"}},
        {"cube": {"roller": "perfect",
                  "opponent": {"centred": "perfect", "owned": "perfect", "take": "his"}}},
    ],
)  # fmt: skip
def test_anything_less_than_perfect_is_not(tmp_path, changes):
    found = read(run(cubeful(tmp_path, **(PERFECT | changes))))
    assert found["expected"].null_count == 10


def test_no_game_is_solved_that_is_sooner_played_or_on_seven_points(tmp_path, monkeypatch):
    few = read(run(cubeful(tmp_path / "few", games=10)))
    assert few["expected"].null_count == 10
    monkeypatch.setattr(cube_expected, "MOST_SOLVED", 100)
    large = read(run(cubeful(tmp_path / "large")))
    assert large["expected"].null_count == 10
    config = cubeful(tmp_path, table={"points": 7, "checkers": 3})
    config["pairs"] = [{"random": {"pairs": 3}}]
    assert read(run(config))["games"].to_pylist() == [2500] * 3


def test_an_unknown_strategy_is_refused_with_those_there_are(tmp_path):
    cube = {"roller": {"centred": "mine", "owned": "hsi", "take": "his"}, "opponent": "his"}
    with pytest.raises(ConfigError) as refused:
        run(cubeful(tmp_path, cube=cube))
    (problem,) = refused.value.problems
    assert problem.path == "cube.roller.owned"
    known = "perfect, never", "his, ", "mine", "keith"
    assert names(problem.message, "'hsi'", *known, "did you mean 'his'?")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"cube": {"roller": "perfect", "opponent": "never"}}, ()),
        ({"cube": {"roller": "never", "opponent": "never"},
          "players": {"roller": "perfect"}}, ()),
        ({"cube": None, "players": {"roller": "optimal"}}, ("--cubeless",)),
    ],
)  # fmt: skip
def test_without_a_table_the_run_says_what_to_run(tmp_path, monkeypatch, changes, named):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "cache"))
    with refused(bearoff.TableError, "--two-sided", "--checkers 5", *named):
        run(cubeful(tmp_path / "out", table={"checkers": 5}, **changes))
    seven = cubeful(tmp_path / "out", table={"points": 7, "checkers": 3}, **changes)
    seven["pairs"] = [{"list": [{"roller": 1, "opponent": 1}]}]
    with refused(bearoff.TableError, 3, 7, *named):
        run(seven)
    assert not (tmp_path / "out").exists()


def test_threads_that_store_solve_the_game_once(tmp_path, monkeypatch):
    solved = []

    def slow(match, pairs, games, workers):
        solved.append(games)
        time.sleep(0.05)
        return np.zeros(len(pairs))

    monkeypatch.setattr(cube_work, "expected_equity", slow)
    work = cube_work.CubefulWork(load_config(cubeful(tmp_path), STRATEGIES), STRATEGIES)
    total = work.summing.of_counts(np.ones((2, WIDTH), dtype=np.int64))
    with ThreadPoolExecutor(2) as pool:
        tables = list(pool.map(lambda first: work.table(first, total), [slice(0, 2)] * 2))
    assert tables[0]["expected"].to_pylist() == [0, 0]
    assert len(solved) == 1
