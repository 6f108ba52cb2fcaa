"""Runs that were extended or combined equal a single run of all their games."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bearoff
from bearoff import open_run, sim
from bearoff.matchup import JanowskiCube, ThresholdCube
from bearoff.sim.cubeful.at_score import most_level
from bearoff.sim.runs import runner
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.runs.sums import RaceSums
from bearoff.sim.storage import RunError, descriptions, schema
from bearoff.stakes import Match, Terms
from tests.refusals import refused
from tests.sim import batches
from tests.sim.batches import batch, files_of, finish, interrupted, manifest_of, parts_of

CHECKERS = 4
STRATEGIES = {"mine": ThresholdCube(0.6, 0.7, 0.8), "his": JanowskiCube(0.5)}
CUBE = {"roller": "mine", "opponent": "his", "rival": "never"}
TABLE = {"table": {"checkers": CHECKERS}}
KINDS = {
    "races": {},
    "players": {"players": {"roller": "fewest-pips", "opponent": "random-play"}},
    "money": {"cube": CUBE | {"value": 4}, **TABLE},
    "no rival": {"cube": {"roller": "mine", "opponent": "never"}, **TABLE},
    "score": {"cube": CUBE, "match": {"score": "3-5"}, **TABLE},
}


NUMBERS = [(x, 31 - x) for x in range(10, 22)]
"""Numbers of the two positions of each listed pair."""

pytestmark = pytest.mark.usefixtures("small")


def run(config, strategies=STRATEGIES):
    return sim.run(config, strategies=strategies, progress=False)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_extended_twice_has_the_bytes_of_one_in_one_piece(tmp_path, kind):
    changes = KINDS[kind]
    whole = run(batch(tmp_path / "whole", games=2500, **changes))
    for games, played in ((700, 7000), (701, 10), (2500, 17_990)):
        summary = run(batch(tmp_path, games=games, **changes))
        assert summary.games_played == played
    assert parts_of(summary.path) == parts_of(whole.path)
    assert files_of(summary.path) == files_of(whole.path)
    history = manifest_of(summary.path).history
    assert [stage.games for stage in history] == [7000, 7010]
    assert manifest_of(summary.path).digest == manifest_of(whole.path).digest


def pairs(*given):
    return [{"list": [{"roller": x, "opponent": y} for x, y in given]}]


@pytest.mark.parametrize("kind", ["races", "money"])
def test_more_pairs_between_the_others_and_more_games(tmp_path, kind):
    def play(output, games, *numbers):
        return run(batch(output, pairs=pairs(*numbers), games=games, **KINDS[kind]))

    whole = play(tmp_path / "whole", 3000, *NUMBERS)
    play(tmp_path, 1000, *NUMBERS[1::3])
    play(tmp_path, 1000, *NUMBERS[1::3], *NUMBERS[::4])
    summary = play(tmp_path, 3000, *NUMBERS)
    assert parts_of(summary.path) == parts_of(whole.path)
    assert summary.games_played == 12 * 3000 - manifest_of(summary.path).history[-1].games


def test_parts_without_descriptions_are_continued_read_and_extended(tmp_path, whole):
    """Runs of earlier versions, whose columns have no descriptions, can be extended."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(descriptions, "described", lambda types, texts: types)
        batches.interrupted(batch(tmp_path, games=700), 2)
        assert described(tmp_path / "small") == {False}
    first = run(batch(tmp_path, games=700)).path
    assert described(first) == {False, True}
    assert sum(open_run(first).table(["games"])["games"].to_pylist()) == 7000
    assert described(finish(batch(tmp_path), whole).path) == {True}


def described(path):
    """Return whether the columns of all parts have descriptions."""
    schemas = [pq.read_schema(pa.BufferReader(one)) for one in parts_of(path).values()]
    return {bool(field.metadata) for schema in schemas for field in schema}


def test_a_smaller_error_plays_what_is_missing(tmp_path):
    def config(output, target):
        error = {"target": target, "at_most": 30_000}
        return batch(output, games=None, standard_error=error)

    whole = run(config(tmp_path / "whole", 0.003))
    first = run(config(tmp_path, 0.004))
    summary = run(config(tmp_path, 0.003))
    assert summary.games_played == whole.games - first.games > 0
    assert parts_of(summary.path) == parts_of(whole.path)
    with refused(RunError, "configuration", "seed"):
        run(config(tmp_path, 0.005) | {"seed": 4})
    with refused(RunError, "stored", "10,000"):
        run(config(tmp_path, 0.005))


@pytest.mark.parametrize("write", [0, 2, 5, 20])
def test_an_extension_that_stops_before_a_write_goes_on(tmp_path, whole, write):
    run(batch(tmp_path, games=1100))
    batches.stopped_at_write(batch(tmp_path), write, may_end=True)
    summary = finish(batch(tmp_path), whole)
    assert [stage.games for stage in manifest_of(summary.path).history][:1] == [11_000]


