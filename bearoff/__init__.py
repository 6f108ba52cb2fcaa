"""Exact knowledge of the bear-off: positions, plays, tables, cube theory.

Positions are numbered by Benjamin and Ross's perfect hash. Viewpoint is always the
roller's (the side on roll), before the roll.
"""

from bearoff.advice import RatedPlay, rate_plays
from bearoff.convolution import first_off_probability
from bearoff.cube import RACE_EFFICIENCY, CubeThresholds, cubeful_equity
from bearoff.cube_decisions import CubeAction, CubeActions, cube_action, cube_actions
from bearoff.cube_plays import ValuedPlay, best_plays, value_plays
from bearoff.doubling_window import DoublingWindow, doubling_window
from bearoff.errors import BearoffError, PositionError, RollError, TableError
from bearoff.market_losers import Market, market
from bearoff.numbering import CHECKERS, POINTS, position_count, rank, unrank
from bearoff.one_sided import (
    OneSidedTable,
    fewest_rolls_win_probability,
    one_sided_table,
    rebuild_one_sided_table,
)
from bearoff.plays import Play, legal_plays
from bearoff.policies import (
    Successors,
    least_score_policy,
    play_distribution,
    policy_distribution,
    successors,
)
from bearoff.position import Position, Race
from bearoff.rolls import PIPS_PER_ROLL, ROLLS, WEIGHTS, format_roll, parse_roll
from bearoff.store import cache_folder
from bearoff.two_sided import TwoSidedTable, two_sided_table
from bearoff.two_sided_build import BuildEstimate, build_two_sided_table, estimate_build
from bearoff.two_sided_store import remove_table

__all__ = [
    "CHECKERS",
    "PIPS_PER_ROLL",
    "POINTS",
    "RACE_EFFICIENCY",
    "ROLLS",
    "WEIGHTS",
    "BearoffError",
    "BuildEstimate",
    "CubeAction",
    "CubeActions",
    "CubeThresholds",
    "DoublingWindow",
    "Market",
    "OneSidedTable",
    "Play",
    "Position",
    "PositionError",
    "Race",
    "RatedPlay",
    "RollError",
    "Successors",
    "TableError",
    "TwoSidedTable",
    "ValuedPlay",
    "best_plays",
    "build_two_sided_table",
    "cache_folder",
    "cube_action",
    "cube_actions",
    "cubeful_equity",
    "doubling_window",
    "estimate_build",
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
    "remove_table",
    "successors",
    "two_sided_table",
    "unrank",
    "value_plays",
]
