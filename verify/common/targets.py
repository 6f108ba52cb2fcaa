"""What is broken and made good again: commands, what they leave, and how far they got."""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pyarrow import fs

from bearoff.storage import sealing
from sim.cubeful import cube_tally
from sim.play import tally as counts
from sim.rollouts import sums
from sim.storage import RunManifest, read_manifest
from sim.storage.schema import MANIFEST, part_name
from sim.storage.seal import unsealed_json

PART_PAIRS = 4
"""Pairs of a part of the batches."""

WORKERS = 2
"""Of every target that has any."""

Digests = dict[str, str]
"""SHA-256 of files by their names within a folder."""


@dataclass(frozen=True)
class Target:
    """A command that is interrupted, run again, and must leave what it leaves in peace.

    Attributes
    ----------
    name, text : str
        What it is called, and what it does.
    command : tuple of str
        Arguments of `bearoff`; ``{folder}`` stands for the folder it writes to.
    stored : callable
        How much of it a folder holds: games, pieces, planes, tables.
    phase : callable
        In words, how far it has got.
    cut : tuple of str
        Options of `verify.common.child`.
    config : mapping or None
        Of a batch: what is written to ``{folder}/config.yaml``, as JSON, which is YAML.
    builds : bool
        Whether it builds a table: then its folder is the cache as well.
    block : int
        How much of `stored` one worker holds at a time; 0 if nothing is stored in pieces.
    """

    name: str
    text: str
    command: tuple[str, ...]
    stored: Callable[[Path], int]
    phase: Callable[[Path], str]
    cut: tuple[str, ...] = ()
    config: Mapping[str, object] | None = None
    builds: bool = False
    block: int = 0

    def prepare(self, folder: Path, backend: str = "threading") -> None:
        """Make an empty folder for it to work in; a batch uses this backend's workers."""
        folder.mkdir(parents=True)
        if self.config is not None:
            common = {"run": "batch", "seed": 1, "backend": backend, "workers": WORKERS}
            text = json.dumps(common | dict(self.config))
            (folder / "config.yaml").write_text(text, encoding="utf-8")

    def argv(self, folder: Path, *options: str) -> list[str]:
        """Return the command that runs it, with options of `verify.common.child`."""
        child = [sys.executable, "-m", "verify.common.child", *self.cut, *options]
        return [*child, "--", *(part.format(folder=folder) for part in self.command)]

    def environment(self, folder: Path, cache: Path) -> dict[str, str]:
        """Return the environment to run it in, given the folder of tables."""
        return {**os.environ, "BEAROFF_CACHE": str(folder if self.builds else cache)}


_NO_RESULTS = (".lock", "config.yaml", "speeds.json")
"""Files that may differ from one time to the next."""


