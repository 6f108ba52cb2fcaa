"""A run in an object store that fails can be continued."""

import threading
from contextlib import suppress
from functools import partialmethod

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from pyarrow import fs

from bearoff.sim.runs import runner
from bearoff.sim.runs.write_queue import WriteQueue
from bearoff.sim.storage import RunError, files
from tests.refusals import names, refused
from tests.sim.batches import batch, parts_of, run


class Failing(fs.FSSpecHandler):
    """Object store in memory that counts its operations, and fails permanently after a
    given number.
    """

    def __init__(self, memory, serves):
        super().__init__(memory)
        self._lock = threading.Lock()
        self._serves = serves
        self.asked = 0
        self.failed = 0

    def _ask(self, name, *arguments):
        with self._lock:
            self.asked += 1
            if self.asked > self._serves:
                self.failed += 1
                raise OSError("the store is silent")
        return getattr(super(), name)(*arguments)


for _name in (
    *("get_file_info", "get_file_info_selector", "create_dir", "delete_dir", "delete_file"),
    *("open_input_stream", "open_output_stream"),
):
    setattr(Failing, _name, partialmethod(Failing._ask, _name))


@pytest.fixture
def memory():
    memory = MemoryFileSystem()
    yield memory
    memory.store.clear()


pytestmark = pytest.mark.usefixtures("small")


def opened(monkeypatch, memory, serves=10**9):
    """Let runs use a store that fails after `serves` operations; return this store."""
    store = Failing(memory, serves)
    found = fs.PyFileSystem(store), "bucket/small"
    monkeypatch.setattr(files, "open_folder", lambda location: found)
    return store


def play(monkeypatch, memory, serves=10**9, **changes):
    """Run the small batch in a store that fails after `serves` operations; return the
    store, and the number of games played.
    """
    store, played, told = opened(monkeypatch, memory, serves), None, "silent"
    try:
        summary = run(batch("s3://bucket?region=x", **changes))
    except RunError as error:
        told = str(error)
    else:
        assert summary.path == "s3://bucket/small?region=x"
        played = summary.games_played
    assert (played is not None) == (store.failed == 0)
    assert names(told, "silent")
    return store, played


def stored(memory):
    return {
        name.rpartition("/")[2]: file.getvalue()
        for name, file in memory.store.items()
        if "/outcomes/" in name
    }


@pytest.mark.parametrize("workers", [1, 2])
def test_a_store_that_failed_is_asked_no_more(tmp_path, monkeypatch, memory, workers):
    alone = parts_of(run(batch(tmp_path)).path)
    changes = {"backend": "threading", "workers": workers}
    operations = play(monkeypatch, memory, **changes)[0].asked
    assert stored(memory) == alone
    kept = {name.partition("small/")[2] for name in memory.store}
    assert kept == {"run.json"} | {f"outcomes/{name}" for name in alone}
    assert play(monkeypatch, memory)[1] == 0
    memory.store.clear()
    # Two threads may use the store when it first fails: one writes blocks, and one reads.
    at_once = 1 if workers == 1 else 2
    for serves in range(0, operations - 1, 3):
        store, _ = play(monkeypatch, memory, serves, **changes)
        # With two threads, sessions differ in their number of operations.
        assert (serves < operations // 2 or workers == 1) <= store.failed <= at_once
        if serves < operations // 2:
            # The resumed session loses the store, too, while it reads stored data.
            store, _ = play(monkeypatch, memory, 8, **changes)
            assert 1 <= store.failed <= at_once
        _, played = play(monkeypatch, memory, **changes)
        assert played < 25_000 or serves < 15
        assert stored(memory) == alone
        memory.store.clear()


def test_no_result_is_taken_once_a_part_could_not_be_stored(monkeypatch, memory):
    made, asked, tasks = [], [], runner.run_tasks
    store = opened(monkeypatch, memory)

    class Kept(WriteQueue):
        def __init__(self, threads):
            super().__init__(threads)
            made.append(self)

    def fail():
        raise OSError("the store is silent")

    def failing_meanwhile(*arguments):
        for result in tasks(*arguments):
            with suppress(OSError):
                made[0].make(fail)
            asked.append(store.asked)
            yield result

    monkeypatch.setattr(runner, "WriteQueue", Kept)
    monkeypatch.setattr(runner, "run_tasks", failing_meanwhile)
    with refused(RunError, "silent"):
        run(batch("s3://bucket?region=x"))
    assert asked == [store.asked]
