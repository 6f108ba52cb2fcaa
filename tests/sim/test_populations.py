"""Populations: harvest, parts, values and files against replays, brute force, the table."""

import json
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import count
from shutil import copyfile, rmtree

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

import bearoff
from bearoff import locks
from bearoff.bear_in import bear_in
from bearoff.race_model import race_model
from sim import population_build
from sim.contact import Starts
from sim.decisions import PARTS, merge
from sim.dice import race_key, throws_of_game
from sim.files import RunError
from sim.harvest import harvest_blocks, race_visits
from sim.population_build import build_population
from sim.population_file import (
    METADATA_KEY,
    open_population,
    population_schema,
    read_about,
    write_population,
)
from sim.populations import KINDS, recipe
from sim.rollout import Goal, rollout, truncation_table
from sim.sampling import uniforms
from tests.sim.replay import ROLL_OF_THROW
from tests.two_sided_tables import built

CHECKERS = 5
ROUNDING = 1e-12
"""Sums of 21 terms in another order than numpy's; values are at most 1."""


@pytest.fixture(scope="module")
def table():
    return built(CHECKERS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("populations")


@pytest.fixture(scope="module")
def races(table, folder):
    wanted = recipe("races", size=1500, seed=4, checkers=CHECKERS)
    return open_population(build_population(wanted, folder).path)


@pytest.fixture(scope="module")
def harvest():
    return harvest_blocks(4, 0, 2)


def home_start(roller, opponent, games=1):
    sides = [np.zeros((games, 24), np.int8) for _ in range(2)]
    for side, counts in zip(sides, (roller, opponent), strict=True):
        side[:, :6] = counts
    return Starts(np.arange(games, dtype=np.int64), *sides)


def replayed(seed, game, roller, opponent):
    """The pairs one race meets, as counts on 24 points, from the rules and the dice."""
    policy, model = bearoff.one_sided_table().policy, bear_in()
    sides = [bearoff.Position(tuple(map(int, side))) for side in (roller, opponent)]
    dice = throws_of_game(race_key(seed, 2, 0), 0, 0, game)
    met = []
    for _ in count():
        for side, throw in zip((0, 1), next(dice), strict=True):
            met.append((sides[side].counts, sides[1 - side].counts))
            roll = ROLL_OF_THROW[throw]
            counts = np.array(sides[side].counts)
            if counts[6:].any():
                after = model.expand(counts[None].astype(np.int8))[0][0, roll]
            else:
                after = np.zeros(24, int)
                after[:6] = bearoff.unrank(policy[bearoff.rank(counts[:6]), roll])
            legal = {
                play.after.counts: play.after
                for play in bearoff.legal_plays(sides[side], bearoff.ROLLS[roll])
            }
            sides[side] = legal[tuple(after.tolist())]
            if not sides[side].on_board:
                return met
    raise AssertionError


def test_a_game_is_harvested_as_it_is_replayed(harvest):
    """One race from a whole-board start, found again among the visits of its game."""
    game = int(harvest.races[3])
    found = []
    for visits, points in ((harvest.home, 6), (harvest.beyond, 24)):
        rows = np.flatnonzero(visits.games == game)
        for row in rows:
            pair = [
                bearoff.unrank(side[row], points).tolist() + [0] * (24 - points)
                for side in (visits.rollers, visits.opponents)
            ]
            found.append((int(visits.plies[row]), *map(tuple, pair)))
    found.sort()
    assert [ply for ply, _, _ in found] == list(range(len(found)))
    start = found[0]
    assert [pair[1:] for pair in found] == replayed(4, game, start[1], start[2])
    assert any(any(side[6:]) for side in start[1:])  # It began outside.


def visit_chances(roller, opponent):
    """Chance that a race meets each pair, by following every roll in fractions."""
    policy = bearoff.one_sided_table().policy.tolist()
    met: Counter[tuple[int, int]] = Counter()

    def follow(x, y, chance):
        met[x, y] += chance
        for roll, weight in enumerate(bearoff.WEIGHTS):
            after = policy[x][roll]
            if after:
                follow(y, after, chance * Fraction(weight, 36))

    follow(roller, opponent, Fraction(1))
    return met


def test_frequencies_are_those_of_every_roll_followed():
    sides = [0, 1, 1, 1, 0, 0], [1, 0, 1, 0, 1, 0]
    games = 40_000
    found = race_visits(3, home_start(*sides, games), bear_in()).home
    expected = visit_chances(*(int(bearoff.rank(side)) for side in sides))
    met = Counter(zip(found.rollers.tolist(), found.opponents.tolist(), strict=True))
    assert set(met) <= set(expected)
    # A race meets a pair once at most: counts are binomial.
    often = [(met[pair], float(c)) for pair, c in expected.items() if c * games > 20]
    assert len(often) > 30
    z = [(n - games * c) / np.sqrt(games * c * (1 - c)) for n, c in often if c < 1]
    assert np.abs(z).max() < 4.5
    assert stats.chi2.sf(np.square(z).sum(), len(z)) > 1e-5


def test_merging_counts_each_part_by_itself():
    rng = np.random.default_rng(8)
    x, y = rng.integers(1, 6, (2, 400))
    games, plies = rng.integers(0, 40, 400), rng.integers(0, 30, 400).astype(np.int16)
    met = merge(x, y, games, plies)
    rest = {0: 0, 1: 0, 2: 0, 3: 1, 4: 2}
    visits = list(zip(x.tolist(), y.tolist(), games.tolist(), plies.tolist(), strict=True))
    weights = Counter((rest[g % 5], a, b) for a, b, g, _ in visits)
    keys = list(zip(met.parts.tolist(), met.rollers.tolist(), met.opponents.tolist(),
                    strict=True))  # fmt: skip
    assert keys == sorted(weights)
    assert dict(zip(keys, met.weights.tolist(), strict=True)) == weights
    for row, (part, a, b) in enumerate(keys):
        mine = [(g, p) for c, d, g, p in visits if (c, d) == (a, b) and rest[g % 5] == part]
        assert (met.games[row], met.plies[row]) == min(mine)
        others = {rest[g % 5] for c, d, g, _ in visits if (c, d) == (a, b)} - {part}
        assert met.elsewhere[row] == bool(others)


def test_races_are_the_visits_of_their_games(races, harvest):
    visits = harvest.home
    held = bearoff.position_count(6, CHECKERS)
    kept = (visits.games < 1500) & (visits.rollers < held) & (visits.opponents < held)
    expected = Counter(
        zip((visits.games[kept] % 5).tolist(), visits.rollers[kept].tolist(),
            visits.opponents[kept].tolist(), strict=True)
    )  # fmt: skip
    met = races.decisions
    for code, rests in enumerate(((0, 1, 2), (3,), (4,))):
        rows = met.parts == code
        found = {
            (x, y): w
            for x, y, w in zip(met.rollers[rows].tolist(), met.opponents[rows].tolist(),
                               met.weights[rows].tolist(), strict=True)
        }  # fmt: skip
        wanted: Counter[tuple[int, int]] = Counter()
        for (rest, x, y), n in expected.items():
            wanted[x, y] += n if rest in rests else 0
        assert found == {pair: n for pair, n in wanted.items() if n}
    assert met.weights.sum() == kept.sum() == races.about["visits"]
    assert sum(races.about["games"].values()) == (harvest.races < 1500).sum()


def test_parts_share_no_games(races):
    games = [set(races.part(name).decisions.games.tolist()) for name in PARTS]
    assert sum(map(len, games)) == len(set.union(*games))
    assert all(games)
    assert sum(len(races.part(name)) for name in PARTS) == len(races)
    alone = races.part("test", only_here=True).decisions
    pairs = set(zip(alone.rollers.tolist(), alone.opponents.tolist(), strict=True))
    train = races.part("train").decisions
    seen = set(zip(train.rollers.tolist(), train.opponents.tolist(), strict=True))
    assert pairs
    assert not pairs & seen
    with pytest.raises(RunError, match="train, validation, test, got 'tset'"):
        races.part("tset")


def test_values_are_the_tables_one_by_one(races, table):
    met, values = races.decisions, races.values
    rng = np.random.default_rng(1)
    for row in rng.choice(len(met), 200, replace=False):
        x, y = int(met.rollers[row]), int(met.opponents[row])
        assert values.win_probability[row] == table.win_probability(x, y)
        assert values.double_take[row] == 2 * table.equity(x, y, "opponent")
        for found, cube in ((values.no_double, "centred"), (values.no_redouble, "owned")):
            assert found[row] == pytest.approx(table.no_double(x, y, cube), abs=ROUNDING)
        assert races.roller_counts[row].tolist() == bearoff.unrank(x).tolist()
        assert races.opponent_counts[row].tolist() == bearoff.unrank(y).tolist()
        assert races.roller_epc[row] == bearoff.one_sided_table().epc[x]
        assert races.opponent_epc[row] == bearoff.one_sided_table().epc[y]
    assert (values.error == max(table.error("centred"), 2 * table.error("opponent"))).all()
    assert not values.sources.any()


def test_a_population_depends_on_its_recipe_alone(races, tmp_path):
    def digest(**changes):
        wanted = {"size": 1500, "seed": 4, "checkers": CHECKERS, **changes}
        place = tmp_path / "-".join(map(str, wanted.values()))
        return build_population(recipe("races", **wanted), place, workers=2).about["digest"]

    assert digest() == races.about["digest"]
    assert digest(seed=5) != races.about["digest"]
    assert digest(size=1400) != races.about["digest"]


def test_a_population_is_built_where_there_are_no_locks(races, tmp_path, monkeypatch):
    class NoLock(locks.FileLock):
        def _acquire(self):
            raise NotImplementedError("FileSystem does not appear to support flock")

    monkeypatch.setattr(locks, "FileLock", NoLock)
    built = build_population(
        recipe("races", size=1500, seed=4, checkers=CHECKERS), tmp_path
    )
    assert built.about["digest"] == races.about["digest"]


def test_an_interrupted_build_goes_on(races, tmp_path):
    wanted = recipe("races", size=1500, seed=4, checkers=CHECKERS)

    def stop(name, done):
        if name == "stands":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_population(wanted, tmp_path, progress=stop)
    kept = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob(".races-*/*")}
    assert {"games-00000", "waits-00000", "stands-00000"} <= set(kept)
    assert not (tmp_path / "races.parquet").exists()
    # A process that was killed while it wrote the population leaves what it had written.
    (tmp_path / "races.parquet.12196.new").write_bytes(b"half of it")
    seen = []
    about = build_population(
        wanted, tmp_path, progress=lambda name, done: seen.append(name)
    ).about
    assert about["digest"] == races.about["digest"]
    assert "games" not in seen  # They were kept.
    assert {path.name for path in tmp_path.iterdir()} == {".races.lock", "races.parquet"}


