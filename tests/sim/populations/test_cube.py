"""Statistics of games with the cube, compared with a plain loop over all games."""

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

import bearoff
from bearoff.bear_in.model import bear_in
from bearoff.matchup import CubeDecision
from bearoff.race_model import race_model
from bearoff.sim.populations import build_population, population_recipe
from bearoff.sim.populations.file import open_population, population_schema
from bearoff.sim.populations.harvest import harvest_blocks
from bearoff.sim.storage.files import RunError
from tests.damage import with_column
from tests.refusals import refused
from tests.sim.populations.conftest import CHECKERS, built_population

SIZE = 1500


@pytest.fixture(scope="module")
def cubeful(folder, table):
    return built_population(folder, "cubeful", size=SIZE, seed=4, checkers=CHECKERS)


def by_model(counts):
    model, sides = race_model(), bear_in()
    epc = [sides.epc(c) for c in counts]
    typical = model.matching_std_rolls(*epc, *(sides.std_rolls(c) for c in counts))
    return [
        model.no_double(*typical, "centred"),
        model.no_double(*typical, "owned"),
        2 * model.equity(*typical, "opponent"),
    ]


class ByPips:
    """Strategy that decides by pip counts, and is often wrong."""

    name = "by-pips"

    def decide(self, rollers, opponents):
        lead = (opponents - rollers) @ np.arange(1, rollers.shape[1] + 1)
        return CubeDecision(lead >= 3, lead >= 5, lead <= 9)


@pytest.fixture(scope="module")
def games(table):
    """Return the races of every game, with their exact values and the strategy's cube
    actions.
    """
    harvest = harvest_blocks(4, 0, 2, (60, 130))
    most = bearoff.position_count(6, CHECKERS)
    games = defaultdict(list)
    for home, visits in ((True, harvest.home), (False, harvest.beyond)):
        visits = visits.chosen(visits.games < SIZE)
        pairs = visits.rollers, visits.opponents
        held = home & (pairs[0] < most) & (pairs[1] < most)
        wide = np.zeros((2, len(visits), 24), dtype=np.int8)
        for side, numbers in zip(wide, pairs, strict=True):
            points = 6 if home else 24
            side[:, :points] = bearoff.unrank(numbers, points)
        modelled = by_model(wide)
        said = ByPips().decide(*wide)
        for i in range(len(visits)):
            x, y = int(pairs[0][i]), int(pairs[1][i])
            values = [each[i] for each in modelled]
            if held[i]:
                values = [table.no_double(x, y, cube) for cube in ("centred", "owned")]
                values.append(table.double_take(x, y))
            answers = said.double[i], said.redouble[i], said.take[i]
            games[int(visits.games[i])].append(
                (int(visits.plies[i]), held[i], x, y, values, answers)
            )
    return games


def walked(games, player=None):
    """Count how often each pair of positions occurs in each part of the games."""
    expected = defaultdict(Counter)
    for game, visits in games.items():
        owner, stake = None, 1
        for ply, held, x, y, values, answers in sorted(visits, key=lambda visit: visit[0]):
            (waiting, redoubling, taken), (double, redouble, take) = values, answers
            met = expected[max(game % 5 - 2, 0), x, y] if held else Counter()
            side = ply % 2
            rolls, replies = player in (None, side), player in (None, 1 - side)
            met["visits"] += player is None
            if owner == 1 - side:
                continue
            met["centred" if owner is None else "owned"] += rolls
            met["owned_stakes"] += 0 if owner is None else stake * rolls
            if player == side:
                turns = double if owner is None else redouble
            else:
                turns = min(taken, 1) >= (waiting if owner is None else redoubling)
            met["visits"] += player == side or (player is not None and turns)
            if not turns:
                continue
            met["doubled"] += replies
            met["doubled_stakes"] += stake * replies
            if not (take if player == 1 - side else taken <= 1):
                break
            owner, stake = 1 - side, 2 * stake
    return expected


def check(found, expected):
    decisions, cube = found.decisions, found.cube
    expected = {key: met for key, met in expected.items() if met["visits"]}
    assert len(decisions) == len(expected) > 150
    assert cube.owned_stakes.max() > 2
    columns = decisions.splits, decisions.rollers, decisions.opponents
    for row, key in enumerate(zip(*map(np.ndarray.tolist, columns), strict=True)):
        met = expected[key]
        assert met["visits"] == decisions.weights[row]
        for name in ("centred", "owned", "doubled", "owned_stakes", "doubled_stakes"):
            assert getattr(cube, name)[row] == met[name]


def test_the_cube_is_followed_through_every_game(cubeful, games, table):
    check(cubeful, walked(games))
    for row in range(0, len(cubeful), 50):
        pair = cubeful.decisions.rollers[row], cubeful.decisions.opponents[row]
        assert cubeful.values.double_take[row] == table.double_take(*map(int, pair))


def test_one_side_may_turn_it_by_something_else(folder, games):
    wanted = population_recipe(
        "cubeful-by-pips", size=SIZE, seed=4, checkers=CHECKERS, formula="by pips"
    )
    found = open_population(build_population(wanted, folder, strategy=ByPips()).path)
    both = walked(games, 0)
    for key, met in walked(games, 1).items():
        both[key] += met
    check(found, both)
    with refused(RunError, "formula"):
        build_population(replace(wanted, formula="digest"), folder, strategy=ByPips())


def test_the_file_has_whose_cube_it_was(cubeful, folder, tmp_path):
    table = pq.read_table(folder / "cubeful.parquet")
    assert table.schema.equals(population_schema(6, cube=True))
    some = cubeful.split("test")
    assert some.cube.centred.sum() < cubeful.cube.centred.sum()
    first, *others = table["owned"].to_pylist()
    changed = with_column(table, "owned", [first + 1, *others])
    pq.write_table(changed, tmp_path / "cubeful.parquet")
    with refused(RunError, tmp_path / "cubeful.parquet", "digest"):
        open_population(tmp_path / "cubeful.parquet")


def test_beyond_home_what_matters_is_rolled_out(folder, table):
    found = built_population(folder, "cubeful-long", size=24, seed=4)
    chance, sources = found.values.win_probability, found.values.sources
    assert {1, 2} == set(sources.tolist())
    assert chance[sources == 2].min() > 0.4
    assert chance[sources == 2].max() < 1
    assert ((chance[sources == 1] < 0.5) | (chance[sources == 1] > 0.95)).all()
    assert (found.values.error[sources == 2] < 0.01).all()
    assert (found.cube.centred + found.cube.owned <= found.decisions.weights).all()
