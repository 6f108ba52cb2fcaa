"""The cube of a configuration: what is read of it, and what is refused in which words."""

from typing import Any

import pytest

from sim.config.cube import JanowskiStrategy, StateStrategy, ThresholdStrategy
from sim.config.errors import ConfigError
from sim.config.load import load_config

GOOD = {"run": "x", "games": 1, "pairs": [{"random": {"pairs": 1}}]}
CUBE = {"roller": "keith", "opponent": "perfect"}


def told(cube: Any, **others: Any) -> str:
    with pytest.raises(ConfigError) as refused:
        load_config({**GOOD, "cube": cube, **others})
    return str(refused.value)


def test_a_cube_is_read() -> None:
    cube = load_config({**GOOD, "cube": CUBE}).cube
    assert cube is not None
    assert (cube.roller, cube.opponent, cube.rival) == ("keith", "perfect", None)
    assert (cube.position, cube.value) == ("centred", 1)


def test_every_form_of_a_strategy_is_read() -> None:
    thresholds = {"thresholds": {"double": 0.7, "redouble": 0.72, "take": 0.22}}
    states = {"centred": "keith", "owned": {"janowski": 1}, "take": thresholds}
    cube = load_config({**GOOD, "cube": CUBE | {"rival": states, "value": 4}}).cube
    assert cube is not None
    assert isinstance(cube.rival, StateStrategy)
    assert cube.rival.centred == "keith"
    assert cube.rival.owned == JanowskiStrategy(janowski=1.0)
    assert isinstance(cube.rival.take, ThresholdStrategy)
    assert cube.rival.take.thresholds.take == 0.22


def test_without_the_key_there_is_no_cube() -> None:
    config = load_config(GOOD)
    assert config.cube is None
    assert "cube" not in config.identity()


def test_the_cube_is_part_of_what_determines_outcomes() -> None:
    one = load_config({**GOOD, "cube": CUBE})
    other = load_config({**GOOD, "cube": CUBE | {"rival": "thorp"}})
    assert one.identity() != other.identity()


@pytest.mark.parametrize(
    ("cube", "message"),
    [
        (3, "cube: expected a mapping with position, value, jacoby, roller, opponent, "
            "rival, got 3"),
        ({"roller": "x"}, "cube.opponent: missing; expected a cube strategy"),
        (CUBE | {"positon": "roller"},
         "cube.positon: unknown key; did you mean 'position'?"),
        (CUBE | {"position": "owned"},
         "cube.position: expected one of centred, roller, opponent, got 'owned'"),
        (CUBE | {"value": 3}, "cube.value: a cube shows 1, 2, 4, ... up to 1,024, got 3"),
        (CUBE | {"value": 0},
         "cube.value: expected a whole number from 1 to 1,024, got 0"),
        (CUBE | {"rival": 5},
         "cube.rival: expected a name such as perfect, or a mapping with thresholds or "
         "janowski or centred, owned and take, got 5"),
        (CUBE | {"rival": ""}, "cube.rival: expected a cube strategy, got ''"),
        (CUBE | {"rival": {"janowsky": 1}},
         "cube.rival: expected a key of thresholds, janowski, centred, owned, take, got "
         "'janowsky'; did you mean 'janowski'?"),
        (CUBE | {"rival": {"janowski": 1.5}},
         "cube.rival.janowski: expected a number from 0 to 1, got 1.5"),
        (CUBE | {"rival": {"janowski": 1, "take": "x"}},
         "cube.rival: expected one strategy, got janowski and take; keep one"),
        (CUBE | {"rival": {"thresholds": {"double": 0.7, "redouble": 1, "take": "a"}}},
         "cube.rival.thresholds.take: expected a number from 0 to 1, got 'a'"),
        (CUBE | {"rival": {"centred": "x", "owned": "x"}},
         "cube.rival.take: missing; expected a cube strategy"),
        (CUBE | {"rival": {"centred": "x", "owned": {"take": "x"}, "take": "x"}},
         "cube.rival.owned: expected a key of thresholds, janowski, got 'take'"),
    ],
)  # fmt: skip
def test_what_is_refused(cube: Any, message: str) -> None:
    assert told(cube) == message


def test_who_does_not_play_with_the_cube() -> None:
    assert told(CUBE, players={"roller": "random-play"}) == (
        "cube: the player random-play does not play with the cube"
    )
    with pytest.raises(ConfigError, match="where the cube is; add cube, or use opt"):
        load_config({**GOOD, "players": {"opponent": "perfect"}})


def test_games_are_given() -> None:
    assert told(CUBE, games=None, standard_error={"target": 0.1}) == (
        "standard_error: with the cube the games for a standard error cannot be planned; "
        "give games"
    )
