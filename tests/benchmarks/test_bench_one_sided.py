"""The benchmark of the one-sided tables runs."""

import sys

from benchmarks import bench_one_sided


def test_benchmark_runs_and_tells_of_an_absent_peer(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "bgbot_cpp", None)
    bench_one_sided.main(
        ["--positions", "500", "--runs", "1", "--points", "2", "--checkers", "3"]
    )
    shown = capsys.readouterr().out
    assert "table 2 x 3 from nothing" in shown
    assert "win probability, one at a time" in shown
    assert "bgsage is not installed" in shown
