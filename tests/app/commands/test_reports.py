"""`bearoff analyze` and `bearoff chart`, applied to a small run of simulated games."""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from bearoff import Position, sim
from bearoff.analysis import analyse_run
from bearoff.app.commands import reports
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.storage import files
from tests.app.conftest import ROOT, missing
from tests.sim.batches import batch, cut_small, interrupted

# With a built table, commands print no notice about building a table.
pytestmark = pytest.mark.usefixtures("table")

GRID = """
run: grid
pairs:
- grid:
    by: pips
    roller: {from: 20, to: 60, step: 10}
    lead: {from: -4, to: 12, step: 4}
    per_cell: 3
    draw: visits
games: 20000
seed: 3
workers: 1
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    output = tmp_path_factory.mktemp("runs")
    return sim.run({**yaml.safe_load(GRID), "output": str(output)}, progress=False).path


def test_analyze_prints_and_writes(bearoff, run, tmp_path):
    answer = bearoff("analyze", run, "--to", str(tmp_path)).quiet
    assert missing(answer.out, "75 pairs", "1,500,000 games", "seed 3", "12 of 75") == []
    paths = re.findall(rf"{tmp_path}\S+", answer.out)
    assert {Path(path).name for path in paths} >= {"doubling-epc.png", "report.md"}
    assert all(Path(path).stat().st_size > 1000 for path in paths)
    answer = bearoff("analyze", run, "--to", str(tmp_path), "--json").json
    keys = {"run", "report", "charts", "calibration", "rules", "chances"}
    assert set(answer) == keys | {"complete", "pairs", "games"}
    assert answer["calibration"]["pairs"] == 75
    assert answer["calibration"]["agrees"] is True
    assert all(Path(path).exists() for path in [answer["report"], *answer["charts"]])


def test_analyze_leads_with_the_best_rule(bearoff, tmp_path):
    quick = str(ROOT / "results" / "quick")
    text = " ".join(bearoff("analyze", quick, "--to", str(tmp_path)).out.split())
    assert "pip count" not in text
    assert missing(text, "EPC.", "a twelfth of the roller's count") == []
    assert missing(text, "600 pairs", "double 1.3%", "redouble 2.5%") == []


def test_the_table_is_the_runs(bearoff, run, tmp_path):
    answer = bearoff("analyze", run, "--to", str(tmp_path))
    outcomes = analyse_run(run).outcomes
    pairs = list(zip(outcomes.roller.tolist(), outcomes.opponent.tolist(), strict=True))
    rows = re.findall(
        r"^([\d,]+)\s+([\d,]+)\s+([\d.]+%)\s+([\d.]+%) to ([\d.]+%)\s+([\d.]+%)",
        answer.out,
        re.MULTILINE,
    )
    assert len(rows) == 12
    for roller, opponent, simulated, low, high, expected in rows:
        i = pairs.index((Position.parse(roller).number, Position.parse(opponent).number))
        assert simulated == f"{outcomes.wins[i] / outcomes.games[i]:.2%}"
        assert expected == f"{outcomes.expected[i]:.2%}"
        assert float(low[:-1]) <= float(simulated[:-1]) <= float(high[:-1])
    shown = [float(row[2][:-1]) for row in rows]
    assert shown == sorted(shown, reverse=True)
    table = [line for line in answer.out.splitlines() if " to " in line]
    assert max(map(len, table)) <= 80


@pytest.mark.parametrize(
    ("by", "ending", "magic"), [("pips", "png", b"\x89PNG"), ("epc", "svg", b"<?xml")]
)
def test_chart_draws_one_file(bearoff, run, tmp_path, by, ending, magic):
    path = tmp_path / f"new/chart.{ending}"
    assert bearoff("chart", run, "--by", by, "--to", str(path)).good.out == f"{path}\n"
    assert path.read_bytes().startswith(magic)
    drawn = {"run": run, "chart": f"{run}/doubling-epc.png"}
    assert bearoff("chart", run, "--json").json == drawn


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """Return the configuration of a run of which two blocks are played."""
    cut_small(monkeypatch, block_games=3000, part_pairs=1000)
    config = batch(tmp_path)
    interrupted(config, 2)
    return config


def test_following_a_run_reports_to_its_end(tmp_path, monkeypatch, bearoff, begun):
    waited = []

    def go_on(seconds):
        waited.append(seconds)
        if len(waited) == 2:
            interrupted(begun, 4)
        if len(waited) == 3:
            sim.run(begun, progress=False)

    monkeypatch.setattr(reports, "sleep", go_on)
    monkeypatch.setattr(files, "is_claimed", lambda *run: True)
    answer = bearoff("analyze", str(tmp_path / "small"), "--follow").good
    assert waited == [reports.FOLLOW_SECONDS] * 3
    told = " ".join(answer.out.split())
    games = ("3 pairs, 6,000 games", "5 pairs, 12,000 games", "10 pairs, 25,000 games")
    assert [told.count(one) for one in games] == [1, 1, 1]


@pytest.mark.usefixtures("begun")
def test_following_ends_where_nobody_plays(tmp_path, monkeypatch, bearoff):
    place = RunFolder(str(tmp_path), "small")
    playing = ExitStack()
    playing.enter_context(place.claimed())
    waited = []

    def killed_in_the_end(seconds):
        waited.append(seconds)
        if len(waited) == 2:
            playing.close()

    monkeypatch.setattr(reports, "sleep", killed_in_the_end)
    answer = bearoff("analyze", place.location, "--follow")
    assert (answer.code, len(waited)) == (1, 2)
    assert "6,000 games" in " ".join(answer.out.split())
    assert place.location in answer.err
