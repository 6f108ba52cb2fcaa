"""Locks between processes, and what is done where there are none."""

import pytest
from filelock import FileLock, Timeout

import bearoff
from bearoff import locks
from bearoff.kept import kept_tables
from bearoff.locks import locked


class NoLock(FileLock):
    """As on a shared file system that knows no locks."""

    def _acquire(self):
        raise NotImplementedError("FileSystem does not appear to support flock")


def test_one_holds_it_at_a_time(tmp_path):
    path = tmp_path / "lock"
    with locked(path), pytest.raises(Timeout), locked(path, timeout=0):
        pass
    with locked(path, timeout=0):
        pass


def test_it_is_free_after_an_error(tmp_path):
    path = tmp_path / "lock"
    with pytest.raises(ZeroDivisionError), locked(path):
        1 / 0  # noqa: B018
    with locked(path, timeout=0):
        pass


def test_where_there_are_no_locks_it_is_done_without(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "FileLock", NoLock)
    with locked(tmp_path / "lock"), locked(tmp_path / "lock", timeout=0):
        pass


def test_a_table_is_removed_where_there_are_no_locks(tmp_path, monkeypatch):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    bearoff.rebuild_one_sided_table(2, 2)
    monkeypatch.setattr(locks, "FileLock", NoLock)
    for kept in kept_tables():
        kept.remove()
    assert kept_tables() == []
