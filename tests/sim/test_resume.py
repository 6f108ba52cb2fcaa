"""Whatever stops a run, the same command finishes it to the same bytes."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from joblib import delayed

import analysis
import sim
from sim import plan, runner
from sim.files import RunError
from sim.manifest import from_bytes, to_bytes
from sim.provenance import versions
from sim.run_folder import RunFolder
from tests.sim import batches
from tests.sim.batches import batch, blocks_kept, cut_small, files_of, manifest_of, parts_of

ROOT = Path(__file__).parents[2]

NAME = "part-000001.parquet"
PART = {"pairs": 4, "games": 10_000, "sha256": "0" * 64, "first": [1, 2], "last": [3, 4]}


@pytest.fixture
def small(monkeypatch):
    cut_small(monkeypatch)


def run(config):
    return sim.run(config, progress=False)


def parts_and_blocks(folder):
    """Parts that the manifest names, and the blocks kept of others: (part, block)."""
    parts = manifest_of(folder)["parts"] if (folder / "run.json").exists() else {}
    kept = [tuple(map(int, path.stem.split("-"))) for path in blocks_kept(folder)]
    return parts, [key for key in kept if f"part-{key[0]:06d}.parquet" not in parts]


def games_stored(folder, games_of_pair=2500):
    """Games of all that is stored of a run cut as `plan` now cuts."""
    parts, blocks = parts_and_blocks(folder)
    games = sum(part["games"] for part in parts.values())
    for part, block in blocks:
        pairs = plan.part_ranges(10, plan.PART_PAIRS)[part]
        left = (pairs.stop - pairs.start) * games_of_pair - block * plan.BLOCK_GAMES
        games += min(left, plan.BLOCK_GAMES)
    return games


@pytest.fixture
def whole(tmp_path, small):
    """The parts of the small batch, played without interruption."""
    return parts_of(run(batch(tmp_path / "whole")).path)


@pytest.mark.parametrize("write", range(18))
def test_a_stop_before_any_write_is_made_good(tmp_path, whole, write):
    folder = tmp_path / "small"
    with pytest.MonkeyPatch.context() as patch:
        written = batches.stop_at_write(patch, write, batches.Stopped())
        try:
            run(batch(tmp_path))
        except batches.Stopped:
            assert len(written) == write
            assert write < 15
        else:
            # The manifest at first, ten blocks of which three end parts, as many parts
            # with a note each, and the manifest at last.
            assert len(written) == 1 + 7 + 3 + 3 + 1
            assert write >= len(written)
    before = games_stored(folder)
    summary = run(batch(tmp_path))
    assert summary.games_played == 25_000 - before
    assert parts_of(folder) == whole
    assert files_of(folder) == {"run.json"} | {f"outcomes/{name}" for name in whole}


def test_many_stops_lose_nothing(tmp_path, whole):
    folder, sessions = tmp_path / "small", 0
    while not (folder.exists() and manifest_of(folder)["complete"]):
        sessions += 1
        with pytest.MonkeyPatch.context() as patch, suppress(batches.Stopped):
            batches.stop_at_write(patch, 3, batches.Stopped())
            run(batch(tmp_path))
    assert 5 < sessions < 15
    assert parts_of(tmp_path / "small") == whole
    assert manifest_of(tmp_path / "small")["complete"]


def test_other_workers_may_finish(tmp_path, whole):
    with pytest.MonkeyPatch.context() as patch:
        batches.stop_at_write(patch, 6, batches.Stopped())
        with pytest.raises(batches.Stopped):
            run(batch(tmp_path))
    changes = {"backend": "threading", "workers": 3, "description": "another day"}
    assert 0 < run(batch(tmp_path, **changes)).games_played < 25_000
    assert parts_of(tmp_path / "small") == whole


def test_other_code_that_takes_a_run_up_is_told_of(tmp_path, small, monkeypatch):
    with pytest.MonkeyPatch.context() as patch:
        batches.stop_at_write(patch, 6, batches.Stopped())
        with pytest.raises(batches.Stopped):
            run(batch(tmp_path))
    monkeypatch.setattr(runner, "commit", lambda: ("1" * 40, False))
    monkeypatch.setattr(runner, "versions", lambda: {**versions(), "numba": "0.1"})
    begun = rf"begun at commit 0{{10}}, numba {versions()['numba']}, and goes on at "
    with pytest.warns(RuntimeWarning, match=f"{begun}commit 1{{10}}, numba 0.1: the bytes"):
        run(batch(tmp_path))
    run(batch(tmp_path))  # It is finished: nothing goes on, and nothing is said.


def test_time_of_all_sessions_adds(tmp_path, small):
    with pytest.MonkeyPatch.context() as patch:
        batches.stop_at_write(patch, 12, batches.Stopped())
        with pytest.raises(batches.Stopped):
            run(batch(tmp_path))
    first = manifest_of(tmp_path / "small")
    assert first["finished"] is None
    assert first["complete"] is False
    assert first["seconds"] > 0
    run(batch(tmp_path))
    second = manifest_of(tmp_path / "small")
    assert second["started"] == first["started"]
    assert second["seconds"] > first["seconds"]
    assert second["finished"] >= second["started"]


@pytest.fixture
def stopped(tmp_path, whole):
    """The folder of a run that was stopped with two parts and some blocks stored."""
    with pytest.MonkeyPatch.context() as patch:
        batches.stop_at_write(patch, 12, batches.Stopped())
        with pytest.raises(batches.Stopped):
            run(batch(tmp_path))
    folder = tmp_path / "small"
    assert len(manifest_of(folder)["parts"]) == 2
    assert len(blocks_kept(folder)) == 1
    return folder


def flip(path, byte, bit):
    data = bytearray(path.read_bytes())
    data[byte] ^= 1 << bit
    path.write_bytes(data)


@pytest.mark.parametrize("where", [0, 31, 32, 40, 200, -1])
def test_a_damaged_block_is_played_again(tmp_path, stopped, whole, where):
    flip(blocks_kept(stopped)[0], where, 5)
    assert run(batch(tmp_path)).games_played == 5000
    assert parts_of(stopped) == whole


@pytest.mark.parametrize("size", [0, 10, 32, 100])
def test_a_block_cut_short_is_played_again(tmp_path, stopped, whole, size):
    os.truncate(blocks_kept(stopped)[0], size)
    assert run(batch(tmp_path)).games_played == 5000
    assert parts_of(stopped) == whole


def test_a_block_under_another_name_is_not_taken(tmp_path, small):
    """With 3,000 games a pair every block is one pair's; only its seal tells which."""
    config = batch(tmp_path / "a", games=3000)
    expected = parts_of(run(config | {"output": str(tmp_path / "b")}).path)
    with pytest.MonkeyPatch.context() as patch:
        batches.stop_at_write(patch, 3, batches.Stopped())
        with pytest.raises(batches.Stopped):
            run(config)
    first, second = blocks_kept(tmp_path / "a" / "small")
    second.replace(first)
    assert run(config).games_played == 30_000
    assert parts_of(tmp_path / "a" / "small") == expected


