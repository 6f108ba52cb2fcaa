"""Publication of populations as plain Parquet files, with a data card and checksums.

Published files can be read without this program. Equities and effective pip counts are
stored as float32, whose rounding errors are far below the stated errors.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bearoff.sim.populations.decisions import SPLITS
from bearoff.sim.populations.file import (
    AT_SCORE,
    CUBE_COLUMNS,
    DESCRIPTIONS,
    describe,
    open_population,
)
from bearoff.sim.populations.population import SOURCES, Population
from bearoff.sim.storage import RunError
from bearoff.storage import write_atomic

CARD, SUMS = "README.md", "SHA256SUMS"
"""Names of the data card and of the file with checksums for `sha256sum -c`."""

_LEFT_OUT = {"elsewhere", "ply", AT_SCORE}

COLUMNS = {name: text for name, text in DESCRIPTIONS.items() if name not in _LEFT_OUT}
"""Unit and description of each column in published files."""


@dataclass(frozen=True)
class Published:
    """Published file with its metadata and checksum.

    Attributes
    ----------
    name : str
        Name of the file in the output folder.
    about : dict
        Metadata of the population.
    rows, size : int
        Number of decisions, and size of the file in bytes.
    sha256 : str
        SHA-256 digest of the file content.
    """

    name: str
    about: dict[str, Any]
    rows: int
    size: int
    sha256: str


def publish_populations(
    files: Sequence[str | Path], folder: str | Path, part: str | None = None
) -> list[Published]:
    """Publish populations as plain Parquet files, with a data card and checksums.

    Parameters
    ----------
    files : sequence of str or Path
        Files of the populations that are published.
    folder : str or Path
        Output folder, which is created if necessary. It must not contain other files.
    part : {"train", "validation", "test"}, optional
        Data split to publish. By default, all data splits.

    Raises
    ------
    RunError
        If a file is damaged or not a population, two files have the same name, or the
        folder contains other files. Checksums are written last, so a folder with checksums
        is complete.
    """
    names = [f"{Path(file).stem}.parquet" for file in files]
    if twice := {name for name in names if names.count(name) > 1}:
        raise RunError(f"two of the files have the name {min(twice)}; rename one of them")
    folder = Path(folder)
    _require_own(folder, {*names, CARD, SUMS})
    opened = [open_population(file) for file in files]
    if at_score := [each.about["name"] for each in opened if "score" in each.about]:
        raise RunError(
            f"only populations for money play can be published, but {at_score[0]} is for a "
            "match score; omit it"
        )
    chosen = [each if part is None else each.split(part) for each in opened]
    if empty := [name for name, each in zip(names, chosen, strict=True) if not len(each)]:
        raise RunError(
            f"the data split {part} of {empty[0]} contains no decisions; omit this "
            "population"
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SUMS).unlink(missing_ok=True)
    written = []
    for name, population in zip(names, chosen, strict=True):
        content = _parquet(population)
        write_atomic(folder / name, content)
        digest = hashlib.sha256(content).hexdigest()
        written.append(
            Published(name, population.about, len(population), len(content), digest)
        )
    card = _card(written, part).encode()
    write_atomic(folder / CARD, card)
    lines = [(each.sha256, each.name) for each in written]
    lines.append((hashlib.sha256(card).hexdigest(), CARD))
    write_atomic(
        folder / SUMS, "".join(f"{digest}  {name}\n" for digest, name in lines).encode()
    )
    return written


def _require_own(folder: Path, names: set[str]) -> None:
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file; specify a folder to write to")
    others = sorted(path.name for path in folder.glob("*") if path.name not in names)
    if others:
        raise RunError(
            f"{folder} contains {others[0]}, which does not belong to this package; choose "
            "a new folder"
        )


def _parquet(population: Population) -> bytes:
    """Return the content of the published Parquet file of a population."""
    met, values = population.decisions, population.values
    pips = np.arange(1, population.roller_counts.shape[1] + 1)

    def counts(held: np.ndarray[Any, Any]) -> pa.Array:
        return pa.FixedSizeListArray.from_arrays(held.ravel(), held.shape[1])

    def named(codes: np.ndarray[Any, Any], names: Sequence[str]) -> pa.Array:
        return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), list(names))

    columns = {
        "roller": met.rollers,
        "opponent": met.opponents,
        "roller_counts": counts(population.roller_counts),
        "opponent_counts": counts(population.opponent_counts),
        "split": named(met.splits, SPLITS),
        "weight": met.weights.astype(np.int32),
        "game": met.games.astype(np.int32),
        "roller_pips": (population.roller_counts @ pips).astype(np.int16),
        "opponent_pips": (population.opponent_counts @ pips).astype(np.int16),
        "roller_epc": population.roller_epc.astype(np.float32),
        "opponent_epc": population.opponent_epc.astype(np.float32),
        "win_probability": values.win_probability.astype(np.float32),
        "no_double": values.no_double.astype(np.float32),
        "no_redouble": values.no_redouble.astype(np.float32),
        "double_take": values.double_take.astype(np.float32),
        "error": values.error.astype(np.float32),
        "source": named(values.sources, SOURCES),
    }
    if population.cube is not None:
        columns |= {
            name: getattr(population.cube, name).astype(np.int32) for name in CUBE_COLUMNS
        }
    table = pa.table(columns)
    table = pa.Table.from_arrays(table.columns, schema=describe(table.schema))
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", compression_level=19, version="2.6")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _card(files: Iterable[Published], part: str | None) -> str:
    """Return the data card: descriptions, units, licence, method and checksums."""
    files = list(files)
    size = sum(each.size for each in files) / 1e6
    held = [
        f"| `{each.name}` | {each.about.get('text', each.about['name'])} | {each.rows:,} | "
        f"{each.size / 1e6:.1f} |"
        for each in files
    ]
    made = [
        f"| `{each.name}` | `{each.about.get('command', '')}` | {each.about['seed']} | "
        f"`{each.about['digest'][:16]}` |"
        for each in files
    ]
    columns = [
        f"| `{name}` | {unit} | {meaning} |" for name, (unit, meaning) in COLUMNS.items()
    ]
    which = f"the {part} split" if part else "all splits"
    return f"""---
