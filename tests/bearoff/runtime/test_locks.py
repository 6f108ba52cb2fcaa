"""Locks between processes, also on systems that do not support file locks."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bearoff
from bearoff.errors import LockedError
from bearoff.one_sided.cached import cached_tables
from bearoff.runtime import locks
from bearoff.runtime.locks import locked
from tests.refusals import refused


def test_one_holds_it_at_a_time_and_frees_it_after_an_error(tmp_path):
    path = tmp_path / "lock"
    with locked(path), pytest.raises(LockedError), locked(path, timeout=0):
        pass
    with locked(path, timeout=0):
        pass
    with pytest.raises(ZeroDivisionError), locked(path):
        1 / 0  # noqa: B018
    with locked(path, timeout=0):
        pass


def test_where_there_are_no_locks_it_is_done_without(tmp_path, no_locks):
    with locked(tmp_path / "lock"), locked(tmp_path / "lock", timeout=0):
        pass


def test_a_table_is_removed_where_there_are_no_locks(tmp_path, monkeypatch, no_locks):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    bearoff.one_sided.rebuild_one_sided_table(2, 2)
    for kept in cached_tables():
        kept.remove()
    assert cached_tables() == []


def test_a_wait_is_announced_and_ends(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(locks, "_SILENT", 0.05)
    path = tmp_path / "lock"
    with locked(path), refused(LockedError, "0.2"), locked(path, timeout=0.2):
        pass
    assert [str(path) in message for message in caplog.messages] == [True]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="a file system of Linux")
def test_a_file_system_that_refuses_new_files_ends_in_an_error():
    """A lock in a folder in which no files can be created gives an error."""
    with refused(OSError, "/proc/lock"), locked(Path("/proc/lock")):
        pass


def test_threads_take_turns_in_silence(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(locks, "_SILENT", 0.05)
    path, order = tmp_path / "lock", []

    def take(name):
        with locked(path):
            order.append(name)
            time.sleep(0.2)
            order.append(name)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(take, "ab"))
    assert order in (["a", "a", "b", "b"], ["b", "b", "a", "a"])
    assert caplog.text == ""


def test_a_thread_waits_no_longer_than_it_wants_to(tmp_path):
    path = tmp_path / "lock"

    def take():
        with refused(LockedError, "0.05 s"), locked(path, timeout=0.05):
            pass

    with locked(path), ThreadPoolExecutor(1) as pool:
        pool.submit(take).result()


def test_what_is_kept_is_let_go_by_any_thread(tmp_path):
    kept = locks.kept_locked(tmp_path / "lock")
    kept.__enter__()
    with pytest.raises(LockedError), locked(tmp_path / "lock", timeout=0):
        pass
    with ThreadPoolExecutor(1) as pool:
        pool.submit(kept.__exit__, None, None, None).result()
    with locked(tmp_path / "lock", timeout=0):
        pass