def test_a_block_that_cannot_be_read_is_played_again(tmp_path, stopped, whole):
    kept = blocks_kept(stopped)[0]
    kept.unlink()
    kept.mkdir()
    with pytest.raises(RunError, match="the same command resumes"):
        run(batch(tmp_path))  # It cannot be replaced either.
    kept.rmdir()
    run(batch(tmp_path))
    assert parts_of(stopped) == whole


def test_blocks_of_another_cut_are_not_taken(tmp_path, stopped, whole, monkeypatch):
    cut_small(monkeypatch, block_games=2999)
    assert run(batch(tmp_path)).games_played == 5000
    assert parts_of(stopped) == whole


def notes_of(folder):
    return sorted((folder / "parts").glob("*.json"))


def test_an_unfinished_run_is_read_by_its_notes(stopped):
    noted = [path.name for path in notes_of(stopped)]
    assert noted == ["part-000000.json", "part-000001.json"]
    found = analysis.open_run(stopped)
    assert (found.complete, found.pairs, found.games) == (False, 8, 20_000)
    assert found.table(["pair"])["pair"].to_pylist() == list(range(8))
    row = found.table(["roller", "opponent", "wins"]).to_pylist()[5]
    assert found.estimate(row["roller"], row["opponent"]).wins == row["wins"]
    assert found.manifest["seconds"] > 0


def test_a_part_whose_note_is_damaged_is_played_again(tmp_path, stopped, whole):
    note = notes_of(stopped)[1]
    sound = note.read_bytes()
    chance = random.Random(3)
    for _ in range(100):
        flip(note, chance.randrange(len(sound)), chance.randrange(8))
        # It says what was written, if in other white space, or nothing.
        parts = manifest_of(stopped)["parts"]
        assert parts.get(NAME) in (from_bytes(sound)["part"], None)
        assert len(parts) in (1, 2)
        note.write_bytes(sound)
    note.write_bytes(sound.replace(b'"games": 10000', b'"games": 10001'))
    assert analysis.open_run(stopped).pairs == 4
    assert run(batch(tmp_path)).games_played == 15_000 - 3000
    assert parts_of(stopped) == whole


