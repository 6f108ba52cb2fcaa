"""The battery on few throws: the product's dice pass it, bad dice do not."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from verify import dice
from verify.chance import battery, streams
from verify.chance.battery import THROWS_PER_SLAB
from verify.chance.sources import BAD, GOOD, biased, echoing


def verdict_of(source, slabs: int) -> battery.Verdict:
    return battery.evaluate(dice.run_battery(source, slabs * THROWS_PER_SLAB, seed=1))


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_the_products_dice_pass(source):
    verdict = verdict_of(source, 2)
    assert verdict.passed, verdict


# Small faults need the throws of the full run; here the same faults, larger.
LARGER = {
    "a double six 1e-4 too likely": biased(3e-3),
    "one throw in 1,000 repeats the last": echoing(1e-2),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_dice_are_found_out(name):
    assert not verdict_of(LARGER.get(name, BAD[name]), 2).passed


def test_too_even_is_as_wrong():
    chances = {f"test {number}": number / 100 for number in range(1, 100)}
    assert battery.evaluate(chances).passed
    assert battery.evaluate(chances | {"even": 1 - 1e-9}).failed == ("even",)
    assert not battery.evaluate(dict.fromkeys(chances, 0.5)).passed


def test_every_thrower_throws_the_same_dice():
    same = dice.same_dice(seed=3)
    assert same == dict.fromkeys(same, True)


def test_streams_do_not_overlap():
    overlap = dice.look_for_overlap(seed=1, scale=1)
    assert overlap.passed, overlap


@given(st.tuples(*(st.integers(0, 2**bits - 1) for bits in streams.FIELDS.values())))
def test_every_address_has_dice_of_its_own(address):
    """The kernels' words lead back to it: no other address of the seed has them."""
    at = np.array([address], dtype=np.uint64)
    assert (streams.addresses(streams.words_at(at), at[:, 0]) == at).all()
