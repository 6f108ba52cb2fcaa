"""`bearoff tables` and the list of kept tables behind it."""

import errno
import os
from pathlib import Path

import pytest

from bearoff.one_sided import opening
from bearoff.one_sided.cached import cached_tables
from bearoff.runtime import format_bytes
from bearoff.storage import cache as store
from tests.app.conftest import Command, only_sentence

SIZE = ("--points", "2", "--checkers", "3")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_an_empty_cache_lists_nothing(bearoff: Command, cache: Path) -> None:
    assert bearoff("tables", "list").out == f"0 in {cache}\n"
    assert bearoff("tables", "list", "--json").json == []


def test_build_list_clear(bearoff: Command, cache: Path) -> None:
    built = bearoff("tables", "build", *SIZE)
    assert built.code == 0
    assert built.out.startswith("10 positions solved in ")
    (listed,) = bearoff("tables", "list", "--json").json
    assert listed.pop("bytes") > 0
    assert listed == {
        "kind": "one-sided",
        "points": 2,
        "checkers": 3,
        "positions": 10,
        "good": True,
        "folder": str(cache / "one-sided-02x03"),
    }
    assert "good" in bearoff("tables", "list").out
    assert bearoff("tables", "clear").out.startswith("1 deleted, ")
    assert cached_tables() == []


def test_a_damaged_table_is_reported_and_built_anew(
    bearoff: Command, process: Command, cache: Path
) -> None:
    bearoff("tables", "build", *SIZE)
    (cache / "one-sided-02x03" / "mean_rolls.npy").write_bytes(b"")
    assert not bearoff("tables", "list", "--json").json[0]["good"]
    assert "stale or damaged" in bearoff("tables", "list").out
    # Another process, for this one has the table in memory.
    assert process("epc", "1,0", *SIZE, "--json").json[0]["mean_rolls"] == 1
    assert bearoff("tables", "list", "--json").json[0]["good"]


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, 1), (errno.EROFS, 2)])
def test_a_table_that_cannot_be_kept_is_not_built(
    bearoff: Command, monkeypatch: pytest.MonkeyPatch, number: int, code: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(store, "write_array", refuse)
    answer = bearoff("tables", "build", *SIZE)
    assert (answer.code, answer.out) == (code, "")
    said = [line for line in answer.err.splitlines() if "cannot be stored" in line]
    assert len(said) == 1
    assert os.strerror(number) in said[0]
    assert "warning" not in answer.err
    assert bearoff("epc", "1", *SIZE).code == 0  # A query needs it, and not its file.


def test_clear_takes_only_the_size_asked_for(bearoff: Command) -> None:
    for checkers in ("1", "2"):
        bearoff("tables", "build", "--points", "2", "--checkers", checkers)
    bearoff("tables", "clear", "--checkers", "2")
    assert [(kept.points, kept.checkers) for kept in cached_tables()] == [(2, 1)]


def test_clear_leaves_what_is_no_table(bearoff: Command, cache: Path) -> None:
    bearoff("tables", "build", *SIZE)
    mine = cache / "notes"
    mine.mkdir()
    (cache / "one-sided-02x03.txt").write_text("mine")
    bearoff("tables", "clear")
    assert mine.is_dir()
    assert (cache / "one-sided-02x03.txt").exists()
    assert not (cache / "one-sided-02x03").exists()


def test_build_json(bearoff: Command) -> None:
    answer = bearoff("tables", "build", *SIZE, "--json").json
    assert answer["positions"] == 10
    assert answer["seconds"] >= 0


def test_build_says_what_it_takes_and_what_came_of_it(bearoff: Command) -> None:
    answer = bearoff("tables", "build", *SIZE, "--workers", "1")
    first, *progress = answer.err.splitlines()
    assert first.startswith("bearoff: 10 positions of 2 points and 3 checkers: about 980 ")
    assert first.endswith(" MB of memory and 0 s with 1 thread")
    assert progress[-1] == "bearoff: solving: 100%"
    (kept,) = cached_tables()
    assert answer.out.splitlines()[1] == f"{format_bytes(kept.bytes)}, digest {kept.digest}"
    again = bearoff("tables", "build", *SIZE, "--json").json
    assert again["digest"] == kept.digest
    assert again["bytes"] == kept.bytes


def test_verify_reads_everything(bearoff: Command, cache: Path) -> None:
    bearoff("tables", "build", *SIZE)
    bearoff("tables", "build", "--points", "1", "--checkers", "3")
    good = "one-sided table of {} points and 3 checkers good\n"
    assert bearoff("tables", "verify").out == good.format(1) + good.format(2)
    path = cache / "one-sided-02x03" / "policy.npy"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    assert bearoff("tables", "verify", "--points", "1").out == good.format(1)
    sentence = only_sentence(bearoff("tables", "verify", "--points", "2"))
    assert "policy.npy is damaged in block 0; build the table again" in sentence
    sentence = only_sentence(bearoff("tables", "verify", "--points", "3"))
    assert "there is no such table to verify" in sentence


def test_what_cannot_fit_is_refused_before_it_starts(
    bearoff: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "build_arrays", None)
    monkeypatch.setattr("bearoff.runtime.machine.memory_available", lambda: 10**9)
    answer = bearoff("tables", "build", "--points", "12")
    assert answer.code == 2
    assert answer.err.count("\n") == 2
    assert "needs 6.0 GB of memory and 1.0 GB is free" in answer.err
    sentence = only_sentence(bearoff("epc", "0", "--points", "12"))
    assert "needs 6.0 GB of memory" in sentence
    assert "more than 4,294,967,296" in only_sentence(
        bearoff("tables", "build", "--points", "24")
    )
