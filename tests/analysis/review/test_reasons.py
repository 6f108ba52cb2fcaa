"""A reason why a play is better names a feature that differs between the plays and explains
the cost.
"""

from itertools import permutations

import numpy as np
import pytest

from bearoff.analysis.review.reasons import proposed_reason, reason
from bearoff.game import Board, legal_plays, read_play
from bearoff.game.evaluation import Net, effects_of, exchanges_of


def said(roll, best, played, cost=0.01):
    """Return the reasons why the first of two plays of an opening roll is better."""
    boards = (read_play(Board.start(), text, roll) for text in (best, played))
    return reason(*boards, cost)


def test_a_reason_speaks_for_the_best_play_alone_and_explains_the_cost():
    assert "5-point" in said((3, 1), "8/5 6/5", "8/4")
    for best, played in (("24/20 13/8", "13/4"), ("13/4", "24/20 13/8")):
        found = said((5, 4), best, played)
        assert not {"although", "but", "without"} & set(found.split())
    assert said((3, 1), "8/5 6/5", "6/5 8/5") == ""
    assert said((3, 1), "8/5 6/5", "8/4", cost=0.05)
    assert said((3, 1), "8/5 6/5", "8/4", cost=5.0) == ""


def test_reasons_that_fail_against_the_net_are_not_given():
    net, start = Net.load(), Board.start()
    boards = [Board(tuple(play.tolist())) for play in legal_plays(start, (6, 4))[::3]]
    given = []
    for best, played in permutations(boards, 2):
        text, feature = proposed_reason(best, played, 0.01)
        if not text:
            continue
        whole = net.equity(played.turned) - net.equity(best.turned)
        holds = min(whole, *exchanges_of(net, best, played)[feature]) > 0
        assert reason(best, played, 0.01) == text * holds
        given.append(holds)
    assert 0 < sum(given) < len(given)


def test_a_double_hit_is_one_hit_more_than_a_single_hit():
    points = [0] * 26
    points[6], points[8], points[13], points[24] = 5, 3, 5, 2
    points[5] = points[4] = -1
    points[12], points[17], points[19] = -5, -3, -5
    board = Board(tuple(points))
    two, one, none = (
        read_play(board, text, (2, 1))
        for text in ("6/4* 6/5*", "6/5* 13/11", "13/11 24/23")
    )
    assert "hits 1 checker more" in reason(two, one, 0.01)
    assert "hits 2 checkers" in reason(two, none, 0.01)
    assert "hit" not in reason(one, two, 0.01)


@pytest.mark.parametrize("seed", range(3))
def test_the_effect_of_a_feature_is_the_change_of_the_nets_value(seed):
    net, random = Net.load(), np.random.default_rng(seed)
    dice = tuple(sorted(random.integers(1, 7, 2).tolist(), reverse=True))
    plays = [Board(tuple(play.tolist())) for play in legal_plays(Board.start(), dice)]
    best, played = (plays[i] for i in random.choice(len(plays), 2, replace=False))
    there, back = effects_of(net, best, played), effects_of(net, played, best)
    assert there == pytest.approx(
        {name: -effect for name, effect in back.items()}, abs=1e-6
    )
    # Exchanging the best play and the play made exchanges the gains and losses of each
    # feature.
    both, turned = exchanges_of(net, best, played), exchanges_of(net, played, best)
    for name, (taken, given) in both.items():
        assert turned[name] == pytest.approx((-given, -taken), abs=1e-6)
    whole = net.equity(played.turned) - net.equity(best.turned)
    # The effects of all features add up only approximately to the difference in equity.
    assert sum(there.values()) == pytest.approx(whole, abs=0.15)
