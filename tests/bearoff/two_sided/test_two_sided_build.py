"""Builds of two-sided tables, with interruptions and with too little memory or space."""

import shutil
import subprocess
import sys
from collections import deque
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff import TableError
from bearoff.plays import policies
from bearoff.runtime import format_bytes
from bearoff.two_sided import build, cached, estimate, estimate_build, solving
from bearoff.two_sided.estimate import needs_of
from bearoff.two_sided.manifest import claimed_for_building, table_folder
from bearoff.two_sided.pair_order import pair_order_of
from bearoff.two_sided.planes import money_passes
from bearoff.two_sided.solving import workspace
from tests.refusals import refused
from tests.two_sided_tables import PLANES

pytestmark = pytest.mark.usefixtures("cache")

PASSES = ["cubeless", "opponent and owned", "centred"]
SIZE = 3


class Stop(Exception):
    """Exception that a test's progress function raises to stop a build."""


def files_of(folder):
    return {
        file.name: file.read_bytes() for file in folder.iterdir() if file.suffix != ".json"
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the files of a table built without interruption."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BEAROFF_CACHE", str(tmp_path_factory.mktemp("whole")))
        yield files_of(bearoff.build_two_sided_table(SIZE))


def open_files():
    """Return the planes that this process has open, if the system reports them."""
    numbers = Path("/proc/self/fd").glob("*")
    return {str(n) for n in numbers if str(n.resolve()).endswith(".plane")}


def build_again(checkers=SIZE, **options):
    """Build a table; return its files and the names of the build passes that ran."""
    run: list[str] = []
    folder = bearoff.build_two_sided_table(
        checkers, progress=lambda name, _: run.append(name), **options
    )
    return files_of(folder), list(dict.fromkeys(run))


def windows_of_the_largest_pass(start):
    places = pair_order_of(6, SIZE, start)
    return max(needs_of(places, plan).windows for plan in money_passes(places))


@pytest.mark.parametrize(
    ("held", "workers", "start"), [(0, 1, 15), (0.3, 5, 15), (0.8, 2, SIZE)]
)
def test_what_does_not_fit_the_memory_goes_to_a_file_and_changes_no_byte(
    held, workers, start, whole
):
    ample = estimate_build(SIZE, workers, start=start, memory=10**11)
    windows = windows_of_the_largest_pass(15)
    memory = ample.memory_bytes - windows + int(held * windows)
    within = estimate_build(SIZE, workers, start=start, memory=memory)
    assert within.memory_bytes == memory
    assert within.disk_bytes - ample.disk_bytes == ample.memory_bytes - memory
    if start != 15:
        folder = bearoff.build_two_sided_table(SIZE, start=start, workers=1)
        whole = files_of(folder)
        shutil.rmtree(folder)
    built, _ = build_again(start=start, workers=workers, memory=memory)
    assert built == whole


@pytest.mark.parametrize("checkers", [1, 4])
def test_without_the_compiler_numpy_builds_the_same(checkers, cache, monkeypatch):
    compiled = files_of(bearoff.build_two_sided_table(checkers))
    monkeypatch.setenv("BEAROFF_CACHE", str(cache / "plain"))
    monkeypatch.delitem(sys.modules, "numba")
    monkeypatch.setattr(solving, "TwoSidedSolver", None)
    monkeypatch.setattr(policies, "_listed", deque())
    assert files_of(bearoff.build_two_sided_table(checkers)) == compiled


def test_less_memory_than_the_least_is_refused():
    windows = windows_of_the_largest_pass(15)
    ample = estimate_build(SIZE, 1, memory=10**11).memory_bytes
    with refused(TableError, format_bytes(ample - windows)):
        bearoff.build_two_sided_table(SIZE, workers=1, memory=ample - windows - 1)
    assert not table_folder(6, SIZE).exists()


def test_progress_tells_the_passes_in_order_and_the_disk_holds_what_was_estimated():
    seen: list[tuple[str, float]] = []
    folder, most = table_folder(6, SIZE), 0

    def look(*told):
        nonlocal most
        seen.append(told)
        most = max(most, sum(file.stat().st_size for file in folder.glob("*.plane")))

    bearoff.build_two_sided_table(SIZE, progress=look)
    assert most <= estimate_build(SIZE).disk_bytes <= 40 * most
    assert list(dict.fromkeys(name for name, _ in seen)) == PASSES
    for plan in PASSES:
        done = [share for name, share in seen if name == plan]
        assert done == sorted(done)
        assert done[-1] == 1
        assert 0 < done[0] < 0.5


@pytest.mark.parametrize(("stopped", "at"), [(0, 0.0), (1, 0.5), (2, 0.9)])
def test_an_interrupted_build_goes_on_with_its_pass(stopped, at, whole):
    def stop(name, done):
        if name == PASSES[stopped] and done >= at:
            raise Stop

    open_before = open_files()
    with pytest.raises(Stop):
        bearoff.build_two_sided_table(SIZE, progress=stop)
    assert open_files() <= open_before
    built = {plane for name in PASSES[:stopped] for plane in name.split(" and ")}
    if built:
        assert set(bearoff.two_sided_table(SIZE).planes) == built
    assert build_again() == (whole, PASSES[stopped:])


def test_a_killed_build_goes_on_with_its_pass(whole):
    stopped = 2
    script = f"""
import os, signal, bearoff
def kill(name, done):
    if name == {PASSES[stopped]!r} and done > 0.4:
        os.kill(os.getpid(), signal.SIGKILL)
bearoff.build_two_sided_table({SIZE}, progress=kill)
"""
    assert subprocess.run([sys.executable, "-c", script]).returncode == -9
    assert build_again() == (whole, PASSES[stopped:])


