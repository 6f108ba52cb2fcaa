"""Losses of formulas on sets of test races, compared with sums over single decisions."""

from dataclasses import replace

import numpy as np
import pytest

from bearoff.analysis import FitError, formulas
from bearoff.analysis.battery import (
    PEOPLE,
    Battery,
    BatteryTable,
    battery_difference,
    battery_markdown,
    battery_rows,
    score_battery,
)
from bearoff.analysis.battery.own import own_games
from bearoff.analysis.battery.slips import SLIPS, one_slip
from bearoff.analysis.outcomes import Gains
from bearoff.analysis.search import Objective
from bearoff.sim.populations import SPLITS
from bearoff.sim.populations.population import CubeVisits
from tests.analysis.made_population import made_population

ROWS = 3000


@pytest.fixture(scope="module")
def populations():
    visits = np.random.default_rng(3).integers(0, 3, (3, ROWS))
    cube = CubeVisits(*visits, visits[1] * 2, visits[2] * 4)
    home, uniform = map(made_population().chosen, np.arange(2 * ROWS).reshape(2, ROWS))
    return {"cubeful": replace(home, cube=cube), "uniform": uniform}


def lost_by(formula, population):
    """Return a formula's loss in points for the double, redouble and take of each race."""
    values = population.values
    decided = formula.decide(population.roller_counts, population.opponent_counts)
    lost = np.zeros((len(population), 3))
    for i in range(len(population)):
        taken = values.double_take[i]
        doubled = min(taken, 1.0)
        for j, name in enumerate(("double", "redouble")):
            acts, waits = getattr(decided, name)[i], getattr(values, f"no_{name}")[i]
            lost[i, j] = max(waits, doubled) - (doubled if acts else waits)
        lost[i, 2] = (taken if decided.take[i] else 1.0) - doubled
    return lost


def staked(formula, population, *, over=0):
    """Return the points that a formula's decisions lose per game, as a mean of both
    sides."""
    cube = population.cube
    stakes = np.stack([cube.centred, cube.owned_stakes, cube.doubled_stakes], axis=1)
    counts = np.maximum(
        population.roller_counts.sum(axis=1), population.opponent_counts.sum(axis=1)
    )
    lost = (lost_by(formula, population) * stakes)[counts > over].sum()
    return lost / (2 * population.about["games"]["train"])


def test_every_row_by_hand_also_if_the_last_rolls_are_known_by_heart(populations):
    battery = Battery.of(populations, "train")
    formula = formulas.get("keith")
    (score,) = score_battery([formula], battery)
    home = populations["cubeful"]
    lost, cube, weight = lost_by(formula, home), home.cube, home.decisions.weights
    expected = {"game": staked(formula, home)}
    visited = cube.centred, cube.owned, cube.doubled
    for name, loss, visits in zip(Gains.ACTIONS, lost.T, visited, strict=True):
        expected[name] = (loss * visits).sum() / visits.sum()
    values = home.values
    asked = (np.minimum(values.double_take, 1) >= values.no_double - 0.05) & (
        values.double_take <= 1.5
    )
    position = lost[:, 0] + lost[:, 1] + np.where(asked, lost[:, 2], 0)
    fewer = np.minimum(home.roller_counts.sum(axis=1), home.opponent_counts.sum(axis=1))
    chance = values.win_probability
    near = (chance >= 0.55) & (chance <= 0.92)
    for name, rows in (("near", near), ("1-4", fewer <= 4), ("5-8", fewer >= 5)):
        expected[name] = (position * weight)[rows].sum() / weight[rows].sum()
    found = {name: mean.value for name, mean in score.lost.items()}
    assert set(found) == {*expected, "9-12", "13-15", "uniform"}
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)
    assert found["9-12"] == 0
    thorp, battery = formulas.get("thorp"), Battery.of(populations, "train", memory=True)
    (score,) = score_battery([thorp], battery)
    expected = staked(thorp, populations["cubeful"], over=4)
    assert score.lost["game"].value == pytest.approx(expected, rel=1e-12)


def test_errors_are_those_of_drawing_games_again(populations):
    battery = Battery.of(populations, "train")
    one, other = score_battery([*map(formulas.get, ("keith", "zare"))], battery)
    difference = battery_difference(one, other, battery)["near"]
    row = battery.row("near").shares["cubeful"]
    lost = (one.losses["cubeful"] - other.losses["cubeful"]) * row
    rng, means = np.random.default_rng(0), []
    for _ in range(400):  # 400 samples give the standard deviation with an error of 3.5%.
        drawn = rng.integers(0, len(lost), len(lost))
        means.append(lost[drawn].sum() / row[drawn, 0].sum())
    assert difference.value == pytest.approx(lost.sum(), rel=1e-12)
    assert difference.error == pytest.approx(np.std(means), rel=0.15)


