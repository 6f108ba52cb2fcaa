"""Runs and the columns of their outcomes are read, and damage is named."""

import hashlib
import importlib.util
import shutil
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bearoff
from bearoff.analysis import Outcomes, RunError, open_run
from bearoff.analysis.outcomes.outcomes import splitmix64
from bearoff.sim.storage import schema
from bearoff.sim.storage.schema import COLUMNS, MANIFEST, OUTCOMES, RACES, part_name
from tests.analysis.make_run import write_run
from tests.damage import flipped, with_column
from tests.refusals import refused


@pytest.fixture
def copy(grid_run, tmp_path):
    """Return the folder of a copy of a small run, which a test may damage."""
    return shutil.copytree(grid_run, tmp_path / "grid")


def all_rows(folder):
    """Read all rows of a run from its Parquet files, without code of the package."""
    parts = sorted((folder / OUTCOMES).glob("*.parquet"))
    return [row for part in parts for row in pq.read_table(part).to_pylist()]


def test_what_a_run_says_of_itself_and_its_tables(grid_run):
    run = open_run(grid_run)
    rows = all_rows(grid_run)
    assert (run.name, run.points, run.checkers) == ("grid", 6, 15)
    assert run.pairs == len(rows)
    assert run.games == sum(row["games"] for row in rows)
    assert run.complete
    for said in (f"{len(rows):,} pairs", f"{run.games:,} games", "seed 7", "0123456789"):
        assert said in run.describe()
        assert said in repr(run)
    assert len(repr(run)) < 300  # `repr` omits the run's manifest, which is longer
    for said in (run.kind, f"{run.games:,}", "<table>"):
        assert said in run._repr_html_()
    wins = [{"pair": number, "wins": row["wins"]} for number, row in enumerate(rows)]
    assert run.table(["pair", "wins"]).to_pylist() == wins
    assert tuple(run.table().column_names) == COLUMNS[RACES]
    assert run.table(["wins", "pair"]).column_names == ["wins", "pair"]
    with pytest.raises(RunError, match="'loses'"):
        run.table(["wins", "loses"])
    by_uri = open_run(grid_run.as_uri())
    assert by_uri.manifest == run.manifest
    assert by_uri.table(["wins"]) == run.table(["wins"])


def test_a_data_frame_has_the_rows_of_the_table(grid_run):
    run = open_run(grid_run)
    if importlib.util.find_spec("pandas") is None:
        with refused(RunError, "pandas"):
            run.to_pandas()
        return
    frame = run.to_pandas(["roller", "wins"])
    assert frame["wins"].tolist() == run.table(["wins"])["wins"].to_pylist()


def test_estimate_finds_the_pair_in_any_notation(grid_run):
    row = all_rows(grid_run)[150]
    run = open_run(grid_run)
    roller, opponent = row["roller"], row["opponent"]
    by_number = run.estimate(roller, opponent)
    assert (by_number.wins, by_number.games) == (row["wins"], row["games"])
    assert by_number.expected == row["expected"]
    assert by_number.fewest_rolls == pytest.approx(row["expected"], abs=1e-12)
    assert by_number.low < by_number.probability < by_number.high
    text = ",".join(map(str, row["roller_counts"]))
    position = bearoff.Position.from_number(opponent)
    assert run.estimate(text, position) == by_number
    assert run.estimate(1, 1) is None  # the run has no games of this pair


@pytest.mark.parametrize("columns", [["wins"], ["games", "wins"], None])
def test_more_wins_than_games_are_refused_whatever_is_read(copy, columns):
    path = copy / OUTCOMES / part_name(0)
    table = pq.read_table(path)
    wins = table["wins"].to_numpy() + table["games"].to_numpy()
    pq.write_table(with_column(table, "wins", wins), path)
    run = open_run(copy)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    run.parts[path.name] = run.parts[path.name].model_copy(update={"sha256": sha256})
    with pytest.raises(RunError, match=r"wins .* row 0"):
        run.table(columns)


BEYOND = bearoff.Position((1, 0, 0, 0, 0, 0, 0, 1))