def digests(folder: Path) -> Digests:
    """Return the digests of all results; of a manifest, without times."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or path.name in _NO_RESULTS or path.suffix == ".lock":
            continue
        data = path.read_bytes()
        if path.name == MANIFEST:
            content = unsealed_json(data)
            for key in ("started", "finished", "seconds", "workers", "backend", "config"):
                content.pop(key)
            data = sealing.canonical_json(content)
        found[str(path.relative_to(folder))] = hashlib.sha256(data).hexdigest()
    return found


# Batches.


def _manifest(folder: Path) -> RunManifest | None:
    return read_manifest(fs.LocalFileSystem(), str(folder / "batch"))


def _blocks(folder: Path, parts: Mapping[str, object]) -> list[Path]:
    """Return the stored blocks of unfinished parts."""
    return [
        path
        for path in (folder / "batch" / "blocks").glob("*.counts")
        if part_name(int(path.name.partition("-")[0])) not in parts
    ]


def games_stored(folder: Path, width: int) -> int:
    """Games whose outcomes are stored, in parts or in blocks of so many columns."""
    manifest = _manifest(folder)
    if manifest is None:
        return 0
    games = sum(part.games for part in manifest.parts.values())
    for path in _blocks(folder, manifest.parts):
        counts = np.frombuffer(path.read_bytes()[32:], dtype="<i8").reshape(-1, width)
        games += int(counts[:, 0].sum())
    return games


def batch_phase(folder: Path) -> str:
    if not (folder / "batch").exists():
        return "nothing there"
    manifest = _manifest(folder)
    if manifest is None:
        return "no manifest yet"
    if manifest.complete:
        return "complete"
    parts = len(manifest.parts)
    if parts and parts == -(-manifest.pairs // PART_PAIRS):
        return "all parts, not complete"
    if parts:
        return "some parts"
    return "some blocks" if _blocks(folder, {}) else "manifest alone"


# Tables of one folder that is renamed into place.


def tables_stored(folder: Path) -> int:
    return len(list(folder.glob("*/table.json"))) - len(
        list(folder.glob("*.new/table.json"))
    )


def table_phase(folder: Path) -> str:
    fresh = "a fresh one under way" if any(folder.glob("*.new")) else ""
    there = "a table in place" if tables_stored(folder) else "no table"
    return f"{there}, {fresh}" if fresh else there


# Two-sided tables.


def planes_stored(folder: Path) -> int:
    manifest = next(folder.glob("two-sided-*/table.json"), None)
    if manifest is None:
        return 0
    return len(json.loads(manifest.read_text(encoding="utf-8"))["table"]["planes"])


def planes_phase(folder: Path) -> str:
    if not any(folder.glob("two-sided-*/table.json")):
        return "no manifest yet"
    return f"{planes_stored(folder)} planes"


# Populations.


def pieces_stored(folder: Path) -> int:
    """Return the finished pieces, more than there ever are if the population is written."""
    if any(folder.glob("*.parquet")):
        return 1_000_000
    return len(_pieces(folder))


def population_phase(folder: Path) -> str:
    if any(folder.glob("*.parquet")):
        return "written"
    pieces = _pieces(folder)
    if any(not name.startswith("games") for name in pieces):
        return "values under way"
    return "some games" if pieces else "no games"


def _pieces(folder: Path) -> list[str]:
    return [path.name for path in folder.glob(".*/*") if path.suffix != ".new"]


SIMULATE = ("simulate", "{folder}/config.yaml", "--output", "{folder}", "-q")


def _batch(
    name: str, text: str, width: int, block: int, config: Mapping[str, object]
) -> Target:
    return Target(
        name,
        text,
        SIMULATE,
        lambda folder: games_stored(folder, width),
        batch_phase,
        cut=("--block-games", str(block), "--part-pairs", str(PART_PAIRS)),
        config=config,
        block=block,
    )


def targets(size: float = 1.0) -> dict[str, Target]:
    """Return all targets by name.

    Parameters
    ----------
    size : float
        Share of the games to play in blocks, of which there are as many.
    """
    checkers = {"from": 3, "to": 4}
    races = [
        {"roller": f"[{n},6,5,3,1]", "opponent": f"[7,{m},5,2,2]"}
        for n in (7, 8, 9)
        for m in (4, 6, 8)
    ]
    all_ = [
        _batch(
            "races",
            "a batch of plain races: 24 pairs, 6 parts, 48 blocks",
            counts.WIDTH,
            int(1_000_000 * size),
            {"pairs": [{"random": {"pairs": 24}}], "games": int(2_000_000 * size)},
        ),
        _batch(
            "cubeful",
            "a batch with the cube: 12 pairs, 3 parts, 24 blocks",
            cube_tally.WIDTH,
            int(50_000 * size),
            {
                "table": {"checkers": 4},
                "pairs": [{"random": {"pairs": 12, "checkers": checkers}}],
                "cube": {"roller": "keith", "opponent": "thorp"},
                "games": int(100_000 * size),
            },
        ),
        _batch(
            "rollouts",
            "a batch of rollouts: 9 races, 3 parts, 9 blocks",
            1 + sums.WIDTH,
            1,
            {
                "table": {"points": 24},
                "pairs": [{"list": races}],
                "rollout": {"table": 4},
                "games": 10_000,
            },
        ),
        Target(
            "one-sided",
            "the one-sided table of 8 points and 10 checkers",
            ("tables", "build", "--points", "8", "--checkers", "10"),
            tables_stored,
            table_phase,
            builds=True,
        ),
        Target(
            "two-sided",
            "the two-sided table of 7 checkers, four planes in three passes",
            ("tables", "build", "--two-sided", "--checkers", "7"),
            planes_stored,
            planes_phase,
            builds=True,
        ),
        Target(
            "population",
            "the population races of 4,096 games",
            (
                *("populations", "build", "races", "--size", "4096", "--checkers", "8"),
                *("--output", "{folder}", "--workers", "2", "-q"),
            ),
            pieces_stored,
            population_phase,
            block=1,
        ),
        Target(
            "race-model",
            "the race model",
            ("race-model",),
            tables_stored,
            table_phase,
            builds=True,
        ),
    ]
    return {target.name: target for target in all_}
