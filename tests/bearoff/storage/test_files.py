"""Files and folders are written so that they appear complete or not at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bearoff.storage import (
    atomic_path,
    files,
    remove_unfinished,
    require_regular,
    write_atomic,
)
from tests.refusals import refused


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(Path("there", "a"))
    for data in (b"first", b"second"):
        write_atomic(tmp_path / "link", data)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "a").read_bytes() == b"second"
    assert names(tmp_path) == ["link", "there"]
    assert names(tmp_path / "there") == ["a"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_what_is_no_file_is_refused_before_it_is_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name, kind in (("pipe", "pipe"), ("", "folder"), ("none", "no such file")):
        with refused(OSError, kind):
            require_regular(tmp_path / name)


def test_a_folder_replaces_another(tmp_path):
    for name in ("first", "second"):
        with atomic_path(tmp_path / "a") as fresh:
            fresh.mkdir()
            (fresh / name).write_text(name)
    assert names(tmp_path / "a") == ["second"]
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt()])
def test_what_was_there_stays_after_an_error(tmp_path, error):
    write_atomic(tmp_path / "a", b"first")

    def write():
        with atomic_path(tmp_path / "a") as fresh:
            fresh.write_bytes(b"second")
            raise error

    with pytest.raises(type(error)):
        write()
    assert (tmp_path / "a").read_bytes() == b"first"
    assert names(tmp_path) == ["a"]


def test_a_folder_stays_if_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    replace = os.replace

    def refuse_new(source, target):
        if Path(source).parent.suffix == ".new":
            raise OSError(5, "Input/output error")
        replace(source, target)

    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "first").write_text("first")
    monkeypatch.setattr(os, "replace", refuse_new)
    with refused(OSError, "Input/output"), atomic_path(tmp_path / "a") as fresh:
        fresh.mkdir()
    assert names(tmp_path) == ["a"]
    assert names(tmp_path / "a") == ["first"]


def test_an_error_names_the_file_that_was_to_be_written(tmp_path):
    path = tmp_path / "none" / "a"
    with pytest.raises(FileNotFoundError) as error:
        write_atomic(path, b"")
    assert error.value.filename == str(path)


def test_data_is_on_the_disk_before_the_name(tmp_path, monkeypatch):
    calls = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda n: (calls.append(os.fstat(n).st_ino), fsync(n)))
    monkeypatch.setattr(os, "replace", lambda *a: (calls.append("replace"), replace(*a)))
    write_atomic(tmp_path / "a", b"first")
    inode = (tmp_path / "a").stat().st_ino
    assert calls == [inode, "replace", tmp_path.stat().st_ino]


def test_a_link_at_the_unfinished_file_overwrites_nothing(tmp_path, monkeypatch):
    """Writing a file does not follow a link that another user put at the temporary name."""
    monkeypatch.setattr(files.secrets, "randbelow", lambda _: 0)
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    with atomic_path(tmp_path / "a") as fresh:
        guessed = fresh.parent
        assert guessed.stat().st_mode & 0o777 == 0o700
        fresh.write_bytes(b"first")
    guessed.symlink_to(victim)
    with pytest.raises(OSError, match="exists") as found:
        write_atomic(tmp_path / "a", b"second")
    assert found.value.filename == str(tmp_path / "a")
    assert victim.read_bytes() == b"precious"
    assert (tmp_path / "a").read_bytes() == b"first"


KILLED = """
import os, signal, sys
from pathlib import Path
from bearoff.storage import atomic_path
with atomic_path(Path(sys.argv[1])) as fresh:
    fresh.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by signals")
def test_what_a_killed_process_left_goes_with_the_next_writing(tmp_path):
    subprocess.run([sys.executable, "-c", KILLED, tmp_path / "a"], check=False)
    assert len(names(tmp_path)) == 1
    with atomic_path(tmp_path / "a") as fresh:
        assert names(tmp_path) == [fresh.parent.name]
        # `another` stands for the temporary file of another running process.
        with atomic_path(tmp_path / "a") as another:
            another.write_bytes(b"another")
            assert len(names(tmp_path)) == 2
        fresh.write_bytes(b"last")
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"last"


def test_leftovers_go_and_files_of_users_stay(tmp_path):
    ours = ["a.17.new", "a.18.old", "b.parquet.3.new"]
    theirs = ["a", "a.new", "a.17", "notes.17.new.txt", "17.new", "b.x.new"]
    for name in ours + theirs:
        (tmp_path / name).write_text("")
    remove_unfinished(tmp_path, "a")
    assert names(tmp_path) == sorted([*theirs, "b.parquet.3.new"])
    remove_unfinished(tmp_path)
    assert names(tmp_path) == sorted(theirs)
