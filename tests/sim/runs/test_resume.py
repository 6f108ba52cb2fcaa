"""A stopped run is finished by the same command, with the bytes of an uninterrupted run."""

import errno
import os
from pathlib import Path

import pytest

from bearoff import analysis
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.storage import RunError, provenance, schema
from bearoff.sim.storage.provenance import versions
from tests.refusals import names, refused
from tests.sim import batches
from tests.sim.batches import batch, finish, manifest_of, run
from tests.sim.runs.stopped_runs import games_stored, notes_of

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
# Number of files that the session writes: manifests, blocks, parts and notes of parts.
WRITES = 1 + 7 + 3 + 3 + 1


@pytest.mark.parametrize("write", [0, 1, 3, 4, 5, 13, 14, WRITES])
def test_a_stop_before_any_write_is_made_good(tmp_path, whole, write):
    assert len(batches.stopped_at_write(batch(tmp_path), write, may_end=True)) == write
    before = games_stored(tmp_path / "small")
    assert finish(batch(tmp_path), whole).games_played == 25_000 - before


def test_other_workers_may_finish_and_the_time_of_all_sessions_adds(tmp_path, whole):
    batches.stopped_at_write(batch(tmp_path), 6)
    first = manifest_of(tmp_path / "small")
    assert (first.finished, first.complete) == (None, False)
    changes = {"backend": "threading", "workers": 3, "description": "another day"}
    assert 0 < finish(batch(tmp_path, **changes), whole).games_played < 25_000
    second = manifest_of(tmp_path / "small")
    assert second.seconds > first.seconds > 0
    assert second.finished >= second.started == first.started


def test_other_code_that_resumes_a_run_is_warned_of(tmp_path, small, monkeypatch):
    monkeypatch.setattr(provenance, "commit", lambda: ("0" * 40, False))
    batches.stopped_at_write(batch(tmp_path), 6)
    monkeypatch.setattr(provenance, "commit", lambda: ("1" * 40, False))
    now = versions()
    monkeypatch.setattr(provenance, "versions", lambda: {**now, "numba": "0.1"})
    begun = rf"started with commit 0{{10}}, numba {now['numba']} and is continued with "
    with pytest.warns(RuntimeWarning, match=f"{begun}commit 1{{10}}, numba 0.1"):
        run(batch(tmp_path))
    run(batch(tmp_path))  # starting a finished run again plays and prints nothing


def test_an_unfinished_run_is_read_by_its_notes(stopped):
    noted = [path.name for path in notes_of(stopped)]
    assert noted == ["part-000000.json", "part-000001.json"]
    found = analysis.open_run(stopped)
    assert (found.complete, found.pairs, found.games) == (False, 8, 20_000)
    assert found.table(["pair"])["pair"].to_pylist() == list(range(8))
    row = found.table(["roller", "opponent", "wins"]).to_pylist()[5]
    assert found.estimate(row["roller"], row["opponent"]).wins == row["wins"]
    assert found.manifest.seconds > 0


def test_what_a_finished_run_has_no_use_for_goes(tmp_path, whole):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFolder, "tidy", lambda self: None)
        folder = Path(run(batch(tmp_path)).path)
    assert len(notes_of(folder)) == 3
    assert analysis.open_run(folder).complete
    assert finish(batch(tmp_path), whole).games_played == 0


@pytest.mark.parametrize("method", ["write_part", "write_note"])
def test_a_full_disk_while_threads_store_is_reported(tmp_path, whole, method):
    threads = {"backend": "threading", "workers": 3}

    def fail(*arguments):
        raise FULL

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFolder, method, fail)
        with refused(RunError, "No space left"):
            run(batch(tmp_path, **threads))
    assert manifest_of(tmp_path / "small").parts == {}
    finish(batch(tmp_path, **threads), whole)


def test_a_run_of_too_many_parts_is_refused(tmp_path, small, monkeypatch):
    monkeypatch.setattr(schema, "MOST_PARTS", 2)
    with refused(RunError, 10, 3, 2):
        run(batch(tmp_path))
    assert not (tmp_path / "small").exists()


@pytest.mark.parametrize(
    ("error", "writes"), [(MemoryError("9 GB wanted"), (5,)), (FULL, (0, 5, 14))], ids=str
)
def test_a_fault_stops_in_a_sentence_and_leaves_nothing_half_written(
    tmp_path, whole, error, writes
):
    for write in writes:
        output = tmp_path / str(write)
        with pytest.MonkeyPatch.context() as patch:
            batches.stop_at_write(patch, write, error)
            with pytest.raises(RunError) as told:
                run(batch(output))
        assert names(str(told.value), error.args[-1], "continue")
        assert told.value.__cause__ is error  # the exit status depends on this cause
        assert not list(output.rglob("*.new"))
        finish(batch(output), whole)
