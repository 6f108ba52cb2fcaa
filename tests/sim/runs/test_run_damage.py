"""Damaged files of a run are played again, or the run is refused."""

import os
import random

import pytest

from bearoff import analysis
from bearoff.sim.storage import PartNote, RunError
from bearoff.storage.sealing import sealed_json, unsealed_json
from tests.damage import flip
from tests.refusals import refused
from tests.sim import batches
from tests.sim.batches import batch, blocks_kept, finish, manifest_of, parts_of, run
from tests.sim.runs.stopped_runs import notes_of

NAME = "part-000001.parquet"
PART = {"pairs": 4, "games": 10_000, "sha256": "0" * 64, "first": [1, 2], "last": [3, 4]}


@pytest.mark.parametrize(
    "damage",
    [
        *(lambda block, at=at: flip(block, at, 5) for at in (0, 31, 32, -1)),
        *(lambda block, size=size: os.truncate(block, size) for size in (0, 100)),
    ],
)
def test_a_damaged_block_is_played_again(tmp_path, stopped, whole, damage):
    damage(blocks_kept(stopped)[0])
    assert finish(batch(tmp_path), whole).games_played == 5000


def test_a_block_under_another_name_is_not_taken(tmp_path, small):
    config = batch(tmp_path / "a", games=3000)
    expected = parts_of(run(config | {"output": str(tmp_path / "b")}).path)
    batches.stopped_at_write(config, 3)
    first, second = blocks_kept(tmp_path / "a" / "small")
    second.replace(first)
    assert finish(config, expected).games_played == 30_000


def test_a_block_that_cannot_be_read_is_played_again(tmp_path, stopped, whole):
    kept = blocks_kept(stopped)[0]
    kept.unlink()
    kept.mkdir()
    with refused(RunError, "continue"):
        run(batch(tmp_path))  # the folder cannot be replaced by a file
    kept.rmdir()
    finish(batch(tmp_path), whole)


def test_blocks_of_another_cut_are_not_taken(tmp_path, stopped, whole, monkeypatch):
    batches.cut_small(monkeypatch, block_games=2999)
    assert finish(batch(tmp_path), whole).games_played == 5000


def test_a_part_whose_note_is_damaged_is_played_again(tmp_path, stopped, whole):
    note = notes_of(stopped)[1]
    sound = note.read_bytes()
    chance = random.Random(3)
    for _ in range(100):
        flip(note, chance.randrange(len(sound)), chance.randrange(8))
        # The flipped bit may be in whitespace, and then the note remains valid.
        parts = manifest_of(stopped).parts
        assert parts.get(NAME) in (PartNote.from_bytes(sound).part, None)
        assert len(parts) in (1, 2)
        note.write_bytes(sound)
    note.write_bytes(sound.replace(b'"games": 10000', b'"games": 10001'))
    finish_without_the_note(tmp_path, whole)


def finish_without_the_note(folder, whole):
    """Check that the stopped run has one valid note, and finish the run."""
    assert analysis.open_run(folder / "small").pairs == 4
    assert finish(batch(folder), whole).games_played == 15_000 - 3000


@pytest.mark.parametrize(
    "change",
    [
        lambda note: note | {"digest": "0" * 64},
        lambda note: note | {"name": "../run.json"},
        lambda note: note | {"part": None},
        lambda note: {k: v for k, v in note.items() if k != "seconds"},
        lambda note: note | {"schema_version": 3},
    ],
)
def test_a_note_that_says_something_else_is_none(tmp_path, stopped, whole, change):
    """A note that contradicts the run is ignored, although its checksum is valid."""
    note = notes_of(stopped)[1]
    note.write_bytes(sealed_json(change(unsealed_json(note.read_bytes()))))
    finish_without_the_note(tmp_path, whole)


def test_damaged_parts_are_played_again(tmp_path, finished, whole):
    chance = random.Random(1)
    for _ in range(6):
        part = finished / "outcomes" / chance.choice(sorted(whole))
        flip(part, chance.randrange(part.stat().st_size), chance.randrange(8))
        assert 0 < finish(batch(tmp_path), whole).games_played <= 10_000
    (finished / "outcomes" / NAME).unlink()
    assert finish(batch(tmp_path), whole).games_played == 10_000


def test_a_damaged_manifest_is_made_good_or_refused(tmp_path, finished, whole):
    manifest = finished / "run.json"
    good = manifest.read_bytes()
    chance = random.Random(2)
    refused = []
    for _ in range(60):
        flip(manifest, chance.randrange(len(good)), chance.randrange(8))
        try:
            run(batch(tmp_path))
        except RunError as refusal:
            refused.append(str(refusal))
            manifest.write_bytes(good)
        assert parts_of(finished) == whole
    assert len(refused) > 5
    assert [text for text in refused if "\n" in text] == []


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda m: {}, ("run.json",)),
        (lambda m: m | {"schema_version": 3}, (3, 5)),
        (lambda m: m | {"digest": None}, ("run.json", "null")),
        (lambda m: m | {"parts": []}, ("damaged",)),
        (lambda m: m | {"complete": 1}, (1,)),
        (lambda m: m | {"more": 1}, ("damaged",)),
        (lambda m: {k: v for k, v in m.items() if k != "started"}, ("damaged",)),
        (lambda m: m | {"kind": "chouettes"}, ("chouettes",)),
        (lambda m: m | {"config": {"table": {"points": 25}}}, (1, 24)),
        (lambda m: m | {"parts": {"../run.json": PART}}, ("/run.json",)),
        (lambda m: m | {"config": m["config"] | {"seed": 4}}, ("configuration", 4, 3)),
        (lambda m: m | {"parts": {NAME: PART | {"games": True}}}, (NAME,)),
        (lambda m: m | {"parts": {NAME: PART | {"pairs": -1}}}, (NAME, -1)),
        (lambda m: m | {"parts": {NAME: PART | {"last": [1, 2.0]}}}, (NAME, "last.1")),
        (lambda m: m | {"parts": {NAME: None}}, (NAME,)),
        # These texts are no manifest, or are one that was edited by hand.
        *((lambda _, text=text: text, ("damaged",))
          for text in ("", "[]", "{}", "[" * 100_000)),
        (lambda m: sealed_json(m).decode().replace('"seed": 3', '"seed": 4'), ("damaged",)),
    ],
)  # fmt: skip
def test_a_manifest_that_says_something_else_is_refused(tmp_path, finished, change, named):
    """A manifest that contradicts the run is refused, although its checksum is valid."""
    manifest = finished / "run.json"
    # The digest is changed too, because only a valid manifest is compared with the
    # configuration.
    changed = change(unsealed_json(manifest.read_bytes()) | {"digest": "0" * 64})
    text = isinstance(changed, str)
    manifest.write_bytes(changed.encode() if text else sealed_json(changed))
    with refused(RunError, *named):
        run(batch(tmp_path))


@pytest.mark.parametrize(
    "parts",
    [
        lambda parts: {}, lambda parts: parts | {NAME: parts[NAME] | {"games": 3}},
        lambda parts: {"part-000000.parquet": parts["part-000000.parquet"]},
    ],
)  # fmt: skip
def test_a_complete_manifest_without_its_parts_is_not_believed(
    tmp_path, finished, whole, parts
):
    manifest = unsealed_json((finished / "run.json").read_bytes())
    manifest["parts"] = parts(manifest["parts"])
    (finished / "run.json").write_bytes(sealed_json(manifest))
    assert finish(batch(tmp_path), whole).games_played > 0
    assert len(manifest_of(finished).parts) == 3
