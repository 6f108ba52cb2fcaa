"""States of the cube in games with a limit of the cube."""

from bearoff.scores import CubeState, LimitedPayoffs


def test_at_the_cube_limit_nobody_may_double():
    payoffs = LimitedPayoffs(limit=2)
    begun = payoffs.state(1, True, True)
    assert begun == (1, True, True)
    dead = payoffs.turned(begun, 0)
    assert dead == CubeState(2, False, False)
    assert payoffs.states_below(begun) == [payoffs.decided, dead, begun]
