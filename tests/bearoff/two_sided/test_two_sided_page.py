"""docs/two-sided.md: a reader written from it alone, and the benchmarks."""

import hashlib
import json
import struct
import zlib
from collections import defaultdict
from pathlib import Path

import pytest

from benchmarks import bench_two_sided, two_sided_float64
from tests import reference
from tests.two_sided_tables import PLANES, bound, built, stored

PAGE = Path(__file__).parents[3] / "docs" / "two-sided.md"


def test_a_reader_written_from_the_page_reads_every_value() -> None:
    checkers = 3
    table = built(checkers)
    positions = reference.all_positions(6, checkers)
    groups = defaultdict(list)
    for number, position in enumerate(positions):
        groups[(sum(position) + 1) // 2, len(position) == 15].append(number)
    slots, first = {}, 0
    for group in sorted(groups):
        for k, number in enumerate(groups[group]):
            slots[number] = first + k
        first += -(-len(groups[group]) // 16) * 16
    sealed = json.loads((table.folder / "table.json").read_text())
    text = json.dumps(sealed["table"], sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == sealed["sha256"]
    manifest = sealed["table"]
    assert (manifest["format"], manifest["checkers"]) == (3, checkers)

    codes = {}
    for plane, entry in manifest["planes"].items():
        data = (table.folder / f"{plane}.u16").read_bytes()
        assert len(data) == entry["bytes"] == 2 * first**2
        block = 32 * first
        sums = [zlib.crc32(data[k : k + block]) for k in range(0, len(data), block)]
        assert sums == entry["crc32"]
        packed = struct.pack(f"<{len(sums)}I", *sums)
        assert hashlib.sha256(packed).hexdigest() == entry["digest"]
        codes[plane] = struct.unpack(f"<{first**2}H", data)
        assert entry["error"] == table.error(plane)
    assert set(codes) == set(PLANES)
    for name, entry in manifest["files"].items():
        data = (table.folder / name).read_bytes()
        assert entry == {"bytes": len(data), "crc32": zlib.crc32(data)}

    for x in range(len(positions)):
        for y in range(0, len(positions), 7):
            at = ((slots[x] // 16) * first + slots[y]) * 16 + slots[x] % 16
            cubeless = codes["cubeless"][at] * (2.0 / 65535) - 1
            for plane in PLANES:
                entry, value = manifest["planes"][plane], cubeless
                if plane != "cubeless":
                    value += (codes[plane][at] - entry["zero"]) * entry["step"]
                value = min(1.0, max(-1.0, value))
                assert stored(table, plane, x, y) == pytest.approx(value, abs=1e-14)


def test_the_stated_errors_on_the_page_are_those_of_the_tables() -> None:
    (row,) = (
        line for line in PAGE.read_text().splitlines() if line.startswith("| stated |")
    )
    told = [float(cell) for cell in row.split("|")[3:-1]]
    names = ("cubeless", "opponent", "owned", "centred")
    assert told == [float(f"{built(3).error(plane):.2e}") for plane in names]
    assert bound(built(3), "cubeless") == 2 * built(3).error("cubeless")


def test_benchmark_runs_and_says_how_to_get_an_absent_peer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_two_sided.gnubg, "find", lambda program: None)
    bench_two_sided.main(["--checkers", "2", "--pairs", "200", "--runs", "1"])
    shown = capsys.readouterr().out
    assert "ours, 6 x 2, four planes" in shown
    assert "not installed" in shown
    assert "apt install gnubg" in shown
    assert "no double, centred, one at a time" in shown


@pytest.mark.slow
def test_the_float64_build_finds_the_tables_right(
    capsys: pytest.CaptureFixture[str],
) -> None:
    two_sided_float64.main(["--checkers", "3"])
    shown = capsys.readouterr().out
    assert shown.count("largest error") == 4
    assert "EXCEEDED" not in shown