@pytest.mark.parametrize(
    "change",
    [
        lambda note: note | {"digest": "0" * 64},
        lambda note: note | {"name": "../run.json"},
        lambda note: note | {"name": 3},
        lambda note: note | {"part": None},
        lambda note: {k: v for k, v in note.items() if k != "part"},
        lambda note: {k: v for k, v in note.items() if k != "seconds"},
        lambda note: note | {"seconds": "1"},
        lambda note: note | {"schema_version": 2},
    ],
)
def test_a_note_that_says_something_else_is_none(tmp_path, stopped, whole, change):
    """Sealed anew, as by a stranger who knows how."""
    note = notes_of(stopped)[1]
    note.write_bytes(to_bytes(change(from_bytes(note.read_bytes()))))
    assert analysis.open_run(stopped).pairs == 4
    assert run(batch(tmp_path)).games_played == 15_000 - 3000
    assert parts_of(stopped) == whole


def test_what_a_finished_run_has_no_use_for_goes(tmp_path, whole):
    """Killed between the last manifest and clearing away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFolder, "tidy", lambda self: None)
        folder = Path(run(batch(tmp_path)).path)
    assert len(notes_of(folder)) == 3
    assert analysis.open_run(folder).complete
    assert run(batch(tmp_path)).games_played == 0
    assert files_of(folder) == {"run.json"} | {f"outcomes/{name}" for name in whole}


@pytest.mark.parametrize("method", ["write_part", "write_note"])
def test_a_full_disk_while_threads_store_is_told_of(tmp_path, whole, method):
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    threads = {"backend": "threading", "workers": 3}

    def fail(*arguments):
        raise full

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFolder, method, fail)
        with pytest.raises(RunError, match=r"stopped: .*No space left.* resumes"):
            run(batch(tmp_path, **threads))
    assert manifest_of(tmp_path / "small")["parts"] == {}
    run(batch(tmp_path, **threads))
    assert parts_of(tmp_path / "small") == whole


def test_a_run_of_too_many_parts_is_refused(tmp_path, small, monkeypatch):
    monkeypatch.setattr(runner, "MOST_PARTS", 2)
    with pytest.raises(RunError, match="10 pairs, which make 3 parts, and no more than 2"):
        run(batch(tmp_path))
    assert not (tmp_path / "small").exists()


def test_damaged_parts_are_played_again(tmp_path, whole):
    folder = Path(run(batch(tmp_path)).path)
    chance = random.Random(1)
    for _ in range(15):
        part = folder / "outcomes" / chance.choice(sorted(whole))
        flip(part, chance.randrange(part.stat().st_size), chance.randrange(8))
        assert 0 < run(batch(tmp_path)).games_played <= 10_000
        assert parts_of(folder) == whole
    (folder / "outcomes" / "part-000001.parquet").unlink()
    assert run(batch(tmp_path)).games_played == 10_000
    assert parts_of(folder) == whole
    assert files_of(folder) == {"run.json"} | {f"outcomes/{name}" for name in whole}


def test_a_damaged_manifest_is_made_good_or_refused(tmp_path, whole):
    """Flips all over it: one sentence, or the same parts; never other outcomes."""
    folder = Path(run(batch(tmp_path)).path)
    manifest = folder / "run.json"
    good = manifest.read_bytes()
    chance = random.Random(2)
    refused = []
    for _ in range(120):
        flip(manifest, chance.randrange(len(good)), chance.randrange(8))
        try:
            run(batch(tmp_path))
        except RunError as refusal:
            refused.append(str(refusal))
            manifest.write_bytes(good)
        assert parts_of(folder) == whole
    assert len(refused) > 10
    assert [text for text in refused if "\n" in text] == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: {}, "is damaged .KeyError: 'schema_version'."),
        (lambda m: m | {"schema_version": 1}, "schema version 1 and this program writes 3"),
        (lambda m: m | {"digest": None}, "is damaged .no digest can be read."),
        (lambda m: m | {"parts": []}, "is damaged .no parts can be read."),
        (lambda m: m | {"seconds": "1"}, "is damaged .no seconds can be read."),
        (lambda m: m | {"complete": 1}, "is damaged .no complete can be read."),
        (lambda m: {k: v for k, v in m.items() if k != "started"}, "no started can be"),
        (lambda m: m | {"kind": "chouettes"}, "of kind 'chouettes', not races, cubeful"),
        (lambda m: m | {"parts": {"../run.json": PART}}, "the part ../run.json"),
        (lambda m: m | {"parts": {NAME: PART}}, "holds a run of another configuration"),
        (lambda m: m | {"parts": {NAME: PART | {"games": True}}}, f"the part {NAME}"),
        (lambda m: m | {"parts": {NAME: PART | {"first": [1]}}}, f"the part {NAME}"),
        (lambda m: m | {"parts": {NAME: PART | {"last": [1, 2.0]}}}, f"the part {NAME}"),
        (lambda m: m | {"parts": {NAME: None}}, f"the part {NAME}"),
    ],
)
def test_a_manifest_that_says_something_else_is_refused(tmp_path, small, change, message):
    """Sealed anew, as by a stranger who knows how."""
    folder = Path(run(batch(tmp_path)).path)
    # Another configuration is told of only if the manifest itself is sound.
    changed = to_bytes(change(manifest_of(folder) | {"digest": "0" * 64}))
    (folder / "run.json").write_bytes(changed)
    with pytest.raises(RunError, match=message):
        run(batch(tmp_path))


@pytest.mark.parametrize("text", ["", "[]", "3", "null", '"run"', "{}", "[" * 100_000])
def test_what_is_no_manifest_is_refused(tmp_path, small, text):
    folder = Path(run(batch(tmp_path)).path)
    (folder / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match="is damaged"):
        run(batch(tmp_path))


def test_a_manifest_that_was_edited_is_refused(tmp_path, small):
    folder = Path(run(batch(tmp_path)).path)
    text = (folder / "run.json").read_text(encoding="utf-8")
    (folder / "run.json").write_text(text.replace('"seed": 3', '"seed": 4'), "utf-8")
    with pytest.raises(RunError, match=r"is damaged \(it is not what was written\)"):
        run(batch(tmp_path))


@pytest.mark.parametrize(
    "parts",
    [
        lambda parts: {},
        lambda parts: (
            parts | {"part-000001.parquet": parts["part-000001.parquet"] | {"games": 3}}
        ),
        lambda parts: {"part-000000.parquet": parts["part-000000.parquet"]},
    ],
)
def test_a_complete_manifest_without_its_parts_is_not_believed(
    tmp_path, whole, parts, monkeypatch
):
    folder = Path(run(batch(tmp_path)).path)
    manifest = manifest_of(folder)
    manifest["parts"] = parts(manifest["parts"])
    (folder / "run.json").write_bytes(to_bytes(manifest))
    assert run(batch(tmp_path)).games_played > 0
    assert parts_of(folder) == whole
    assert len(manifest_of(folder)["parts"]) == 3


def test_want_of_memory_stops_in_a_sentence(tmp_path, whole):
    with pytest.MonkeyPatch.context() as patch:
        batches.stop_at_write(patch, 5, MemoryError("9 GB wanted"))
        with pytest.raises(
            RunError, match=r"stopped: not enough memory: 9 GB wanted; .* resumes"
        ) as told:
            run(batch(tmp_path))
    assert isinstance(told.value.__cause__, MemoryError)  # Which the exit code tells.
    run(batch(tmp_path))
    assert parts_of(tmp_path / "small") == whole


def test_a_full_disk_stops_in_a_sentence_and_leaves_nothing_half_written(tmp_path, whole):
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    for write in (0, 1, 5, 8, 14):
        output = tmp_path / str(write)
        with pytest.MonkeyPatch.context() as patch:
            batches.stop_at_write(patch, write, full)
            with pytest.raises(
                RunError, match=r"stopped: .*No space left.* resumes"
            ) as told:
                run(batch(output))
        assert "\n" not in str(told.value)
        assert not list(output.rglob("*.new"))
        run(batch(output))
        assert parts_of(output / "small") == whole


SESSION = """
import resource, sys
from pathlib import Path
import sim
from sim import plan, runner
from tests.sim.batches import batch, NO_COMMIT
plan.BLOCK_GAMES, plan.PART_PAIRS = {block_games}, {part_pairs}
runner.commit = lambda: (NO_COMMIT, False)
limit = {limit}
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    sim.run(batch({output!r}, **{changes!r}), progress=False)
except sim.RunError as error:
    sys.exit(str(error))
