"""Position IDs as written by GNU Backgammon."""

import base64
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import bearoff
from bearoff.positions.position_id import decode_position_id, encode_position_id
from tests.refusals import refused

DATA = Path(__file__).parents[2] / "data"
RECORDED = json.loads((DATA / "gnubg_position_ids.json").read_text())


@pytest.mark.parametrize("name", ["gnubg_position_ids.json", "gnubg_one_sided.csv"])
def test_recorded_files_are_as_recorded(name):
    digest = hashlib.sha256((DATA / name).read_bytes()).hexdigest()
    assert digest in (DATA / "README.md").read_text()


@pytest.mark.parametrize(("xgid", "position_id"), RECORDED)
def test_gnubg_gives_the_same_id(xgid, position_id):
    race = bearoff.Race.parse(xgid, points=12)
    assert race.position_id == position_id
    assert bearoff.Race.parse(position_id, points=12) == race


boards = st.lists(st.integers(0, 24), max_size=15).map(
    lambda stand: tuple(stand.count(point) for point in range(25))
)


@given(boards, boards)
def test_round_trip_of_whole_boards(roller, opponent):
    text = encode_position_id(roller, opponent)
    assert len(text) == 14
    assert decode_position_id(text) == (roller, opponent)


def key(bits):
    """Write 80 bits, lowest first, as a position ID."""
    number = int(bits.ljust(80, "0")[::-1], 2)
    return base64.b64encode(number.to_bytes(10, "little")).decode()[:14]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("LwAAwC0AAAAAA", 14), ("LwAAwC0AAAAAAA==", 14), ("LwAAwC0AAAAAA-", 14), ("", 14),
        ("LwAAwC0AAAAAÄA", 14), (key("1" * 16 + "0" * 50), 16),
        (key("0" * 25 + "1" * 20 + "0" * 25), 20), (key("1" * 80), "boards"),
        (key("1" + "0" * 50 + "1"), "boards"),
        ("LwAAwC0AAAAAAB", "boards"),  # one bit beyond the 80 bits of a position ID
    ],
)  # fmt: skip
def test_wrong_ids_are_refused(text, named):
    with refused(bearoff.PositionError, named):
        decode_position_id(text)


@given(st.from_regex(r"[A-Za-z0-9+/]{14}", fullmatch=True))
def test_what_is_read_is_written_the_same(text):
    try:
        roller, opponent = decode_position_id(text)
    except bearoff.PositionError:
        return
    assert encode_position_id(roller, opponent) == text
