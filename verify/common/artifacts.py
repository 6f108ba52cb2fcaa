"""Digests of the files that commands store in a folder, and the amount of stored work."""

import hashlib
import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from pyarrow import fs

from bearoff.sim.storage import RunManifest, read_manifest
from bearoff.sim.storage.schema import MANIFEST, part_name
from bearoff.storage import sealing
from bearoff.storage.sealing import unsealed_json

PART_PAIRS = 4
"""Number of pairs of positions in each result file of the batches."""

Digests = dict[str, str]
"""SHA-256 digests of files, by the name of the file within a folder."""

_NO_RESULTS = (".lock", "config.yaml", "speeds.json")
"""Names of files that may differ between runs with equal results."""


_TIMES = ("kept", "day", "at", "due", "card", "seal", "seconds", "before")
"""Columns of SQLite files that contain times, or values that depend on times."""


def digests(folder: Path) -> Digests:
    """Return digests of a folder's result files, leaving out the times in the files."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or path.name in _NO_RESULTS or path.suffix == ".lock":
            continue
        data = repr(rows_of(path)).encode() if is_sqlite(path) else path.read_bytes()
        if path.name == MANIFEST:
            content = unsealed_json(data)
            for key in ("started", "finished", "seconds", "workers", "backend", "config"):
                content.pop(key)
            data = sealing.canonical_json(content)
        found[str(path.relative_to(folder))] = hashlib.sha256(data).hexdigest()
    return found


def differing(there: Digests, expected: Digests) -> str:
    """Return the names of files that are changed, missing or unexpected."""
    names = {*there, *expected}
    return ", ".join(sorted(n for n in names if there.get(n) != expected.get(n)))


def is_sqlite(path: Path) -> bool:
    return path.suffix == ".sqlite"


def rows_of(path: Path, table: str = "") -> list[object]:
    """Return the rows of a user's SQLite file, or of one table, leaving out times."""
    names = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    found: list[object] = []
    with tempfile.TemporaryDirectory() as folder:
        # A copy of the file is read. Opening the original file could repair damage by a
        # killed program, and only the program itself should repair the file.
        for one in path.parent.glob(f"{path.name}*"):
            shutil.copy(one, folder)
        connection = sqlite3.connect(Path(folder) / path.name)
        for (name,) in connection.execute(names).fetchall():
            if name.startswith("words") or (table and name != table):
                continue  # The full-text index depends on times.
            connection.row_factory = sqlite3.Row
            for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1"):
                kept = {key: row[key] for key in row.keys() if key not in _TIMES}  # noqa: SIM118
                found.append((name, kept))
            connection.row_factory = None
        connection.close()
    return found


# Results of batches.


def _manifest(folder: Path) -> RunManifest | None:
    return read_manifest(fs.LocalFileSystem(), str(folder / "batch"))


def _blocks(folder: Path, parts: Mapping[str, object]) -> list[Path]:
    """Return the stored blocks of games that are not yet part of a complete result file."""
    return [
        path
        for path in (folder / "batch" / "blocks").glob("*.counts")
        if part_name(int(path.name.partition("-")[0])) not in parts
    ]


def games_stored(folder: Path, width: int) -> int:
    """Return the number of stored games, in result files and in blocks."""
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


# Caches of tables. Each table has its own folder, which gets its final name when the table
# is complete.


def tables_stored(folder: Path) -> int:
    # A program that is killed while it replaces a table may leave the old folder under
    # another name. The next command restores this folder.
    names = (path.parent.name for path in folder.glob("*/table.json"))
    kept = (name for name in names if not name.endswith(".new"))
    return len({re.sub(r"\.\d+\.old$", "", name) for name in kept})


def table_phase(folder: Path) -> str:
    fresh = "a new table is being built" if any(folder.glob("*.new")) else ""
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
    """Return the number of stored pieces of a population; 1,000,000 if all are stored."""
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


# Files of the user: the library and the trainer's answers.


def rows_stored(folder: Path, name: str, table: str) -> int:
    path = folder / "data" / name
    return len(rows_of(path, table)) if path.exists() and path.stat().st_size else 0


def kept_phase(folder: Path, name: str, table: str) -> str:
    if not (folder / "data" / name).exists():
        return "no file"
    journal = (folder / "data" / f"{name}-journal").exists()
    some = "some rows" if rows_stored(folder, name, table) else "no rows"
    return f"{some}, writing" if journal else some


# Stored answers to a file of races.


def answers_stored(folder: Path) -> int:
    """Return the number of races with a stored answer; 1,000,000 if all have answers."""
    if (folder / "answers.parquet").exists():
        return 1_000_000
    names = [path.stem.split("-") for path in folder.glob("*.pieces/*.piece")]
    return sum(int(last) - int(first) for first, last in names)


def answers_phase(folder: Path) -> str:
    if (folder / "answers.parquet").exists():
        return "written"
    if not any(folder.glob("*.pieces")):
        return "nothing there"
    return "some pieces" if answers_stored(folder) else "no pieces"
