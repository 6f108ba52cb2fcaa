"""Runs continue correctly after their processes were stopped or killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from joblib import delayed

from bearoff.sim.runs import runner
from bearoff.sim.storage import RunError
from tests.refusals import refused
from tests.sim.batches import batch, cut_small, finish, parts_of, run
from tests.sim.runs.stopped_runs import games_stored, has_stored

SESSION = """
import resource, sys, time
from pathlib import Path
from bearoff import sim
from bearoff.sim.engine import plan
from bearoff.sim.runs.races import RaceWork
from tests.sim.batches import batch
from tests.sim.runs.stopped_runs import has_stored
plan.BLOCK_GAMES, plan.PART_PAIRS = {block_games}, {part_pairs}
limit = {limit}
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
parts, blocks, pause = {linger}
def slowly(self, block, task=RaceWork.task):
    if pause and block.part >= parts:
        stored = has_stored(Path({output!r}) / "small", parts, blocks)
        time.sleep(pause if stored else 0.15)
    return task(self, block)
RaceWork.task = slowly
try:
    sim.run(batch({output!r}, **{changes!r}), progress=False)
except sim.RunError as error:
    sys.exit(str(error))
except KeyboardInterrupt:
    sys.exit(130)
"""

LONG = {"games": 150_000, "backend": "threading", "workers": 2}
LONG_CUT = {"block_games": 25_000, "part_pairs": 4}


def session(output, *, cut=None, limit=0, linger=(0, 0, 0), **changes):
    """Start a process that plays a batch, in its own process group.

    Once the process has stored the parts and blocks in `linger`, the process waits for some
    seconds before each further block. Even on a busy machine, it is then still running when
    the test stops it.
    """
    cut = cut or {"block_games": 3000, "part_pairs": 4}
    code = SESSION.format(
        output=str(output), changes=changes, limit=limit, linger=linger, **cut
    )
    return subprocess.Popen(
        # The option -B prevents bytecode files, which the limit of the file size could
        # truncate.
        [sys.executable, "-B", "-W", "error", "-c", code],
        cwd=Path(__file__).parents[3],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A background job of a shell ignores Ctrl-C, and so do its child processes unless
        # the default is restored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_a_file_size_limit_stops_in_a_sentence(tmp_path, whole):
    with session(tmp_path, limit=4096) as process:
        told = process.communicate(timeout=600)[1]
    assert process.returncode == 1
    assert told.count("\n") == 1
    assert "stopped: [Errno 27] File too large" in told
    folder = tmp_path / "small"
    assert not list(folder.rglob("*.new"))
    assert parts_of(folder) == {}
    # Three of the four blocks of the first part are stored when the limit stops the run.
    assert finish(batch(tmp_path), whole).games_played == 25_000 - 3 * 3000


def wait_for(folder, process, blocks=0, parts=0):
    """Wait until a process has stored this many parts, and blocks of the next part."""
    until = time.monotonic() + 600
    while time.monotonic() < until and process.poll() is None:
        if has_stored(folder, parts, blocks):
            assert process.poll() is None
            return
        time.sleep(0.002)
    raise AssertionError(f"nothing came of {folder}: {process.poll()}")


@pytest.fixture(scope="module")
def long_whole(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        cut_small(patch, **LONG_CUT)
        return parts_of(run(batch(tmp_path_factory.mktemp("whole"), **LONG)).path)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["threading", "loky"])
@pytest.mark.parametrize(
    ("sent", "parts", "blocks", "pause"),
    [(signal.SIGKILL, 1, 1, 60), (signal.SIGINT, 0, 5, 1)],
)
def test_killed_or_stopped_by_ctrl_c_and_resumed(
    tmp_path, monkeypatch, long_whole, backend, sent, parts, blocks, pause
):
    folder, linger = tmp_path / "small", (parts, blocks, pause)
    changes = LONG | {"backend": backend}
    with session(tmp_path, cut=LONG_CUT, linger=linger, **changes) as process:
        wait_for(folder, process, blocks, parts)
        # A terminal sends Ctrl-C to all processes of a command, and so does this test.
        os.killpg(process.pid, sent)
        told = process.communicate(timeout=600)[1]
    killed = sent == signal.SIGKILL
    assert process.returncode == (-sent if killed else 130), told
    assert killed or not list(folder.rglob("*.new"))
    cut_small(monkeypatch, **LONG_CUT)
    stored = games_stored(folder, games_of_pair=150_000)
    assert stored >= parts * 600_000 + blocks * 25_000
    summary = finish(batch(tmp_path, **LONG), long_whole)
    assert summary.games_played == summary.games - stored > 0


def test_a_second_process_on_a_run_is_refused(tmp_path, monkeypatch):
    cut_small(monkeypatch, **LONG_CUT)
    with session(tmp_path, cut=LONG_CUT, linger=(0, 1, 60), **LONG) as process:
        wait_for(tmp_path / "small", process, blocks=1)
        with refused(RunError, "another process"):
            run(batch(tmp_path, **LONG))
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)


def _die():
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_is_reported(tmp_path, small, monkeypatch):
    run_tasks = runner.run_tasks

    def with_a_death(tasks, *arguments):
        # The worker kills itself in a task, because a kill from the test might come too
        # late.
        tasks = list(tasks)
        return run_tasks([*tasks[:40], delayed(_die)(), *tasks[40:]], *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(runner, "run_tasks", with_a_death)
        with refused(RunError, "killed"):
            run(batch(tmp_path, backend="loky", workers=2, games=25_000))
    stored = games_stored(tmp_path / "small", games_of_pair=25_000)
    summary = run(batch(tmp_path, games=25_000))
    assert summary.games_played == summary.games - stored > 0