@pytest.mark.parametrize("side", [54264, "nonsense", BEYOND])
def test_impossible_positions_are_refused(grid_run, side):
    with pytest.raises(bearoff.PositionError):
        open_run(grid_run).estimate(side, 1)


def test_incomplete_runs_are_read_and_say_so(tmp_path):
    pairs = np.arange(1, 31), np.arange(2, 32)
    folder = write_run(tmp_path / "half", *pairs, rows_per_part=10, complete=False)
    run = open_run(folder)
    assert (run.complete, run.pairs) == (False, 20)
    assert "30 pairs" in run.describe()
    assert "random sample" in run.describe()
    assert run.table(["pair"]).num_rows == 20
    assert run.estimate(5, 6) is not None
    # This pair of positions is in the unfinished part of the run, which is not read.
    assert run.estimate(26, 27) is None
    folder = write_run(tmp_path / "none", [1], [2], complete=False)
    run = open_run(folder)
    assert run.pairs == 0
    assert run.estimate(1, 2) is None
    with pytest.raises(RunError, match="none"):
        Outcomes.of(run)


def test_verify_passes_sound_and_names_damaged_parts(copy):
    open_run(copy).verify()
    path = copy / OUTCOMES / part_name(1)
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    (copy / OUTCOMES / part_name(3)).unlink()
    with pytest.raises(RunError) as caught:
        open_run(copy).verify()
    named = [number for number in range(4) if part_name(number) in str(caught.value)]
    assert named == [1, 3]


@pytest.mark.parametrize("damage", [b"", b"PAR1 nothing of the kind PAR1", None])
def test_a_damaged_or_missing_part_is_named(copy, damage):
    path = copy / OUTCOMES / part_name(2)
    path.unlink() if damage is None else path.write_bytes(damage)
    with pytest.raises(RunError, match=r"part-000002\.parquet") as caught:
        open_run(copy).table()
    assert "\n" not in str(caught.value)


def test_no_run_is_named_and_no_key_is_repeated(tmp_path):
    (tmp_path / "file").write_text("")
    nowhere, file = tmp_path / "nowhere", tmp_path / "file"
    for path in (tmp_path, nowhere, file, "gopher://results/quick"):
        with pytest.raises(RunError, match=str(path)):
            open_run(path)
    with pytest.raises(RunError) as refusal:
        open_run("s3://me:secret@bucket/runs/quick?region=eu-west-1")
    assert "secret" not in str(refusal.value)


def test_a_manifest_that_was_edited(copy):
    path = copy / MANIFEST
    path.write_text(path.read_text().replace('"seed": 7', '"seed": 8'))
    with pytest.raises(RunError, match="damaged"):
        open_run(copy)


@pytest.fixture(scope="module")
def square(tmp_path_factory):
    """Return a run in which each of 30 rollers plays against each of 20 opponents."""
    rollers, opponents = np.meshgrid(np.arange(100, 130), np.arange(5, 45, 2))
    folder = tmp_path_factory.mktemp("runs") / "square"
    return write_run(folder, rollers.ravel(), opponents.ravel(), rows_per_part=37)


def test_every_pair_is_found_and_parts_are_read_one_after_the_other(square):
    run = open_run(square)
    wins = {(row["roller"], row["opponent"]): row["wins"] for row in all_rows(square)}
    for roller in range(99, 132):
        for opponent in (4, 5, 6, 7, 43, 44, 45):
            found = run.estimate(roller, opponent)
            assert (found and found.wins) == wins.get((roller, opponent))
    tables = list(run.tables(["roller", "wins"]))
    assert [len(table) for table in tables] == [37] * 16 + [8]
    assert pa.concat_tables(tables) == run.table(["roller", "wins"])
    with pytest.raises(RunError, match="'loses'"):
        next(run.tables(["loses"]))


def test_one_pair_is_one_part(square, monkeypatch):
    run = open_run(square)
    read, whole = [], type(run)._bytes
    monkeypatch.setattr(
        type(run), "_bytes", lambda self, name: read.append(name) or whole(self, name)
    )
    for row in all_rows(square)[::10]:
        run.estimate(row["roller"], row["opponent"])
        assert len(read) == 1
        assert row["pair"] // 37 == int(read.pop()[5:11])
    run.estimate(99, 5)
    run.estimate(130, 5)
    assert read == []


