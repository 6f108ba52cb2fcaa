"""The score of a configuration: what is read of it, and what is refused in which words."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bearoff import Score, read_match_equities
from bearoff.scores.equities import KAZAROSS_XG2
from sim.config.load import load_config
from tests.sim.config.refusals import GOOD, refusal

CUBE = {"cube": {"roller": "perfect", "opponent": "keith"}}
ROLLOUT: dict[str, Any] = {"rollout": {}}
CRAWFORD = {"score": "3-1", "crawford": True}


@pytest.mark.parametrize("games", [CUBE, ROLLOUT])
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
def test_a_score_is_read_and_written_back(games, match, score) -> None:
    config = load_config({**GOOD, **games, "match": match})
    assert config.match is not None
    assert config.match.before() == score
    again = load_config(config.effective())
    assert again == config
    assert again.match is not None
    assert again.match.before() == score
    assert config.identity()["match"] == config.effective()["match"]
    assert config.identity() != load_config({**GOOD, **games}).identity()


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (CUBE | {"match": 7},
         "match: expected a mapping with score, length, crawford, equities, got 7"),
        (CUBE | {"match": {"length": 7}},
         "match.score: missing; expected text of 1 to 64 characters"),
        (CUBE | {"match": {"score": 3}},
         "match.score: expected text of 1 to 64 characters, got 3; put it in quotes"),
        (CUBE | {"match": {"score": "3-5", "lenght": 7}},
         "match.lenght: unknown key; did you mean 'length'?"),
        (CUBE | {"match": {"score": "3-5", "length": 0}},
         "match.length: expected a whole number from 1 to 64, got 0"),
        (CUBE | {"match": {"score": "3-5", "crawford": "yes"}},
         "match.crawford: expected true or false, got 'yes'"),
        (CUBE | {"match": {"score": "three"}},
         "match: a score is written as 3-5, '2-4 to 7', '1-3 Crawford', '1-3 "
         "post-Crawford' or DMP, got 'three'"),
        (CUBE | {"match": {"score": "9-2", "length": 7}},
         "match: points the roller has won of 7 must be from 0 to 6, got 9"),
        (CUBE | {"match": {"score": "3-1"}},
         "match: at 3-away 1-away no game is normal; say 'crawford: true' for the game "
         "without the cube, or false for a later one"),
        (CUBE | {"match": {"score": "3-5", "crawford": True}},
         "match: a crawford game needs a side that is 1 point away, got 3-away 5-away; "
         "leave 'crawford' out"),
        ({"match": {"score": "3-5"}},
         "match: a score is for games with the cube; add cube, or rollout"),
        ({"rollout": {"jacoby": True}, "match": {"score": "3-5"}},
         "match: Jacoby's rule is one of money play; remove jacoby, or match"),
        ({"cube": CUBE["cube"] | {"value": 2}, "match": CRAWFORD},
         "match: in Crawford's game the cube stays centred at 1; remove what says "
         "otherwise"),
        ({"rollout": {"cube_value": 2}, "match": CRAWFORD},
         "match: in Crawford's game the cube stays centred at 1; remove what says "
         "otherwise"),
        ({"rollout": {"table": 6, "table_points": 8}, "match": {"score": "3-5"}},
         "match: tables at a score are of 6 points; remove rollout.table_points"),
        ({"rollout": {"cube_value": 3}},
         "rollout.cube_value: a cube shows 1, 2, 4, ... up to 1,024, got 3"),
        ({"rollout": {"cube_value": 2}},
         "match: for money all equities are of a cube at 1; remove rollout.cube_value"),
    ],
)  # fmt: skip
def test_what_is_no_score_is_refused(config, message) -> None:
    assert refusal({**GOOD, **config}) == message


def test_a_match_equity_table_is_kept_as_text(tmp_path: Path) -> None:
    program = read_match_equities(KAZAROSS_XG2)
    own = KAZAROSS_XG2.read_text().replace("Kazaross-XG2", "mine")
    (tmp_path / "own.csv").write_text(own)
    (tmp_path / "batch.yaml").write_text(
        yaml.safe_dump(GOOD | CUBE | {"match": {"score": "3-5", "equities": "own.csv"}})
    )
    config = load_config(tmp_path / "batch.yaml")
    (tmp_path / "own.csv").unlink()
    again = load_config(config.effective())
    assert again == config
    assert again.match is not None
    assert again.match.table is not None
    assert again.match.table.name == "mine"
    assert again.match.table.chance(Score((3, 5))) == program.chance(Score((3, 5)))


@pytest.mark.parametrize(
    ("equities", "message"),
    [
        (
            "no/such.csv",
            "no/such.csv cannot be read: there is no such file",
        ),
        ("a,b\n1,2\n", "match: own table: "),
        (3, "match.equities: expected text of 1 to 1048576 characters, got 3"),
    ],
)
def test_what_is_no_match_equity_table_is_refused(equities: Any, message: str) -> None:
    found = refusal({**GOOD, **CUBE, "match": {"score": "3-5", "equities": equities}})
    assert message in found