except KeyboardInterrupt:
    sys.exit(130)
"""

LONG = {"games": 1_500_000, "backend": "threading", "workers": 2}
LONG_CUT = {"block_games": 250_000, "part_pairs": 4}


def session(output, *, cut=None, limit=0, **changes):
    """Start a session of a batch in a process, and a group, of its own."""
    cut = cut or {"block_games": 3000, "part_pairs": 4}
    code = SESSION.format(output=str(output), changes=changes, limit=limit, **cut)
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A suite that runs as a background job ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_a_file_size_limit_stops_in_a_sentence(tmp_path, whole):
    """The system itself refuses to write more than a few bytes, as on a full disk."""
    with session(tmp_path, limit=4096) as process:
        told = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert told.count("\n") == 1
    assert "stopped: [Errno 27] File too large" in told
    folder = tmp_path / "small"
    assert not list(folder.rglob("*.new"))
    assert parts_of(folder) == {}
    # Three blocks of the first part are kept; the fourth would have completed it.
    assert run(batch(tmp_path)).games_played == 25_000 - 3 * 3000
    assert parts_of(folder) == whole


def wait_for(folder, process, blocks=0, parts=0):
    """Wait until a session under way has stored so much; it must still be playing."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        done, kept = parts_and_blocks(folder)
        if len(done) > parts or (len(done) == parts and len(kept) >= blocks):
            assert process.poll() is None
            return
        time.sleep(0.002)
    raise AssertionError(f"nothing came of {folder}: {process.poll()}")


