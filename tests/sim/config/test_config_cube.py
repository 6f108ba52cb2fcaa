"""Settings of the cube in the configuration of a run."""

from bearoff.sim.config.cube import JanowskiStrategy, StateStrategy, ThresholdStrategy
from bearoff.sim.config.load import load_config
from tests.sim.config.refusals import CUBE, GOOD


def test_every_form_of_a_strategy_is_read():
    thresholds = {"thresholds": {"double": 0.7, "redouble": 0.72, "take": 0.22}}
    states = {"centred": "keith", "owned": {"janowski": 1}, "take": thresholds}
    cube = load_config({**GOOD, "cube": CUBE | {"rival": states, "value": 4}}).cube
    assert cube is not None
    assert isinstance(cube.rival, StateStrategy)
    assert cube.rival.centred == "keith"
    assert cube.rival.owned == JanowskiStrategy(janowski=1.0)
    assert isinstance(cube.rival.take, ThresholdStrategy)
    assert cube.rival.take.thresholds.take == 0.22