def test_who_waited_for_the_lock_finds_all_done(races, folder, tmp_path, monkeypatch):
    wanted = recipe("races", size=1500, seed=4, checkers=CHECKERS)
    with pytest.raises(KeyboardInterrupt):
        build_population(wanted, tmp_path, progress=_interrupt)
    (pieces,) = tmp_path.glob(".races-*")
    copyfile(folder / "races.parquet", tmp_path / "races.parquet")

    @contextmanager
    def held_by_another(path, timeout):
        rmtree(pieces)  # Who is done, and clears away.
        yield

    monkeypatch.setattr(population_build, "locked", held_by_another)
    assert build_population(wanted, tmp_path).about == races.about


def _interrupt(name, done):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (MemoryError("9 GB wanted"), "not enough memory: 9 GB wanted"),
    ],
)
def test_a_fault_of_the_machine_is_one_sentence(tmp_path, error, said):
    def stop(name, done):
        raise error

    wanted = recipe("checkers-3", size=100, seed=4, checkers=CHECKERS)
    with pytest.raises(RunError, match=f"building .* stopped: .*{said}; finished") as told:
        build_population(wanted, tmp_path, progress=stop)
    assert told.value.__cause__ is error
    assert build_population(wanted, tmp_path).about["decisions"] > 0


