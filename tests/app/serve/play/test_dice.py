"""Dice of matches are computed from a seed as documented, and are random."""

import hashlib
from itertools import product

from bearoff.app.serve.play.dice import hash_of, new_seed, thrown


def by_the_rule(seed, game, throw):
    """Return the dice of one throw by the documented rule."""
    found = []
    for k in range(4):
        text = f"{seed} {game} {throw} {k}".encode("ascii")
        found += [b % 6 + 1 for b in hashlib.sha256(text).digest() if b < 252]
    return found


def test_throws_are_those_of_the_rule_and_equal_dice_at_the_opening_are_passed_over():
    equal = 0
    for place in product((f"{k:032x}" for k in range(20)), (1, 12), (0, 7)):
        dice = by_the_rule(*place)
        pairs = [*zip(dice[::2], dice[1::2], strict=False)]
        assert thrown(*place, opening=False) == pairs[0]
        assert thrown(*place, opening=True) == next(p for p in pairs if p[0] != p[1])
        equal += dice[0] == dice[1]
    assert equal > 5


def test_the_hash_is_that_of_the_seed():
    seed = new_seed()
    assert seed != new_seed()
    assert hash_of(seed) == hashlib.sha256(seed.encode("ascii")).hexdigest()
