"""Cube decisions by a search one roll ahead, compared with a plain search."""

import numpy as np
import pytest

from bearoff import Match, Score
from bearoff.game.search import CONTACT_EFFICIENCY, SearchStakes, cube_of
from bearoff.game.state import GameState
from bearoff.stakes import Terms, cube_ladder, ladder_kernels
from tests.game.rules.test_plays import met_boards
from tests.game.search.test_search import BOARDS, NET, mean_best, searcher

_, HIT, LATE, _ = BOARDS
SCORES = [
    SearchStakes(),
    SearchStakes(cube="owned"),
    SearchStakes(Terms(Match(Score((2, 4))))),
    SearchStakes(Terms(Match(Score((5, 4))), 2), "owned"),
]


def worth(board, rung, owner, cube):
    """Return the equity of a board for the player on roll, who may double."""
    live = 0.7 if board.race is not None else CONTACT_EFFICIENCY
    ladder = cube_ladder(cube.terms.next(), cube.cube == "centred")
    chances, filled = NET.chances(board), np.empty((len(ladder), 4))
    ladder_kernels.fill(ladder, chances, filled)
    waits = ladder_kernels.held(ladder, filled, rung, owner, chances, live)
    if owner < 0 or rung + 1 == len(ladder):
        return waits
    taken = ladder_kernels.held(ladder, filled, rung + 1, -1, chances, live)
    return max(waits, min(taken, ladder[rung, 0]))


def looked(board, rung, owner, cube):
    """Return the equity by a plain search one roll ahead, followed by the opponent's cube
    decision.
    """
    return mean_best(board, lambda play: -worth(play, rung, owner, cube))


@pytest.mark.parametrize("cube", SCORES, ids=str)
def test_a_decision_is_by_definition(cube):
    board = LATE if cube.cube == "owned" else HIT
    found = searcher(depth=0).decide(board, cube)
    assert found.no_double[0] == pytest.approx(looked(board, 0, -cube.owner, cube))
    assert found.double_take[0] == pytest.approx(looked(board, 1, 1, cube))


@pytest.mark.parametrize("cube", SCORES, ids=str)
def test_methods_agree_at_all_stakes(cube):
    for board, roll in met_boards(10, 1)[::400]:
        asked, widths = (board, roll, cube), {"width": 3, "inner_width": 2}
        plain = searcher(depth=2, method="plain", **widths).rate(*asked)[0]
        cut = searcher(depth=2, method="star2", **widths).rate(*asked)[0]
        assert plain.board == cut.board
        assert plain.equity == pytest.approx(cut.equity, abs=1e-9)


def test_stakes_do_not_mix_in_one_search():
    kept = searcher(depth=1)
    for cube in (None, *SCORES, None):
        asked = HIT, (6, 2), cube
        assert kept.rate(*asked) == searcher(depth=1).rate(*asked)


def test_plays_know_the_score():
    """Plays depend on the match score, at which gammons may be worthless."""
    chances = np.array([0.5, 0.3, 0.0, 0.1, 0.0])
    scores = (Score(away, "post-crawford") for away in ((2, 1), (1, 2)))
    ladders = [cube_ladder(Terms(Match(score)), True) for score in scores]
    go, no = (ladder_kernels.dead(ladder[0], chances) for ladder in ladders)
    assert go > 0.25 > no


def test_a_long_match_is_played_for_its_score():
    """Plays in a match that is longer than the match equity table depend on the score."""
    cube = cube_of(GameState(length=64, turn=0))
    assert cube.terms.stakes.score.away == (64, 64)
    at = cube_of(GameState(length=5, won=(1, 3), turn=1))
    assert at.terms.stakes.score.away == (2, 4)
