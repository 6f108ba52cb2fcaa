"""What the pages of this package show is what happens; its benchmark runs."""

import doctest
import sys
from pathlib import Path

import pytest

from benchmarks import bench_one_sided

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["positions.md", "tables.md", "long-races.md"])
def test_examples_of_the_pages(page):
    failed, tried = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert tried > 0
    assert failed == 0


def test_benchmark_runs_and_tells_of_an_absent_peer(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "bgbot_cpp", None)
    bench_one_sided.main(
        ["--positions", "500", "--runs", "1", "--points", "2", "--checkers", "3"]
    )
    shown = capsys.readouterr().out
    assert "table 2 x 3 from nothing" in shown
    assert "win probability, one at a time" in shown
    assert "bgsage is not installed" in shown
