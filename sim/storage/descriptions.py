"""Descriptions of the columns of result files, which are stored in the Parquet schema.

Values are from the roller's viewpoint, before the roll.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

DESCRIPTION = "description"
"""Key of a column's description in the metadata of the column."""

_BY_CUBE = "by final cube: 1, 2, 4, ..., 64 times the cube at the start, 128 times or more"

OF_RUNS = {
    "roller": "Benjamin-Ross number of the roller's position",
    "opponent": "Benjamin-Ross number of the opponent's position",
    "roller_counts": "the roller's checkers on the ace, deuce, ... point",
    "opponent_counts": "the opponent's checkers on their own ace, deuce, ... point",
    "roller_pips": "raw pip count of the roller",
    "opponent_pips": "raw pip count of the opponent",
    "roller_epc": "effective pip count of the roller",
    "opponent_epc": "effective pip count of the opponent",
    "pair": "index of the pair in the run, from 0",
    "weight": "weight of the pair in averages",
    "games": "games played",
    "wins": "games that the roller won",
    "gammons_won": "games that the roller won by a gammon",
    "gammons_lost": "games that the roller lost by a gammon",
    "length_mean": "mean number of rolls of both sides together until the game ends",
    "length_variance": "population variance of the number of rolls",
    "roller_ahead": "games that the roller won by the rolls that the opponent still "
    "needed: 1, 2, ..., 7, and 8 or more",
    "opponent_ahead": "games that the opponent won by the rolls that the roller still "
    "needed: 1, 2, ..., 7, and 8 or more",
    "expected": "exact value to which the mean converges; null if unknown",
    "points_mean": "equity: mean points that the roller won, including the cube value",
    "points_variance": "population variance of the points won",
    "cube": f"games {_BY_CUBE}",
    "cube_won": f"games that the roller won {_BY_CUBE}",
    "cube_lost": f"games that the roller lost {_BY_CUBE}",
    "cube_gammons_won": f"gammons that the roller won {_BY_CUBE}",
    "cube_gammons_lost": f"gammons that the roller lost {_BY_CUBE}",
    "roller_doubles": "doubles and redoubles of the roller, taken or passed",
    "opponent_doubles": "doubles and redoubles of the opponent, taken or passed",
    "roller_passes": "games that the roller lost by passing",
    "opponent_passes": "games that the opponent lost by passing",
    "match_chance": "the roller's mean chance to win the match after a game",
    "match_chance_variance": "population variance of the chance to win the match",
    "rival_points_mean": "mean points of the rival in the same games; null without a rival",
    "rival_match_chance": "mean chance of the rival to win the match after the same games; "
    "null without a rival",
    "difference_mean": "mean over the games of the roller's result minus the rival's, in "
    "points or in chance to win the match; null without a rival",
    "difference_variance": "population variance of that difference; null without a rival",
}
"""Descriptions of the columns in runs that simulate whole games, with or without a cube."""

_ROLLOUT_VALUES = {
    "win_probability": "chance that the roller wins without a cube",
    "gammon_won": "chance that the roller wins a gammon or a backgammon",
    "gammon_lost": "chance that the roller loses a gammon or a backgammon",
    "backgammon_won": "chance that the roller wins a backgammon",
    "backgammon_lost": "chance that the roller loses a backgammon",
    "cubeless": "equity without a cube",
    "no_double": "equity without a double now, the cube centred",
    "no_redouble": "equity without a double now, the roller owning the cube",
    "double_take": "equity of a double that is taken",
    "double_gain": "equity gained by doubling now, the cube centred",
    "redouble_gain": "equity gained by redoubling now, the roller owning the cube",
}

OF_ROLLOUTS = (
    OF_RUNS
    | _ROLLOUT_VALUES
    | {f"{name}_error": f"standard error of {name}" for name in _ROLLOUT_VALUES}
    | {f"{name}_systematic": f"systematic error of {name}" for name in _ROLLOUT_VALUES}
    | {
        "games": "games of the rollout; 0 if a two-sided table contains the pair",
        "double_action": "the right cube action, the cube centred",
        "double_too_close": "whether double_action is uncertain at 95% confidence",
        "redouble_action": "the right cube action, the roller owning the cube",
        "redouble_too_close": "whether redouble_action is uncertain at 95% confidence",
    }
)
"""Descriptions of the columns in runs of rollouts."""


def described(types: "pa.Schema", texts: Mapping[str, str]) -> "pa.Schema":
    import pyarrow as pa

    fields = [field.with_metadata({DESCRIPTION: texts[field.name]}) for field in types]
    return pa.schema(fields, metadata=types.metadata)
