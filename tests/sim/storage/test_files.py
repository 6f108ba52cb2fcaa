"""Files that appear whole or not at all, in folders and object stores alike."""

import errno
import os
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from pyarrow import fs

from sim.storage.files import RunError, folder_within, open_folder, read, write
from tests.refusals import refused

LOCAL = fs.LocalFileSystem()


@pytest.fixture
def store():
    """An object store, as pyarrow sees any that fsspec knows."""
    memory = MemoryFileSystem()
    yield fs.PyFileSystem(fs.FSSpecHandler(memory))
    memory.store.clear()


def test_a_path_is_made_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    filesystem, path = open_folder("results/quick")
    assert isinstance(filesystem, fs.LocalFileSystem)
    assert path == str(tmp_path / "results" / "quick")


def test_a_uri_is_taken_apart(tmp_path):
    filesystem, path = open_folder(f"file://{tmp_path}/results")
    assert isinstance(filesystem, fs.LocalFileSystem)
    assert path == f"{tmp_path}/results"


@pytest.mark.parametrize("uri", ["ftp://somewhere/results", "s3:///quick", "gs//x://y"])
def test_what_cannot_be_opened_is_named(uri):
    with pytest.raises(RunError, match="cannot open") as refusal:
        open_folder(uri)
    assert f"cannot open {uri!r}: " in str(refusal.value)


@pytest.mark.parametrize(
    ("location", "within"),
    [
        ("results", "results/quick"), ("results///", "results/quick"), ("/", "/quick"),
        ("a?b", "a?b/quick"), ("gs://bucket", "gs://bucket/quick"),
        ("file:///", "file:///quick"), ("s3://", "s3:///quick"),
        ("s3://bucket/a/?region=x&scheme=http", "s3://bucket/a/quick?region=x&scheme=http"),
    ],
)  # fmt: skip
def test_folders_within(location, within):
    assert folder_within(location, "quick") == within


@pytest.mark.parametrize("data", [b"", b"x", bytes(range(256)) * 5000])
def test_what_is_written_is_read(tmp_path, store, data):
    write(LOCAL, str(tmp_path / "a"), data)
    assert read(LOCAL, str(tmp_path / "a")) == data
    assert names_in(tmp_path) == ["a"]
    store.create_dir("runs")
    write(store, "runs/a", data)
    assert read(store, "runs/a") == data


def test_what_is_not_there_is_none(tmp_path, store):
    assert read(LOCAL, str(tmp_path / "a")) is None
    assert read(store, "runs/a") is None


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def fail_with(code):
    def fail(*arguments):
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch, step):
    write(LOCAL, str(tmp_path / "a"), b"old")
    monkeypatch.setattr(
        *((os, "fsync") if step == "fsync" else (Path, "replace")), fail_with(errno.ENOSPC)
    )
    with refused(OSError, "No space left"):
        write(LOCAL, str(tmp_path / "a"), b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names_in(tmp_path) == ["a"]


def test_an_interrupted_write_leaves_nothing(tmp_path, monkeypatch):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(LOCAL, str(tmp_path / "a"), b"new")
    assert names_in(tmp_path) == []


def test_a_folder_cannot_be_read_as_a_file(tmp_path):
    with refused(OSError, "directory"):
        read(LOCAL, str(tmp_path))


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_pipe_or_a_device_is_not_read(make, tmp_path):
    make(tmp_path / "x")
    with refused(OSError, "file"):
        read(fs.LocalFileSystem(), str(tmp_path / "x"))


def test_a_folder_without_a_name_is_not_the_root():
    with refused(RunError, "folder"):
        folder_within("", "quick")
    assert folder_within(".", "quick") == "./quick"


def test_a_key_in_a_uri_is_refused_and_not_repeated():
    with pytest.raises(RunError, match=r"holds a key.*AWS_ACCESS_KEY_ID") as refusal:
        open_folder("s3://me:secret@bucket/runs?region=eu-west-1")
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "uri",
    [
        "s3://me:secret/key@bucket/runs", "gs://secret@bucket", "S3://secret@bucket",
        "abfs://:secret@account.dfs.core.windows.net/runs",
        "hdfs://me:secret@host:8020/runs", "ftp://secret@host/runs",
    ],
)  # fmt: skip
def test_no_key_is_repeated_whatever_the_scheme(uri):
    with pytest.raises(RunError, match=r"://\.\.\.@") as refusal:
        open_folder(uri)
    assert "secret" not in str(refusal.value)
