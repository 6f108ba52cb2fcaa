"""`bearoff formulas score` and `fit`: output, files, and decisions kept for testing."""

from dataclasses import replace

import numpy as np
import pytest

from bearoff import sim
from bearoff.analysis import formulas, open_run
from bearoff.analysis.formulas.files import load_formulas
from bearoff.analysis.outcomes import Outcomes
from bearoff.sim.populations.build import build_population
from bearoff.sim.populations.file import open_population, write_population
from bearoff.sim.populations.recipes import population_recipe
from tests.app.conftest import ROOT, only_sentence
from tests.two_sided_tables import built

FAST = ("--budget", "38", "--steps", "20", "--rows", "300", "-q")


@pytest.fixture(scope="module")
def battery(tmp_path_factory):
    """Return a folder with two populations of races, one of them from simulated games."""
    built(4)
    folder = tmp_path_factory.mktemp("battery")
    for name, size in (("cubeful", 1500), ("uniform", 300)):
        wanted = population_recipe(name, size=size, checkers=4)
        build_population(wanted, folder, workers=1)
    return folder


def test_values_of_the_test_part_do_not_change_a_fit(bearoff, battery, tmp_path):
    poisoned = tmp_path / "poisoned"
    poisoned.mkdir()
    for path in battery.glob("*.parquet"):
        population = open_population(path)
        test, values = population.decisions.splits == 2, population.values
        wrong = {
            "no_double": np.where(test, 9.0, values.no_double),
            "double_take": np.where(test, -9.0, values.double_take),
        }
        epc = np.where(test, 99, population.roller_epc)
        population = replace(population, values=replace(values, **wrong), roller_epc=epc)
        write_population(poisoned / path.name, population)
    found = []
    for folder in (battery, poisoned):
        output = tmp_path / f"of-{folder.name}"
        options = ("--populations", str(folder), "--to", str(output), *FAST)
        answer = bearoff("formulas", "fit", *options).good
        found.append((load_formulas(output / "found.yaml"), answer.out))
        names = {path.name for path in output.iterdir()}
        assert names == {"found.yaml", "found.md", "pareto.png", "pareto.parquet"}
    assert found[0][0] == found[1][0]
    # The two searches find the same formula, but its printed scores differ.
    assert found[0][1] != found[1][1]


def test_the_frontier_is_written(bearoff, battery, tmp_path):
    few = ("--steps", "10", "--rows", "300", "--starts", "1", "-q")
    options = ("--populations", str(battery), "--to", str(tmp_path))
    answer = bearoff("formulas", "frontier", *options, *few).good
    assert {path.name for path in tmp_path.iterdir()} == {"frontier.md", "frontier.png"}
    page = (tmp_path / "frontier.md").read_text(encoding="utf-8")
    assert "`bearoff formulas frontier --seed 1 --steps 10 --starts 1 --rows 300`" in page
    for name in ("ladder", "keith", "isight"):
        assert f"| {name} |" in page
    losses = [float(line.split()[1]) for line in answer.out.splitlines()[2:11]]
    assert losses[0] >= losses[-1]
    assert f"| {losses[0]:.1f} |" in page


def test_a_formula_is_scored_on_its_own_games(bearoff, battery, tmp_path):
    for path in battery.glob("*.parquet"):
        (tmp_path / path.name).symlink_to(path)
    build = "populations build cubeful-by-keith -q --size 1500 --checkers 4 --to"
    assert bearoff(*build.split(), str(tmp_path)).code == 0
    scores = ("formulas", "score", "keith", "isight", "--population", str(tmp_path), "-q")
    keith, isight = bearoff(*scores, "--json").json["formulas"]
    assert keith["rows"]["own games"]["value"] > 0
    assert "own games" not in isight["rows"]