@pytest.mark.parametrize("moved", [0, 2])
def test_a_run_that_was_half_set_aside_is_found(tmp_path, whole, monkeypatch, moved):
    run(batch(tmp_path, games=1100))
    aside = RunFolder.set_aside

    def half(self, manifest, snapshots):
        names = dict(list(manifest.parts.items())[:moved])
        aside(self, manifest.model_copy(update={"parts": names}), snapshots)
        raise batches.Stopped

    monkeypatch.setattr(RunFolder, "set_aside", half)
    with pytest.raises(batches.Stopped):
        run(batch(tmp_path))
    monkeypatch.setattr(RunFolder, "set_aside", aside)
    finish(batch(tmp_path), whole)


@pytest.mark.parametrize("write", [3, 9])
def test_an_unfinished_run_is_extended_from_where_it_is(tmp_path, monkeypatch, write):
    whole = parts_of(run(batch(tmp_path / "whole", games=4000)).path)
    monkeypatch.setattr(runner, "SNAPSHOT_SECONDS", -1.0)
    # The second run extends the first one and is interrupted, too.
    for games in (2500, 3000):
        batches.stopped_at_write(batch(tmp_path, games=games), write, may_end=True)
    assert finish(batch(tmp_path, games=4000), whole).games_played < 40_000


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"games": 2499}, ("2,500", "2,499")),
        ({"pairs": [{"random": {"pairs": 9}}]}, ("1 of the 10",)),
        ({"seed": 4}, ("configuration", "seed")),
        ({"games": 3000, "seed": 4}, ("seed", 3, 4)),
        ({"games": 3000, "players": {"roller": "fewest-pips"}}, ("players.roller",)),
    ],
)
def test_what_does_not_extend_a_run_is_refused_and_changes_nothing(
    tmp_path, finished, changes, named
):
    def contents():
        return {path: path.read_bytes() for path in finished.rglob("*") if path.is_file()}

    before = contents()
    with refused(RunError, *named):
        run(batch(tmp_path) | changes)
    assert contents() == before


def test_a_damaged_part_is_played_from_its_first_game(tmp_path, whole):
    part = Path(run(batch(tmp_path, games=1100)).path, "outcomes", "part-000001.parquet")
    part.write_bytes(part.read_bytes()[:-1])
    assert finish(batch(tmp_path), whole).games_played == 10 * 1400 + 4 * 1100


def test_rollouts_are_not_extended(tmp_path):
    config = batch(tmp_path, rollout={}, games=36, pairs=pairs((20, 30)))
    one = run(config).path
    with refused(RunError, "configuration", "games", 36, 72, "rollouts"):
        run(config | {"games": 72})
    other = run(config | {"run": "other", "seed": 4}).path
    with refused(RunError, one, "rollouts"):
        sim.combine([one, other], f"{tmp_path}/both")


