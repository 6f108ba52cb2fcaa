"""`bearoff simulate` and `bearoff analyze` with the cube: formulas by their names."""

import pickle
import re
from pathlib import Path

import pytest

import sim
from analysis import formulas, open_run
from analysis.outcomes.cubeful import CubefulOutcomes, calibrate
from bearoff import build_two_sided_table
from sim.config.load import load_config
from tests.app.conftest import ROOT, Command, only_sentence

CONFIG = """
run: cube
table: {checkers: 4}
pairs: [{random: {pairs: 20, checkers: {from: 3, to: 4}}}]
cube: {roller: keith, opponent: perfect, rival: 8-9-12}
games: 2000
seed: 3
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    build_two_sided_table(4)
    path = tmp_path / "cube.yaml"
    path.write_text(CONFIG)
    return path


@pytest.fixture
def run(bearoff: Command, config: Path, tmp_path: Path) -> str:
    answer = bearoff("simulate", str(config), "--output", str(tmp_path), "--quiet")
    assert answer.code == 0, answer.err
    return str(tmp_path / "cube")


def test_analyze_shows_equities_and_the_cube(bearoff: Command, run: str) -> None:
    answer = bearoff("analyze", run)
    assert (answer.code, answer.err) == (0, "")
    outcomes = CubefulOutcomes.of(open_run(run))
    text = " ".join(answer.out.split())
    assert f"equity {outcomes.mean_equity()}" in text
    assert f"gain over the rival, cube 8-9-12 {outcomes.mean_difference()}" in text
    assert "run cube: 20 pairs, 40,000 games, seed 3" in text
    assert "The run agrees: over" in text
    rows = re.findall(r"^[\d,]{11} +[\d,]{11} +[+-]\d\.\d{4} ± ", answer.out, re.MULTILINE)
    assert len(rows) == 12
    assert max(map(len, answer.out.replace(run, "").splitlines())) <= 80
    assert Path(run, "report.md").stat().st_size > 1000
    assert Path(run, "equities.png").stat().st_size > 1000


def test_analyze_as_json(bearoff: Command, run: str, tmp_path: Path) -> None:
    answer = bearoff("analyze", run, "--output", str(tmp_path / "else"), "--json")
    outcomes = CubefulOutcomes.of(open_run(run))
    assert answer.json["equity"] == outcomes.mean_equity().value
    assert answer.json["gain_standard_error"] == outcomes.mean_difference().error
    assert sum(answer.json["cubes"]) == pytest.approx(1)
    assert answer.json["calibration"]["agrees"] is True
    assert not Path(run, "report.md").exists()
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert {*answer.json} <= set(re.findall(r"`(\w+)`", page))


def test_an_unknown_formula_is_one_sentence(
    bearoff: Command, config: Path, tmp_path: Path
) -> None:
    config.write_text(CONFIG.replace("keith", "kieth"))
    answer = bearoff("simulate", str(config), "--output", str(tmp_path))
    assert answer.code == 2
    sentence = only_sentence(answer)
    assert (
        "cube.roller: there is no cube strategy 'kieth', only perfect, never," in sentence
    )
    assert sentence.endswith("did you mean 'keith'?\n")


def test_every_formula_can_be_sent_to_another_process() -> None:
    for name in formulas.names():
        assert pickle.loads(pickle.dumps(formulas.get(name))).name == name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cubeful", "formulas-at-play"])
def test_hundreds_of_pairs_agree_with_what_is_exact(tmp_path: Path, name: str) -> None:
    """The shipped configurations, with fewer games; of another seed, so that it counts."""
    build_two_sided_table(8)
    config = load_config(ROOT / "configs" / f"{name}.yaml").model_copy(
        update={"games": 10_000, "seed": 42, "output": str(tmp_path)}
    )
    strategies = {formula: formulas.get(formula) for formula in formulas.names()}
    run = open_run(sim.run(config, strategies=strategies, progress=False).path)
    calibration = calibrate(CubefulOutcomes.of(run))
    assert calibration.pairs > 300
    assert calibration.agrees, calibration.verdict
    assert calibration.rms == pytest.approx(1, abs=0.2)


def test_commands_for_plain_races_refuse_it(
    bearoff: Command, run: str, tmp_path: Path
) -> None:
    for arguments in (
        ["chart", run, "--output", str(tmp_path / "chart.svg")],
        ["winprob", "1", "1", "--run", run],
    ):
        answer = bearoff(*arguments)
        assert answer.code == 2
        assert "is a run of kind cubeful" in only_sentence(answer)
