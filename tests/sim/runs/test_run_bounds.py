"""Runs use limited memory, count each block once, and refuse batches that are too large."""

import threading
import time
from itertools import islice

import numpy as np
import pytest

from bearoff.sim.engine import plan
from bearoff.sim.play.tally import WIDTH, length_moments
from bearoff.sim.runs import runner
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.runs.part import PartAccumulator
from bearoff.sim.runs.races import RaceWork
from bearoff.sim.runs.write_queue import WriteQueue
from bearoff.sim.storage.files import RunError
from tests.refusals import refused
from tests.sim.batches import batch, cut_small, finish, manifest_of, parts_of, run

ADDRESS = "tcp://10.0.0.5:8786"


def test_where_blocks_are_stored_slowly_none_are_played_ahead(tmp_path, monkeypatch):
    cut_small(monkeypatch, block_games=300, part_pairs=10)
    lock = threading.Lock()
    drawn, stored, ahead = 0, 0, 0
    task, write_block = RaceWork.task, RunFolder.write_block

    def drawing(self, block):
        nonlocal drawn, ahead
        with lock:
            drawn += 1
            ahead = max(ahead, drawn - stored)
        play, arguments, named = task(self, block)

        def playing(*arguments, **named):
            time.sleep(0.005)
            return play(*arguments, **named)

        return playing, arguments, named

    def slow(self, *arguments):
        nonlocal stored
        time.sleep(0.02)
        write_block(self, *arguments)
        with lock:
            stored += 1

    monkeypatch.setattr(RaceWork, "task", drawing)
    monkeypatch.setattr(RunFolder, "write_block", slow)
    run(batch(tmp_path, backend="threading", workers=4))
    assert drawn == 84
    # Only a limited number of blocks is drawn ahead of the slow writer.
    assert ahead <= 28


@pytest.mark.parametrize(
    ("changes", "threads", "workers"),
    [
        ({"backend": "sequential", "workers": 8}, 0, 8),
        ({"backend": "threading", "workers": 1}, 0, 1),
        ({"backend": "loky", "workers": 2}, 1, 2),
        ({"backend": "dask", "workers": 16}, 3, 16),
        ({"backend": "dask", "workers": 40, "scheduler": ADDRESS}, 6, 40),
        ({"backend": "dask", "workers": "auto", "scheduler": ADDRESS}, 1, "auto"),
    ],
)
def test_threads_that_store_and_workers_told_of(
    tmp_path, monkeypatch, changes, threads, workers
):
    made = []

    class Recorded(WriteQueue):
        def __init__(self, threads):
            made.append(threads)
            super().__init__(threads)

    def here(tasks, *arguments):
        yield from (function(*given) for function, given, _ in tasks)

    monkeypatch.setattr("bearoff.sim.engine.workers.cores", lambda: 1)
    monkeypatch.setattr(runner, "WriteQueue", Recorded)
    monkeypatch.setattr(runner, "run_tasks", here)
    summary = run(batch(tmp_path, games=50, **changes))
    assert made == [threads]
    assert manifest_of(summary.path).workers == workers


@pytest.mark.parametrize(("played", "missing"), [(0, 3), (4, 2)])
def test_a_run_that_lacks_something_is_not_complete(tmp_path, monkeypatch, played, missing):
    cut_small(monkeypatch)
    tasks = runner.run_tasks

    def losing(*arguments):
        yield from islice(tasks(*arguments), played)

    with monkeypatch.context() as patch:
        patch.setattr(runner, "run_tasks", losing)
        with refused(RunError, missing, 3):
            run(batch(tmp_path))
    assert manifest_of(tmp_path / "small").complete is False
    finish(batch(tmp_path), parts_of(run(batch(tmp_path / "alone")).path))


def test_more_games_than_can_be_counted_are_refused(tmp_path):
    numbers = {"from": 1, "to": 3200}
    every = {"rollers": numbers, "opponents": numbers}
    config = batch(tmp_path, pairs=[{"every": every}], games=10**12)
    with refused(RunError, "10,240,000", f"{10_240_000 * 10**12:,}", f"{2**63 - 1:,}"):
        run(config)
    assert not (tmp_path / "small").exists()


def test_a_part_of_too_many_blocks_is_refused(tmp_path, monkeypatch):
    cut_small(monkeypatch)
    # The message states the number of games in a result file, and the limits for the file
    # and for each pair.
    with refused(RunError, "4,000,000,000", "3,000,000,000", "750,000,000"):
        run(batch(tmp_path, games=10**9))
    assert not (tmp_path / "small").exists()


def test_tidying_leaves_what_is_not_of_the_run(tmp_path, monkeypatch):
    cut_small(monkeypatch)
    folder = tmp_path / "small"
    theirs = [folder / "mine.new", folder / "notes" / "run.json.77.new"]
    ours = [folder / "run.json.77.new", folder / "outcomes" / "part-000000.parquet.77.new"]
    for path in (*theirs, *ours):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")
    run(batch(tmp_path))
    assert [path.exists() for path in theirs] == [True, True]
    assert [path.exists() for path in ours] == [False, False]


def test_a_block_counts_once_and_lengths_have_their_moments():
    (block,) = plan.blocks_of(0, slice(0, 2), np.array([5, 7]), 20)
    part = PartAccumulator(slice(0, 2), [block], WIDTH, lambda block: None)
    part.add(block, np.ones((2, WIDTH), dtype=np.int64))
    with pytest.raises(KeyError):
        part.add(block, np.ones((2, WIDTH), dtype=np.int64))
    lengths = np.random.default_rng(6).integers(1, 60, 1000)
    rows = np.zeros((3, WIDTH), dtype=np.int64)
    rows[0, :4] = 1000, 0, lengths.sum(), (lengths**2).sum()
    rows[1, :4] = 3, 3, 3 * 7, 3 * 49  # three games, each of seven rolls
    mean, variance = length_moments(rows)
    assert mean[0] == pytest.approx(lengths.mean(), rel=1e-14)
    assert variance[0] == pytest.approx(lengths.var(), rel=1e-11)
    assert variance[1] == 0.0
    assert np.isnan([mean[2], variance[2]]).all()
