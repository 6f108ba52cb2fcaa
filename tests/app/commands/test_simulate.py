"""`bearoff simulate` and `schema`, and `bearoff winprob --run` on simulated games."""

import json
import re
import subprocess

import pytest

from bearoff.app.output import for_shell
from tests.app.conftest import ROOT, only_sentence

CONFIG = """
run: two-rolls
pairs:
  - list:
      - {roller: "4,0,0,0,0,0", opponent: "4,0,0,0,0,0"}
      - {roller: "6,0,0,0,0,0", opponent: "6,0,0,0,0,0"}
games: 20000
seed: 7
output: nowhere
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "two-rolls.yaml"
    path.write_text(CONFIG)
    return path


def simulated(bearoff, config, to, *options):
    return bearoff("simulate", str(config), "--to", str(to), "-q", *options).good


def test_what_was_played_is_told(bearoff, config, tmp_path):
    runs = tmp_path / "runs"
    answer = bearoff("simulate", str(config), "--to", str(runs), "--workers", "1")
    first, second = answer.out.splitlines()
    assert first.startswith(f"{runs}/two-rolls: 2 pairs, 40,000 games")
    assert second.endswith(f"bearoff analyze {runs}/two-rolls")
    assert "40.0k" in answer.err
    # The number is printed for all games, and for games played earlier.
    assert simulated(bearoff, config, runs).quiet.out.count("40,000") == 2
    summary = simulated(bearoff, config, tmp_path, "--json").json
    assert summary.pop("seconds") >= 0
    counts = {"pairs": 2, "games": 40000, "games_played": 40000, "counted": "games"}
    assert summary == {"path": str(tmp_path / "two-rolls")} | counts
    config.write_text("run: x\ngames: 1\npairs: [list: [{roller: 1, opponent: 1}]]\n")
    assert "x: 1 pair, 1 game; " in simulated(bearoff, config, tmp_path).out


KEYS = {"run", "players", "wins", "games", "probability", "low", "high", "confidence"}
KEYS |= {"expected", "gammons_won", "gammons_lost", "z_score"}


def test_winprob_of_a_run_stands_beside_the_convolved_and_runs_are_combined(
    bearoff, config, tmp_path, monkeypatch
):
    simulated(bearoff, config, tmp_path)
    run = str(tmp_path / "two-rolls")
    answer = bearoff("winprob", "4,0,0,0,0,0", "4,0,0,0,0,0", "--run", run).good
    rows = {line.split()[0]: line for line in answer.out.splitlines() if line.strip()}
    assert "86.11%" in rows["fewest-rolls"]  # reference value 31/36
    assert re.search(r" 95% .* 20,000 games", rows["simulated"])
    assert max(map(len, answer.out.splitlines())) <= 80
    answer = bearoff("winprob", "6,0,0,0,0,0", "6,0,0,0,0,0", "--run", run, "--json").json
    found = answer["simulated"]
    assert (set(found), found["games"]) == (KEYS, 20000)
    assert found["low"] < found["probability"] < found["high"]
    # The exact win probability for three rolls against three is 0.787809.
    assert answer["fewest_rolls"] == pytest.approx(0.787809, abs=5e-7)
    assert found["expected"] == answer["fewest_rolls"]
    assert found["probability"] == pytest.approx(0.787809, abs=5 * 0.0029)

    config.write_text(CONFIG.replace("seed: 7", "seed: 8"))
    simulated(bearoff, config, tmp_path / "other")
    both, other = str(tmp_path / "both"), str(tmp_path / "other" / "two-rolls")
    answer = bearoff("combine", run, other, "--to", both, "--json").json
    assert answer == {"path": both, "pairs": 2, "games": 80_000}
    only_sentence(bearoff("combine", run, "--to", both))

    # A pair that was not played is refused.
    asked = ("winprob", "8887", "8887", "--run", run)
    only_sentence(bearoff(*asked), "3,3,2,0,2,1 against 3,3,2,0,2,1")
    monkeypatch.setattr("bearoff.analysis.outcomes.run.Run.complete", False)
    only_sentence(bearoff(*asked), "against 3,3,2,0,2,1", "2 of its 2 pairs")
    size = ("--points", "4", "--checkers", "4")
    only_sentence(bearoff("winprob", "4,0,0,0", "4,0,0,0", "--run", run, *size))


def test_names_steer_no_terminal(bearoff, config, tmp_path):
    for options in ("-q",), ("-q", "--json"):
        output = f"{tmp_path}/\x1b[31m\x9b31m\u202ex\nit's\x7f\U0010ffff"
        answer = bearoff("simulate", str(config), "--to", output, *options)
        assert all(line.isprintable() for line in answer.out.splitlines())
    assert answer.json["path"] == f"{output}/two-rolls"


def test_the_next_command_is_one_that_a_shell_reads(tmp_path):
    for text in ("results/x", "two words", "\x1b[31m", "it's\n\\back", "a\x7f\U0010ffff"):
        said = for_shell(text)
        assert said.isprintable()
        printed = subprocess.check_output(["bash", "-c", f"printf %s {said}"])
        assert printed.decode() == text


def test_who_else_played_is_named(bearoff, config, tmp_path):
    text = CONFIG.replace("4,0,0,0,0,0", "0,0,0,0,2,2")
    config.write_text(f"{text}players: {{opponent: random-play}}\n")
    simulated(bearoff, config, tmp_path)
    asked = ("winprob", *["0,0,0,0,2,2"] * 2, "--run", str(tmp_path / "two-rolls"))
    assert "fewest-rolls against random-play" in bearoff(*asked).out


def test_the_schema_is_the_one_beside_the_configs(bearoff):
    kept = (ROOT / "configs" / "batch.schema.json").read_text(encoding="utf-8")
    assert bearoff("schema").json == json.loads(kept)
