"""Two-sided tables, read by a simple reader that follows docs/tables.md."""

import hashlib
import json
import struct
import zlib
from argparse import Namespace
from collections import defaultdict
from pathlib import Path

import pytest

import bearoff
from oracles import reference
from tests.bearoff.pair_planes.plain_reader import bands_of, read_code
from tests.two_sided_tables import PLANES, bound, built, stored
from verify import two_sided_float64

PAGE = Path(__file__).parents[3] / "docs" / "tables.md"


def test_a_reader_written_from_the_page_reads_every_value():
    checkers = 3
    table = built(checkers)
    positions = reference.all_positions(6, checkers)
    groups = defaultdict(list)
    for number, position in enumerate(positions):
        groups[(sum(position) + 1) // 2, len(position) == 15].append(number)
    level_of = {number: group[0] for group, held in groups.items() for number in held}
    slots, first = {}, 0
    for group in sorted(groups):
        for k, number in enumerate(groups[group]):
            slots[number] = first + k
        first += -(-len(groups[group]) // 16) * 16
    sealed = json.loads((table.folder / "table.json").read_text())
    text = json.dumps(sealed["table"], sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == sealed["sha256"]
    manifest = sealed["table"]
    assert (manifest["format"], manifest["checkers"]) == (5, checkers)

    levels = sorted({group[0] for group in groups})
    firsts = [min(s for n, s in slots.items() if level_of[n] == k) for k in levels]
    firsts.append(first)

    planes = {}
    for plane, entry in manifest["planes"].items():
        data = (table.folder / f"{plane}.plane").read_bytes()
        index = (table.folder / f"{plane}.index").read_bytes()
        assert len(data) == entry["bytes"]
        assert hashlib.sha256(index).hexdigest() == entry["digest"]
        places = 2 * (len(bands_of(firsts)) - 1) * len(levels)
        sums = [zlib.crc32(data[k : k + 16384]) for k in range(0, len(data), 16384)]
        assert list(struct.unpack_from(f"<{len(sums)}I", index, 8 * places)) == sums
        assert (data[:4], data[-64:]) == (b"PLN1", bytes(64))
        planes[plane] = data, index
        assert entry["error"] == table.error(plane)
    assert set(planes) == set(PLANES)
    for name, entry in manifest["files"].items():
        data = (table.folder / name).read_bytes()
        assert entry == {"bytes": len(data), "crc32": zlib.crc32(data)}

    for x in range(1, len(positions)):
        for y in range(0, len(positions), 7):
            place = firsts, slots[x], slots[y]
            found = {plane: read_code(*planes[plane], *place) for plane in PLANES}
            without = found["opponent"] / 131070
            for plane in PLANES:
                fine = plane in ("cubeless", "opponent")
                value = found[plane] / (131070 if fine else 65535)
                if plane in ("owned", "centred"):
                    value = max(value, min(1, 2 * without))
                assert stored(table, plane, x, y) == pytest.approx(value, abs=1e-14)


def test_the_stated_errors_on_the_page_are_those_of_the_tables():
    section = PAGE.read_text().partition("## Errors")[2].partition("\n## ")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    told = {name.strip(" `"): float(row[-2]) for row in rows for name in row[1].split(",")}
    # The other planes need 15 checkers.
    for plane in ("cubeless", "opponent", "owned", "centred"):
        assert told[plane] == float(f"{built(3).error(plane):.2e}")
    assert bound(built(3), "cubeless") == 2 * built(3).error("cubeless")


@pytest.mark.slow
def test_the_float64_build_finds_the_tables_right(monkeypatch):
    asked = Namespace(checkers=3, points=6, start=15)
    verdict = two_sided_float64.carry_out(asked)
    assert not verdict.wrong
    assert [row.count("|") for row in verdict.body.splitlines()[4:]] == 4 * [6]
    monkeypatch.setattr(bearoff.TwoSidedTable, "error", lambda self, plane: 0.0)
    assert two_sided_float64.carry_out(asked).wrong
