"""Quick version of the full-scale test of all dice generators and their streams."""

import numpy as np
from hypothesis import given, strategies as st

from verify import dice
from verify.chance import streams


def test_every_thrower_throws_the_same_dice():
    same = dice.same_dice(seed=3)
    assert same == dict.fromkeys(same, True)


def test_streams_do_not_overlap():
    overlap = dice.look_for_overlap(seed=1, scale=1)
    assert overlap.passed, overlap


def test_an_overlap_of_streams_is_detected(monkeypatch):
    draw = streams._stream_words
    monkeypatch.setattr(
        streams, "_stream_words", lambda seeds, *rest: draw(0 * seeds, *rest)
    )
    assert not dice.look_for_overlap(seed=1, scale=1).passed


@given(st.tuples(*(st.integers(0, 2**bits - 1) for bits in streams.FIELDS.values())))
def test_every_address_has_dice_of_its_own(address):
    at = np.array([address], dtype=np.uint64)
    assert (streams.addresses(streams.words_at(at), at[:, 0]) == at).all()
