"""The user's rating, compared with the example in Glickman's paper and with a simulated
player.
"""

from random import Random

import pytest

from bearoff.app.serve.training.rating import SUREST, Rating, of_question, rated


def test_the_example_of_the_paper():
    """The rating in the example of Glickman (1999) is computed correctly.

    The paper rates the three games as one period, with the result 1464 (151.4). Rating one
    game after the other gives nearly the same.
    """
    player = Rating(1500, 200)
    for other, score in (((1400, 30), 1), ((1550, 100), 0), ((1700, 300), 0)):
        player, _ = rated(player, Rating(*other), score)
    assert player.value == pytest.approx(1464, abs=10)
    assert player.deviation == pytest.approx(151.4, abs=2)


def test_a_player_of_known_strength_is_found():
    rng, player = Random(5), Rating()
    for _ in range(400):
        question = of_question(rng.random())
        wins = rng.random() < 1 / (1 + 10 ** ((question.value - 1720) / 400))
        player, moved = rated(player, question, float(wins))
        assert (moved.value < question.value) == wins
    assert player.value == pytest.approx(1720, abs=2.5 * SUREST)
    assert player.deviation == SUREST
    assert player.after(365).deviation == pytest.approx(350, abs=1)
    assert player.after(-1) == player