@pytest.mark.parametrize("name", ["games", "waits", "stands"])
def test_a_damaged_piece_is_made_again(name, races, folder, tmp_path):
    wanted = recipe("races", size=1500, seed=4, checkers=CHECKERS)

    def stop(name, done):
        if name == "stands":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_population(wanted, tmp_path, progress=stop)
    (piece,) = tmp_path.glob(f".races-*/{name}-00000")
    data = bytearray(piece.read_bytes())
    data[-len(data) // 3] ^= 4
    piece.write_bytes(data)
    build_population(wanted, tmp_path)
    assert (tmp_path / "races.parquet").read_bytes() == (
        folder / "races.parquet"
    ).read_bytes()


def test_near_is_what_lies_within_the_bounds_of_races(races, folder):
    wanted = recipe("near", size=1500, seed=4, checkers=CHECKERS, bounds=(0.5, 0.9))
    near = open_population(build_population(wanted, folder).path)
    chance = races.values.win_probability
    rows = (chance >= 0.5) & (chance <= 0.9)
    assert 0 < rows.sum() < len(races)
    assert near.decisions.digest() == races.decisions.chosen(rows).digest()
    assert near.about["games"] == races.about["games"]
    assert np.array_equal(near.values.no_double, races.values.no_double[rows])


def test_uniform_draws_are_even(table, folder):
    wanted = recipe("uniform", size=60_000, seed=2, checkers=2)
    built(2)
    found = open_population(build_population(wanted, folder / "two").path).decisions
    pairs = 27**2  # 6 positions of one checker, 21 of two.
    assert bearoff.position_count(6, 2) == 28
    assert found.weights.sum() == 60_000
    weights = np.zeros((28, 28))
    np.add.at(weights, (found.rollers, found.opponents), found.weights)
    assert not weights[0].any()
    assert not weights[:, 0].any()
    assert stats.chisquare(weights[1:, 1:].ravel()).pvalue > 1e-4
    assert (weights[1:, 1:] > 0).sum() == pairs
    # The draws again, one by one.
    draws = (uniforms(2, 1 << 62, 120_000).reshape(-1, 2) * 27).astype(int) + 1
    again = Counter(map(tuple, draws.tolist()))
    assert again == {(x, y): int(weights[x, y]) for x, y in again}


@pytest.mark.parametrize(
    ("name", "sides"), [("checkers-3", (3, 3)), ("checkers-4-2", (4, 2))]
)
def test_by_checkers(table, folder, name, sides):
    wanted = recipe(name, size=4_000, checkers=CHECKERS)
    found = open_population(build_population(wanted, folder).path)
    assert (found.roller_counts.sum(axis=1) == sides[0]).all()
    assert (found.opponent_counts.sum(axis=1) == sides[1]).all()
    every = bearoff.unrank(np.arange(bearoff.position_count(6, CHECKERS)))
    if sides[0] == 3:  # All 56 positions come up; of 4,000 draws each some 71.
        assert set(found.decisions.rollers) == set(np.flatnonzero(every.sum(axis=1) == 3))


@pytest.fixture(scope="module")
def long(folder):
    wanted = recipe("long", size=1500, seed=4)
    return open_population(build_population(wanted, folder).path)


def test_long_is_what_games_meet_beyond_home(harvest, long):
    found, met = long, long.decisions
    assert met.weights.sum() == (harvest.beyond.games < 1500).sum()
    assert ((found.roller_counts[:, 6:].sum(axis=1) > 0)
            | (found.opponent_counts[:, 6:].sum(axis=1) > 0)).all()  # fmt: skip
    assert set(met.games.tolist()) <= set(harvest.races.tolist())
    model, sides = race_model(), bear_in()
    for row in np.random.default_rng(1).choice(len(met), 50, replace=False):
        counts = found.roller_counts[row], found.opponent_counts[row]
        epc = [float(sides.epc(c)) for c in counts]
        assert epc == [found.roller_epc[row], found.opponent_epc[row]]
        typical = model.matching_std_rolls(
            *epc, *(float(sides.std_rolls(c)) for c in counts)
        )
        actions = model.cube_actions(*typical)
        values = found.values
        assert values.win_probability[row] == pytest.approx(
            float(actions.win_probability), abs=ROUNDING
        )
        assert values.no_double[row] == pytest.approx(
            float(actions.no_double), abs=ROUNDING
        )
        assert values.double_take[row] == pytest.approx(
            float(actions.double_take), abs=ROUNDING
        )
        owned = float(model.no_double(*typical, "owned"))
        assert values.no_redouble[row] == pytest.approx(owned, abs=ROUNDING)
    assert (found.values.sources == 1).all()


@pytest.mark.slow
def test_rolled_out_decisions_are_rollouts(long, table, folder):
    wanted = recipe("long", size=1500, seed=4, rollouts=2)
    found = open_population(build_population(wanted, folder / "rolled").path)
    assert found.about["digest"] == long.about["digest"]
    rolled = np.flatnonzero(found.values.sources == 2)
    assert 1 <= len(rolled) <= 2
    for row in rolled:
        numbers = int(found.decisions.rollers[row]), int(found.decisions.opponents[row])
        race = bearoff.Race(*(bearoff.Position.from_number(n, 24) for n in numbers))
        answer = rollout(race, Goal(0.001), seed=4, table=truncation_table())
        assert found.values.error[row] == answer.standard_error <= 0.001
        assert found.values.win_probability[row] == answer.win_probability.value
        assert found.values.no_double[row] == answer.centred.no_double.value
        assert found.values.no_redouble[row] == answer.owned.no_double.value
        assert found.values.double_take[row] == answer.owned.double_take.value
    rest = found.values.sources != 2
    assert np.array_equal(found.values.no_double[rest], long.values.no_double[rest])


def test_the_file_is_as_documented(races, folder):
    path = folder / "races.parquet"
    schema = pq.read_schema(path)
    assert schema.equals(population_schema(6))
    assert METADATA_KEY in schema.metadata
    columns = pq.ParquetFile(path).metadata.row_group(0)
    assert {columns.column(i).compression for i in range(columns.num_columns)} == {"ZSTD"}
    rows = pq.read_table(path).slice(0, 3).to_pylist()
    for row in rows:
        points = range(1, 7)
        assert row["part"] == "train"
        assert row["source"] == "table"
        assert row["roller_pips"] == sum(
            p * n for p, n in zip(points, row["roller_counts"], strict=True)
        )
        assert row["opponent_pips"] == sum(
            p * n for p, n in zip(points, row["opponent_counts"], strict=True)
        )


def test_a_changed_pair_is_found(races, folder, tmp_path):
    table = pq.read_table(folder / "races.parquet")
    weights = table["weight"].to_numpy().copy()
    weights[5] += 1
    place = table.schema.get_field_index("weight")
    pq.write_table(
        table.set_column(place, table.schema.field("weight"), [weights]),
        tmp_path / "x.parquet",
    )
    with pytest.raises(RunError, match="damaged: its digest is another"):
        open_population(tmp_path / "x.parquet")


@pytest.mark.parametrize("column", ["roller_epc", "no_double", "game", "source"])
def test_a_changed_value_is_found(column, races, folder, tmp_path):
    """Sealed or not: pages are written anew, so that their checksums are right."""
    table = pq.read_table(folder / "races.parquet")
    values = table[column].to_pylist()
    values[3] = "model" if column == "source" else values[3] + 1
    place, field = table.schema.get_field_index(column), table.schema.field(column)
    changed = pa.array(values, field.type)
    pq.write_table(table.set_column(place, field, changed), tmp_path / "x.parquet")
    with pytest.raises(RunError, match="damaged: its digest is another"):
        open_population(tmp_path / "x.parquet")


@pytest.mark.parametrize("change", [{"seed": 5}, {"games": {}}, {"note": "mine"}])
def test_changed_metadata_is_found(change, races, folder, tmp_path):
    table = pq.read_table(folder / "races.parquet")
    about = json.loads(table.schema.metadata[METADATA_KEY]) | change
    changed = table.replace_schema_metadata({METADATA_KEY: json.dumps(about).encode()})
    pq.write_table(changed, tmp_path / "x.parquet")
    with pytest.raises(RunError, match="damaged: what it says was changed"):
        read_about(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("values", "no_double", np.nan),
        ("values", "win_probability", 7.0),
        ("decisions", "weights", -1),
        ("decisions", "rollers", 3),
        ("", "roller_counts", 100),
    ],
)
def test_sealed_nonsense_is_refused(group, name, value, races, tmp_path):
    """As a stranger would write it who takes the right digests of wrong values."""
    whole = getattr(races, group) if group else races
    array = getattr(whole, name).copy()
    array[7] = value
    changed = replace(whole, **{name: array})
    forged = replace(races, **{group: changed}) if group else changed
    write_population(tmp_path / "x.parquet", forged)
    with pytest.raises(RunError, match="is not a population: "):
        open_population(tmp_path / "x.parquet")


