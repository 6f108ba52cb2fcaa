"""Damaged two-sided tables are reported in one sentence, and repaired by a new build."""

import json
import pickle
import shutil
from contextlib import nullcontext
from dataclasses import asdict, replace

import numpy as np
import pytest

import bearoff
from bearoff import TableError
from bearoff.pair_planes import Layout, PlaneWriter, open_plane
from bearoff.storage import sealing
from bearoff.storage.manifest import write_manifest
from bearoff.two_sided.cached import (
    cached_two_sided_tables,
    smallest_table_with,
    tables_with_cube,
)
from bearoff.two_sided.manifest import read_manifest, table_folder
from bearoff.two_sided.pair_order import LANES, pair_order_of
from bearoff.two_sided.storage import save_array
from bearoff.two_sided.verify import verify_planes
from tests.damage import flip
from tests.refusals import refused
from tests.two_sided_tables import PLANES, built, stored

SIZE = 3
FILES = [*(f"{plane}.plane" for plane in PLANES), "offsets.npy", "successors.npy"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of a copy of a good table, in a separate cache."""
    copy = tmp_path / built(SIZE).folder.name
    shutil.copytree(built(SIZE).folder, copy)
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    return copy


def forge_entries(folder, change):
    """Change the manifest of a table, and write a valid checksum of it."""
    path = folder / "table.json"
    table = json.loads(path.read_text())["table"]
    change(table)
    path.write_text(json.dumps({"table": table, "sha256": sealing.seal(table)}))


def save_successors(folder, name, array):
    manifest = read_manifest(folder)
    files = {**manifest.files, name: save_array(folder, name, array)}
    write_manifest(folder, replace(manifest, files=files))


def mended(folder):
    """Build the table again, and return whether its bytes are those of the good table."""
    bearoff.build_two_sided_table(SIZE)
    good = built(SIZE).folder
    return all((folder / n).read_bytes() == (good / n).read_bytes() for n in FILES) and (
        read_manifest(folder).planes == read_manifest(good).planes
    )


@pytest.mark.parametrize("plane", PLANES)
def test_only_what_rests_on_a_damaged_plane_is_refused(plane, folder):
    path, good = folder / f"{plane}.plane", built(SIZE)
    pairs = np.arange(1, bearoff.position_count(6, SIZE))[:, None], np.arange(30)
    flip(path, path.stat().st_size // 2)
    table = bearoff.two_sided_table(SIZE)
    resting = {"opponent": ("opponent", "owned", "centred")}.get(plane, (plane,))
    for asked in PLANES:
        if asked in resting:
            with refused(TableError, path, "block"):
                stored(table, asked, *pairs)
        else:
            right = stored(good, asked, *pairs)
            assert np.array_equal(stored(table, asked, *pairs), right)
    with refused(TableError, path, "block"):
        table.codes(plane)
    assert mended(folder)


def test_many_pairs_that_rest_on_nothing_damaged_are_answered(tmp_path, monkeypatch):
    """A query of many pairs fails only if one of the values depends on damaged blocks."""
    good = built(5)
    shutil.copytree(good.folder, tmp_path / good.folder.name)
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    path = tmp_path / good.folder.name / "owned.plane"
    flip(path, path.stat().st_size - 2 * 16384)
    table, last = bearoff.two_sided_table(5), bearoff.position_count(6, 5) - 1
    few, many = np.arange(5).repeat(1000), np.tile(np.arange(5), 1000)
    assert (table.equity(few, many, "owned") == good.equity(few, many, "owned")).all()
    with refused(TableError, path, "block"):
        table.equity(np.arange(last - 99, last + 1)[:, None], np.arange(last), "owned")


def test_a_table_of_another_size_in_its_folder_is_refused_and_built_anew(folder):
    shutil.move(folder, folder.with_name("two-sided-06-02"))
    with refused(TableError, 3):
        bearoff.two_sided_table(2)
    bearoff.build_two_sided_table(2)
    table = bearoff.two_sided_table(2)
    assert read_manifest(table.folder).checkers == 2
    verify_planes(table.plane_values)


@pytest.mark.parametrize(
    ("change", "value"), [("step", None), ("digest", [1]), ("bytes", -1)]
)
def test_a_sealed_manifest_that_says_nonsense(change, value, folder):
    forge_entries(folder, lambda table: table["planes"]["owned"].update({change: value}))
    with refused(TableError, folder, "owned", change):
        bearoff.two_sided_table(SIZE)


@pytest.mark.parametrize(
    ("name", "value"), [("offsets.npy", -1), ("successors.npy", 40_000)]
)
def test_successors_that_lead_out_of_the_table(name, value, folder):
    """Plays that lead out of the table are refused even if checksums are valid."""
    array = np.load(folder / name).copy()
    array[5] = np.array(value).astype(array.dtype)
    save_successors(folder, name, array)
    with refused(TableError, folder):
        bearoff.two_sided_table(SIZE).best_after(1, 1, None)


@pytest.mark.parametrize("above", [0, 1])
def test_successors_that_lead_to_no_lower_level(above, folder):
    """Plays with which a game would never end are refused even if checksums are valid."""
    array = np.load(folder / "successors.npy").copy()
    # The changed element is one successor of the last position.
    array[-1] = pair_order_of(6, SIZE).levels[-2 - above]
    save_successors(folder, "successors.npy", array)
    table = bearoff.two_sided_table(SIZE)
    # The successor must be at least one level lower.
    with nullcontext() if above else refused(TableError, folder):
        table.best_after(1, 1, None)


@pytest.mark.parametrize("text", ["x", None])
def test_a_damaged_table_is_reported_by_every_question(text, folder):
    path = folder / "table.json"
    path.write_text(path.read_text()[:100] if text is None else text)
    for ask in (
        lambda: smallest_table_with(SIZE - 1, cube=False),
        lambda: smallest_table_with(SIZE, cube=True),
        tables_with_cube,
    ):
        with refused(TableError, path):
            ask()
    assert smallest_table_with(SIZE + 1, cube=False) is None
    (listed,) = cached_two_sided_tables()
    assert "damaged" in str(listed.damage)
    assert listed.planes == ()
    listed.remove()
    assert smallest_table_with(SIZE, cube=False) is None
    assert mended(folder)


def test_a_pickled_table_names_its_files(folder):
    table = bearoff.two_sided_table(SIZE)
    right = stored(table, "centred", 40, np.arange(84))
    packed = pickle.dumps(table)
    assert len(packed) < (folder / "centred.plane").stat().st_size / 2
    assert np.array_equal(stored(pickle.loads(packed), "centred", 40, np.arange(84)), right)
    flip(folder / "centred.plane", 1000)
    with refused(TableError, "centred.plane", "block"):
        pickle.loads(packed).codes("centred")


def test_only_what_is_damaged_is_built_again(folder):
    run, named = [], []

    def look(name, done):
        run.append(name)
        if done < 1:
            named.append(set(read_manifest(folder).planes))

    flip(folder / "owned.plane", 1000)
    bearoff.build_two_sided_table(SIZE, progress=look)
    assert set(run) == {"owned"}
    # The manifest never names a plane that is being written.
    assert named
    assert all(planes == {"cubeless", "opponent", "centred"} for planes in named)
    flip(folder / "centred.plane", 1000)
    run.clear()
    bearoff.build_two_sided_table(SIZE, progress=lambda name, _: run.append(name))
    # To solve the centred cube again, the build needs temporary results of the previous
    # pass, so both passes run again.
    assert list(dict.fromkeys(run)) == ["opponent and owned", "centred"]


def test_damaged_leftovers_are_made_again(folder):
    def stop(name, done):
        if name == "centred":
            raise KeyboardInterrupt

    bearoff.two_sided.cached.remove_table(table_folder(6, SIZE))
    with pytest.raises(KeyboardInterrupt):
        bearoff.build_two_sided_table(SIZE, progress=stop)
    flip(folder / "opponent-residuals.plane", 1000)
    assert mended(folder)


def forge(folder, plane, x, y, by):
    """Change one value of a plane, and write valid checksums."""
    places, manifest = pair_order_of(6, SIZE), read_manifest(folder)
    layout, path = Layout(places.levels), folder / f"{plane}.plane"
    stored_plane = open_plane(path, manifest.planes[plane], layout)
    codes = stored_plane.read(slice(0, places.blocks), slice(0, places.size))
    slot = int(places.slots[x])
    codes[slot // LANES, int(places.slots[y]), slot % LANES] += by
    writer = PlaneWriter(path, layout)
    for level, start in enumerate(places.levels[:-1].tolist()):
        end = int(places.levels[level + 1])
        if level:
            writer.write(codes[start // LANES : end // LANES, :start], start // LANES, 0)
        writer.write(codes[: end // LANES, start:end], 0, start)
    entry = asdict(writer.finish())
    writer.close()
    forge_entries(folder, lambda table: table["planes"][plane].update(entry))


@pytest.mark.parametrize("plane", PLANES)
def test_verify_finds_a_wrong_value_whose_checksum_is_right(plane, folder):
    forge(folder, plane, 60, 50, 40)
    # The error names the changed plane, or another plane that is computed from it.
    with refused(TableError, folder):
        verify_planes(bearoff.two_sided_table(SIZE).plane_values, samples=30_000)


@pytest.mark.parametrize(("x", "y"), [(0, 33), (33, 0)])
@pytest.mark.parametrize("plane", ["cubeless", "owned"])
def test_verify_knows_games_that_are_over(plane, x, y, folder):
    forge(folder, plane, x, y, 1 if y == 0 else -1)
    with refused(TableError, plane, folder):
        verify_planes(bearoff.two_sided_table(SIZE).plane_values, samples=0)


def test_verify_says_what_it_compared():
    found = verify_planes(built(SIZE).plane_values, samples=500)
    assert (found.checkers, found.samples) == (SIZE, 500)
    assert set(found.differences) == set(PLANES)
    for plane, difference in found.differences.items():
        assert 0 < difference <= 3 * built(SIZE).error(plane) + 5e-6
    assert found.bytes == sum((built(SIZE).folder / name).stat().st_size for name in FILES)
