"""The studies that compare rollouts with exact values, and the fast model with rollouts."""

import json
import re

import numpy as np
import pytest

from bearoff.analysis import open_run
from bearoff.analysis.outcomes.rollouts import RolloutOutcomes
from bearoff.bear_in.model import bear_in
from bearoff.race_model import race_model
from research.studies.rollouts import compare_model
from tests.app.commands.rolled_out import rolled_out
from tests.app.conftest import only_sentence

TABLES = (3, 5)
pytestmark = pytest.mark.usefixtures("tables")


@pytest.fixture
def run(bearoff, tmp_path):
    return rolled_out(bearoff, tmp_path)


def test_a_run_is_held_beside_an_exact_table(research, run, tmp_path):
    out = tmp_path / "agreement"
    answer = research("rollouts", str(run), "--checkers", "5", "--to", str(out))
    assert answer.out.splitlines() == [str(out / "rollouts.md"), str(out / "rollouts.png")]
    page = (out / "rollouts.md").read_text(encoding="utf-8")
    assert "Each of 2 races was rolled out" in page  # one race has checkers outside home
    rows = [line for line in page.splitlines() if line.startswith("| no double")]
    # Rollouts of five checkers a side that end in an exact table have small errors.
    assert all(abs(float(row.split("|")[2])) < 0.01 for row in rows)
    assert len(rows) == 1
    right = re.findall(r"whether to (\w+) is wrong in 0 of 2", page)
    assert right == ["double", "redouble"]


def test_a_run_of_the_home_board_is_read_on_24_points(bearoff, research, tmp_path):
    config = tmp_path / "home.json"
    wanted = {
        "run": "home",
        "pairs": [{"random": {"pairs": 2, "checkers": {"from": 4, "to": 5}}}],
        "rollout": {"table": 3},
        "games": 1,
    }
    config.write_text(json.dumps(wanted))
    bearoff("simulate", str(config), "--to", str(tmp_path), "--quiet")
    home = str(tmp_path / "home")
    assert bearoff("analyze", home, "--json").json["races"] == 2
    assert research("rollouts", home, "--checkers", "5", "--to", str(tmp_path)).good


def test_the_model_is_held_beside_rollouts(research, run, tmp_path):
    answer = research("rollouts", str(run), "--against", "model", "--to", str(tmp_path))
    assert answer.out == f"{tmp_path / 'rollouts.md'}\n"
    page = (tmp_path / "rollouts.md").read_text(encoding="utf-8")
    (row,) = [line.split("|") for line in page.splitlines() if line.startswith("| all")]
    found = compare_model(outcomes := RolloutOutcomes.of(open_run(run)))
    assert int(row[2]) == 3
    # The differences in the study agree with direct calls of the model.
    first = int((outcomes.games > 0).argmax())
    sides = (outcomes.roller_counts[first], outcomes.opponent_counts[first])
    epc = [float(bear_in().epc(side)) for side in sides]
    std = [float(bear_in().std_rolls(side)) for side in sides]
    model = race_model()
    x, y = model.matching_std_rolls(*epc, *std)
    taken = 2 * model.equity(x, y, "opponent")
    for name, value in (("no_double", model.no_double(x, y)), ("double_take", taken)):
        off = float(value) - outcomes.values[name][first]
        assert found.difference[name][0] == pytest.approx(off, abs=1e-9)
    gain = outcomes.values["double_gain"][first]
    lost = -gain if min(taken, 1) >= model.no_double(x, y) else gain
    assert found.action_loss["double"][0] == max(lost, 0)
    rms = np.sqrt(np.mean(found.difference["double_take"] ** 2))
    assert float(row[6]) == pytest.approx(rms, abs=1e-4)


def test_what_cannot_be_compared_is_refused(research, run):
    answer = research("rollouts", str(run), "--checkers", "3")
    only_sentence(answer, "contains none of the races that the run rolled out")
    only_sentence(research("rollouts", str(run.parent / "none")))