def test_a_changed_byte_is_found(races, folder, tmp_path):
    data = bytearray((folder / "races.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "x.parquet").write_bytes(data)
    with pytest.raises(RunError, match="damaged"):
        open_population(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"name": "racse"}, "there is no population 'racse'; there are races, near, long"),
        ({"name": "races", "size": 0}, "in games, must be from 1 to 1073741824, got 0"),
        ({"name": "uniform", "size": 2**31}, "in pairs, must be from 1"),
        ({"name": "races", "seed": -1}, "a seed must be from 0"),
        ({"name": "races", "checkers": 16}, "from 1 to 15, got 16"),
        ({"name": "checkers-16"}, "1 to 15 checkers on the board, got checkers-16"),
        ({"name": "checkers-9", "checkers": 8}, "needs a table of 9 checkers, got 8"),
        ({"name": "near", "bounds": (0.8, 0.6)}, "must rise from 0 to 1, got 0.8 and 0.6"),
        ({"name": "races", "bounds": (0.6, 0.8)}, "the population races has no bounds"),
    ],
)
def test_refused_recipes(arguments, says):
    with pytest.raises(bearoff.BearoffError, match=says):
        recipe(**arguments)


def test_a_missing_table_is_named_with_its_command(tmp_path):
    with pytest.raises(bearoff.TableError, match="--two-sided --checkers 13") as refusal:
        build_population(recipe("races", checkers=13), tmp_path / "new")
    assert "\n" not in str(refusal.value)
    assert not (tmp_path / "new").exists()