def test_a_flip_anywhere_in_a_part_is_found(square, tmp_path):
    folder = shutil.copytree(square, tmp_path / "square")
    path = folder / OUTCOMES / part_name(2)
    sound = path.read_bytes()
    row = pq.read_table(path).to_pylist()[5]
    rng = np.random.default_rng(1)
    for flip in rng.integers(0, 8 * len(sound), 60):
        path.write_bytes(flipped(sound, flip // 8, flip % 8))
        with pytest.raises(RunError, match=part_name(2)):
            open_run(folder).estimate(row["roller"], row["opponent"])


def test_what_may_be_unknown():
    """Only columns of expected values and of a second formula's results may have nulls."""
    rival = ["rival_points_mean", "difference_mean", "difference_variance"]
    for kind, unknown in ((schema.RACES, []), (schema.CUBEFUL, rival)):
        found = schema.outcome_schema(6, kind)
        assert [field.name for field in found if field.nullable] == ["expected", *unknown]
    assert found.field("cube").type.list_size == schema.CUBE_BINS


COUNTS = {"pair", "roller", "opponent", "games", "wins", "gammons_won", "gammons_lost"} | {
    f"{side}_{what}" for side in ("roller", "opponent") for what in ("doubles", "passes")
}
"""Names of integer columns with one value for each pair of positions."""

BINS = {"roller_ahead", "opponent_ahead", "cube"} | {
    f"cube_{what}" for what in ("won", "lost", "gammons_won", "gammons_lost")
}
"""Names of integer columns with a list of eight values for each pair of positions."""


@pytest.mark.parametrize("kind", schema.KINDS)
def test_every_column_has_a_type_and_a_description_of_its_own(kind):
    found = schema.outcome_schema(6, kind)
    other = {"roller_pips": pa.int16(), "opponent_pips": pa.int16()}
    other |= {f"{side}_counts": _lists(pa.int8(), 6) for side in ("roller", "opponent")}
    for name in ("double", "redouble"):
        other |= {f"{name}_action": pa.string(), f"{name}_too_close": pa.bool_()}
    for field in found:
        kept = pa.int64() if field.name in COUNTS else other.get(field.name, pa.float64())
        assert field.type == (_lists(pa.int64(), 8) if field.name in BINS else kept)
    texts = [field.metadata[b"description"] for field in found]
    # In a run of rollouts, two columns may have the same description as another column.
    same = 2 if kind == schema.ROLLOUTS else 0
    assert len(set(texts)) >= len(texts) - same
    assert all(texts)


def _lists(item, length):
    return pa.list_(pa.field("item", item, nullable=False), length)


def test_columns_are_the_tables_and_unknown_expected_values_are_nan(grid, table, tmp_path):
    assert (grid.roller_epc == table.epc[grid.roller]).all()
    assert (grid.lead("pips") == table.pips[grid.opponent] - table.pips[grid.roller]).all()
    assert (grid.roller_counts == bearoff.unrank(grid.roller)).all()
    assert grid.win_probability[3] == grid.wins[3] / grid.games[3]
    folder = write_run(tmp_path / "unknown", [10, 20], [30, 40], known=False)
    assert np.isnan(Outcomes.of(open_run(folder)).expected).all()
    assert open_run(folder).estimate(10, 30).expected is None


def test_the_split_is_a_published_hash_of_the_pair_for_ever(grid):
    # If the split changed, new fits could train on pairs that earlier fits held out for
    # testing.
    rollers, opponents = np.random.default_rng(3).integers(0, 54264, (2, 300))
    outcomes = replace(grid[:300], roller=rollers, opponent=opponents)
    # A doctest compares `splitmix64` with a published number.
    words = [
        (x * 2**32 + y + 0x9E3779B97F4A7C15) % 2**64
        for x, y in zip(rollers.tolist(), opponents.tolist(), strict=True)
    ]
    expected = (splitmix64(np.array(words, dtype=np.uint64)) % 3 == 0).tolist()
    assert outcomes.held_out().tolist() == expected
    assert 60 < sum(expected) < 140  # about one pair in three is held out
