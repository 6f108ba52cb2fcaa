"""The names others build on; a change here is a change of the interface."""

import inspect

import bearoff

NAMES = [
    "BearoffError",
    "CHECKERS",
    "CubeAction",
    "CubeActions",
    "CubeThresholds",
    "DoublingWindow",
    "Market",
    "OneSidedTable",
    "PIPS_PER_ROLL",
    "POINTS",
    "Play",
    "Position",
    "PositionError",
    "RACE_EFFICIENCY",
    "ROLLS",
    "Race",
    "RatedPlay",
    "RollError",
    "Successors",
    "TableError",
    "ValuedPlay",
    "WEIGHTS",
    "best_plays",
    "cache_folder",
    "cube_action",
    "cube_actions",
    "cubeful_equity",
    "doubling_window",
    "fewest_rolls_win_probability",
    "first_off_probability",
    "format_roll",
    "least_score_policy",
    "legal_plays",
    "market",
    "one_sided_table",
    "parse_roll",
    "play_distribution",
    "policy_distribution",
    "position_count",
    "rank",
    "rate_plays",
    "rebuild_one_sided_table",
    "successors",
    "unrank",
    "value_plays",
]


def test_names_to_keep():
    assert set(NAMES) <= set(bearoff.__all__)
    assert bearoff.__all__ == sorted(bearoff.__all__, key=sort_key)
    for name in bearoff.__all__:
        assert hasattr(bearoff, name)


def sort_key(name: str) -> tuple[int, str]:
    """Constants, classes, functions: the order ruff keeps `__all__` in."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_every_public_thing_is_documented():
    for name in bearoff.__all__:
        thing = getattr(bearoff, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__doc__
            assert thing.__module__.startswith("bearoff.")


def test_every_error_is_a_value_error_of_ours():
    for name in ("PositionError", "RollError", "TableError"):
        assert issubclass(getattr(bearoff, name), bearoff.BearoffError)
    assert issubclass(bearoff.BearoffError, ValueError)
