"""`bearoff simulate` and `analyze` with the cube, and with formulas as strategies."""

import pickle
import re
from pathlib import Path

import pytest

from bearoff import build_two_sided_table, sim
from bearoff.analysis import formulas, open_run
from bearoff.analysis.outcomes.cubeful import CubefulOutcomes, calibrate
from bearoff.sim.config.load import load_config
from tests.app.conftest import ROOT, missing, only_sentence
from tests.app.pages import json_keys

CONFIG = """
run: cube
table: {checkers: 4}
pairs: [{random: {pairs: 20, checkers: {from: 3, to: 4}}}]
cube: {roller: keith, opponent: perfect, rival: 8-9-12}
games: 2000
seed: 3
"""


@pytest.fixture
def run(bearoff, tmp_path):
    build_two_sided_table(4)
    config = tmp_path / "cube.yaml"
    config.write_text(CONFIG)
    assert bearoff("simulate", str(config), "--to", str(tmp_path), "--quiet").code == 0
    return str(tmp_path / "cube")


def test_analyze_shows_equities_and_the_cube_which_plain_commands_refuse(
    bearoff, run, tmp_path
):
    answer = bearoff("analyze", run, "--to", str(tmp_path / "else"), "--json")
    outcomes = CubefulOutcomes.of(open_run(run))
    equity, gain = outcomes.mean_equity(), outcomes.mean_difference()
    assert answer.json["equity"] == equity.value
    assert answer.json["gain_standard_error"] == gain.error
    assert sum(answer.json["cubes"]) == pytest.approx(1)
    assert answer.json["calibration"]["agrees"] is True
    assert not Path(run, "report.md").exists()
    assert {*answer.json} <= json_keys()
    answer = bearoff("analyze", run).quiet
    text = " ".join(answer.out.split())
    for name, mean in (("equity", equity), ("8-9-12", gain)):
        assert f"{name} {mean.value:+.4f} ± {mean.error:.4f}" in text
    assert missing(text, "20 pairs", "40,000 games", "seed 3") == []
    rows = re.findall(r"^[\d,]{11} +[\d,]{11} +[+-]\d\.\d{4} ± ", answer.out, re.MULTILINE)
    assert len(rows) == 12
    assert max(map(len, answer.out.replace(run, "").splitlines())) <= 80
    for name in ("report.md", "equities.png"):
        assert Path(run, name).stat().st_size > 1000
    chart = ("chart", run, "--to", str(tmp_path / "chart.svg"))
    for arguments in (chart, ("winprob", "1", "1", "--run", run)):
        only_sentence(bearoff(*arguments), "cubeful")


def test_every_formula_can_be_sent_to_another_process():
    for name in formulas.names():
        assert pickle.loads(pickle.dumps(formulas.get(name))).name == name


def test_chances_to_win_a_match(bearoff, tmp_path):
    config = tmp_path / "match.yaml"
    players = "players: {roller: perfect, opponent: perfect}\nmatch: {score: 2-4}"
    cube = "cube: {roller: perfect, opponent: perfect, rival: keith"
    text = CONFIG.replace("run: cube", f"run: match\n{players}")
    config.write_text(re.sub("cube: {roller.*rival: 8-9-12", cube, text))
    assert bearoff("simulate", str(config), "--to", str(tmp_path), "--quiet").code == 0
    run = open_run(str(tmp_path / "match"))
    outcomes = CubefulOutcomes.of(run)
    assert calibrate(outcomes).agrees is not False
    assert 0.4 < outcomes.equity.min() < outcomes.equity.max() <= 1
    shown = " ".join(bearoff("analyze", run.path).out.split())
    mean = outcomes.mean_equity()
    assert f"match-winning chance {mean.value:.2%} ± {mean.error:.2%}" in shown
    assert "2-away 4-away" in Path(run.path, "report.md").read_text("utf-8")
    found = bearoff("analyze", run.path, "--json").json
    assert (found["match_chance"], "equity" in found) == (mean.value, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games"), [("cubeful", 2000), ("formulas-at-play", 10_000), ("match", 2000)]
)
def test_shipped_configurations_agree_with_exact_values(tmp_path, name, games):
    build_two_sided_table(8)
    config = load_config(ROOT / "configs" / f"{name}.yaml").model_copy(
        update={"games": games, "seed": 42, "output": str(tmp_path)}
    )
    strategies = {formula: formulas.get(formula) for formula in formulas.names()}
    run = open_run(sim.run(config, strategies=strategies, progress=False).path)
    calibration = calibrate(CubefulOutcomes.of(run))
    assert calibration.pairs > (100 if name == "match" else 300)
    assert calibration.agrees, calibration.verdict
    assert calibration.rms == pytest.approx(1, abs=0.2)