def test_sums_come_back_from_rows_of_many_games():
    rng = np.random.default_rng(8)
    games = rng.integers(10**10, 10**11, 1000)
    spread = rng.integers(0, 10**6, (2, 1000))
    sums = dict.fromkeys(("wins", "gammons_won", "gammons_lost"), games // 3)
    ahead = rng.integers(0, 10**10, (1000, 8))
    sums |= {"games": games, "roller_ahead": ahead, "opponent_ahead": ahead}
    sums |= {"length": games * 21 + spread[0], "length_squared": games * 460 + spread[1]}
    columns = RaceSums().columns(sums)
    for name in ("roller_ahead", "opponent_ahead"):
        columns[name] = pa.FixedSizeListArray.from_arrays(columns[name].ravel(), 8)
    found = RaceSums().of_rows(pa.table(columns))
    for name, column in sums.items():
        np.testing.assert_array_equal(found[name], column, err_msg=name)
    # This number of games would overflow the stored sums.
    with refused(RunError, "too many games"):
        RaceSums().of_rows(pa.table(columns | {"games": games * 100}))


def test_the_bins_of_a_match_hold_every_cube_a_match_can_have():
    assert most_level(Terms(Match(bearoff.Score((25, 25))))) < schema.CUBE_BINS - 2


COMBINED = {
    "races": {},
    "money": {"cube": CUBE | {"value": 2}, **TABLE},
    "score": {"cube": CUBE | {"value": 2}, "match": {"score": "3-5"}, **TABLE},
}


def listed(folder, name, numbers=NUMBERS, strategies=STRATEGIES, **changes):
    """Play listed pairs, and return the folder of the run."""
    return run(batch(folder, run=name, pairs=pairs(*numbers), **changes), strategies).path


def rows(path):
    return open_run(path).table()


@pytest.mark.parametrize("kind", COMBINED)
def test_halves_that_were_extended_are_one_run_in_one_piece(tmp_path, kind):
    whole = listed(tmp_path, "whole", games=2000, **COMBINED[kind])
    for games in (500, 501, 2000):
        low = listed(tmp_path, "low", NUMBERS[::2], games=games, **COMBINED[kind])
        high = listed(tmp_path, "high", NUMBERS[1::2], games=games, **COMBINED[kind])
    both = sim.combine([high, low], str(tmp_path / "both"))
    assert (both.pairs, both.games) == (12, 24_000)
    assert rows(both.path).equals(rows(whole))
    assert files_of(both.path) == files_of(whole)
    assert open_run(both.path).complete


@pytest.mark.parametrize("kind", COMBINED)
def test_counts_of_other_seeds_add(tmp_path, kind):
    one, other = (
        listed(tmp_path, f"seed-{seed}", games=games, seed=seed, **COMBINED[kind])
        for seed, games in ((3, 2000), (4, 700))
    )
    both = sim.combine([one, other], str(tmp_path / "both"))
    first, second, found = (rows(path) for path in (one, other, both.path))
    assert set(found["games"].to_pylist()) == {2700}
    for name in found.column_names:
        a, b, c = (np.array(table[name].to_pylist()) for table in (first, second, found))
        if name in schema.PAIR_COLUMNS or name == "expected":
            np.testing.assert_array_equal(c, a, name)
        elif "mean" in name or name in ("match_chance", "rival_match_chance"):
            mean = (2000 * a + 700 * b) / 2700
            np.testing.assert_allclose(c, mean, rtol=1e-13, atol=1e-15, err_msg=name)
        elif "variance" not in name:
            np.testing.assert_array_equal(c, a + b, name)
    opened = open_run(both.path)
    assert opened.seeds == (3, 4)
    assert "seeds 3, 4" in opened.describe()
    assert [stage.run for stage in manifest_of(both.path).combined] == ["seed-3", "seed-4"]


def test_combined_runs_are_combined_again_in_any_order(tmp_path):
    runs = [listed(tmp_path, f"seed-{seed}", games=900, seed=seed) for seed in (1, 2, 3)]
    pair = sim.combine(runs[:2], str(tmp_path / "pair")).path
    left = sim.combine([pair, runs[2]], str(tmp_path / "left")).path
    right = sim.combine(runs[::-1], str(tmp_path / "right")).path
    assert rows(left).equals(rows(right))
    assert manifest_of(left).digest == manifest_of(right).digest
    with refused(RunError, "same games", "seed 1"):
        sim.combine([pair, runs[0]], str(tmp_path / "twice"))
    assert not (tmp_path / "twice").exists()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({}, ("same games", 3)),
        ({"seed": 4, "players": {"roller": "fewest-pips"}},
         ("players.roller", "fewest-rolls in the first", "fewest-pips in the second")),
        ({"seed": 4, "cube": COMBINED["money"]["cube"]}, ("cube",)),
        ({"seed": 4, "table": {"checkers": 4}}, ("table.checkers", 15, 4)),
        ({"seed": 4, "numbers": [*NUMBERS, NUMBERS[0]]}, ("weight",)),
        # The strategies of the other run have the same names.
        ({"seed": 4, "strategies": STRATEGIES | {"mine": ThresholdCube(0.6, 0.71, 0.8)}},
         ("redouble", "0.7", "0.71")),
    ],
)  # fmt: skip
def test_what_cannot_be_one_is_refused_and_nothing_is_written(tmp_path, changes, named):
    money = COMBINED["money"] if "strategies" in changes else {}
    one = listed(tmp_path, "one", games=500, **money)
    other = listed(tmp_path, "other", games=500, **money | changes)
    with refused(RunError, *named):
        sim.combine([one, other], str(tmp_path / "both"))
    assert not (tmp_path / "both").exists()


def test_runs_that_are_none_or_unfinished_are_refused(tmp_path):
    one = listed(tmp_path, "one", games=500)
    with refused(RunError, tmp_path / "none"):
        sim.combine([one, str(tmp_path / "none")], str(tmp_path / "both"))
    interrupted(batch(tmp_path), 2)
    with refused(RunError, tmp_path / "small", "not finished"):
        sim.combine([one, str(tmp_path / "small")], str(tmp_path / "both"))
    with refused(RunError, "at least 2 runs", 1):
        sim.combine([one], str(tmp_path / "both"))
    with refused(RunError, one, "already contains a run"):
        sim.combine([one, listed(tmp_path, "other", games=500, seed=4)], one)


def test_a_combined_run_names_its_runs_and_is_not_simulated_on(tmp_path):
    one, other = (listed(tmp_path, f"seed-{s}", games=500, seed=s) for s in (3, 4))
    both = sim.combine([one, other], str(tmp_path / "both"))
    part = next((tmp_path / "both" / "outcomes").iterdir())
    about = json.loads(pq.read_schema(part).metadata[schema.METADATA_KEY])
    assert [each["seed"] for each in about["combined"]] == [3, 4]
    assert about["digest"] == manifest_of(both.path).digest
    with refused(RunError, "combined from other runs"):
        listed(tmp_path, "both", games=2000)
