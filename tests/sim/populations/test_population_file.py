"""The file of a population has the documented format, and damage to the file is found."""

import json
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from bearoff.sim.populations import open_population, read_about, write_population
from bearoff.sim.populations.file import METADATA_KEY, population_schema
from bearoff.sim.storage.files import RunError
from tests.damage import flipped, with_column
from tests.refusals import refused


def test_the_file_is_as_documented(races, folder):
    path = folder / "races.parquet"
    assert pq.read_schema(path).equals(population_schema(6))
    assert METADATA_KEY in pq.read_schema(path).metadata
    columns = pq.ParquetFile(path).metadata.row_group(0)
    assert {columns.column(i).compression for i in range(columns.num_columns)} == {"ZSTD"}
    for row in pq.read_table(path).slice(0, 3).to_pylist():
        assert (row["split"], row["source"]) == ("train", "table")
        for side in ("roller", "opponent"):
            pips = sum(p * n for p, n in enumerate(row[f"{side}_counts"], 1))
            assert row[f"{side}_pips"] == pips


@pytest.mark.parametrize("column", ["weight", "no_double", "source"])
def test_a_changed_value_is_found(column, races, folder, tmp_path):
    """A changed value in the file is found even if Parquet's checksums are valid."""
    table = pq.read_table(folder / "races.parquet")
    values = table[column].to_pylist()
    values[3] = "model" if column == "source" else values[3] + 1
    pq.write_table(with_column(table, column, values), tmp_path / "x.parquet")
    with refused(RunError, "damaged"):
        open_population(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"seed": 5}, "damaged"), ({"games": {}}, "damaged"), ({"note": "mine"}, "damaged"),
        # With these metadata, the file seems to be of another version and must be built
        # again.
        ({"schema_version": 0}, "build"), ({"basis": ...}, "build"),
    ],
)  # fmt: skip
def test_changed_metadata_is_found(change, fault, races, folder, tmp_path):
    table = pq.read_table(folder / "races.parquet")
    about = json.loads(table.schema.metadata[METADATA_KEY]) | change
    about = {key: value for key, value in about.items() if value is not ...}
    changed = table.replace_schema_metadata({METADATA_KEY: json.dumps(about).encode()})
    pq.write_table(changed, tmp_path / "x.parquet")
    for read in (read_about, open_population):
        with refused(RunError, fault):
            read(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("values", "no_double", np.nan), ("values", "win_probability", 7.0),
        ("decisions", "weights", -1), ("decisions", "rollers", 3),
        ("", "roller_counts", 100),
    ],
)  # fmt: skip
def test_sealed_nonsense_is_refused(group, name, value, races, tmp_path):
    whole = getattr(races, group) if group else races
    array = getattr(whole, name).copy()
    array[7] = value
    changed = replace(whole, **{name: array})
    forged = replace(races, **{group: changed}) if group else changed
    write_population(tmp_path / "x.parquet", forged)
    with refused(RunError, "population"):
        open_population(tmp_path / "x.parquet")


def test_what_is_no_population_is_refused(folder, races, tmp_path):
    data = (folder / "races.parquet").read_bytes()
    (tmp_path / "changed").write_bytes(flipped(data, len(data) // 2))
    (tmp_path / "text").write_text("no Parquet")
    bare = pq.read_table(folder / "races.parquet").replace_schema_metadata(None)
    pq.write_table(bare, tmp_path / "run")
    for name, fault in (
        ("changed", "damaged"), ("none", "populations build"), ("text", "population"),
        ("run", "population"),
    ):  # fmt: skip
        with refused(RunError, fault):
            open_population(tmp_path / name)
