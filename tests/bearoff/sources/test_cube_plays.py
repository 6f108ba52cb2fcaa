"""Best plays for each owner of the cube, compared with exact fractions."""

import numpy as np
import pytest

from bearoff import ROLLS, Position, Race
from bearoff.plays import legal_plays
from bearoff.sources import Races, TableSource, play_values
from oracles.reference import all_positions, checkers_of, successors
from tests.bearoff.sources.cube_twin import BY_OWNER, SEEN
from tests.two_sided_tables import built


@pytest.mark.parametrize(("cube", "plane"), SEEN.items())
def test_every_play_of_every_roll_against_fractions(cube, plane):
    table, positions, theirs = built(2), all_positions(6, 2), BY_OWNER[plane]
    for x in range(1, len(positions), 5):
        for y in range(1, len(positions), 7):
            race = Race(*(Position.from_number(n, 6, 2) for n in (x, y)), cube=cube)
            races = Races.of([race])
            for roll in ROLLS:
                legal = [play.after.counts for play in legal_plays(race.roller, roll)][::-1]
                after = [checkers_of(counts) for counts in legal]
                assert set(after) == successors(positions[x], *roll)
                sides = np.array([[*counts, *18 * [0]] for counts in legal], dtype=np.int8)
                rows = np.zeros(len(legal), dtype=np.int64)
                valued = play_values(TableSource(table), races, rows, sides)
                truth = np.array([-float(theirs(positions[y], end)) for end in after])
                equities, (costs, errors) = valued.equities, valued.cost_and_error()
                assert np.abs(equities - truth).max() <= table.error(plane)
                assert (costs == equities.max() - equities).all()
                off = np.abs(costs - (truth.max() - truth))
                assert (off <= errors + 1e-12).all()
                best, *others = order = valued.ranking()
                assert costs[best] == 0
                assert (np.diff(costs[order]) >= 0).all()
                # The error of the best play is the largest amount by which another play may
                # be better.
                better = (errors[others] - costs[others]).max(initial=0)
                assert errors[best] == pytest.approx(better, abs=1e-15)
                assert (errors >= 0).all()
                assert (errors[others] <= 2 * table.error(plane)).all()
