"""The pairs of a run are the same whether they are held in memory or computed when
needed.
"""

import numpy as np
import pytest

from bearoff import sim
from bearoff.sim.pairs.build import build_pairs
from bearoff.sim.pairs.table import EveryPair, Pairs
from tests.sim.batches import batch, cut_small, outcomes_of

EVERY = {"every": {"rollers": {"from": 7, "to": 9}, "opponents": {"from": 2, "to": 5}}}


def build(*pairs, **changes):
    return build_pairs(sim.load_config(batch("x", pairs=list(pairs), **changes)))


def both():
    every = build(EVERY)
    assert isinstance(every, EveryPair)
    return every, every[:]


def test_every_pair_comes_once_in_order_and_billions_take_no_memory():
    every, held = both()
    wanted = [(roller, opponent) for roller in (7, 8, 9) for opponent in (2, 3, 4, 5)]
    assert list(zip(held.rollers.tolist(), held.opponents.tolist(), strict=True)) == wanted
    assert len(every) == len(held) == 12
    assert held.weights.tolist() == [1.0] * 12
    for chosen in (slice(3, 4), slice(5, 11), slice(12, 12)):
        for name in ("rollers", "opponents", "weights"):
            found = getattr(every[chosen], name)
            assert found.tolist() == getattr(held[chosen], name).tolist()
            assert found.dtype == getattr(held, name).dtype
    table = {"points": 3, "checkers": 2}
    every = build({"every": {}}, table=table)
    assert (every.rollers, every.opponents) == (range(1, 10), range(1, 10))
    every = build({"every": {"rollers": {"from": 4}}}, table=table)
    assert every.rollers == range(4, 10)
    every = build({"every": {}})
    assert len(every) == 54263**2 == 2_944_473_169
    last = every[len(every) - 2 :]
    assert last.rollers.tolist() == [54263, 54263]
    assert last.opponents.tolist() == [54262, 54263]


def test_beside_others_they_are_joined_and_inputs_tell_pairs_apart():
    listed = {"list": [{"roller": 8, "opponent": 3}, {"roller": 1, "opponent": 1}]}
    joined = build(EVERY, listed)
    assert isinstance(joined, Pairs)
    assert len(joined) == 13
    assert joined.weights.tolist() == [1.0] * 6 + [2.0] + [1.0] * 6

    def inputs(*pairs):
        return [bytes(part) for part in build(*pairs).inputs()]

    other = {"every": {"rollers": {"from": 7, "to": 9}, "opponents": {"from": 2, "to": 6}}}
    assert inputs(EVERY) == inputs(EVERY)
    assert inputs(EVERY) != inputs(other)
    draws = {"random": {"pairs": 5}}
    assert inputs(draws) == inputs(draws)
    assert inputs(draws) != inputs({"random": {"pairs": 6}})
    assert [len(part) for part in inputs(draws)] == [40, 40, 40]


@pytest.mark.parametrize("kind", [{}, {"cube": {"roller": "never", "opponent": "never"}}])
def test_a_run_of_every_pair_holds_what_a_list_of_them_does(tmp_path, monkeypatch, kind):
    cut_small(monkeypatch)
    pairs = [{"roller": x, "opponent": y} for x in (7, 8, 9) for y in (2, 3, 4, 5)]
    tables = []
    for name, source in (("a", EVERY), ("b", {"list": pairs})):
        config = batch(tmp_path / name, pairs=[source], games=500, **kind)
        summary = sim.run(config, progress=False)
        again = sim.run(config, progress=False)
        assert (again.games_played, again.pairs) == (0, 12)
        tables.append(outcomes_of(summary.path))
    assert tables[0].equals(tables[1])
    assert np.all(tables[0]["games"].to_numpy() == 500)
