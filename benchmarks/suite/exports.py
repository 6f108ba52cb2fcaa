"""GNU Backgammon's files: written from our tables, beside its own `makebearoff`."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import bearoff
from bearoff.gnubg import (
    one_sided_header,
    two_sided_header,
    write_one_sided,
    write_two_sided,
)
from benchmarks.suite.measure import Benchmark, Setting, Side
from verify.common.rates import seconds_of_children
from verify.peers import gnubg


def _one_sided(setting: Setting) -> tuple[Side, Side]:
    points = setting.size(6, 2)
    table, header = bearoff.one_sided_table(points), one_sided_header(points)
    path = setting.folder / "ours.bd"
    return (
        setting.timed(lambda: write_one_sided(path, table, header), header.positions),
        setting.timed(
            _makebearoff(setting.folder, f"--one-sided={points}"),
            header.positions,
            seconds_of_children,
        ),
    )


def _two_sided(setting: Setting) -> tuple[Side, Side]:
    checkers = setting.size(5, 2)
    bearoff.build_two_sided_table(checkers)
    table, header = bearoff.two_sided_table(checkers), two_sided_header(6, checkers)
    path, pairs = setting.folder / "ours.bd", header.positions**2
    return (
        setting.timed(lambda: write_two_sided(path, table, header), pairs),
        setting.timed(
            _makebearoff(setting.folder, f"--two-sided=6x{checkers}"),
            pairs,
            seconds_of_children,
        ),
    )


def _makebearoff(folder: Path, size: str) -> Callable[[], None]:
    program, path = str(gnubg.find("makebearoff")), folder / "theirs.bd"

    def make() -> None:
        subprocess.run(
            [program, size, f"--outfile={path}"], check=True, capture_output=True
        )

    return make


BENCHMARKS = (
    Benchmark(
        "export-gnubg-one-sided",
        "position",
        "one-sided file of 6 points with gammons, from our table",
        "GNU Backgammon's makebearoff, the same file from nothing",
        _one_sided,
        rounds=3,
        peer="makebearoff",
    ),
    Benchmark(
        "export-gnubg-two-sided",
        "pair",
        "two-sided file of 5 checkers with the cube, from our table",
        "GNU Backgammon's makebearoff, the same file from nothing",
        _two_sided,
        rounds=3,
        peer="makebearoff",
    ),
)
