"""Small batches with many blocks and parts, and functions that read their results."""

from contextlib import suppress
from pathlib import Path

import pyarrow.dataset
import pytest
from pyarrow import fs

from bearoff import sim
from bearoff.sim.engine import plan
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.runs.part import PartAccumulator
from bearoff.sim.storage import read_manifest


def cut_small(patch, block_games=3000, part_pairs=4):
    """Make runs consist of many small blocks and parts; `patch` is pytest's monkeypatch."""
    patch.setattr(plan, "BLOCK_GAMES", block_games)
    patch.setattr(plan, "CUBEFUL_BLOCK_GAMES", block_games)
    patch.setattr(plan, "PART_PAIRS", part_pairs)


def batch(output, **changes):
    """Return the configuration of a batch of 10 pairs with 2,500 games each."""
    return {
        "run": "small",
        "pairs": [{"random": {"pairs": 10}}],
        "games": 2500,
        "seed": 3,
        "backend": "sequential",
        "workers": 1,
        "output": str(output),
    } | changes


def cubeful(output, pairs=10, **changes):
    """Return the configuration of a batch with the cube, of 3 or 4 checkers a side."""
    drawn = [{"random": {"pairs": pairs, "checkers": {"from": 3, "to": 4}}}]
    return batch(output, **{"table": {"checkers": 4}, "pairs": drawn} | changes)


def run(config, **options):
    """Play a batch, and show no progress; return the summary."""
    return sim.run(config, progress=False, **options)


def finish(config, whole, **options):
    """Finish a run that then stores nothing but these parts; return its summary."""
    summary = run(config, **options)
    assert parts_of(summary.path) == whole
    assert files_of(summary.path) == {"run.json"} | {f"outcomes/{name}" for name in whole}
    return summary


def parts_of(folder):
    """Return the bytes of every part of a run."""
    return {path.name: path.read_bytes() for path in Path(folder, "outcomes").iterdir()}


def outcomes_of(folder):
    """Return the rows of all parts of a run, in order."""
    return pyarrow.dataset.dataset(f"{folder}/outcomes").to_table()


def manifest_of(folder):
    """Return the manifest of a run, which may be unfinished."""
    return read_manifest(fs.LocalFileSystem(), str(folder))


def blocks_kept(folder):
    return sorted(Path(folder, "blocks").glob("*.counts"))


def files_of(folder):
    """Return the names of all files and empty folders of a run, without the lock file."""
    return {
        str(path.relative_to(folder))
        for path in Path(folder).rglob("*")
        if path.name != ".lock" and not (path.is_dir() and any(path.iterdir()))
    }


class Stopped(BaseException):
    """Exception that ends a run, as if its process had been killed."""


def stop_at_write(patch, number, error):
    """Let write number `number` raise an error; return a list that records all writes."""
    written: list[str] = []
    for name in ("write_block", "write_part", "write_note", "write_manifest"):
        original = getattr(RunFolder, name)

        def write(self, *arguments, name=name, original=original):
            if len(written) == number:
                raise error
            written.append(name)
            return original(self, *arguments)

        patch.setattr(RunFolder, name, write)
    return written


def stopped_at_write(config, number, *, may_end=False, **options):
    """Play a batch, and stop it just before the write with this number; return all writes.

    With `may_end`, the run may end before this write.
    """
    with pytest.MonkeyPatch.context() as patch:
        written = stop_at_write(patch, number, Stopped())
        with (suppress if may_end else pytest.raises)(Stopped):
            run(config, **options)
    return written


def interrupted(config, blocks, error=KeyboardInterrupt):
    """Run a batch, and interrupt it after this number of blocks."""
    added = []
    add = PartAccumulator.add

    def counted(self, block, counts):
        if len(added) == blocks:
            raise error
        added.append(block)
        add(self, block, counts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PartAccumulator, "add", counted)
        with pytest.raises(error):
            run(config)