@pytest.fixture(scope="module")
def long_whole(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        cut_small(patch, **LONG_CUT)
        output = tmp_path_factory.mktemp("whole")
        return parts_of(run(batch(output, **LONG)).path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "parts", "blocks"),
    [
        ("threading", 0, 1),
        ("threading", 0, 20),
        ("threading", 1, 0),
        ("threading", 2, 3),
        ("sequential", 1, 7),
        ("loky", 1, 1),
    ],
)
def test_kill_and_resume(tmp_path, monkeypatch, long_whole, backend, parts, blocks):
    folder = tmp_path / "small"
    changes = LONG | {"backend": backend}
    with session(tmp_path, cut=LONG_CUT, **changes) as process:
        wait_for(folder, process, blocks, parts)
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait(30) == -signal.SIGKILL
    cut_small(monkeypatch, **LONG_CUT)
    stored = games_stored(folder, games_of_pair=1_500_000)
    assert stored >= parts * 6_000_000 + blocks * 250_000
    summary = run(batch(tmp_path, **LONG))
    assert summary.games_played == summary.games - stored > 0
    assert parts_of(folder) == long_whole
    assert files_of(folder) == {"run.json"} | {f"outcomes/{name}" for name in long_whole}


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_ctrl_c_and_resume(tmp_path, monkeypatch, long_whole, backend):
    folder = tmp_path / "small"
    with session(tmp_path, cut=LONG_CUT, **(LONG | {"backend": backend})) as process:
        wait_for(folder, process, blocks=5)
        pressed = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does to all of a command
        told = process.communicate(timeout=60)[1]
    assert time.monotonic() - pressed < 10
    assert process.returncode == 130, told
    assert not list(folder.rglob("*.new"))
    cut_small(monkeypatch, **LONG_CUT)
    summary = run(batch(tmp_path, **LONG))
    assert summary.games_played <= summary.games - 5 * 250_000
    assert parts_of(folder) == long_whole


def test_a_second_process_on_a_run_is_refused(tmp_path, monkeypatch):
    cut_small(monkeypatch, **LONG_CUT)
    with session(tmp_path, cut=LONG_CUT, **LONG) as process:
        wait_for(tmp_path / "small", process, blocks=1)
        with pytest.raises(RunError, match="another process is working on the run"):
            run(batch(tmp_path, **LONG))
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)


def _die():
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_is_told_of(tmp_path, small, monkeypatch):
    """As the system does to a worker when memory runs out; nothing hangs."""
    run_tasks = runner.run_tasks

    def with_a_death(tasks, *arguments):
        # A worker dies of a task of its own: whoever killed it from here might come when
        # all is played, or find a worker that an earlier test has left.
        tasks = list(tasks)
        return run_tasks([*tasks[:40], delayed(_die)(), *tasks[40:]], *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(runner, "run_tasks", with_a_death)
        with pytest.raises(RunError, match="a worker was killed, perhaps for want of"):
            run(batch(tmp_path, backend="loky", workers=2, games=25_000))
    stored = games_stored(tmp_path / "small", games_of_pair=25_000)
    summary = run(batch(tmp_path, games=25_000))
    assert summary.games_played == summary.games - stored > 0
