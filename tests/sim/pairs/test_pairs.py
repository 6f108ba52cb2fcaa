"""Pairs of positions from every kind of source."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

import bearoff
from bearoff import sim
from bearoff.sim.pairs import build as pairs_module, build_pairs
from bearoff.sim.play import visits
from bearoff.sim.play.visits import visit_weights
from bearoff.sim.storage import RunError
from tests.refusals import refused

FIVES = "0,0,0,5,5,5"


def build(*sources, **changes):
    config = {"run": "x", "games": 1, "seed": 7, "pairs": list(sources)} | changes
    return build_pairs(sim.load_config(config))


def as_counter(pairs):
    rows = zip(pairs.rollers.tolist(), pairs.opponents.tolist(), pairs.weights, strict=True)
    return {(roller, opponent): weight for roller, opponent, weight in rows}


def assert_sorted_and_playable(pairs, size=54264):
    keys = pairs.rollers * size + pairs.opponents
    assert (np.diff(keys) > 0).all()
    for side in (pairs.rollers, pairs.opponents):
        assert side.dtype == np.int64
        assert ((side > 0) & (side < size)).all()
    assert (pairs.weights >= 1).all()


def test_a_list_is_what_it_says():
    pairs = build(
        {"list": [
            {"roller": FIVES, "opponent": "3,3,2,0,2,1"},
            {"roller": 8887, "opponent": 1},
            {"roller": "3,3,2,0,2,1", "opponent": 1},
            {"race": "XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10"},
        ]}
    )  # fmt: skip
    fives = int(bearoff.rank([0, 0, 0, 5, 5, 5]))
    race = bearoff.Race.parse("XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10")
    assert as_counter(pairs) == {
        (fives, 8887): 1,
        (8887, 1): 2,
        (race.roller.number, race.opponent.number): 1,
    }
    assert_sorted_and_playable(pairs)


def test_draws_depend_on_seed_and_place_alone_and_weights_add():
    listed = {"list": [{"roller": 5, "opponent": 6}]}
    drawn = {"random": {"pairs": 200, "pips": {"from": 1, "to": 3}}}
    together, alone = build(listed, drawn, listed), build(listed, drawn)
    assert as_counter(together) == as_counter(alone) | {(5, 6): as_counter(alone)[5, 6] + 1}
    assert together.weights.sum() == 202
    assert len(together) < 202
    drawn = {"random": {"pairs": 50}}
    one, other = build(drawn), build(drawn, seed=8)
    assert as_counter(one) != as_counter(other)
    twice = build(drawn, drawn)
    assert len(twice) == 100  # two equal sources draw different pairs
    assert as_counter(one).items() <= as_counter(twice).items()
    pairs = build({"random": {"pairs": 3}}, {"random": {"pairs": 2, "draw": "visits"}})
    drawn = [(2, 6883), (12271, 50214), (28058, 18004), (38971, 38921), (47886, 20026)]
    assert list(as_counter(pairs)) == drawn


def test_random_pairs_are_within_their_bounds():
    bounds = {"checkers": {"from": 3, "to": 5}, "pips": {"from": 10, "to": 12}}
    pairs = build({"random": {"pairs": 3000, **bounds}})
    table = bearoff.one_sided_table()
    counts = bearoff.unrank(np.arange(len(table)))
    on_board = counts.sum(axis=1)
    fits = (on_board >= 3) & (on_board <= 5) & (table.pips >= 10) & (table.pips <= 12)
    # All pairs that fit are equally likely, so each position occurs equally often on either
    # side.
    for side in (pairs.rollers, pairs.opponents):
        found = np.bincount(side, pairs.weights, minlength=len(table))
        assert not found[~fits].any()
        assert stats.chisquare(found[fits]).pvalue > 1e-4
    assert pairs.weights.sum() == 3000
    assert_sorted_and_playable(pairs)


def test_visited_draws_follow_the_visits():
    pairs = build({"random": {"pairs": 20_000, "draw": "visits"}})
    weights = visit_weights(6, 15)
    weights[0] = 0
    often = weights / weights.sum() * 20_000 > 10
    expected = np.append(weights[often], weights[~often].sum())
    for side in (pairs.rollers, pairs.opponents):
        found = np.bincount(side, pairs.weights, minlength=len(weights))
        joined = np.append(found[often], found[~often].sum())
        assert stats.chisquare(joined, expected / expected.sum() * 20_000).pvalue > 1e-4


def grid(by, roller, lead, per_cell=3, **more):
    names = ("from", "to", "step")
    spans = {
        "roller": dict(zip(names, roller, strict=True)),
        "lead": dict(zip(names, lead, strict=True)),
    }
    return {"grid": {"by": by, "per_cell": per_cell, **spans, **more}}


@pytest.mark.parametrize("draw", ["uniform", "visits"])
def test_a_pip_grid_has_the_pips_of_its_cells(draw):
    pairs = build(grid("pips", (10, 90, 20), (-4, 4, 4), per_cell=40, draw=draw))
    pips = bearoff.one_sided_table().pips.astype(int)
    found = Counter()
    for (roller, opponent), weight in as_counter(pairs).items():
        found[pips[roller], pips[opponent] - pips[roller]] += weight
    # No position has 94 pips, so the cell with 90 pips and a lead of 4 is left out.
    cells = {(r, d) for r in range(10, 91, 20) for d in (-4, 0, 4)} - {(90, 4)}
    assert found == dict.fromkeys(cells, 40)
    assert_sorted_and_playable(pairs)


def test_an_epc_grid_keeps_within_half_a_step():
    pairs = build(grid("epc", (30, 60, 7.5), (-3, 6, 1.5), per_cell=25))
    epc = bearoff.one_sided_table().epc
    cells = [(30 + 7.5 * i, -3 + 1.5 * j) for i in range(5) for j in range(7)]
    remaining = pairs.weights.sum()
    assert remaining == 25 * len(cells)
    # The EPC intervals of the cells overlap, so a pair may belong to any of the cells.
    for roller, opponent in as_counter(pairs):
        assert any(
            abs(epc[roller] - r) <= 3.75 and abs(epc[opponent] - (r + d)) <= 0.75
            for r, d in cells
        )


def test_a_cell_draws_the_same_whatever_cells_follow():
    small = build(grid("pips", (20, 30, 10), (0, 0, 1)))
    large = build(grid("pips", (20, 40, 10), (0, 0, 1)))
    assert as_counter(small).items() <= as_counter(large).items()


def test_a_harvest_is_drawn_evenly_from_what_games_meet(monkeypatch):
    start = [{"roller": "2,1,0,0,0,0", "opponent": "0,2,1,0,0,0"}]
    source = {"harvest": {"pairs": 3000, "games": 4000, "start": start}}
    pairs = build(source)
    assert pairs.weights.sum() == 3000
    monkeypatch.setattr(visits, "met_pairs", spy := Spy(visits.met_pairs))
    assert as_counter(build(source)) == as_counter(pairs)
    met = Counter(map(tuple, np.concatenate(spy.returned).tolist()))
    assert set(as_counter(pairs)) <= set(met)
    # Pairs are drawn without replacement, so the weight of a pair varies less than
    # binomially.
    total = sum(met.values())
    for pair, times in met.items():
        share = times / total
        spread = np.sqrt(3000 * share * (1 - share))
        assert abs(as_counter(pairs).get(pair, 0) - 3000 * share) < 4.5 * spread + 1


def test_a_harvest_in_pieces_keeps_every_start(monkeypatch):
    monkeypatch.setattr(pairs_module, "_HARVEST_GAMES", 7)
    start = [{"roller": 9, "opponent": 8}, {"roller": 8, "opponent": 9}]
    monkeypatch.setattr(visits, "met_pairs", spy := Spy(visits.met_pairs))
    build({"harvest": {"pairs": 10, "games": 20, "start": start}})
    starts = np.concatenate([arguments[3] for arguments in spy.called])
    assert starts.tolist() == [[9, 8], [8, 9]] * 10
    assert [arguments[4] for arguments in spy.called] == [0, 7, 14]


def test_harvests_from_nowhere_other_tables_and_sources_that_give_too_few():
    pairs = build({"harvest": {"pairs": 2000, "games": 500}})
    assert pairs.weights.sum() == 2000
    on_board = bearoff.unrank(pairs.rollers).sum(axis=1)
    assert on_board.max() == 15
    assert on_board.min() == 1
    assert_sorted_and_playable(pairs)
    with refused(RunError, 2, 1000):
        build({"harvest": {"pairs": 1000, "games": 2}})
    with refused(RunError, "pairs[1]"):
        build({"random": {"pairs": 1}}, grid("epc", (1, 2, 1), (0, 0, 0.01)))
    small = {"points": 3, "checkers": 2}
    pairs = build({"random": {"pairs": 500}}, table=small)
    assert set(as_counter(pairs)) == {(x, y) for x in range(1, 10) for y in range(1, 10)}
    assert_sorted_and_playable(pairs, 10)


class Spy:
    """Wrapper of a function that records its arguments and results."""

    def __init__(self, function):
        self.function, self.called, self.returned = function, [], []

    def __call__(self, *arguments):
        self.called.append(arguments)
        self.returned.append(self.function(*arguments))
        return self.returned[-1]
