"""Games with the cube: against a plain walk through every game."""

from collections import Counter, defaultdict

import numpy as np
import pytest

import bearoff
from bearoff.bear_in.model import bear_in
from bearoff.race_model import race_model
from sim.populations.build import build_population
from sim.populations.file import open_population, population_schema
from sim.populations.harvest import harvest_blocks
from sim.populations.recipes import population_recipe
from sim.storage.files import RunError
from tests.sim.populations.conftest import CHECKERS

SIZE = 1500


@pytest.fixture(scope="module")
def cubeful(folder, table):
    wanted = population_recipe("cubeful", size=SIZE, seed=4, checkers=CHECKERS)
    return open_population(build_population(wanted, folder).path)


def by_model(counts):
    model, sides = race_model(), bear_in()
    epc = [sides.epc(c) for c in counts]
    typical = model.matching_std_rolls(*epc, *(sides.std_rolls(c) for c in counts))
    return [
        model.no_double(*typical, "centred"),
        model.no_double(*typical, "owned"),
        2 * model.equity(*typical, "opponent"),
    ]


def test_the_cube_is_followed_through_every_game(cubeful, table):
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
        for i in range(len(visits)):
            x, y = int(pairs[0][i]), int(pairs[1][i])
            values = (
                [
                    table.no_double(x, y, "centred"),
                    table.no_double(x, y, "owned"),
                    table.double_take(x, y),
                ]
                if held[i]
                else [each[i] for each in modelled]
            )
            games[int(visits.games[i])].append(
                (int(visits.plies[i]), held[i], x, y, values)
            )
    expected = defaultdict(Counter)
    for game, visits in games.items():
        owner, stake = None, 1
        for ply, held, x, y, (waiting, redoubling, taken) in sorted(
            visits, key=lambda v: v[0]
        ):
            met = expected[max(game % 5 - 2, 0), x, y] if held else Counter()
            met["visits"] += 1
            side = ply % 2
            if owner == 1 - side:
                continue
            met["centred" if owner is None else "owned"] += 1
            met["owned_stakes"] += 0 if owner is None else stake
            if min(taken, 1) < (waiting if owner is None else redoubling):
                continue
            met["doubled"] += 1
            met["doubled_stakes"] += stake
            if taken > 1:
                break
            owner, stake = 1 - side, 2 * stake
    decisions, cube = cubeful.decisions, cubeful.cube
    assert len(decisions) == len(expected) > 200
    assert cube.owned_stakes.max() > 2
    for row in range(len(decisions)):
        met = expected[
            int(decisions.splits[row]),
            int(decisions.rollers[row]),
            int(decisions.opponents[row]),
        ]
        assert met["visits"] == decisions.weights[row]
        for name in ("centred", "owned", "doubled", "owned_stakes", "doubled_stakes"):
            assert getattr(cube, name)[row] == met[name]
        if row % 50 == 0:
            x, y = int(decisions.rollers[row]), int(decisions.opponents[row])
            assert cubeful.values.double_take[row] == table.double_take(x, y)


def test_the_file_has_whose_cube_it_was(cubeful, folder):
    import pyarrow.parquet as pq

    schema = pq.read_schema(folder / "cubeful.parquet")
    assert schema.equals(population_schema(6, cube=True))
    some = cubeful.split("test")
    assert some.cube.centred.sum() < cubeful.cube.centred.sum()
    changed = folder / "changed"
    changed.mkdir()
    table = pq.read_table(folder / "cubeful.parquet")
    place = table.schema.get_field_index("owned")
    values = table["owned"].to_numpy().copy()
    values[0] += 1
    pq.write_table(
        table.set_column(place, table.schema.field("owned"), [values]),
        changed / "cubeful.parquet",
    )
    with pytest.raises(RunError, match="its digest is another"):
        open_population(changed / "cubeful.parquet")


def test_beyond_home_what_matters_is_rolled_out(folder, table):
    wanted = population_recipe("cubeful-long", size=24, seed=4)
    found = open_population(build_population(wanted, folder).path)
    chance, sources = found.values.win_probability, found.values.sources
    assert {1, 2} == set(sources.tolist())
    assert chance[sources == 2].min() > 0.4
    assert chance[sources == 2].max() < 1
    assert ((chance[sources == 1] < 0.5) | (chance[sources == 1] > 0.95)).all()
    assert (found.values.error[sources == 2] < 0.01).all()
    assert (found.cube.centred + found.cube.owned <= found.decisions.weights).all()
