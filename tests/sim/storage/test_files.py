"""Files in folders and object stores are written so that they appear complete or not at
all.
"""

import errno
import os

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from pyarrow import fs

from bearoff.sim.storage.files import RunError, folder_within, open_folder, read, write
from tests.refusals import refused

LOCAL = fs.LocalFileSystem()


@pytest.fixture
def store():
    """Return an object store in memory, which pyarrow uses like any store of fsspec."""
    memory = MemoryFileSystem()
    yield fs.PyFileSystem(fs.FSSpecHandler(memory))
    memory.store.clear()


def test_a_path_is_made_absolute_and_a_uri_taken_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for location in ("results/quick", f"file://{tmp_path}/results/quick"):
        filesystem, path = open_folder(location)
        assert isinstance(filesystem, fs.LocalFileSystem)
        assert path == str(tmp_path / "results" / "quick")


@pytest.mark.parametrize(
    ("location", "within"),
    [
        ("results///", "results/quick"), (".", "./quick"), ("/", "/quick"),
        ("a?b", "a?b/quick"), ("gs://bucket", "gs://bucket/quick"),
        ("file:///", "file:///quick"), ("s3://", "s3:///quick"),
        ("s3://bucket/a/?region=x&scheme=http", "s3://bucket/a/quick?region=x&scheme=http"),
    ],
)  # fmt: skip
def test_folders_within(location, within):
    assert folder_within(location, "quick") == within
    with refused(RunError, "folder"):
        folder_within("", "quick")


@pytest.mark.parametrize("data", [b"", bytes(range(256)) * 5000])
def test_what_is_written_is_read(tmp_path, store, data):
    store.create_dir("runs")
    for filesystem, path in ((LOCAL, str(tmp_path / "a")), (store, "runs/a")):
        assert read(filesystem, path) is None
        write(filesystem, path, data)
        assert read(filesystem, path) == data
    assert names_in(tmp_path) == ["a"]


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def full(*arguments):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch, step):
    write(LOCAL, str(tmp_path / "a"), b"old")
    monkeypatch.setattr(step, full)
    with refused(OSError, "No space left"):
        write(LOCAL, str(tmp_path / "a"), b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names_in(tmp_path) == ["a"]


def test_a_folder_a_pipe_or_a_device_is_not_read_as_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "zeros"):
        with pytest.raises(OSError, match=path.name):
            read(LOCAL, str(path))


@pytest.mark.parametrize(
    ("uri", "named"),
    [
        ("s3://me:secret@bucket/runs?region=eu-west-1", "AWS_ACCESS_KEY_ID"),
        *((uri, repr(uri)) for uri in ("ftp://somewhere/results", "s3:///quick", "gs//x://y")),
        *((uri, "://...@") for uri in (
            "s3://me:secret/key@bucket/runs", "gs://secret@bucket", "S3://secret@bucket",
            "abfs://:secret@account.dfs.core.windows.net/runs",
            "hdfs://me:secret@host:8020/runs", "ftp://secret@host/runs",
        )),
    ],
)  # fmt: skip
def test_what_cannot_be_opened_is_named_without_its_key(uri, named):
    with pytest.raises(RunError) as refusal:
        open_folder(uri)
    assert named in str(refusal.value)
    assert "secret" not in str(refusal.value)
