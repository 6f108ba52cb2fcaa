"""Settings of the cube and of the match score in the configuration of a run."""

import pytest
import yaml

from bearoff import Score, read_match_equities
from bearoff.scores.equities import KAZAROSS_XG2
from bearoff.sim.config.cube import JanowskiStrategy
from bearoff.sim.config.load import load_config
from tests.sim.config.refusals import CUBE, GOOD

CUBED = {"cube": CUBE}


@pytest.mark.parametrize("games", [CUBED, {"rollout": {}}])
@pytest.mark.parametrize(
    ("match", "score"),
    [
        ({"score": "3-5"}, Score((3, 5))),
        ({"score": [3, 5]}, Score((3, 5))),
        ({"score": "2-4", "length": 7}, Score((5, 3), length=7)),
        ({"score": "2-4 to 7"}, Score((5, 3), length=7)),
        ({"score": "2-6", "length": 7, "crawford": True}, Score((5, 1), "crawford", 7)),
        ({"score": [1, 4], "crawford": False}, Score((1, 4), "post-crawford")),
        ({"score": "DMP"}, Score((1, 1))),
    ],
)
def test_a_score_is_read_and_written_back(games, match, score):
    config = load_config({**GOOD, **games, "match": match})
    assert config.match.before() == score
    again = load_config(config.effective())
    assert again == config
    assert again.match.before() == score
    assert config.identity()["match"] == config.effective()["match"]
    assert config.identity() != load_config({**GOOD, **games}).identity()


def test_a_match_equity_table_is_kept_as_text(tmp_path):
    program = read_match_equities(KAZAROSS_XG2)
    own = KAZAROSS_XG2.read_text().replace("Kazaross-XG2", "mine")
    (tmp_path / "own.csv").write_text(own)
    (tmp_path / "batch.yaml").write_text(
        yaml.safe_dump(GOOD | CUBED | {"match": {"score": "3-5", "equities": "own.csv"}})
    )
    config = load_config(tmp_path / "batch.yaml")
    (tmp_path / "own.csv").unlink()
    again = load_config(config.effective())
    assert again == config
    assert again.match.table.name == "mine"
    assert again.match.table.chance(Score((3, 5))) == program.chance(Score((3, 5)))


def test_every_form_of_a_strategy_is_read():
    thresholds = {"thresholds": {"double": 0.7, "redouble": 0.72, "take": 0.22}}
    states = {"centred": "keith", "owned": {"janowski": 1}, "take": thresholds}
    cube = load_config({**GOOD, "cube": CUBE | {"rival": states, "value": 4}}).cube
    assert cube.rival.centred == "keith"
    assert cube.rival.owned == JanowskiStrategy(janowski=1.0)
    assert cube.rival.take.thresholds.take == 0.22
