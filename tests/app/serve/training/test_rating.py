"""The user's rating, beside Glickman's paper and a simulated player."""

from random import Random

import pytest

from bearoff.app.serve.training.rating import SUREST, Rating, of_question, rated


def test_the_example_of_the_paper():
    """Glickman (1999) rates the three games as one period, which gives nearly the same."""
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