def test_the_objective_is_the_mean_of_rows_relative_to_the_reference(populations):
    battery = Battery.of(populations, "train")
    isight, keith = score_battery([*map(formulas.get, ("isight", "keith"))], battery)
    objective = Objective.of_battery(battery, isight)
    weights = {"game": 2, "near": 6, "1-4": 1, "5-8": 1.5, "uniform": 1}
    for score in (isight, keith):
        rows = [score.lost[name].value / isight.lost[name].value for name in weights]
        expected = pytest.approx(np.average(rows, weights=[*weights.values()]), rel=1e-12)
        assert objective.loss(formulas.get(score.name)) == expected


def test_where_a_published_formula_is_better(populations):
    names = ["zare", "keith", "isight"]
    table = BatteryTable.of([formulas.get(n) for n in names], populations, "train")
    # Formulas are listed by mental cost, the lowest first.
    assert [line.name for line in table.lines] == names
    # Both formulas cost more than Zare's.
    assert table.worse_rows("zare", ["keith", "isight"]) == {}
    assert table.worse_rows("keith", ["zare"]) == {}
    isight, keith = (table.line(name).score for name in ("isight", "keith"))
    more = battery_difference(isight, keith, table.battery)
    sure = {row: "keith" for row, each in more.items() if each.value > each.error}
    assert 0 < len(sure) < sum(each.value > 0 for each in more.values())
    assert table.worse_rows("isight", ["zare", "keith"]) == sure


def test_people_are_a_row_of_the_test_part_alone(populations):
    def in_splits(name, splits):
        some = populations[name]
        about = {**some.about, "games": dict.fromkeys(SPLITS, 9)}
        decisions = replace(some.decisions, splits=splits.astype(np.int8))
        return replace(some, about=about, decisions=decisions)

    home = in_splits("cubeful", np.arange(ROWS) % 3)
    people = in_splits("uniform", np.full(ROWS, SPLITS.index("test")))
    for part, there in (("train", False), ("test", True)):
        battery = Battery.of({"cubeful": home, PEOPLE: people}, part)
        assert (PEOPLE in {row.name for row in battery.rows}) is there
    (score,) = score_battery([formulas.get("keith")], battery)
    lost = lost_by(formulas.get("keith"), people)
    lost[:, 2] *= battery.decisions[PEOPLE].asked
    chance = people.values.win_probability
    weights = people.decisions.weights * ((chance >= 0.55) & (chance <= 0.92))
    assert score.lost[PEOPLE].value == pytest.approx(
        (lost.sum(axis=1) @ weights) / weights.sum()
    )


def test_losses_in_a_formulas_own_games_by_hand(populations):
    formula = formulas.get("keith")
    home = populations["cubeful"]
    own = {**populations, "cubeful-by-keith": home}
    mean = own_games(formula, own, "train")
    assert mean.value == pytest.approx(staked(formula, home), rel=1e-12)
    assert own_games(formulas.get("isight"), own, "train") is None
    table = BatteryTable.of([formulas.get(n) for n in ("keith", "isight")], own, "train")
    assert table.line("keith").own == mean
    page = battery_markdown(table, ())
    assert "| formula | units | game | own games | double |" in page
    assert battery_rows(table)["row"].to_pylist().count("own games") == 1
    other = replace(home, about={**home.about, "basis": {"formula": "another"}})
    with pytest.raises(FitError, match="cubeful"):  # the population `cubeful` is required
        Battery.of({"uniform": populations["uniform"]}, "train")
    with pytest.raises(FitError, match="keith"):
        own_games(formula, {**own, "cubeful-by-keith": other}, "train")
    # In the column `game`, every formula is scored on races from games between perfect
    # players.
    assert table.line("keith").score.lost["game"].value == pytest.approx(
        score_battery([formula], Battery.of(populations, "train"))[0].lost["game"].value
    )


@pytest.mark.parametrize("name", ["keith", "ladder"])
def test_one_slip_is_the_mean_of_four(populations, name):
    battery = Battery.of(populations, "train")
    rule, home = formulas.get(name), battery.decisions["cubeful"]
    ours, theirs = rule.count.of(home.rollers, home.opponents)
    gains = np.stack([home.gains.double, home.gains.redouble, home.gains.take], axis=1)
    offsets = [-line.offset for line in (rule.double, rule.redouble, rule.last_take)]
    lost = []
    for mine, other in SLIPS:
        above = (ours + mine + (ours + mine) // 7 - theirs - other)[:, None]
        acted = np.where([True, True, False], above <= offsets, above >= offsets)
        wrong = np.maximum(np.where(acted, -gains, gains), 0)
        lost.append((battery.row("near").shares["cubeful"] * wrong).sum())
    assert one_slip(rule, battery) == pytest.approx(np.mean(lost))
    assert np.mean(lost) > 0
    # A slip is defined only for rules that compare adjusted counts.
    assert one_slip(formulas.get("kleinman"), battery) is None