license: mit
tags: [backgammon, bear-off, doubling cube]
---

# Backgammon races with exact values

Doubling decisions in backgammon races with their exact or estimated equities: {which} of
the populations on which the bear-off race laboratory compares doubling formulas.
{sum(each.rows for each in files):,} decisions, {size:.1f} MB, in plain Parquet.

| file | contents | rows | MB |
|:---|:---|---:|---:|
{chr(10).join(held)}

## Columns

Each row is a pair of positions, the side on roll first. Probabilities and equities are from
the roller's viewpoint, before the roll, for money, in points at a cube value of 1. Files
with 24 points contain races with checkers outside the home boards.

| column | unit | meaning |
|:---|:---|:---|
{chr(10).join(columns)}

Only populations of games with a doubling cube have the last five columns.

**The right action.** The equity of a double is `min(double_take, 1)`. Doubling is right if
this equity is at least `no_double`, and redoubling if it is at least `no_redouble`. The
opponent should take if `double_take` is at most 1. A wrong decision costs the difference.

**Errors.** The column `error` is a bound on the error for the source `table`, the standard
error for `rollout`, and the usual error for `model`. Positions of one `game` are not
independent, so standard errors should be computed over games.

## How they were made

| file | command | seed | digest of pairs, weights and splits |
|:---|:---|---:|:---|
{chr(10).join(made)}

These commands were followed by `bearoff populations export`, in version {_version()} of
`bearoff`. The same commands give the same decisions and values on another machine.

## Licence

MIT, like the program: you may use, change and share the files if you keep the licence.

## Checksums

`{SUMS}` contains the SHA-256 checksum of every file; `sha256sum -c {SUMS}` checks the
files.
"""


def _version() -> str:
    from importlib.metadata import version

    return version("bearoff")
