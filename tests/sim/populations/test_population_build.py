"""Building a population of races can be interrupted and continued, and bad settings are
refused.
"""

from contextlib import contextmanager
from shutil import copyfile, rmtree

import pytest

import bearoff
from bearoff.sim.populations import build, build_population, population_recipe
from bearoff.sim.storage.files import RunError
from tests.damage import flip
from tests.refusals import names, refused
from tests.sim.populations.conftest import CHECKERS


def recipe(**changes):
    wanted = {"size": 1500, "seed": 4, "checkers": CHECKERS, **changes}
    return population_recipe("races", **wanted)


def interrupt_at(stage, folder):
    """Start to build the population in a folder, and interrupt it at a stage."""

    def stop(name, done):
        if name == stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_population(recipe(), folder, progress=stop)


def test_a_population_depends_on_its_recipe_alone(races, tmp_path):
    for changes, same in (({}, True), ({"seed": 5}, False), ({"size": 1400}, False)):
        place = tmp_path / str(changes)
        about = build_population(recipe(**changes), place, workers=2).about
        assert (about["digest"] == races.about["digest"]) == same


def test_an_interrupted_build_goes_on(races, tmp_path):
    interrupt_at("table", tmp_path)
    kept = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob(".races-*/*")}
    assert {"games-00000", "table-00000"} <= set(kept)
    assert not (tmp_path / "races.parquet").exists()
    # If a process is killed while it writes the population, this temporary file remains.
    (tmp_path / "races.parquet.12196.new").write_bytes(b"half of it")
    seen = []
    about = build_population(recipe(), tmp_path, progress=lambda n, _: seen.append(n)).about
    assert about["digest"] == races.about["digest"]
    assert "games" not in seen  # stored games are not played again
    assert {path.name for path in tmp_path.iterdir()} == {".races.lock", "races.parquet"}


def test_who_waited_for_the_lock_finds_all_done(races, folder, tmp_path, monkeypatch):
    interrupt_at("games", tmp_path)
    (pieces,) = tmp_path.glob(".races-*")
    copyfile(folder / "races.parquet", tmp_path / "races.parquet")

    @contextmanager
    def held_by_another(*_):
        rmtree(pieces)  # another process has finished and removes its temporary files
        yield

    monkeypatch.setattr(build, "claimed", held_by_another)
    assert build_population(recipe(), tmp_path).about == races.about


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), MemoryError("9 GB wanted")]
)
def test_a_fault_of_the_machine_is_one_sentence(tmp_path, error):
    def stop(name, done):
        raise error

    wanted = population_recipe("checkers-3", size=100, seed=4, checkers=CHECKERS)
    with pytest.raises(RunError) as told:
        build_population(wanted, tmp_path, progress=stop)
    assert names(str(told.value), error.args[-1])
    assert told.value.__cause__ is error
    assert build_population(wanted, tmp_path).about["decisions"] > 0


@pytest.mark.parametrize("name", ["games", "table"])
def test_a_damaged_piece_is_made_again(name, races, folder, tmp_path):
    interrupt_at("table", tmp_path)
    (piece,) = tmp_path.glob(f".races-*/{name}-00000")
    flip(piece, -piece.stat().st_size // 3, 2)
    build_population(recipe(), tmp_path)
    good, found = (place / "races.parquet" for place in (folder, tmp_path))
    assert found.read_bytes() == good.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"name": "racse"}, ("'racse'",)), ({"name": "races", "size": 0}, ("games", 0)),
        ({"name": "uniform", "size": 2**31}, ("pairs", 1)),
        ({"name": "races", "seed": -1}, ("seed", 0)),
        ({"name": "races", "checkers": 16}, (15, 16)),
        ({"name": "checkers-16"}, (15, "checkers-16")),
        ({"name": "checkers-9", "checkers": 8}, (9, 8)),
        ({"name": "near", "bounds": (0.8, 0.6)}, (0.8, 0.6)),
        ({"name": "races", "bounds": (0.6, 0.8)}, ("races", "bounds")),
    ],
)  # fmt: skip
def test_refused_recipes(arguments, named):
    with refused(bearoff.BearoffError, *named):
        population_recipe(**arguments)


def test_no_table_is_named_and_another_population_is_kept(tmp_path, races, folder):
    with refused(bearoff.TableError, "--two-sided --checkers 13"):
        build_population(population_recipe("races", checkers=13), tmp_path / "new")
    assert not (tmp_path / "new").exists()
    before = (folder / "races.parquet").read_bytes()
    with refused(RunError, 4, 6, "--to"):
        build_population(recipe(seed=6), folder)
    again = build_population(recipe(), folder)
    assert again.seconds == 0
    assert (folder / "races.parquet").read_bytes() == before
