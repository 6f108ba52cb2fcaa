"""Owners of the cube: their words, their numbers, and who may double."""

from typing import get_args

import pytest

from bearoff.positions import Xgid
from bearoff.stakes import CubeOwner, RollersCube


@pytest.mark.parametrize(
    ("cube", "owner", "may"),
    [
        ("owned", 1, (True, False)),
        ("centred", 0, (True, True)),
        ("opponent", -1, (False, True)),
    ],
)
def test_a_cube_has_an_owner_who_may_turn_it(cube, owner, may):
    found = CubeOwner.of(cube)
    assert (found, found.cube, found.may) == (owner, cube, may)
    assert found.may[0] == (cube in get_args(RollersCube))
    assert found.exchanged == -owner
    # In an XGID, this number states the owner of the cube, if the roller is the lower
    # player.
    race = Xgid.parse(f"XGID=-CBA-------------------ad-:1:{owner}:1:00:0:0:0:0:10").setup
    assert race.cube == cube
