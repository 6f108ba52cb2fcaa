"""A decision whose cost is shown as 0 does not count as a mistake."""

import numpy as np
import pytest

from bearoff.stakes import is_mistake


@pytest.mark.parametrize("digits", [3, 4])
def test_a_mistake_is_what_its_text_does_not_round_to_nothing(digits):
    costs = np.linspace(0.0, 2.0, 402)[1:-1:2] * 10.0**-digits
    shown = [float(f"{cost:.{digits}f}") > 0 for cost in costs]
    assert 0 < sum(shown) < len(shown)
    assert [bool(is_mistake(cost, digits=digits)) for cost in costs] == shown
    assert is_mistake(costs, 0 * costs, digits).tolist() == shown
    assert not is_mistake(costs, costs, digits).any()