def test_formulas_are_fitted_on_a_population_and_a_run(bearoff, battery, tmp_path):
    text = (ROOT / "configs" / "decisions.yaml").read_text(encoding="utf-8")
    assert "results/populations/cubeful.parquet" in text
    text = text.replace("../results/populations", str(battery)).replace("4_000", "40")
    config = tmp_path / "decisions.yaml"
    config.write_text(f"{text}table: {{checkers: 4}}\n", encoding="utf-8")
    assert bearoff("simulate", str(config), "--to", str(tmp_path), "-q").code == 0
    run, output = tmp_path / "decisions", tmp_path / "found"
    options = ("--populations", str(battery), "--run", str(run), "--to", str(output))
    assert bearoff("formulas", "fit", *options, *FAST).code == 0
    found = load_formulas(output / "found.yaml")
    assert found
    assert all("the run decisions" in formula.source for formula in found)


def test_formulas_are_fitted_and_scored_on_different_pairs_of_a_run(bearoff, tmp_path):
    ends = [(x, y) for x in range(20, 44) for y in range(20, 44, 3)]

    def played(name, pairs):
        listed = [{"roller": x, "opponent": y} for x, y in pairs]
        batch = {"run": name, "pairs": [{"list": listed}], "games": 500, "seed": 1}
        run = sim.run(batch | {"output": str(tmp_path)}, progress=False).path
        fit = ("formulas", "fit", "--run", run, "--to", str(tmp_path / "found"), *FAST)
        return run, fit

    two, asked = played("two", ends[:2])
    only_sentence(bearoff(*asked), two, "2")
    assert not (tmp_path / "found").exists()
    run, asked = played("ends", ends)
    answer = bearoff(*asked).good
    found = load_formulas(tmp_path / "found" / "found.yaml")
    lines = [line.split()[0] for line in answer.out.splitlines() if line[:4] == "lab-"]
    assert {formula.name for formula in found} == set(lines) != set()
    held = Outcomes.of(open_run(run)).held_out()
    told = bearoff(*asked, "--json").json["formulas"]
    assert {"keith", *lines} <= {each["name"] for each in told}
    scored = {each["actions"]["double"]["decisions"] for each in told}
    assert scored == {held.sum() // 2}


def test_a_folder_is_a_battery(bearoff, battery, tmp_path):
    arguments = ("formulas", "score", "keith", "isight", "--population", str(battery), "-q")
    answer = bearoff(*arguments, "--to", str(tmp_path)).good
    assert "| keith |" in (tmp_path / "battery.md").read_text()
    lines = bearoff(*arguments, "--json").json["formulas"]
    assert [line["name"] for line in lines] == ["keith", "isight"]
    shown = [line.split()[2:] for line in answer.out.splitlines() if line[:5] == "keith"]
    rows = [f"{1000 * each['value']:.1f}" for each in lines[0]["rows"].values()]
    assert [cell for line in shown for cell in line] == rows
    assert lines[0]["from_memory"]["game"]["value"] == 0
    few = ("formulas", "fit", "--populations", str(battery), "--budget", "12", "-q")
    only_sentence(bearoff(*few, "--to", str(tmp_path / "out")), "12", "32")
    assert not (tmp_path / "out").exists()


def test_score_command(bearoff, battery, tmp_path):
    population = str(battery / "cubeful.parquet")
    arguments = ("formulas", "score", "--population", population, "-q")
    out = bearoff(*arguments, "keith", "thorp", "--to", str(tmp_path)).out
    assert ("keith" in out, "isight" in out) == (True, False)
    assert max(map(len, out.splitlines())) <= 80
    assert {path.name for path in tmp_path.iterdir()} >= {"scores.md", "scores.parquet"}
    told = bearoff(*arguments, "--part", "test", "--json").json
    every = {*formulas.names(), *formulas.found_names()}
    assert {each["name"] for each in told["formulas"]} == every
    keith = next(each for each in told["formulas"] if each["name"] == "keith")
    assert keith["difference"] == {"value": 0.0, "error": 0.0}
    lost = [each["together"]["value"] for each in told["formulas"]]
    assert lost == sorted(lost)
    twice = bearoff(*arguments, "keith", "zare", "keith", "--json").json["formulas"]
    assert sorted(line["name"] for line in twice) == ["keith", "zare"]
