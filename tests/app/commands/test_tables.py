"""`bearoff tables`: building, listing, verifying and deleting stored tables."""

import errno
import os
import sys
from unittest.mock import Mock

import pytest

import bearoff as core
from bearoff.one_sided import opening
from bearoff.one_sided.cached import cached_tables
from bearoff.runtime import format_bytes
from bearoff.storage import cache as store
from bearoff.two_sided.cached import cached_two_sided_tables, smallest_table_with
from tests.app.conftest import missing, only_sentence

pytestmark = pytest.mark.usefixtures("cache")

SIZE = ("--points", "2", "--checkers", "3")
BUILD = ("tables", "build", "--two-sided", "--checkers")
PLANES = ["cubeless", "opponent", "owned", "centred"]
SIDES = ("1,1,0,0,0,0", "1,1,0,0,0,0")


def damage(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def test_a_table_is_built_listed_mended_and_cleared(bearoff, process, cache):
    assert bearoff("tables", "list").out == f"Tables in {cache}: 0\n"
    assert bearoff("tables", "list", "--json").json == []
    answer = bearoff("tables", "build", *SIZE, "--workers", "1")
    first, *progress = answer.err.splitlines()
    size = ("10 positions", "2 points", "3 checkers", " MB ")
    assert missing(first, *size, "1 thread") == []
    assert progress[-1].endswith(": 100%")
    (kept,) = cached_tables()
    assert answer.out.startswith("10 positions")
    assert answer.out.splitlines()[1] == f"{format_bytes(kept.bytes)}, digest {kept.digest}"
    again = bearoff("tables", "build", *SIZE, "--json").json
    assert (again["digest"], again["bytes"]) == (kept.digest, kept.bytes)
    assert (again["positions"], again["seconds"] >= 0) == (10, True)
    folder = cache / "one-sided-02x03"
    assert bearoff("tables", "list", "--json").json == [
        {"kind": "one-sided", "points": 2, "checkers": 3, "positions": 10, "good": True}
        | {"folder": str(folder), "bytes": kept.bytes}
    ]
    (folder / "mean_rolls.npy").write_bytes(b"")
    assert not bearoff("tables", "list", "--json").json[0]["good"]
    assert "damaged" in bearoff("tables", "list").out
    # A separate process repairs the table, because this process has the table in memory.
    assert process("epc", "1,0", *SIZE, "--json").json[0]["mean_rolls"] == 1
    assert bearoff("tables", "list", "--json").json[0]["good"]
    mine = cache / "one-sided-02x03.txt"  # files that are no tables are not deleted
    mine.write_text("mine")
    bearoff("tables", "build", "--points", "2", "--checkers", "2")
    bearoff("tables", "clear", "--checkers", "3")
    assert [(kept.points, kept.checkers) for kept in cached_tables()] == [(2, 2)]
    for options in ((), ("--all", "--checkers", "2")):
        only_sentence(bearoff("tables", "clear", *options), "--all")
    assert len(cached_tables()) == 1
    bearoff("tables", "clear", "--all")
    assert (cached_tables(), mine.read_text()) == ([], "mine")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_table_that_cannot_be_kept_is_not_built(bearoff, monkeypatch, number):
    refused = Mock(side_effect=OSError(number, os.strerror(number)))
    monkeypatch.setattr(store, "write_array", refused)
    answer = bearoff("tables", "build", *SIZE)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.count(os.strerror(number)) == 1
    assert "warning" not in answer.err
    # The command succeeds, although the table cannot be stored.
    assert bearoff("epc", "1", *SIZE).code == 0


def test_verify_reads_everything_and_commands_name_a_damaged_table(bearoff, cache):
    bearoff("tables", "build", *SIZE)
    bearoff(*BUILD, "1")
    bearoff(*BUILD, "2")
    assert bearoff("tables", "verify").good.out.count("no damage found") == 3
    damage(cache / "one-sided-02x03" / "policy.npy")
    damage(cache / "two-sided-06-02" / "owned.plane")
    assert bearoff("tables", "verify", "--checkers", "1").out.count("no damage found") == 1
    for size, named in (
        (SIZE, "policy.npy"),
        (("--checkers", "2"), "owned.plane"),
        (("--points", "3"), "verify"),
    ):
        only_sentence(bearoff("tables", "verify", *size), named)
    path = cache / "two-sided-06-02" / "table.json"
    path.write_text('{"table": {')
    assert "damaged" in bearoff("tables", "list").out
    bearoff("tables", "build")
    again = "bearoff tables build --two-sided --checkers 2"
    for command in ("winprob", "cube", "rollout"):
        only_sentence(bearoff(command, *SIDES), path, again)
    assert bearoff(*BUILD, "2").code == bearoff("winprob", *SIDES).code == 0


def test_too_large_a_table(bearoff, monkeypatch):
    monkeypatch.setattr(opening, "build_arrays", None)
    monkeypatch.setattr("bearoff.runtime.machine.memory_available", lambda: 10**9)
    answer = bearoff("tables", "build", "--points", "12")
    assert (answer.code, answer.err.count("\n")) == (2, 2)
    assert missing(answer.err, "6.0 GB", "1.0 GB") == []
    only_sentence(bearoff("epc", "0", "--points", "12"), "6.0 GB", "1.0 GB")


def test_two_sided_tables_are_built_listed_and_cleared(bearoff, cache):
    answer = bearoff(*BUILD, "2", "--cubeless", "--workers", "1", "--json")
    assert answer.json["planes"] == ["cubeless"]
    assert smallest_table_with(2, cube=True) is None
    both = bearoff(*BUILD, "2", "--json")  # this build completes the first table
    assert both.json["planes"] == PLANES
    assert both.json["digests"]["cubeless"] == answer.json["digests"]["cubeless"]
    assert "cubeless" not in both.err
    assert both.json["seconds"] >= 0
    assert set(both.json["pass_seconds"]) == {"opponent and owned", "centred"}
    answer = bearoff(*BUILD, "3", "--workers", "2")
    first, *progress = answer.err.splitlines()
    assert missing(first, "7,056 pairs", "3 checkers", " kB ", " MB ", "2 threads") == []
    assert progress[-1] == "bearoff: centred: 100%"
    lines = answer.out.splitlines()
    passes = [line.strip().partition(":")[0] for line in lines[1:4]]
    assert passes == ["cubeless", "opponent and owned", "centred"]
    (kept,) = (one for one in cached_two_sided_tables() if one.checkers == 3)
    shown = dict(line.split() for line in lines[6:])
    assert (list(shown), shown) == (PLANES, kept.digests)
    bearoff("tables", "build", "--points", "2", "--checkers", "2")
    out = bearoff("tables", "list").out
    assert out.startswith(f"Tables in {cache}: 3\n")
    assert " ".join(PLANES) in out
    assert max(map(len, out.replace(str(cache), "").splitlines())) <= 80
    kinds = [(t["kind"], t["checkers"]) for t in bearoff("tables", "list", "--json").json]
    assert kinds == [("one-sided", 2), ("two-sided", 2), ("two-sided", 3)]
    for options, left in (("--points 2", [2, 3]), ("--checkers 2", [3]), ("--all", [])):
        cleared = bearoff("tables", "clear", *options.split())
        assert cleared.out.startswith("1 ")
        assert [kept.checkers for kept in cached_two_sided_tables()] == left


@pytest.mark.skipif(sys.platform != "linux", reason="sets the cache folder as Linux does")
def test_compiled_code_is_cleared_unless_its_folder_is_named(
    bearoff, monkeypatch, tmp_path
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code = tmp_path / "bearoff" / "compiled" / "room" / "kernels.nbc"
    code.parent.mkdir(parents=True)
    code.write_bytes(bytes(2_500_000))
    bearoff("tables", "clear", "--all")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    bearoff("tables", "clear", "--checkers", "3")
    assert code.exists()
    assert "2.5 MB" in bearoff("tables", "clear", "--all").out
    assert not code.parent.parent.exists()


def test_a_build_that_finished_nothing_is_not_called_good(bearoff):
    with pytest.raises(KeyboardInterrupt):
        core.build_two_sided_table(2, progress=Mock(side_effect=KeyboardInterrupt))
    out = bearoff("tables", "verify").good.out
    assert ("2 checkers" in out, "no damage" in out) == (True, False)
    assert "none" in bearoff("tables", "list").out


def test_tables_at_a_score(bearoff, cache):
    at = (*BUILD, "2", "--score", "4", "2")
    answer = bearoff(*at, "--workers", "1")
    first, *progress = answer.err.splitlines()
    assert missing(first, "784 pairs", "2 checkers", "4-away 2-away") == []
    assert progress[-1] == "bearoff: a1-centred and b1-centred: 100%"
    lines = answer.out.splitlines()
    assert "4-away 2-away" in lines[0]
    (kept,) = cached_two_sided_tables()
    assert dict(line.split() for line in lines[7:]) == kept.digests
    again = bearoff(*at, "--json").json
    assert (again["digests"], again["score"]) == (kept.digests, kept.score)
    crawford = bearoff(*BUILD, "1", "--score", "1", "3", "--crawford", "--json")
    assert crawford.json["planes"] == ["wins", "a1-dead", "b1-dead"]
    bearoff(*BUILD, "1")
    listed = (f"Tables in {cache}: 3\n", "cubeless opponent", "   2-4-", "   1-3-crawford-")
    assert missing(bearoff("tables", "list").out, *listed) == []
    assert "2 checkers at 2-4-" in bearoff("tables", "verify").out
    assert bearoff("tables", "clear", "--all").out.startswith("3 ")
    assert cached_two_sided_tables() == []