def test_another_population_is_not_written_over(races, folder):
    before = (folder / "races.parquet").read_bytes()
    with pytest.raises(
        RunError, match="holds another population, with seed 4 instead of 6"
    ):
        build_population(recipe("races", size=1500, seed=6, checkers=CHECKERS), folder)
    again = build_population(recipe("races", size=1500, seed=4, checkers=CHECKERS), folder)
    assert again.seconds == 0
    assert (folder / "races.parquet").read_bytes() == before


def test_what_is_no_population_is_refused(tmp_path):
    with pytest.raises(RunError, match="run: bearoff populations build races"):
        open_population(tmp_path / "races.parquet")
    (tmp_path / "text.parquet").write_text("no Parquet")
    with pytest.raises(RunError, match="cannot read the population"):
        open_population(tmp_path / "text.parquet")


@pytest.mark.parametrize("change", [{"schema_version": 0}, {"basis": ...}])
def test_another_version_is_refused(races, folder, tmp_path, change):
    table = pq.read_table(folder / "races.parquet")
    about = json.loads(table.schema.metadata[METADATA_KEY]) | change
    about = {key: value for key, value in about.items() if value is not ...}
    changed = table.replace_schema_metadata({METADATA_KEY: json.dumps(about).encode()})
    pq.write_table(changed, tmp_path / "x.parquet")
    with pytest.raises(RunError, match="build it again"):
        open_population(tmp_path / "x.parquet")


def test_a_run_is_no_population(tmp_path, races, folder):
    bare = pq.read_table(folder / "races.parquet").replace_schema_metadata(None)
    pq.write_table(bare, tmp_path / "x.parquet")
    with pytest.raises(RunError, match="is not a population"):
        open_population(tmp_path / "x.parquet")


def test_kinds_are_all_documented():
    from tests.app.conftest import ROOT

    page = (ROOT / "docs" / "populations.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in KINDS)
    assert all(f"`{name}`" in page for name in population_schema(6).names)
