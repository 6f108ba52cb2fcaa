"""All benchmarks run, and their two sides compute the same results."""

import re
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff.matchup import JanowskiCube
from benchmarks import __main__ as program
from benchmarks.history.page import PAGE
from benchmarks.history.records import Machine, Record, append_record, read_history
from benchmarks.served import running
from benchmarks.suite import SUITE, commands, formulas, waits
from benchmarks.suite.measure import Benchmark
from benchmarks.ways import cubeful_ways, game_ways
from benchmarks.ways.numpy_two_sided import solve_in_numpy
from benchmarks.ways.query_ways import QueryWays
from oracles import gnubg
from oracles.two_sided_float64 import solve
from tests.benchmarks.records import THERE, ratio, record

ROOT = Path(__file__).parents[2]


def test_numpy_solves_the_same_planes():
    planes = solve_in_numpy(3)
    for name, plane in solve(3):
        # Tolerance for rounding errors.
        np.testing.assert_allclose(planes[name], plane, atol=1e-14)


def test_one_by_one_gives_what_arrays_give():
    ways = QueryWays(50)
    assert ways.rank().tolist() == ways.rank_one_by_one() == ways.x.tolist()
    assert list(map(tuple, ways.unrank().tolist())) == ways.unrank_one_by_one()
    # The sums of float32 probabilities may be rounded differently.
    np.testing.assert_allclose(ways.win(), ways.win_one_by_one(), atol=1e-6)


def test_keith_in_python_loses_what_keith_loses():
    decisions = formulas.decisions_of(2000, 3)
    lost = formulas.in_python(decisions)
    assert lost > 0.001
    assert lost == pytest.approx(formulas.by_analysis(decisions), rel=1e-12)


def made(name, monkeypatch, *ours):
    """Replace a benchmark by rounds of these seconds, with a baseline of 1 s."""
    rounds = iter([(lambda s=seconds: s, lambda: 1.0) for seconds in ours])
    made_up = Benchmark(name, "piece", "", "", lambda setting: next(rounds), 1)
    monkeypatch.setitem(SUITE, name, made_up)


def run(capsys, *arguments, status=0):
    assert program.main(arguments) == status
    return capsys.readouterr()


def test_a_regression_is_reported_and_is_status_1(tmp_path, capsys, monkeypatch):
    path = tmp_path / "history.jsonl"
    append_record(Record.of({"rank": ratio(10.0), "unrank": ratio(10.0)}), path)
    made("rank", monkeypatch, 1 / 7, 1 / 7)
    made("unrank", monkeypatch, 1 / 8)
    made("help", monkeypatch, 1.0)
    asked = "--only", "rank", "unrank", "help", "--history", str(path)
    out, _ = run(capsys, *asked, status=1)
    rows = {line.split()[0]: line for line in out.splitlines() if line}
    assert re.search(r" 7 +7 to 7 +10 +-30 % +WORSE$", rows["rank"])
    assert re.search(r" 8 +8 to 8 +10 +-20 %$", rows["unrank"])
    assert re.search(r" 1 +1 to 1 +none$", rows["help"].rstrip())
    assert out.count("WORSE: ") == 1
    assert "WORSE: rank is 7 times as fast as its baseline. The recorded ratio is 10" in out
    assert "another type of machine" not in out
    assert len(read_history(path)) == 1  # records are written only on request


def test_another_machine_or_a_disturbance_is_no_regression(tmp_path, capsys, monkeypatch):
    path = tmp_path / "history.jsonl"
    append_record(record(THERE, rank=10.0), path)
    made("rank", monkeypatch, 1 / 7)
    out, _ = run(capsys, "--only", "rank", "--history", str(path))
    assert f"from another type of machine ({THERE})" in out
    assert "-30 %" in out
    append_record(Record.of({"rank": ratio(10.0)}), path)
    made("rank", monkeypatch, 1.0, 1 / 9)
    out, _ = run(capsys, "--only", "rank", "--history", str(path))
    assert "WORSE" not in out
    assert "-10 %" in out


def test_ratios_are_recorded_where_asked(tmp_path, capsys, monkeypatch):
    path = tmp_path / "results" / "history.jsonl"
    made("rank", monkeypatch, 0.5)
    run(capsys, "--only", "rank", "--record", "--history", str(path))
    (stored,) = read_history(path)
    assert stored.ratios["rank"].value == 2.0
    assert stored.machine == Machine.this()
    assert "| 2 | 2 to 2 |" in (path.parent / PAGE).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("history", "arguments", "said"),
    [
        ("nonsense\n", ["--only", "rank"], "line 1, is not a record of benchmarks"),
        (None, ["--only", "rank"], "history.jsonl"),
        ("", ["--only", "rnak"], "there is no benchmark 'rnak'; there are rank, unrank"),
    ],
)
def test_what_cannot_be_is_one_sentence(history, arguments, said, tmp_path, capsys):
    path = tmp_path / "history.jsonl"
    path.mkdir() if history is None else path.write_text(history)
    out, err = run(capsys, *arguments, "--history", str(path), status=2)
    assert out == ""
    assert said in err
    assert err.startswith("benchmarks: ")
    assert len(err.splitlines()) == 1


def test_the_list_names_all_and_quick_figures_are_not_recorded(capsys):
    with pytest.raises(SystemExit):
        program.main(["--quick", "--record"])
    assert "not allowed with" in capsys.readouterr().err
    listed = run(capsys, "--list").out
    assert re.findall(r"^([\w-]+): ", listed, re.MULTILINE) == list(SUITE)


def test_a_missing_peer_is_reported(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(gnubg, "find", lambda name: None)
    path = tmp_path / "history.jsonl"
    append_record(record(rollout_gnubg=200.0), path)
    out, _ = run(capsys, "--only", "rollout-gnubg", "--history", str(path))
    assert "rollout-gnubg was not measured" in out
    assert "apt install gnubg" in out


def test_without_the_command_it_says_so(capsys, monkeypatch):
    monkeypatch.setattr(commands.sys, "executable", "/nowhere/python")
    assert "/nowhere/python" in run(capsys, "--quick", "--only", "help", status=2).err


def test_every_benchmark_runs(capsys, monkeypatch):
    with running() as server:
        monkeypatch.setattr(waits, "running", lambda: nullcontext(server))
        out, _ = run(capsys, "--quick")
    rows = [line.split()[0] for line in out.splitlines() if line.endswith("none")]
    there = [name for name, one in SUITE.items() if not one.peer or gnubg.find(one.peer)]
    assert rows == there


def test_both_play_the_same_games_with_the_cube():
    strategy, games = JanowskiCube(), 40_000
    ways = cubeful_ways.by_sim, cubeful_ways.by_numpy
    one, other = (play(games, strategy, strategy) for play in ways)
    # The standard deviation of the points of a single game is below 1.8.
    assert abs(one - other) < 4.5 * 1.8 * (2 / games) ** 0.5


@pytest.mark.parametrize("play", [game_ways.by_kernel, game_ways.by_numpy])
def test_both_play_the_same_race(play):
    fives, games = game_ways.FIVES, 100_000
    exact = float(bearoff.fewest_rolls_win_probability(fives, fives))
    assert abs(play(games) - exact) < 4.5 * (exact * (1 - exact) / games) ** 0.5