def test_the_cube_can_be_built_later(whole):
    folder = bearoff.build_two_sided_table(SIZE, cube=False)
    without = bearoff.two_sided_table(SIZE)
    assert without.planes == ("cubeless",)
    assert list(folder.glob("*.plane")) == [folder / "cubeless.plane"]
    with refused(TableError, "centred"):
        without.equity(1, 1)
    with refused(TableError, "built"):
        bearoff.cube_action(without, (1, 1))
    with refused(TableError, "owned"):
        without.error("owned")
    assert build_again() == (whole, PASSES[1:])
    assert set(bearoff.two_sided_table(SIZE).planes) == set(PLANES)
    bearoff.two_sided_table(SIZE).equity(1, 1)


def test_one_process_builds_at_a_time():
    folder = table_folder(6, SIZE)
    with claimed_for_building(folder):
        for ask in build_again, lambda: cached.remove_table(folder):
            with refused(TableError, "another process", folder):
                ask()
    build_again()


@pytest.mark.parametrize("short", ["memory", "disk"])
def test_too_little_memory_or_disk_is_refused_with_the_numbers(short, monkeypatch):
    checkers, options, needed = 15, {"memory": 10**11}, "11.7 GB"
    if short == "memory":
        for module in ("bearoff.runtime.machine", "bearoff.two_sided.estimate"):
            monkeypatch.setattr(f"{module}.memory_available", lambda: 123_000_000)
        checkers, options = SIZE, {}
        needed = format_bytes(estimate_build(SIZE).memory_bytes)
    usage = shutil.disk_usage("/")._replace(free=123_000_000)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: usage)
    monkeypatch.setattr(build, "_run_passes", None)  # the build must stop before its passes
    with refused(TableError, short, needed, "123.0 MB"):
        bearoff.build_two_sided_table(checkers, **options)


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), MemoryError("9 GB wanted")]
)
def test_a_disk_or_memory_that_fills_up_ends_in_one_sentence(monkeypatch, whole, error):
    def full(*arguments):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("bearoff.pair_planes.writer.PlaneWriter.write", full)
        with refused(TableError, error.args[-1]):
            bearoff.build_two_sided_table(SIZE)
    assert build_again() == (whole, PASSES)


def test_a_folder_that_cannot_be_written(cache):
    cache.write_text("a file where the folder should be")
    with refused(TableError, cache, "BEAROFF_CACHE"):
        bearoff.build_two_sided_table(SIZE)


@pytest.mark.parametrize("workers", [0, -2])
def test_wrong_numbers_of_workers_are_refused(workers):
    with refused(TableError, workers):
        bearoff.build_two_sided_table(SIZE, workers=workers)


def test_estimates_grow_with_the_table_and_shrink_with_workers(monkeypatch):
    # The speed is fixed, because other processes on the machine change measured speeds.
    monkeypatch.setattr(estimate, "_seconds_of_a_pair", lambda workers: 1e-8)
    ample = 10**11
    estimates = [estimate_build(n, workers=1, memory=ample) for n in range(1, 16)]
    for field in ("pairs", "disk_bytes", "memory_bytes", "seconds"):
        values = [getattr(estimate, field) for estimate in estimates]
        assert values == sorted(values)
    assert estimates[-1].pairs == 54_264**2
    assert estimates[-1].memory_bytes < 16e9
    four = estimate_build(15, workers=4, memory=ample)
    # Threads wait for each other, so four threads are not four times as fast.
    assert four.seconds < estimates[-1].seconds / 2
    chances = estimate_build(15, cube=False, memory=ample)
    assert chances.disk_bytes < estimates[-1].disk_bytes / 4
    assert chances.seconds < estimates[-1].seconds / 3.5
    assert chances.memory_bytes < estimates[-1].memory_bytes


def test_a_finished_table_is_not_built_again_and_a_removed_one_is_gone(whole):
    folder = bearoff.build_two_sided_table(SIZE)
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert build_again() == (whole, [])
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before
    bearoff.two_sided_table(SIZE)
    assert cached.remove_table(table_folder(6, SIZE)) is True
    assert not folder.exists()
    assert cached.remove_table(table_folder(6, SIZE)) is False
    with refused(TableError, f"--checkers {SIZE}"):
        bearoff.two_sided_table(SIZE)


def test_a_table_in_which_gammons_can_be_lost_has_passes_for_them():
    first, run = build_again(2, start=2, cube=False)
    assert run == ["cubeless"]
    # The second build keeps the existing file of the cubeless plane.
    gammons = "points and gammons_won and gammons_lost"
    files, run = build_again(2, start=2)
    assert run == [gammons, PASSES[1], "centred and jacoby"]
    assert files["cubeless.plane"] == first["cubeless.plane"]
    folder = bearoff.two_sided_table(2, start=2).folder
    (folder / "jacoby.plane").unlink()
    (folder / "gammons_lost.plane").unlink()
    # The pass for equities with the Jacoby rule reads temporary results of the pass before.
    # The build therefore runs both passes again.
    assert build_again(2, start=2) == (files, ["gammons_lost", PASSES[1], "jacoby"])
    assert not (folder / "opponent-residuals.plane").exists()


def test_a_pass_is_not_told_by_what_the_one_before_has_left_in_memory(monkeypatch):
    def built(filled):
        made = workspace.aligned

        def aligned(*size):
            room = made(*size)
            room.view(np.uint8)[:] = filled
            return room

        with monkeypatch.context() as patch:
            patch.setattr(workspace, "aligned", aligned)
            folder = bearoff.build_two_sided_table(2, points=7, start=2)
        files = files_of(folder)
        shutil.rmtree(folder)
        return files

    assert built(0) == built(0x5A)
