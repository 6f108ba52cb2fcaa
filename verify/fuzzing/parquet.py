"""Fuzzing of Parquet files of pairs, which must be read correctly or rejected.

A damaged file may be accepted, because a Parquet file's checksums are optional. Each pair
that is read must then be a possible pair of positions.
"""

import io
import random

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import bearoff
from bearoff.sim.config import pairs as sources
from bearoff.sim.pairs import read_pairs
from bearoff.sim.storage import RunError
from verify.fuzzing.case import Target, check, check_sentence
from verify.fuzzing.mutate import spoilt
from verify.fuzzing.yaml import scratch

_LAST = 54_263
"""Largest position number."""


def make_parquet(chance: random.Random) -> tuple[bytes, list[list[int]] | None]:
    """Create a Parquet file, usually damaged; return it and, if undamaged, its pairs."""
    rows = chance.choice((1, 3, 40))
    pairs = [[chance.randint(1, _LAST) for _ in range(2)] for _ in range(rows)]
    columns = {
        name: [pair[side] for pair in pairs]
        for side, name in enumerate(("roller", "opponent"))
    }
    if chance.random() < 0.2:
        columns["note"] = list(range(rows))
    kind = chance.choice((pa.int64(), pa.int32(), pa.uint16(), pa.string(), pa.float64()))
    arrays = {
        name: pa.array(map(str, given) if kind == pa.string() else given, type=kind)
        for name, given in columns.items()
    }
    stream = io.BytesIO()
    parquet.write_table(
        pa.table(arrays),
        stream,
        row_group_size=chance.choice((1, 10, 1000)),
        compression=chance.choice(("none", "snappy", "zstd", "gzip")),
        use_dictionary=chance.random() < 0.5,
        write_page_checksum=chance.random() < 0.5,
        version=chance.choice(("1.0", "2.6")),
    )
    data = stream.getvalue()
    if chance.random() < 0.9:
        return spoilt(chance, data), None
    return data, pairs if kind != pa.float64() else None


def accepts_parquet(given: tuple[bytes, list[list[int]] | None]) -> bool:
    """Read a Parquet file of pairs and check them; return whether the file was accepted."""
    data, meant = given
    path = scratch() / "pairs.parquet"
    path.write_bytes(data)
    try:
        numbers = read_pairs(sources.PairFile.model_validate({"path": str(path)}), 6, 15)
    except RunError as error:
        check_sentence(" ".join(str(error).split()))
        check(meant is None, f"an undamaged file is refused: {error}")
        return False
    check(
        meant is None or numbers.tolist() == meant,
        f"other pairs were read: {numbers.tolist()}",
    )
    check(
        bool(np.all((numbers > 0) & (numbers <= _LAST))),
        "a pair has a number that no position has",
    )
    bearoff.unrank(numbers)
    return True


TARGETS = (Target("parquet", "Parquet of pairs", make_parquet, accepts_parquet, 0.003),)
"""Fuzz target for Parquet files of pairs."""
